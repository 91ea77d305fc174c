#include "scree/app/commands/report_command.hpp"

#include <fmt/format.h>

#include <fstream>

#include "scree/base/parallel.hpp"
#include "scree/io/run_folder/whole_file.hpp"
#include "scree/report/report_page.hpp"
#include "scree/report/sweep_page.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

/// Nothing but an earlier page is replaced. @throws InputError.
void check_replaceable(const fs::path& output) {
  if (!fs::exists(output)) return;
  std::string first;
  if (fs::is_regular_file(output)) std::getline(std::ifstream(output), first);
  if (first.starts_with(kPageBegin)) return;
  throw InputError(
      fmt::format("--output: {} exists and is no page of a report; give the name of a new file",
                  output.string()));
}

}  // namespace

int report_command(MPI_Comm comm, const ReportArguments& arguments) {
  std::string problem;
  std::string failure;
  if (rank_of(comm) == 0) {
    try {
      const std::string page =
          is_sweep_folder(arguments.run) ? sweep_page(arguments.run) : report_page(arguments.run);
      const fs::path output =
          arguments.output.empty() ? arguments.run / "report.html" : arguments.output;
      check_replaceable(output);
      write_whole(output, page);
      fmt::print("{}\n", output.string());
    } catch (const InputError& error) {
      problem = error.what();
    } catch (const std::exception& error) {
      failure = error.what();
    }
  }
  refuse_together(comm, problem);
  fail_together(comm, failure);
  return 0;
}

}  // namespace scree
