#pragma once

/// Meshes of tests in files, as a configuration names them.

#include <fmt/format.h>

#include <fstream>
#include <string>

#include "scree/base/parallel.hpp"
#include "support/meshes.hpp"
#include "support/temporary_folder.hpp"

namespace scree::test {

/// The mesh as an OFF file, in a folder of all ranks. Collective.
class OffFile {
 public:
  explicit OffFile(const MeshFile& mesh) {
    if (rank_of(MPI_COMM_WORLD) == 0) {
      std::ofstream out(folder_.path() / "mesh.off");
      out << fmt::format("OFF\n{} {} 0\n", mesh.points.size(), mesh.triangles.size());
      for (const Vec3& p : mesh.points) out << fmt::format("{} {} {}\n", p.x(), p.y(), p.z());
      for (const auto& t : mesh.triangles) out << fmt::format("3 {} {} {}\n", t[0], t[1], t[2]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  std::string shape() const {
    return fmt::format("{{type: mesh, file: {}}}", (folder_.path() / "mesh.off").string());
  }

 private:
  TemporaryFolder folder_{MPI_COMM_WORLD};
};

}  // namespace scree::test
