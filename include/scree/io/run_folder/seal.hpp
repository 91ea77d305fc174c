#pragma once

/// The seal of a checkpoint: the first 512 bytes of the file, which HDF5 leaves alone (its user
/// block), as text padded with zeros:
///
///     scree checkpoint
///     format 1
///     bytes 123456                     length of the whole file
///     checksum 0123456789abcdef        of all that follows the seal
///
/// A file is judged by it before HDF5 sees the file, so that nothing that is torn, cut off, changed
/// or of other make is ever read as a state. The checksum is a sum, modulo 2^64, over blocks of
/// 1 MiB, of a hash of the block's bytes and number: ranks share the blocks, and it does not depend
/// on how many ranks there are.

#include <mpi.h>

#include <cstdint>
#include <filesystem>
#include <string>

namespace scree {

inline constexpr std::int64_t kSealBytes = 512;
/// Changes when a checkpoint of an earlier scree can no longer be read.
inline constexpr int kCheckpointFormat = 2;

/// Writes the seal of @p path, a closed file. Collective. @throws Failure on all ranks.
void seal(MPI_Comm comm, const std::filesystem::path& path);

/// Why @p path is no whole checkpoint that can be read; empty when it is one. The same text on all
/// ranks, without the path. Collective.
std::string fault_of_seal(MPI_Comm comm, const std::filesystem::path& path);

}  // namespace scree
