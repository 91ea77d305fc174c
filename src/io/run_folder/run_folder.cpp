#include "scree/io/run_folder/run_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <regex>
#include <utility>
#include <vector>

#include "scree/base/check.hpp"
#include "scree/base/parallel.hpp"
#include "scree/io/run_folder/whole_file.hpp"

namespace scree {
namespace fs = std::filesystem;
namespace {

/// Whether the name is there, if only as a link to nothing.
bool is_there(const fs::path& path) {
  return fs::symlink_status(path).type() != fs::file_type::not_found;
}

/// The files that a run has once, and what they are called while they are written. run.yaml, by
/// which a folder is known, is the last.
std::vector<fs::path> single_files(const RunFolder& folder, const RunFiles& files) {
  std::vector<fs::path> single;
  const auto add = [&single](const fs::path& file) {
    single.push_back(part_of(file));
    single.push_back(file);
  };
  for (const fs::path& file : files.single) add(file);
  add(folder.log());
  add(folder.config());
  return single;
}

std::vector<fs::path> folders_of(const RunFiles& files) {
  std::vector<fs::path> folders = files.folders_at_start;
  folders.insert(folders.end(), files.folders_later.begin(), files.folders_later.end());
  return folders;
}

/// The files of a run that there are, told by their whole names: what others put among them is not
/// the run's, nor what `scree solve` was given for its output. The whole ones and those that were
/// being written when a run ended.
std::vector<fs::path> present_files(const RunFolder& folder, const RunFiles& files) {
  std::vector<fs::path> present;
  for (const StepFileNames& names : files.of_steps) {
    for (auto* find : {&step_files, &unfinished_files}) {
      for (const StepFile& file : (*find)(names)) present.push_back(file.path);
    }
  }
  for (const fs::path& file : single_files(folder, files)) {
    if (is_there(file)) present.push_back(file);
  }
  return present;
}

/// Bytes of the longest path that a file of the run may need while it is written.
std::size_t longest_path(const RunFiles& files) {
  constexpr std::int64_t kLateStep = 999'999'999'999;
  std::vector<fs::path> paths = files.single;
  paths.insert(paths.end(), files.long_names.begin(), files.long_names.end());
  for (const StepFileNames& names : files.of_steps) {
    paths.push_back(names.of(kLateStep, kLateStep, kLateStep));
  }
  std::size_t longest = 0;
  for (const fs::path& path : paths) longest = std::max(longest, part_of(path).native().size());
  return longest;
}

/// The system's bounds count bytes: of a whole path with the zero at its end, and of each name in
/// it.
std::string fault_of_length(const RunFolder& folder, const RunFiles& files) {
  const std::size_t root = folder.root().native().size();
  const std::size_t below = std::max(longest_path(files), root) - root;
  const std::size_t most = static_cast<std::size_t>(PATH_MAX) - 1 - below;
  if (root > most) {
    return fmt::format("a path of {} bytes; at most {} leave room for the names of a run's files",
                       root, most);
  }
  for (const fs::path& name : folder.root()) {
    if (name.native().size() <= NAME_MAX) continue;
    return fmt::format("a name of {} bytes; the system takes {}", name.native().size(), NAME_MAX);
  }
  return {};
}

std::string fault_of_links(const RunFolder& folder, const RunFiles& files) {
  std::vector<fs::path> names = folders_of(files);
  for (const fs::path& file : single_files(folder, files)) names.push_back(file);
  for (const fs::path& name : names) {
    if (!fs::is_symlink(name)) continue;
    return fmt::format(
        "{} is a link to {}, through which a run would change what is not its own; "
        "remove the link, or give another folder with --output DIR",
        name.filename().string(), fs::read_symlink(name).string());
  }
  return {};
}

/// A file in the folder that no run has put there; empty: none.
std::string foreign_file(const RunFolder& folder, const RunFiles& files) {
  std::vector<fs::path> own = folders_of(files);
  own.push_back(folder.lock());
  for (const auto& entry : fs::directory_iterator(folder.root())) {
    if (std::ranges::find(own, entry.path()) == own.end()) return entry.path().filename().string();
  }
  return {};
}

std::string not_made(const RunFolder& folder, std::string_view reason) {
  return fmt::format("{}: the folder of the run cannot be made: {}; give another with --output DIR",
                     folder.root().string(), reason);
}

void refuse_place(const RunFolder& folder, FilesOfRun files) {
  const std::string fault = fault_of_place(folder, files);
  if (!fault.empty()) throw InputError(fmt::format("{}: {}", folder.root().string(), fault));
}

void make(const RunFolder& folder, const std::string& run_yaml, bool overwrite,
          FilesOfRun files_of_run) {
  refuse_place(folder, files_of_run);
  const RunFiles files = files_of_run(folder);
  const std::vector<fs::path> old = present_files(folder, files);
  if (!old.empty() && !overwrite) {
    throw InputError(
        fmt::format("{}: holds a run already ({}); give another folder with --output DIR, or "
                    "replace the run with "
                    "--set output.overwrite=true",
                    folder.root().string(), old.back().filename().string()));
  }
  for (const fs::path& file : old) fs::remove(file);
  for (const fs::path& path : files.folders_at_start) fs::create_directories(path);
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
                            bool overwrite, FilesOfRun files) {
  return prepared(comm, root,
                  [&](const RunFolder& folder) { make(folder, run_yaml, overwrite, files); });
}

RunFolder RunFolder::take_up(MPI_Comm comm, const fs::path& root, const std::string& run_yaml,
                             FilesOfRun files) {
  return prepared(comm, root, [&](const RunFolder& folder) {
    refuse_place(folder, files);
    write_whole(folder.config(), run_yaml);
  });
}

std::string fault_of_place(const RunFolder& folder, FilesOfRun files_of_run) {
  const RunFiles files = files_of_run(folder);
  std::string fault = fault_of_length(folder, files);
  if (!fault.empty()) return fault + "; give another folder with --output DIR";
  if (!fs::is_directory(folder.root())) return {};
  fault = fault_of_links(folder, files);
  if (!fault.empty() || !present_files(folder, files).empty()) return fault;
  const std::string foreign = foreign_file(folder, files);
  if (foreign.empty()) return {};
  return fmt::format(
      "holds {}, and no run: a run has a folder of its own; give a new or an empty "
      "one with --output DIR or output.directory",
      foreign);
}

fs::path StepFileNames::of(std::int64_t step, std::int64_t part, std::int64_t parts) const {
  return folder / fmt::format("{}_{:08}{}.{}", prefix, step, part_in_name(part, parts), ending);
}

std::int64_t last_step_of_files(const RunFolder& folder, FilesOfRun files) {
  const std::regex of_a_step("_([0-9]{8,18})[_.]");
  std::int64_t last = 0;
  for (const fs::path& file : present_files(folder, files(folder))) {
    const std::string name = file.filename().string();
    std::smatch match;
    if (std::regex_search(name, match, of_a_step))
      last = std::max(last, std::int64_t{std::stoll(match[1])});
  }
  return last;
}

namespace {

/// @p more follows the ending, as a regular expression.
std::vector<StepFile> files_that_match(const StepFileNames& names, const std::string& more) {
  const std::regex name(names.prefix +
                        "_([0-9]{8,18})(?:_part_([0-9]{1,10})_of_([0-9]{1,10}))?\\." +
                        names.ending + more);
  std::vector<StepFile> files;
  if (!fs::is_directory(names.folder)) return files;
  for (const auto& entry : fs::directory_iterator(names.folder)) {
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

}  // namespace

std::vector<StepFile> step_files(const StepFileNames& names) {
  return files_that_match(names, "");
}

std::vector<StepFile> unfinished_files(const StepFileNames& names) {
  return files_that_match(names, "(?:\\.part|(?:\\.part)?\\.(?:meta)?data\\.[0-9]{1,10})");
}

fs::path run_directory(const fs::path& directory, const std::string& name,
                       const fs::path& config_file) {
  if (directory.empty()) return fs::absolute(fs::path("output") / name);
  return fs::absolute(config_file).parent_path() / directory;
}

}  // namespace scree
