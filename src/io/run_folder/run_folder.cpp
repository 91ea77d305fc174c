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

/// The files that a run has once, and what they are called while they are written.
std::vector<fs::path> single_files(const RunFolder& folder) {
  std::vector<fs::path> files;
  for (const fs::path& file : {folder.xdmf(), folder.contact_index(), folder.steps(),
                               folder.tools(), folder.log(), folder.config()}) {
    files.push_back(part_of(file));
    files.push_back(file);
  }
  return files;
}

std::vector<fs::path> folders_of(const RunFolder& folder) {
  return {folder.snapshots(), folder.checkpoints(), folder.problems(), folder.fields(),
          folder.contacts()};
}

/// The whole ones and those that were being written when a run ended.
void add_step_files(const fs::path& in, const std::string& prefix, const std::string& ending,
                    std::vector<fs::path>& files) {
  for (auto* find : {&step_files, &unfinished_files}) {
    for (const StepFile& file : (*find)(in, prefix, ending)) files.push_back(file.path);
  }
}

/// Those of fields that an index names: other tables may stand among them.
void add_files_of_fields(const RunFolder& folder, std::vector<fs::path>& files) {
  if (!fs::is_directory(folder.fields())) return;
  for (const auto& entry : fs::directory_iterator(folder.fields())) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() != ".xdmf" || !can_name_fields(name)) continue;
    add_step_files(folder.fields(), name, "hdf", files);
    for (const fs::path& file : {folder.field_table(name), folder.field_index(name)}) {
      if (is_there(part_of(file))) files.push_back(part_of(file));
      if (is_there(file)) files.push_back(file);
    }
  }
}

/// The files of a run that there are, told by their whole names: what others put among them is not the run's, nor what
/// `scree solve` was given for its output. run.yaml, by which a folder is known, is the last.
std::vector<fs::path> files_of_run(const RunFolder& folder) {
  std::vector<fs::path> files;
  add_step_files(folder.snapshots(), "snapshot", "hdf", files);
  add_step_files(folder.checkpoints(), "checkpoint", "h5", files);
  add_step_files(folder.problems(), "step", "hdf5", files);
  add_step_files(folder.contacts(), "contacts", "hdf", files);
  add_files_of_fields(folder, files);
  for (const fs::path& file : single_files(folder)) {
    if (is_there(file)) files.push_back(file);
  }
  return files;
}

/// The system's bounds count bytes: of a whole path with the zero at its end, and of each name in it.
std::string fault_of_length(const RunFolder& folder) {
  constexpr std::int64_t kLateStep = 999'999'999'999;
  const std::string longest_name(kLongestFieldName, 'n');
  const auto size = [](const fs::path& file) { return part_of(file).native().size(); };
  const std::size_t longest =
      std::max(size(folder.problem(kLateStep, kLateStep, kLateStep)),
               size(folder.field_image(longest_name, kLateStep, kLateStep, kLateStep)));
  const std::size_t most =
      static_cast<std::size_t>(PATH_MAX) - 1 - longest + folder.root().native().size();
  if (folder.root().native().size() > most) {
    return fmt::format("a path of {} bytes; at most {} leave room for the names of a run's files",
                       folder.root().native().size(), most);
  }
  for (const fs::path& name : folder.root()) {
    if (name.native().size() <= NAME_MAX) continue;
    return fmt::format("a name of {} bytes; the system takes {}", name.native().size(), NAME_MAX);
  }
  return {};
}

std::string fault_of_links(const RunFolder& folder) {
  std::vector<fs::path> names = folders_of(folder);
  for (const fs::path& file : single_files(folder)) names.push_back(file);
  add_files_of_fields(folder, names);
  for (const fs::path& name : names) {
    if (!fs::is_symlink(name)) continue;
    return fmt::format(
        "{} is a link to {}, through which a run would change what is not its own; "
        "remove the link, or give another folder with --output DIR",
        name.filename().string(), fs::read_symlink(name).string());
  }
  return {};
}

/// What is in the folder and no run has put there; empty: nothing.
std::string foreign_file(const RunFolder& folder) {
  std::vector<fs::path> own = folders_of(folder);
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

void refuse_place(const RunFolder& folder) {
  const std::string fault = fault_of_place(folder);
  if (!fault.empty()) throw InputError(fmt::format("{}: {}", folder.root().string(), fault));
}

void make(const RunFolder& folder, const std::string& run_yaml, bool overwrite) {
  refuse_place(folder);
  const std::vector<fs::path> old = files_of_run(folder);
  if (!old.empty() && !overwrite) {
    throw InputError(
        fmt::format("{}: holds a run already ({}); give another folder with --output DIR, or "
                    "replace the run with "
                    "--set output.overwrite=true",
                    folder.root().string(), old.back().filename().string()));
  }
  for (const fs::path& file : old) fs::remove(file);
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
  return prepared(comm, root, [&](const RunFolder& folder) {
    refuse_place(folder);
    write_whole(folder.config(), run_yaml);
  });
}

std::string fault_of_place(const RunFolder& folder) {
  std::string fault = fault_of_length(folder);
  if (!fault.empty()) return fault + "; give another folder with --output DIR";
  if (!fs::is_directory(folder.root())) return {};
  fault = fault_of_links(folder);
  if (!fault.empty() || !files_of_run(folder).empty()) return fault;
  const std::string foreign = foreign_file(folder);
  if (foreign.empty()) return {};
  return fmt::format(
      "holds {}, and no run: a run has a folder of its own; give a new or an empty "
      "one with --output DIR or output.directory",
      foreign);
}

fs::path RunFolder::snapshot(std::int64_t step) const {
  return snapshots() / fmt::format("snapshot_{:08}.hdf", step);
}

fs::path RunFolder::checkpoint(std::int64_t step) const {
  return checkpoints() / fmt::format("checkpoint_{:08}.h5", step);
}

fs::path RunFolder::contacts_of(std::int64_t step) const {
  return contacts() / fmt::format("contacts_{:08}.hdf", step);
}

fs::path RunFolder::problem(std::int64_t step, std::int64_t part, std::int64_t parts) const {
  return problems() / fmt::format("step_{:08}{}.hdf5", step, part_in_name(part, parts));
}

fs::path RunFolder::field_image(const std::string& name, std::int64_t step, std::int64_t part,
                                std::int64_t parts) const {
  return fields() / fmt::format("{}_{:08}{}.hdf", name, step, part_in_name(part, parts));
}

std::int64_t last_step_of_files(const RunFolder& folder) {
  const std::regex of_a_step("_([0-9]{8,18})[_.]");
  std::int64_t last = 0;
  for (const fs::path& file : files_of_run(folder)) {
    const std::string name = file.filename().string();
    std::smatch match;
    if (std::regex_search(name, match, of_a_step))
      last = std::max(last, std::int64_t{std::stoll(match[1])});
  }
  return last;
}

namespace {

/// @p ending is a regular expression.
std::vector<StepFile> files_that_match(const fs::path& folder, const std::string& prefix,
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

}  // namespace

std::vector<StepFile> step_files(const fs::path& folder, const std::string& prefix,
                                 const std::string& ending) {
  return files_that_match(folder, prefix, ending);
}

std::vector<StepFile> unfinished_files(const fs::path& folder, const std::string& prefix,
                                       const std::string& ending) {
  return files_that_match(folder, prefix,
                          ending + "(?:\\.part|(?:\\.part)?\\.(?:meta)?data\\.[0-9]{1,10})");
}

fs::path run_directory(const OutputOptions& options, const std::string& name,
                       const fs::path& config_file) {
  if (options.directory.empty()) return fs::absolute(fs::path("output") / name);
  return fs::absolute(config_file).parent_path() / options.directory;
}

}  // namespace scree
