#pragma once

/// An FCLIB file that all ranks write.

#include <cstdint>
#include <string>
#include <vector>

#include "fclib_matrix.hpp"
#include "scree/io/hdf5/hdf5.hpp"

namespace scree::fclib {

/// The file and its ranks. Everything is collective.
struct Output {
  MPI_Comm comm;
  hid_t file;

  void write_scalar(const std::string& name, std::int32_t value) const;
  void write_scalar(const std::string& name, double value) const;
  void write_text(const std::string& name, const std::string& text) const;
  /// The @p values of the ranks, in the order of the ranks, as a dataset of @p width columns.
  template <class T>
  void write(const std::string& name, const std::vector<T>& values, int width = 1) const {
    const auto rows = static_cast<std::int64_t>(values.size()) / width;
    h5::write_rows(file, name, h5::row_layout(comm, rows), std::span<const T>(values), width);
  }
  /// The @p values of the ranks and, after all of these, their @p others.
  void write_two(const std::string& name, const std::vector<double>& values,
                 const std::vector<double>& others) const;
};

/// A matrix as triplets with `i` the row, which are written in rounds.
class MatrixOutput {
 public:
  /// @p entries of all ranks. Collective.
  MatrixOutput(const Output& output, const std::string& name, std::int64_t rows,
               std::int64_t columns, std::int64_t entries);
  /// This rank's @p entries, which are those from @p first on. Collective.
  void write(std::int64_t first, const std::vector<Entry>& entries) const;

 private:
  h5::Dataset row_;
  h5::Dataset column_;
  h5::Dataset value_;
};

/// Impulses and the velocities that follow, by the file's rows and degrees of freedom.
struct Solution {
  std::vector<double> r = {};
  std::vector<double> u = {};
  std::vector<double> v = {};          ///< of this rank's bodies; none in matrix form
  std::vector<double> v_springs = {};  ///< of its springs
};

/// Writes @p solution as @p group, without v where the problem is not @p global. Collective.
/// @throws Failure on every rank where numbers are not finite.
void write_solution(const Output& output, const std::string& group, const Solution& solution,
                    bool global);

}  // namespace scree::fclib
