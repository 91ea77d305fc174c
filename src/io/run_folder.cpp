#include "scree/io/run_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <utility>
#include <vector>

#include "scree/base/check.hpp"
#include "scree/base/parallel.hpp"
#include "scree/io/whole_file.hpp"

namespace scree {
namespace fs = std::filesystem;
namespace {

void remove_files(const fs::path& folder, const std::string& ending) {
  if (!fs::is_directory(folder)) return;
  std::vector<fs::path> old;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(ending) || name.ends_with(ending + ".part")) old.push_back(entry.path());
  }
  for (const fs::path& path : old) fs::remove(path);
}

/// Those that an index names: other tables may stand among them.
void remove_fields(const RunFolder& folder) {
  if (!fs::is_directory(folder.fields())) return;
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder.fields())) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() == ".xdmf" && can_name_fields(name)) names.push_back(name);
  }
  for (const std::string& name : names) {
    for (const StepFile& file : step_files(folder.fields(), name, "hdf")) fs::remove(file.path);
    fs::remove(folder.field_table(name));
    fs::remove(folder.field_index(name));
  }
}

void remove_run(const RunFolder& folder) {
  for (const fs::path& path : {folder.xdmf(), folder.steps(), folder.tools(), folder.log()}) {
    fs::remove(path);
  }
  remove_files(folder.snapshots(), ".hdf");
  remove_files(folder.checkpoints(), ".h5");
  remove_fields(folder);
  // Told by their whole name: what `scree solve` was given for its output may stand among them.
  for (const StepFile& file : step_files(folder.problems(), "step", "hdf5")) fs::remove(file.path);
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
  fs::create_directories(folder.checkpoints());
  write_whole(folder.config(), run_yaml);
}

/// The folder after rank 0 has done @p work on it. Collective. @throws InputError on all ranks.
template <class Work>
RunFolder prepared(MPI_Comm comm, const fs::path& root, Work&& work) {
  RunFolder folder(broadcast(comm, fs::absolute(root).string()));
  std::string problem;
  if (rank_of(comm) == 0) {
    try {
      work(folder);
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

/// Which part of its step a file is of; nothing where it is of the whole step.
std::string part_in_name(std::int64_t part, std::int64_t parts) {
  return parts == 1 ? "" : fmt::format("_part_{}_of_{}", part, parts);
}

}  // namespace

RunFolder::RunFolder(fs::path root) : root_(fs::absolute(root).lexically_normal()) {}

RunFolder RunFolder::create(MPI_Comm comm, const fs::path& root, const std::string& run_yaml,
                            bool overwrite) {
  return prepared(comm, root, [&](const RunFolder& folder) { make(folder, run_yaml, overwrite); });
}

RunFolder RunFolder::take_up(MPI_Comm comm, const fs::path& root, const std::string& run_yaml) {
  return prepared(comm, root,
                  [&](const RunFolder& folder) { write_whole(folder.config(), run_yaml); });
}

fs::path RunFolder::snapshot(std::int64_t step) const {
  return snapshots() / fmt::format("snapshot_{:08}.hdf", step);
}

fs::path RunFolder::checkpoint(std::int64_t step) const {
  return checkpoints() / fmt::format("checkpoint_{:08}.h5", step);
}

fs::path RunFolder::problem(std::int64_t step, std::int64_t part, std::int64_t parts) const {
  return problems() / fmt::format("step_{:08}{}.hdf5", step, part_in_name(part, parts));
}

fs::path RunFolder::field_image(const std::string& name, std::int64_t step, std::int64_t part,
                                std::int64_t parts) const {
  return fields() / fmt::format("{}_{:08}{}.hdf", name, step, part_in_name(part, parts));
}

std::vector<StepFile> step_files(const fs::path& folder, const std::string& prefix,
                                 const std::string& ending) {
  const std::regex name(prefix + "_([0-9]{8,18})(?:_part_([0-9]{1,10})_of_([0-9]{1,10}))?\\." +
                        ending);
  std::vector<StepFile> files;
  if (!fs::is_directory(folder)) return files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string text = entry.path().filename().string();
    std::smatch match;
    if (!std::regex_match(text, match, name)) continue;
    StepFile& file = files.emplace_back(std::stoll(match[1]), entry.path());
    if (match[2].matched) file.share = std::stod(match[2]) / std::stod(match[3]);
  }
  std::sort(files.begin(), files.end(), [](const StepFile& a, const StepFile& b) {
    return std::pair(a.step, a.share) < std::pair(b.step, b.share);
  });
  return files;
}

fs::path run_directory(const OutputOptions& options, const std::string& name,
                       const fs::path& config_file) {
  if (options.directory.empty()) return fs::absolute(fs::path("output") / name);
  return fs::absolute(config_file).parent_path() / options.directory;
}

}  // namespace scree
