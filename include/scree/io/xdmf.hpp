#pragma once

/// run.xdmf: the index of a run's snapshots with their times, for ParaView's XDMF readers (XDMF 3,
/// a temporal collection of spatial collections that refer to the datasets of the snapshots: of each time the
/// grains as Polyvertex grid, and each wall or tool as grid of triangles with the force on it).
///
/// Paths in it are relative to its own folder, so that a run can be moved. On the command line
/// give ParaView its absolute path: a relative one aborts the Xdmf3 readers of version 5.11.

#include <filesystem>
#include <string>
#include <vector>

#include "scree/io/snapshot.hpp"

namespace scree {

/// Not collective: rank 0 keeps one.
class XdmfIndex {
 public:
  explicit XdmfIndex(std::filesystem::path path, std::vector<SnapshotInfo> snapshots = {})
      : path_(std::move(path)), snapshots_(std::move(snapshots)) {}

  /// Adds a snapshot that is whole, and writes the index anew (write, flush, rename). Snapshots
  /// whose file has gone are left out. @throws Failure.
  void add(const SnapshotInfo& snapshot);
  /// Writes the index anew. @throws Failure.
  void write() const;

 private:
  std::filesystem::path path_;
  std::vector<SnapshotInfo> snapshots_;
};

/// The text of an index that stands in @p folder.
std::string xdmf_text(const std::filesystem::path& folder,
                      const std::vector<SnapshotInfo>& snapshots);

}  // namespace scree
