#pragma once

/// A distributed problem, whole, on rank 0: what a writer of FCLIB files needs.

#include <cstdint>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "fclib_file.hpp"
#include "scree/base/parallel.hpp"
#include "scree/problem/contact_problem.hpp"

namespace scree::fclib {

/// Collective. All ranks' numbers, in the order of the ranks, on rank 0; empty elsewhere.
/// @pre there are fewer than 2^31. @throws Failure when rank 0 has no room for them.
template <class T>
std::vector<T> gather(MPI_Comm comm, const std::vector<T>& mine) {
  const bool root = rank_of(comm) == 0;
  const int n = static_cast<int>(mine.size());
  std::vector<int> counts(root ? size_of(comm) : 0);
  SCREE_MPI(MPI_Gather(&n, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, comm));
  std::vector<int> starts(counts.size(), 0);
  for (std::size_t k = 1; k < starts.size(); ++k) starts[k] = starts[k - 1] + counts[k - 1];
  std::vector<T> all;
  std::string error;
  try {
    if (root) all.resize(starts.back() + counts.back());
  } catch (const std::bad_alloc&) {
    error = "rank 0 has not the memory for a whole contact problem";
  }
  fail_together(comm, error);
  SCREE_MPI(MPI_Gatherv(mine.data(), n, detail::mpi_type<T>(), all.data(), counts.data(),
                        starts.data(), detail::mpi_type<T>(), 0, comm));
  return all;
}

/// Collective. The whole vector on rank 0.
std::vector<double> gather(MPI_Comm comm, Vec v);
/// Collective. The whole matrix on rank 0; its size alone elsewhere.
Sparse gather(MPI_Comm comm, Mat matrix);

/// Collective. What rank 0 does alone, with its failure thrown on all ranks.
template <class Work>
void on_rank_0(MPI_Comm comm, Work&& work) {
  std::string failure;
  if (rank_of(comm) == 0) {
    try {
      work();
    } catch (const std::exception& e) {
      failure = e.what();
    }
  }
  fail_together(comm, failure);
}

/// The rows of a file for those of a problem. A file has `dim` rows for every contact: a cone of
/// dim 1 leaves its tangents free, and one that does not roll its rolling rows.
struct FileRows {
  int dim = 3;
  std::vector<double> mu;
  std::vector<double> mu_r;  ///< m; empty where the file knows no rolling
  std::vector<int> row;      ///< row in the file of each row of the problem
  bool rolling() const { return dim > 3; }
  Eigen::Index count() const { return static_cast<Eigen::Index>(mu.size()) * dim; }
};

/// Contacts in the order of ranks.
struct Contacts {
  std::vector<std::int32_t> dims;
  /// Number in the file of each contact; empty: the order is the file's.
  std::vector<std::int32_t> number;
};

FileRows file_rows(const Contacts& contacts, std::vector<double> mu, int dim);
/// Collective; the rows are rank 0's. @throws Failure when cones of dim 2 stand beside larger ones,
/// or some are of a kind that FCLIB does not know.
FileRows file_rows(const ContactProblem& problem);
/// Collective. The dims of all cones, on rank 0.
std::vector<std::int32_t> gather_dims(const ContactProblem& problem);
/// Collective. The impulses @p lambda of @p problem in the units of a file, on rank 0.
std::vector<double> gather_impulses(const ContactProblem& problem, Vec lambda);

/// @p values of the problem's rows, at their places among the file's.
Dense spread(const std::vector<double>& values, const FileRows& rows);
Sparse spread(const Sparse& matrix, const FileRows& rows, bool columns_too);

/// Writes r (@p impulses of @p contacts, in the file's units), and u and v that follow from the
/// file's own problem, to @p group of @p file. Not collective. @throws InputError, Failure.
void write_impulses(hid_t file, const std::filesystem::path& path, const std::string& group,
                    const Contacts& contacts, const std::vector<double>& impulses);

}  // namespace scree::fclib
