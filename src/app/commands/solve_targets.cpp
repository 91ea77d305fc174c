#include "solve_targets.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <system_error>

#include "scree/base/parallel.hpp"
#include "scree/io/run_folder/whole_file.hpp"

namespace scree {

namespace fs = std::filesystem;

namespace {

/// Can @p path be written to, or made? Leaves nothing behind.
bool can_write(const fs::path& path) {
  if (std::error_code code; fs::exists(path, code)) return access(path.c_str(), W_OK) == 0;
  // Permissions are not enough (a file system may refuse root, too): the file is opened.
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) return false;
  close(file);
  unlink(path.c_str());
  return true;
}

/// A device or a pipe, as /dev/stdout: written to, not replaced.
bool is_stream(const fs::path& path) {
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  return fs::exists(status) && !fs::is_regular_file(status);
}

/// Why nothing can be written at @p path; empty when it can. Leaves nothing behind.
std::string fault_of_target(const fs::path& path) {
  std::error_code code;
  if (fs::is_directory(path, code)) {
    return fmt::format("{}: is a folder; give the name of a file", path.string());
  }
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, code)) {
    return fmt::format("{}: there is no folder {}", path.string(), folder.string());
  }
  if (can_write(path) && (is_stream(path) || can_write(part_of(target_of(path))))) return {};
  const std::error_code error(errno, std::generic_category());
  return fmt::format("{}: cannot be written: {}", path.string(), error.message());
}

/// One file by two names, which may be there or not.
bool same_file(const fs::path& a, const fs::path& b) {
  std::error_code code;
  if (fs::equivalent(a, b, code)) return true;
  return target_of(a) == target_of(b);
}

std::string fault_of_targets(const SolveArguments& arguments) {
  for (const fs::path& path : {arguments.report, arguments.output}) {
    if (path.empty()) continue;
    if (std::string fault = fault_of_target(path); !fault.empty()) return fault;
    if (same_file(path, arguments.file) || same_file(part_of(target_of(path)), arguments.file)) {
      return fmt::format("{}: would replace the problem; give another name", path.string());
    }
  }
  if (is_stream(arguments.output)) {
    return fmt::format("{}: is no file; give the name of one, as HDF5 cannot be streamed",
                       arguments.output.string());
  }
  if (!arguments.report.empty() && !arguments.output.empty() &&
      same_file(arguments.report, arguments.output)) {
    return fmt::format("{}: is to be both the report and the output; give another name to one",
                       arguments.report.string());
  }
  return {};
}

}  // namespace

fs::path target_of(const fs::path& path) {
  std::error_code code;
  const fs::path target = fs::weakly_canonical(fs::absolute(path), code);
  return code ? path : target;
}

void check_writable(MPI_Comm comm, const SolveArguments& arguments) {
  refuse_together(comm, rank_of(comm) == 0 ? fault_of_targets(arguments) : std::string());
}

void write_report(const fs::path& path, const std::string& text) {
  if (!is_stream(path)) {
    write_whole(target_of(path), text);
    return;
  }
  std::ofstream stream(path);
  stream << text << std::flush;
  if (!stream) throw Failure(fmt::format("{}: the report could not be written", path.string()));
}

}  // namespace scree
