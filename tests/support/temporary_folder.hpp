#pragma once

/// A folder that a test fills and that goes with it.

#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>
#include <string>

#include "scree/base/parallel.hpp"

namespace scree::test {

class TemporaryFolder {
 public:
  /// Not collective: a folder of this rank's own.
  TemporaryFolder() : TemporaryFolder(MPI_COMM_SELF) {}
  /// Collective: one folder, made and removed by rank 0, known to all ranks.
  explicit TemporaryFolder(MPI_Comm comm) : comm_(comm) {
    std::string name;
    if (rank_of(comm) == 0) {
      name = (std::filesystem::temp_directory_path() / "scree-test-XXXXXX").string();
      if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    }
    path_ = broadcast(comm, name);
  }
  ~TemporaryFolder() {
    MPI_Barrier(comm_);
    std::error_code ignored;
    if (rank_of(comm_) == 0) std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  MPI_Comm comm_;
  std::filesystem::path path_;
};

}  // namespace scree::test
