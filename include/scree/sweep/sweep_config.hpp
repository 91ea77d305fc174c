#pragma once

/// The keys of SWEEP.yaml: which configuration, which keys take which values, what is taken of each
/// run.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "scree/config/key_values.hpp"
#include "scree/sweep/observable.hpp"

namespace scree {

class Declaration;

/// The keys under `repeat:`: each case is run so often, with a number of its own under the keys
/// that are named.
struct RepeatOptions {
  std::int64_t times = 1;
  std::int64_t first = 1;
  std::vector<std::string> keys;

  void declare(Declaration& d);
};

/// The keys under `slurm:`.
struct SlurmOptions {
  std::int64_t at_once = 0;  ///< tasks; 0: as many as Slurm lets
  std::vector<std::string> launcher{"srun", "--mpi=pmix"};
  std::vector<std::string> options;

  void declare(Declaration& d);
};

struct SweepConfig {
  std::string name;
  std::filesystem::path base;
  std::vector<KeyValues> parameters;
  std::string combine = "all";
  std::filesystem::path table;
  RepeatOptions repeat;
  std::vector<ObservableSpec> observables;
  std::int64_t ranks = 1;
  std::vector<std::string> launcher{"mpirun", "--bind-to", "none"};
  SlurmOptions slurm;

  void declare(Declaration& d);
};

/// The sweep in @p file, named after it where it has no name. Not collective.
/// @throws InputError with every fault, one line each.
SweepConfig read_sweep(const std::filesystem::path& file);

/// Is @p file that of a sweep, and no configuration of a run? It has the key `base`. Not
/// collective.
bool is_sweep(const std::filesystem::path& file);

/// Prints the JSON Schema of SWEEP.yaml, or the table of its keys. Not collective. Returns the exit
/// status 0.
int sweep_schema_command(bool markdown);

}  // namespace scree
