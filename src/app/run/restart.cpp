#include "restart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "scree/base/parallel.hpp"
#include "scree/config/compare.hpp"
#include "scree/config/reader.hpp"
#include "scree/io/run_folder/seal.hpp"
#include "scree/joints/coordinate_spec.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

bool lies_under(const std::string& key, std::string_view section) {
  return key == section || key.starts_with(fmt::format("{}.", section));
}

/// Only the place and the motion of a tool may change, and these only so that no tool jumps, which
/// the simulation checks; of a free tool also its mass.
bool moves_a_tool(const std::string& key) {
  const std::size_t name_end = key.find('.', std::string_view("tools.").size());
  if (name_end == std::string::npos) return false;
  const std::string rest = key.substr(name_end + 1);
  return std::ranges::any_of(
      std::array{"position", "normal", "orientation", "motion", "mass", "inertia"},
      [&rest](std::string_view section) { return lies_under(rest, section); });
}

/// Bodies, types and places of joints are the run's; what acts along what they leave free may
/// change.
bool acts_along_a_joint(const std::string& key) {
  const std::size_t name_end = key.find('.', std::string_view("joints.").size());
  if (name_end == std::string::npos) return false;
  const std::string rest = key.substr(name_end + 1);
  return std::ranges::any_of(kNamesOf<Coordinate>, [&rest](std::string_view coordinate) {
    return lies_under(rest, coordinate);
  });
}

/// The grains' file is not read again; where it stands is no matter.
bool is_moved_file(const Difference& change) {
  return change.key.ends_with(".place.file") &&
         fs::path(change.before).filename() == fs::path(change.after).filename();
}

/// Meshes are compared by their content, wherever they stand (app/config/config_hulls.hpp).
bool is_mesh(const Difference& change) {
  return change.key.ends_with(".shape.file");
}

bool may_change(const Difference& change) {
  if (is_mesh(change)) return true;
  if (lies_under(change.key, "bodies")) return is_moved_file(change);
  if (lies_under(change.key, "tools")) return moves_a_tool(change.key);
  if (lies_under(change.key, "joints")) return acts_along_a_joint(change.key);
  return !lies_under(change.key, "materials") && !lies_under(change.key, "insertions") &&
         !lies_under(change.key, "periodic") && change.key != "time.dt";
}

std::string in_words(const Difference& change) {
  const auto value = [](const std::string& text) { return text.empty() ? "absent" : text; };
  return fmt::format("{} was {} and is {}", change.key, value(change.before), value(change.after));
}

/// Why a run under @p before cannot go on under @p after; empty when it can.
std::string fault_of_change(const std::vector<Difference>& changes) {
  for (const Difference& change : changes) {
    if (may_change(change)) continue;
    return fmt::format(
        "is of another run: {}; at a restart materials, bodies, insertions, periodic, time.dt and "
        "the tools' "
        "shapes and materials stay as they were",
        in_words(change));
  }
  return {};
}

/// Fills @p restart from @p file, or says why it cannot be used. Collective.
std::string fault_of(MPI_Comm comm, const fs::path& file, const std::string& run_yaml,
                     Restart& restart) {
  std::string fault = fault_of_seal(comm, file);
  if (!fault.empty()) return fault;
  try {
    CheckpointContent state = read_checkpoint(comm, file);
    const std::vector<Difference> changes = differences(state.configuration, run_yaml);
    fault = fault_of_change(changes);
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
      error = fault_of_change(differences(read_text_file(folder.config()), run_yaml));
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
