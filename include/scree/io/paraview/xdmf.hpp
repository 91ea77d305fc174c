#pragma once

/// Indexes of files with their times, for ParaView's XDMF readers (XDMF 3, a temporal collection):
/// run.xdmf of snapshots (a spatial collection a time: the grains as Polyvertex grid, and each wall
/// or tool as grid of triangles with the force on it), contacts.xdmf, and one of the images of each
/// of the fields.
///
/// An output adds its entry in place, before the tags that close the file, so that it costs the
/// same however many there were. A machine that goes down amid that leaves a file without them; a
/// run that goes on writes its indexes anew.
///
/// Paths in an index are relative to its own folder, so that a run can be moved. On the command
/// line give ParaView its absolute path: a relative one aborts the Xdmf3 readers of version 5.11.

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "scree/io/paraview/snapshot.hpp"

namespace scree {

/// The entry of an index about a file: a Grid of XDMF with its time.
struct XdmfEntry {
  std::filesystem::path file;
  std::string grid;
};

/// The entry of a snapshot in an index that stands in @p folder. Contacts and fields have theirs
/// (io/paraview/contact_file.hpp, io/paraview/field_image.hpp).
XdmfEntry xdmf_entry(const std::filesystem::path& folder, const SnapshotInfo& snapshot);

/// Not collective: rank 0 keeps one.
class XdmfIndex {
 public:
  /// @param name of the collection
  explicit XdmfIndex(std::filesystem::path path, std::string name = "run")
      : path_(std::move(path)), name_(std::move(name)) {}

  /// Writes the index of @p files anew (write, flush, rename). @throws Failure.
  template <class Info>
  void write(const std::vector<Info>& files) {
    entries_.clear();
    for (const Info& file : files) entries_.push_back(xdmf_entry(path_.parent_path(), file));
    write_anew();
  }

  /// Adds a file that is whole, behind the others or, under the name of the last, in its place.
  /// Each time some of the others are looked for, in turn, and those that have gone are left out.
  /// An index that somebody has removed or changed is written anew. @throws Failure; then the index
  /// is as it was.
  template <class Info>
  void add(const Info& file) {
    add_entry(xdmf_entry(path_.parent_path(), file));
  }

 private:
  void add_entry(XdmfEntry entry);
  void write_anew() const;
  /// Looks for some files. Returns whether any was left out.
  bool drop_gone();

  std::filesystem::path path_;
  std::string name_;
  std::vector<XdmfEntry> entries_;
  std::size_t looked_for_ = 0;  ///< entries, of this round
};

}  // namespace scree
