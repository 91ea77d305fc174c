#pragma once

/// Memory that the ranks of one computer, a node, share (MPI-3 shared memory): what all of them
/// read and none changes is there once, not once a rank.

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace scree {

/// A copy of the @p bytes of rank 0, once a node: the lowest rank of a node fills it. It begins at
/// a multiple of 64, and is there until MPI_Finalize, which is collective, whoever holds it: so a
/// rank that fails alone keeps no other one waiting. @p bytes of other ranks are not looked at.
/// Collective. @throws Failure when a node has no room for it.
std::shared_ptr<const std::byte> once_a_node(MPI_Comm comm, std::span<const std::byte> bytes);

/// The bytes, held once a @p group of ranks of @p comm, each of ranks of one computer in the order
/// of comm, and sent in pieces of at most @p piece bytes.
std::shared_ptr<const std::byte> once_a_group(MPI_Comm comm, MPI_Comm group,
                                              std::span<const std::byte> bytes, std::int64_t piece);

}  // namespace scree
