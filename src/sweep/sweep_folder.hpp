#pragma once

/// The folder of a sweep and the names in it:
///
///     sweep.yaml  results.csv  results.h5  report.html  sweep.slurm
///     runs/NAME/...     the run of a case
///     cases/NAME.yaml   the configuration that it is started with
///     cases/NAME.json   how it went (case_record.hpp)
///     cases/NAME.log    what it said: warnings and errors

#include <filesystem>
#include <string>

#include "scree/io/run_folder/run_folder.hpp"

namespace scree::sweep {

class SweepFolder {
 public:
  explicit SweepFolder(std::filesystem::path root) : root_(std::move(root)) {}

  const std::filesystem::path& root() const { return root_; }  ///< absolute
  std::filesystem::path config() const { return root_ / "sweep.yaml"; }
  std::filesystem::path lock() const { return root_ / "sweep.lock"; }
  std::filesystem::path results_csv() const { return root_ / "results.csv"; }
  std::filesystem::path results_hdf5() const { return root_ / "results.h5"; }
  std::filesystem::path script() const { return root_ / "sweep.slurm"; }
  std::filesystem::path runs() const { return root_ / "runs"; }
  std::filesystem::path cases() const { return root_ / "cases"; }

  RunFolder run(const std::string& name) const { return RunFolder(runs() / name); }
  std::filesystem::path config_of(const std::string& name) const {
    return cases() / (name + ".yaml");
  }
  std::filesystem::path record_of(const std::string& name) const {
    return cases() / (name + ".json");
  }
  std::filesystem::path log_of(const std::string& name) const { return cases() / (name + ".log"); }
  std::filesystem::path lock_of(const std::string& name) const {
    return cases() / (name + ".lock");
  }

 private:
  std::filesystem::path root_;
};

}  // namespace scree::sweep
