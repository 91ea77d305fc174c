#include "scree/io/run_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <regex>
#include <vector>

#include "scree/base/check.hpp"
#include "scree/base/parallel.hpp"

namespace scree {
namespace fs = std::filesystem;
namespace {

/// fsync of a file or folder. File systems that cannot flush folders are left to themselves.
void flush_to_disk(const fs::path& path, bool is_folder) {
  const int file = open(path.c_str(), is_folder ? O_RDONLY | O_DIRECTORY : O_WRONLY);
  const int code = file < 0 ? -1 : fsync(file);
  const int error = errno;
  if (file >= 0) close(file);
  if (code != 0 && !is_folder) {
    throw Failure(fmt::format("{}: cannot be flushed: {}", path.string(), std::strerror(error)));
  }
}

void remove_files(const fs::path& folder, const std::string& ending) {
  if (!fs::is_directory(folder)) return;
  std::vector<fs::path> old;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(ending) || name.ends_with(ending + ".part")) old.push_back(entry.path());
  }
  for (const fs::path& path : old) fs::remove(path);
}

/// Contact problems are told by their whole name: what `scree solve` was given for its output may stand
/// among them.
void remove_problems(const fs::path& folder) {
  static const std::regex kName("step_[0-9]{8,}\\.hdf5");
  if (!fs::is_directory(folder)) return;
  std::vector<fs::path> old;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (std::regex_match(entry.path().filename().string(), kName)) old.push_back(entry.path());
  }
  for (const fs::path& path : old) fs::remove(path);
}

void remove_run(const RunFolder& folder) {
  for (const fs::path& path : {folder.xdmf(), folder.steps(), folder.tools(), folder.log()}) {
    fs::remove(path);
  }
  remove_files(folder.snapshots(), ".hdf");
  remove_files(folder.checkpoints(), ".h5");
  remove_problems(folder.problems());
  fs::remove(folder.config());
}

std::string not_made(const RunFolder& folder, std::string_view reason) {
  return fmt::format("{}: the folder of the run cannot be made: {}; give another with --output DIR",
                     folder.root().string(), reason);
}

void make(const RunFolder& folder, const std::string& run_yaml, bool overwrite) {
  if (fs::exists(folder.config())) {
    if (!overwrite) {
      throw InputError(fmt::format(
          "{}: holds a run already; give another folder with --output DIR, or replace the run with "
          "--set output.overwrite=true",
          folder.root().string()));
    }
    remove_run(folder);
  }
  fs::create_directories(folder.snapshots());
  write_whole(folder.config(), run_yaml);
}

}  // namespace

RunFolder::RunFolder(fs::path root) : root_(fs::absolute(root).lexically_normal()) {}

RunFolder RunFolder::create(MPI_Comm comm, const fs::path& root, const std::string& run_yaml,
                            bool overwrite) {
  const RunFolder folder(broadcast(comm, fs::absolute(root).string()));
  std::string problem;
  if (rank_of(comm) == 0) {
    try {
      make(folder, run_yaml, overwrite);
    } catch (const InputError& error) {
      problem = error.what();
    } catch (const fs::filesystem_error& error) {
      problem = not_made(folder, error.code().message());
    } catch (const std::exception& error) {
      problem = not_made(folder, error.what());
    }
  }
  refuse_together(comm, problem);
  return folder;
}

fs::path RunFolder::snapshot(std::int64_t step) const {
  return snapshots() / fmt::format("snapshot_{:08}.hdf", step);
}

fs::path run_directory(const OutputOptions& options, const std::string& name,
                       const fs::path& config_file) {
  if (options.directory.empty()) return fs::absolute(fs::path("output") / name);
  return fs::absolute(config_file).parent_path() / options.directory;
}

fs::path part_of(const fs::path& path) {
  return path.string() + ".part";
}

void publish(const fs::path& temporary, const fs::path& path) {
  flush_to_disk(temporary, false);
  std::error_code code;
  fs::rename(temporary, path, code);
  if (code) {
    throw Failure(fmt::format("{}: cannot be renamed to {}: {}", temporary.string(),
                              path.filename().string(), code.message()));
  }
  flush_to_disk(path.parent_path(), true);
}

void write_whole(const fs::path& path, const std::string& text) {
  const fs::path temporary = part_of(path);
  const auto fail = [&path] {
    throw Failure(fmt::format("{}: cannot be written: {}", path.string(), std::strerror(errno)));
  };
  errno = 0;
  std::ofstream file(temporary, std::ios::binary);
  if (!file) fail();
  try {
    file << text;
    file.close();
    if (!file) fail();
    publish(temporary, path);
  } catch (...) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
    throw;
  }
}

}  // namespace scree
