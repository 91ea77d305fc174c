#pragma once

/// The loaded contacts of a step as lines, in one HDF5 file that ParaView opens by itself, and
/// their index.
///
///     /                attributes: program, kind, time [s], step
///     /VTKHDF          VTKHDF 1.0 UnstructuredGrid, a line a contact
///       Points         2N x 3, m: centre of A, then centre of B, or against walls and tools the contact point
///       FieldData/TimeValue  s
///       CellData/...   id_a, id_b (walls and tools from 2^62 up); force on A, N; normal_force, N; point, m;
///                      slip, m/s: the tangential speed of the surfaces; state: 0 sticks, 1 slips
///
/// Where the bodies are is at the start of the step, in which its contacts were detected.

#include <mpi.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "scree/base/math.hpp"
#include "scree/io/paraview/xdmf.hpp"

namespace scree {

struct ContactLine {
  std::int64_t id_a = 0;
  std::int64_t id_b = 0;
  Vec3 from = Vec3::Zero();   ///< m
  Vec3 to = Vec3::Zero();     ///< m
  Vec3 point = Vec3::Zero();  ///< m
  Vec3 force = Vec3::Zero();  ///< on A, N
  double normal_force = 0.0;  ///< N; negative where cohesion pulls
  double slip = 0.0;          ///< m/s
  bool slips = false;
};

/// The entry of the index about a file of contacts.
struct ContactFileInfo {
  std::filesystem::path path;
  double time = 0.0;  ///< s
  std::int64_t contacts = 0;
};

/// Writes the lines of all ranks to @p path, whole or not at all. Collective. @throws Failure on
/// all ranks.
ContactFileInfo write_contacts(MPI_Comm comm, const std::filesystem::path& path,
                               const std::vector<ContactLine>& lines, double time,
                               std::int64_t step);

/// The facts that a file written before has of itself. Not collective. @throws InputError when it
/// is none.
ContactFileInfo read_contact_info(const std::filesystem::path& path);

/// The entry of contacts.xdmf, which stands in @p folder: a grid of lines.
XdmfEntry xdmf_entry(const std::filesystem::path& folder, const ContactFileInfo& info);

}  // namespace scree
