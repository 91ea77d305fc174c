#pragma once

/// Named arrays as a group of an HDF5 file, `rows x width`, with the attribute `unit`, bit for bit.
///
/// A group whose rows lie over the ranks is written rank by rank and may be read on any number of
/// ranks, each of which gets a share of the rows in their order; a common group is the same on
/// every rank before and after.

#include <mpi.h>

#include <cstdint>
#include <string>
#include <vector>

#include "scree/io/hdf5/hdf5.hpp"
#include "scree/io/hdf5/number_array.hpp"
#include "scree/io/hdf5/number_rows.hpp"

namespace scree {

/// Arrays that have the same rows.
struct StateGroup {
  std::string name;
  bool common = false;  ///< the same on every rank; else this rank's rows
  std::vector<NumberArray> arrays = {};
};

/// A group whose rows are made when they are written.
struct StateRows {
  std::string name;
  bool common = false;
  std::vector<NumberRows> arrays = {};
};

/// The rows of @p group, which must live as long.
StateRows rows_of(const StateGroup& group);
StateRows rows_of(const StateGroup&& group) = delete;

/// The numbers of the array @p name of @p arrays. @throws InputError when it is missing, or of
/// another type or width.
template <class T>
const std::vector<T>& numbers_of(const std::vector<NumberArray>& arrays, const std::string& name,
                                 int width);

/// The arrays of the group @p name of @p groups. @throws InputError when there is none.
const std::vector<NumberArray>& arrays_of(const std::vector<StateGroup>& groups,
                                          const std::string& name);

/// An upper bound of what the group takes in a file, bytes. Collective.
std::int64_t size_bound(MPI_Comm comm, const StateRows& group);

/// Writes @p group into a file that was created with @p comm. Collective. @throws Failure on all
/// ranks.
void write_group(MPI_Comm comm, hid_t file, const StateRows& group);

/// Reads what write_group wrote from a file that was opened with @p comm. Collective.
/// @throws InputError when it is of another kind
StateGroup read_group(MPI_Comm comm, hid_t file, const std::string& name);

/// @throws InputError: the state @p name is missing, or of another kind
[[noreturn]] void refuse_state(const std::string& name);

}  // namespace scree
