#pragma once

/// The contents of an FCLIB file, of which each rank reads its share.

#include <Eigen/SparseCore>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "fclib_matrix.hpp"
#include "fclib_shares.hpp"
#include "scree/io/hdf5/hdf5.hpp"

namespace scree::fclib {

using Sparse = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;
using SparseByColumn = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;
using Dense = Eigen::VectorXd;

enum class Kind { local, global, lcp };

/// The name of the group of a problem.
std::string group_of(Kind kind, bool rolling);

/// The head of a problem file: what it holds and how much.
struct Header {
  Kind kind = Kind::local;
  bool rolling = false;
  int dim = 3;  ///< rows a contact; 5 with rolling, 1 in an LCP
  std::int64_t n_contacts = 0;
  std::int64_t n_dofs = 0;     ///< of a global problem, springs included
  std::int64_t n_springs = 0;  ///< the last degrees of freedom (fclib_compliance.hpp)
  bool global() const { return kind == Kind::global; }
  std::int64_t n_rows() const { return n_contacts * dim; }
  std::int64_t n_body_dofs() const { return n_dofs - n_springs; }
  std::string group() const { return group_of(kind, rolling); }
  /// @pre not global
  std::string matrix() const { return group() + (kind == Kind::lcp ? "/A" : "/W"); }
  /// The velocity of contacts without impulses: w, q or b.
  std::string velocity() const;
};

/// Throws the InputError that names @p path and its @p problem. Not collective.
[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& problem);

/// Runs on every rank what may find a fault in @p path; a fault of any is thrown on all, as an
/// InputError. Collective; @p work is not.
template <class Work>
void refuse_on_all(MPI_Comm comm, const std::filesystem::path& path, Work&& work) {
  std::string error;
  try {
    h5::reading(path, work);
  } catch (const InputError& fault) {
    error = fault.what();
  }
  refuse_together(comm, error);
}

/// Reads the header of @p file. Not collective. @throws InputError naming @p path and what is
/// wrong.
Header read_header(hid_t file, const std::filesystem::path& path);

/// This rank's share of a vector of finite numbers. Not collective. @throws InputError. @pre
/// read_header() has found so many.
std::vector<double> read_share(hid_t file, const std::filesystem::path& path,
                               const std::string& name, const Shares& shares);
/// Coefficients of friction of some contacts.
struct FrictionOfContacts {
  std::vector<double> mu = {};
  std::vector<double> mu_r = {};  ///< m; empty without rolling
};

/// Those of the contacts of @p shares. Not collective. @throws InputError.
FrictionOfContacts read_friction(hid_t file, const std::filesystem::path& path,
                                 const Header& header, const Shares& shares);

/// A matrix in a file.
struct MatrixPlace {
  std::string name;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
};

/// Calls @p take with the entries of a matrix, on each rank with some of them, in rounds of some
/// Assembly::kRound entries, as many on every rank. Collective, and so may @p take be. @throws
/// InputError on every rank.
void read_entries(MPI_Comm comm, hid_t file, const std::filesystem::path& path,
                  const MatrixPlace& place,
                  const std::function<void(const std::vector<Entry>&)>& take);

}  // namespace scree::fclib
