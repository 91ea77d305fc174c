#pragma once

/// Errors, in three grades.
///
/// - A mistake of the user's (input): throw InputError; the program ends with status 2.
/// - A failure while running (a library call, a file, a worker): throw Failure; status 1.
/// - A mistake of ours: SCREE_ASSERT, active in debug builds.
///
/// Every return code of a library goes through that library's one check: SCREE_MPI and SCREE_PETSC
/// here, SCREE_HDF5 in io/hdf5/hdf5.hpp, SCREE_ZOLTAN in domain/partition.cpp.

#include <mpi.h>
#include <petscsystypes.h>

#include <cassert>
#include <source_location>
#include <stdexcept>
#include <string>

namespace scree {

/// The input is wrong: says place, reason and remedy. Exit status 2.
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The run failed: says what was tried and what answered. Exit status 1.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws Failure naming @p call and its place when @p code is not MPI_SUCCESS. Not collective.
void check_mpi(int code, const char* call,
               std::source_location place = std::source_location::current());

/// Throws Failure naming @p call and its place when @p code is not zero. Not collective.
void check_petsc(PetscErrorCode code, const char* call,
                 std::source_location place = std::source_location::current());

}  // namespace scree

#define SCREE_MPI(call) ::scree::check_mpi((call), #call)
#define SCREE_PETSC(call) ::scree::check_petsc((call), #call)
#define SCREE_ASSERT(condition) assert(condition)
