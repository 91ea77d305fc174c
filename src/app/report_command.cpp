#include "scree/app/report_command.hpp"

#include <fmt/format.h>

#include "scree/base/parallel.hpp"
#include "scree/io/whole_file.hpp"

namespace scree {

int report_command(MPI_Comm comm, const ReportArguments& arguments) {
  std::string problem;
  if (rank_of(comm) == 0) {
    try {
      const std::string page = report_page(arguments.run);
      const std::filesystem::path output =
          arguments.output.empty() ? arguments.run / "report.html" : arguments.output;
      write_whole(output, page);
      fmt::print("{}\n", output.string());
    } catch (const std::exception& error) {
      problem = error.what();
    }
  }
  refuse_together(comm, problem);
  return 0;
}

}  // namespace scree
