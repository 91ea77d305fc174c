#pragma once

/// The files that a configuration names and that are read with it: from the disk on rank 0 alone,
/// so that every rank has the same.

#include <mpi.h>

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "scree/config/reader.hpp"

namespace scree {

class SearchableMesh;

/// Contents of files, by the names that the configuration resolves to.
struct NamedFiles {
  using Path = std::filesystem::path;
  using FileAndWay = std::pair<Path, std::string>;
  using Surface = std::shared_ptr<const SearchableMesh>;

  std::map<Path, std::string> bytes;
  /// Made of the bytes of files, which are not kept, in some way (ReadFile::made).
  std::map<FileAndWay, Surface> surfaces;
};

/// Reads from the disk what is not in @p files yet, and keeps it there. Valid as long as @p files.
ReadFile recorded(NamedFiles& files);

/// Gives what is in @p files. Valid as long as they. @throws InputError for another.
ReadFile from(const NamedFiles& files);

/// Gives every rank those of rank 0; surfaces are then held once a node. Collective.
NamedFiles over_ranks(MPI_Comm comm, NamedFiles files);

}  // namespace scree
