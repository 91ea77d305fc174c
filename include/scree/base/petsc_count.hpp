#pragma once

/// PETSc numbers rows, columns and the entries of a rank with PetscInt, of 32 bits in most builds:
/// counts that may exceed it are held against it before PETSc gets to see them. Limits are
/// arguments so that tests need no billions.

#include <petscsys.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace scree::petsc {

inline constexpr std::int64_t kLargestInt = std::numeric_limits<PetscInt>::max();

/// Why the @p count of @p things on all ranks together is too large, and what helps; empty where it
/// is not. Not collective.
std::string fault_of_total(std::int64_t count, std::string_view things,
                           std::int64_t largest = kLargestInt);

/// Why the @p count of @p things on the rank that has most, among @p ranks, is too large.
std::string fault_of_share(std::int64_t count, std::string_view things, int ranks,
                           std::int64_t largest = kLargestInt);

/// Throws Failure on all ranks where the @p count of @p things of one is too large. Collective.
void require_countable_shares(MPI_Comm comm, std::int64_t count, std::string_view things);

}  // namespace scree::petsc
