#include "restart.hpp"

#include <fmt/format.h>

#include <sstream>

#include "app/config/changes.hpp"
#include "scree/base/parallel.hpp"
#include "scree/config/compare.hpp"
#include "scree/config/reader.hpp"
#include "scree/io/run_folder/seal.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

/// Fills @p restart from @p file, or says why it cannot be used. Collective.
std::string fault_of(MPI_Comm comm, const fs::path& file, const std::string& run_yaml,
                     Restart& restart) {
  std::string fault = fault_of_seal(comm, file);
  if (!fault.empty()) return fault;
  try {
    CheckpointContent state = read_checkpoint(comm, file);
    const std::vector<Difference> changes = differences(state.configuration, run_yaml);
    fault = fault_at_restart(changes);
    if (!fault.empty()) return fault;
    for (const Difference& change : changes) {
      restart.changes.push_back(in_words(change));
      restart.changed_keys.push_back(change.key);
    }
    restart.file = file;
    restart.state = std::move(state);
    return {};
  } catch (const InputError& error) {
    return error.what();
  }
}

/// The folder's checkpoints, newest first, as rank 0 sees them. Collective.
std::vector<fs::path> newest_first(MPI_Comm comm, const RunFolder& folder) {
  std::string names;
  std::string fault;
  try {
    if (rank_of(comm) == 0) {
      for (const StepFile& file : step_files(folder.checkpoint_files())) {
        names = file.path.string() + '\n' + names;
      }
    }
  } catch (const std::exception& error) {
    fault = error.what();
  }
  refuse_together(comm, fault);
  std::istringstream lines(broadcast(comm, names));
  std::vector<fs::path> files;
  for (std::string line; std::getline(lines, line);) files.emplace_back(line);
  return files;
}

/// A run without a checkpoint may begin anew in its folder if it is the same run. Collective.
void refuse_other_run(MPI_Comm comm, const RunFolder& folder, const std::string& run_yaml) {
  std::string error;
  try {
    if (rank_of(comm) == 0 && fs::exists(folder.config())) {
      error = fault_at_restart(differences(read_text_file(folder.config()), run_yaml));
      if (!error.empty()) error = fmt::format("{}: {}", folder.config().string(), error);
    }
  } catch (const std::exception& fault) {
    error = fault.what();
  }
  refuse_together(comm, error);
}

Restart latest(MPI_Comm comm, const RunFolder& folder, const std::string& run_yaml) {
  const std::vector<fs::path> files = newest_first(comm, folder);
  Restart restart;
  for (const fs::path& file : files) {
    const std::string fault = fault_of(comm, file, run_yaml, restart);
    if (fault.empty()) return restart;
    restart.refused.push_back(fmt::format("{}: {}", file.string(), fault));
  }
  if (!files.empty()) {
    throw InputError(
        fmt::format("no checkpoint can be used\n{}\nstart anew in another folder with "
                    "--output DIR, or replace the run with --set output.overwrite=true "
                    "and without --restart",
                    fmt::join(restart.refused, "\n")));
  }
  refuse_other_run(comm, folder, run_yaml);
  return restart;
}

}  // namespace

Restart find_restart(MPI_Comm comm, const std::string& asked, const RunFolder& folder,
                     const std::string& run_yaml) {
  if (asked == "latest") return latest(comm, folder, run_yaml);
  const fs::path file = fs::absolute(asked).lexically_normal();
  Restart restart;
  const std::string fault = fault_of(comm, file, run_yaml, restart);
  if (!fault.empty()) {
    throw InputError(fmt::format(
        "{}: {}; `--restart latest` takes the newest checkpoint of the run's folder that is whole",
        asked, fault));
  }
  return restart;
}

}  // namespace scree
