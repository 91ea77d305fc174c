#pragma once

/// Distributed sparse matrices made of entries that any rank may bring.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "fclib_shares.hpp"
#include "scree/base/petsc.hpp"
#include "scree/problem/csr_rows.hpp"

namespace scree::fclib {

struct Entry {
  std::int32_t row = 0;
  std::int32_t column = 0;
  double value = 0.0;
};

/// Entries of a matrix on their way to the owners of its rows.
class Assembly {
 public:
  /// Entries that a rank collects before it sends them: 64 MiB, little beside the memory of a rank
  /// and much for a message.
  static constexpr std::int64_t kRound = std::int64_t{1} << 22;

  Assembly(MPI_Comm comm, Shares rows) : comm_(comm), rows_(std::move(rows)) {}

  void add(std::int32_t row, std::int32_t column, double value) {
    (rows_.owns(row) ? own_ : foreign_).push_back({row, column, value});
  }
  /// Sends what was added. Collective.
  void send();
  /// The entries of this rank's rows; those at one place are added up. Empties this.
  CsrRows take_rows();

  const Shares& rows() const { return rows_; }

 private:
  MPI_Comm comm_;
  Shares rows_;
  std::vector<Entry> own_;
  std::vector<Entry> foreign_;
};

/// The entries that @p assembly has been sent, as a MATAIJ with the columns @p columns. Collective.
petsc::Matrix make_matrix(MPI_Comm comm, Assembly& assembly, const Shares& columns);

/// Calls `visit(row, column, value)` for the entries of this rank's rows [@p first, @p end) of
/// @p matrix, with global numbers. Not collective.
template <class Visit>
void for_each_entry(Mat matrix, PetscInt first, PetscInt end, Visit&& visit) {
  for (PetscInt row = first; row < end; ++row) {
    PetscInt n = 0;
    const PetscInt* columns = nullptr;
    const double* values = nullptr;
    SCREE_PETSC(MatGetRow(matrix, row, &n, &columns, &values));
    for (PetscInt k = 0; k < n; ++k) {
      visit(static_cast<std::int32_t>(row), static_cast<std::int32_t>(columns[k]), values[k]);
    }
    SCREE_PETSC(MatRestoreRow(matrix, row, &n, &columns, &values));
  }
}
/// Calls it for the entries of all of this rank's rows.
template <class Visit>
void for_each_entry(Mat matrix, Visit&& visit) {
  PetscInt first = 0;
  PetscInt end = 0;
  SCREE_PETSC(MatGetOwnershipRange(matrix, &first, &end));
  for_each_entry(matrix, first, end, visit);
}

/// The rows of a rank in ranges of some Assembly::kRound entries, as many on every rank; those of a
/// rank that has fewer are empty.
std::vector<std::pair<PetscInt, PetscInt>> rounds_of(MPI_Comm comm, Mat matrix);

/// New numbers of rows and columns; below 0 where they are left out.
struct Renumbering {
  std::vector<std::int32_t> of_rows;     ///< of this rank's rows
  Shares columns;                        ///< the old shares of columns
  std::vector<std::int32_t> of_columns;  ///< of this rank's columns
};

/// Adds the entries of @p matrix with other numbers. Collective.
void add_renumbered(Assembly& assembly, MPI_Comm comm, Mat matrix, const Renumbering& numbers);

/// @p matrix with other numbers, its rows and columns by the shares @p rows and @p columns.
/// Collective.
petsc::Matrix renumber(MPI_Comm comm, Mat matrix, const Renumbering& numbers, const Shares& rows,
                       const Shares& columns);

/// A vector of these numbers of each rank. Collective.
petsc::Vector make_vector(MPI_Comm comm, const std::vector<double>& values);

/// y = A x, or y = A^T x, of @p x by columns (rows) and y by rows (columns). Collective.
std::vector<double> times(Mat a, const std::vector<double>& x);
std::vector<double> transposed_times(Mat a, const std::vector<double>& x);

/// Adds @p others to @p values, as many.
inline void add_to(std::vector<double>& values, const std::vector<double>& others) {
  std::transform(values.begin(), values.end(), others.begin(), values.begin(), std::plus<>());
}

/// Largest |A_ij - A_ji| over the largest |A_ij|. Collective. @pre rows and columns have the same
/// shares.
double asymmetry(MPI_Comm comm, Mat a);

}  // namespace scree::fclib
