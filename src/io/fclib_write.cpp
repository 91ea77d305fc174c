#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "fclib_file.hpp"
#include "scree/base/parallel.hpp"
#include "scree/io/fclib.hpp"
#include "scree/io/run_folder.hpp"

namespace scree {
namespace {

using fclib::Dense;
using fclib::Header;
using fclib::Sparse;

template <class T>
MPI_Datatype type_of() {
  if constexpr (std::is_same_v<T, double>) return MPI_DOUBLE;
  return MPI_INT32_T;
}

/// Collective. All ranks' numbers, in the order of the ranks, on rank 0; empty elsewhere.
template <class T>
std::vector<T> gather(MPI_Comm comm, const std::vector<T>& mine) {
  const std::int64_t total = sum_over_ranks(comm, static_cast<std::int64_t>(mine.size()));
  if (total > std::numeric_limits<std::int32_t>::max()) {
    throw Failure(
        fmt::format("an FCLIB file holds 2^31 - 1 numbers of a kind; this problem has {}", total));
  }
  const bool root = rank_of(comm) == 0;
  const int n = static_cast<int>(mine.size());
  std::vector<int> counts(root ? static_cast<std::size_t>(size_of(comm)) : 0);
  SCREE_MPI(MPI_Gather(&n, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, comm));
  std::vector<int> starts(counts.size(), 0);
  for (std::size_t k = 1; k < starts.size(); ++k) starts[k] = starts[k - 1] + counts[k - 1];
  std::vector<T> all(root ? static_cast<std::size_t>(total) : 0);
  SCREE_MPI(MPI_Gatherv(mine.data(), n, type_of<T>(), all.data(), counts.data(), starts.data(),
                        type_of<T>(), 0, comm));
  return all;
}

std::vector<double> gather(MPI_Comm comm, Vec v) {
  const petsc::ConstView view(v);
  return gather(comm, std::vector<double>(view.span().begin(), view.span().end()));
}

/// Collective. The whole matrix on rank 0.
Sparse gather(MPI_Comm comm, Mat matrix) {
  std::vector<std::int32_t> row;
  std::vector<std::int32_t> column;
  std::vector<double> value;
  PetscInt first = 0;
  PetscInt end = 0;
  SCREE_PETSC(MatGetOwnershipRange(matrix, &first, &end));
  for (PetscInt i = first; i < end; ++i) {
    PetscInt n = 0;
    const PetscInt* c = nullptr;
    const double* v = nullptr;
    SCREE_PETSC(MatGetRow(matrix, i, &n, &c, &v));
    row.insert(row.end(), static_cast<std::size_t>(n), i);
    column.insert(column.end(), c, c + n);
    value.insert(value.end(), v, v + n);
    SCREE_PETSC(MatRestoreRow(matrix, i, &n, &c, &v));
  }
  row = gather(comm, row);
  column = gather(comm, column);
  value = gather(comm, value);
  PetscInt n_rows = 0;
  PetscInt n_columns = 0;
  SCREE_PETSC(MatGetSize(matrix, &n_rows, &n_columns));
  std::vector<Eigen::Triplet<double>> triplets;
  triplets.reserve(value.size());
  for (std::size_t k = 0; k < value.size(); ++k) {
    triplets.emplace_back(row[k], column[k], value[k]);
  }
  Sparse all(n_rows, n_columns);
  if (rank_of(comm) == 0) all.setFromTriplets(triplets.begin(), triplets.end());
  return all;
}

Dense to_dense(const std::vector<double>& values) {
  return Eigen::Map<const Dense>(values.data(), static_cast<Eigen::Index>(values.size()));
}

std::vector<double> to_vector(const Dense& values) {
  return {values.data(), values.data() + values.size()};
}

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
  failure = broadcast(comm, failure);
  if (!failure.empty()) throw Failure(failure);
}

void write_matrix(hid_t file, const std::string& name, const Sparse& matrix) {
  std::vector<std::int32_t> i;
  std::vector<std::int32_t> p;
  std::vector<double> x;
  for (int row = 0; row < matrix.rows(); ++row) {
    for (Sparse::InnerIterator entry(matrix, row); entry; ++entry) {
      i.push_back(row);
      p.push_back(static_cast<std::int32_t>(entry.col()));
      x.push_back(entry.value());
    }
  }
  const auto count = static_cast<std::int32_t>(x.size());
  h5::write_scalar(file, name + "/m", static_cast<std::int32_t>(matrix.rows()));
  h5::write_scalar(file, name + "/n", static_cast<std::int32_t>(matrix.cols()));
  h5::write_scalar(file, name + "/nz", count);
  h5::write_scalar(file, name + "/nzmax", count);
  h5::write(file, name + "/p", p);
  h5::write(file, name + "/i", i);
  h5::write(file, name + "/x", x);
}

/// Rows of a file of @p dim rows a contact for the problem's rows: a cone of dim 1 leaves its
/// tangents free.
struct FileRows {
  int dim = 3;
  std::vector<double> mu;
  std::vector<int> row;  ///< of each row of the problem
  Eigen::Index count() const { return static_cast<Eigen::Index>(mu.size()) * dim; }
};

FileRows file_rows(const std::vector<std::int32_t>& dims, std::vector<double> mu, int dim) {
  FileRows rows;
  rows.mu = std::move(mu);
  rows.dim = dim;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    for (int k = 0; k < dims[i]; ++k) rows.row.push_back(static_cast<int>(i) * dim + k);
  }
  return rows;
}

/// The rows a contact that a file for cones of @p dims needs.
int file_dim(const std::vector<std::int32_t>& dims) {
  const bool two = std::find(dims.begin(), dims.end(), 2) != dims.end();
  const bool three = std::find(dims.begin(), dims.end(), 3) != dims.end();
  if (two && three) {
    throw Failure("an FCLIB file cannot hold contacts of dim 2 beside contacts of dim 3");
  }
  return two ? 2 : 3;
}

/// Collective; the rows are rank 0's.
FileRows file_rows(const ContactProblem& problem) {
  std::vector<std::int32_t> dims;
  for (std::size_t i = 0; i < problem.cones.count(); ++i) dims.push_back(problem.cones.dim(i));
  dims = gather(problem.comm, dims);
  std::vector<double> mu = gather(problem.comm, problem.cones.mu);
  FileRows rows;
  on_rank_0(problem.comm, [&] { rows = file_rows(dims, std::move(mu), file_dim(dims)); });
  return rows;
}

/// @p values of the problem's rows, at their places among the file's.
Dense spread(const std::vector<double>& values, const FileRows& rows) {
  Dense all = Dense::Zero(rows.count());
  for (std::size_t k = 0; k < values.size(); ++k) all[rows.row[k]] = values[k];
  return all;
}

Sparse spread(const Sparse& matrix, const FileRows& rows, bool columns_too) {
  std::vector<Eigen::Triplet<double>> triplets;
  for (int row = 0; row < matrix.rows(); ++row) {
    for (Sparse::InnerIterator entry(matrix, row); entry; ++entry) {
      const auto column = static_cast<std::size_t>(entry.col());
      triplets.emplace_back(rows.row[static_cast<std::size_t>(row)],
                            columns_too ? rows.row[column] : static_cast<int>(column),
                            entry.value());
    }
  }
  Sparse all(rows.count(), columns_too ? rows.count() : matrix.cols());
  all.setFromTriplets(triplets.begin(), triplets.end());
  return all;
}

/// M of M^-1 in which held degrees of freedom are zero rows: those get the mass 1.
Sparse mass_of(Sparse inverse, std::vector<bool>& held) {
  const Eigen::Index n = inverse.rows();
  held.assign(static_cast<std::size_t>(n), true);
  for (int row = 0; row < n; ++row) {
    for (Sparse::InnerIterator entry(inverse, row); entry; ++entry) {
      if (entry.value() != 0.0) held[static_cast<std::size_t>(row)] = false;
    }
  }
  Sparse ones(n, n);
  for (int row = 0; row < n; ++row) {
    if (held[static_cast<std::size_t>(row)]) ones.insert(row, row) = 1.0;
  }
  return fclib::MassInverse(inverse + ones, "the inverse mass").matrix();
}

void write_global(hid_t file, const FileRows& rows, const Sparse& jacobian,
                  const Sparse& inverse_mass, const Dense& v_free, const Dense& r) {
  std::vector<bool> held;
  const Sparse mass = mass_of(inverse_mass, held);
  Sparse moving = jacobian;
  moving.prune([&held](Eigen::Index, Eigen::Index column, double value) {
    return value != 0.0 && !held[static_cast<std::size_t>(column)];
  });
  const Dense w = r - moving * v_free;  // what held degrees of freedom and gaps give
  const Sparse spread_rows = spread(moving, rows, false);
  write_matrix(file, "fclib_global/M", mass);
  write_matrix(file, "fclib_global/H", Sparse(spread_rows.transpose()));
  h5::write(file, "fclib_global/vectors/f", to_vector(mass * v_free));
  h5::write(file, "fclib_global/vectors/w", to_vector(spread(to_vector(w), rows)));
}

void write_info(hid_t file, const std::string& group, const FileRows& rows,
                const std::string& title, const ContactProblem& problem) {
  h5::write_scalar(file, group + "/spacedim", static_cast<std::int32_t>(rows.dim));
  h5::write(file, group + "/vectors/mu", rows.mu);
  h5::write_text(file, group + "/info/title", title);
  h5::write_text(file, group + "/info/description", "written by scree from " + problem.origin);
  h5::write_text(file, group + "/info/math_info", "unknown");
}

void create_groups(hid_t file, const std::string& group, bool global) {
  for (const char* matrix : {"M", "H", "W"}) {
    if ((std::string_view(matrix) == "W") == global) continue;
    h5::create_group(file, group + "/" + matrix);
  }
  h5::create_group(file, group + "/vectors");
  h5::create_group(file, group + "/info");
}

}  // namespace

void write_fclib(const ContactProblem& problem, const std::filesystem::path& path,
                 const std::string& title) {
  const FileRows rows = file_rows(problem);
  const bool global = problem.delassus.is_product();
  const Sparse main = gather(
      problem.comm, global ? problem.delassus.jacobian.get() : problem.delassus.matrix.get());
  const Sparse inverse_mass =
      global ? gather(problem.comm, problem.delassus.inverse_mass.get()) : Sparse();
  const std::vector<double> v_free =
      global ? gather(problem.comm, problem.v_free.get()) : std::vector<double>();
  const std::vector<double> r = gather(problem.comm, problem.r.get());
  on_rank_0(problem.comm, [&] {
    const std::string group = global ? "fclib_global" : "fclib_local";
    const h5::File file = h5::create_in_memory();
    create_groups(file.get(), group, global);
    write_info(file.get(), group, rows, title, problem);
    if (global) {
      write_global(file.get(), rows, main, inverse_mass, to_dense(v_free), to_dense(r));
    } else {
      write_matrix(file.get(), group + "/W", spread(main, rows, true));
      h5::write(file.get(), group + "/vectors/q", to_vector(spread(r, rows)));
    }
    write_whole(path, h5::image(file));
  });
}

namespace {

/// The problem file @p path with r, u and v of the solution, from its own matrices, for @p impulses
/// of cones of @p dims: the bytes.
std::string solved(const std::filesystem::path& path, const std::vector<std::int32_t>& dims,
                   const std::vector<double>& impulses) {
  const h5::File file = h5::open_in_memory(path);
  const Header header = fclib::read_header(file.get(), path);
  const std::string group = header.group();
  const Eigen::Index n = header.q.size();
  const Dense r = spread(impulses, file_rows(dims, header.mu, header.dim));
  if (h5::exists(file.get(), "solution")) {
    SCREE_HDF5(H5Ldelete(file.get(), "solution", H5P_DEFAULT));
  }
  h5::create_group(file.get(), "solution");
  Dense u;
  if (header.global) {
    const Eigen::Index dofs = header.f.size();
    const fclib::MassInverse inverse(fclib::read_matrix(file.get(), path, group + "/M", dofs, dofs),
                                     path);
    const Sparse h = fclib::read_matrix(file.get(), path, group + "/H", dofs, n);
    const Dense v = inverse.times(h * r + header.f);
    u = h.transpose() * v + header.q;
    h5::write(file.get(), "solution/v", to_vector(v));
  } else {
    u = fclib::read_matrix(file.get(), path, group + "/W", n, n) * r + header.q;
  }
  h5::write(file.get(), "solution/r", to_vector(r));
  h5::write(file.get(), "solution/u", to_vector(u));
  return h5::image(file);
}

}  // namespace

void write_fclib_solution(const ContactProblem& problem, Vec lambda,
                          const std::filesystem::path& source, const std::filesystem::path& path) {
  std::vector<std::int32_t> dims;
  for (std::size_t i = 0; i < problem.cones.count(); ++i) dims.push_back(problem.cones.dim(i));
  dims = gather(problem.comm, dims);
  const std::vector<double> impulses = gather(problem.comm, lambda);
  on_rank_0(problem.comm, [&] { write_whole(path, solved(source, dims, impulses)); });
}

}  // namespace scree
