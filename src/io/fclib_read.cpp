#include <fmt/format.h>

#include <array>
#include <cmath>

#include "fclib_file.hpp"
#include "scree/base/parallel.hpp"
#include "scree/io/fclib.hpp"

namespace scree {
namespace {

using fclib::Dense;
using fclib::Header;
using fclib::Sparse;

constexpr double kSymmetric = 1e-6;           ///< asymmetry below this is the writer's rounding
constexpr Eigen::Index kLargestDense = 6000;  ///< rows of a W = H^T M^-1 H that is formed

/// A rank's share of @p n things.
struct Share {
  Eigen::Index first;
  Eigen::Index end;
};
Share share(MPI_Comm comm, Eigen::Index n) {
  const Eigen::Index rank = rank_of(comm);
  const Eigen::Index size = size_of(comm);
  return {n * rank / size, n * (rank + 1) / size};
}

/// Which rows of the file a rank keeps, and where every row of the file goes.
struct Rows {
  std::vector<int> kept;    ///< rows of the file, this rank's, in order
  std::vector<int> number;  ///< new global number of a row of the file, -1 where left out
  int total = 0;
};

Rows number_rows(const Header& header, Share contacts) {
  Rows rows;
  const auto n = static_cast<Eigen::Index>(header.mu.size());
  rows.number.assign(static_cast<std::size_t>(n * header.dim), -1);
  for (Eigen::Index i = 0; i < n; ++i) {
    const int dim = header.mu[static_cast<std::size_t>(i)] > 0.0 ? header.dim : 1;
    for (int k = 0; k < dim; ++k) {
      const auto row = static_cast<int>(i * header.dim) + k;
      if (i >= contacts.first && i < contacts.end) rows.kept.push_back(row);
      rows.number[static_cast<std::size_t>(row)] = rows.total++;
    }
  }
  return rows;
}

/// The rows @p kept of @p all, columns renumbered by @p number (left as they are when empty).
Sparse take(const Sparse& all, const std::vector<int>& kept, const std::vector<int>& number,
            Eigen::Index n_columns) {
  std::vector<Eigen::Triplet<double>> triplets;
  for (std::size_t k = 0; k < kept.size(); ++k) {
    for (Sparse::InnerIterator entry(all, kept[k]); entry; ++entry) {
      const auto column = static_cast<int>(entry.col());
      const int renumbered = number.empty() ? column : number[static_cast<std::size_t>(column)];
      if (renumbered >= 0) triplets.emplace_back(static_cast<int>(k), renumbered, entry.value());
    }
  }
  Sparse part(static_cast<Eigen::Index>(kept.size()), n_columns);
  part.setFromTriplets(triplets.begin(), triplets.end());
  return part;
}

/// Collective. A MATAIJ of each rank's @p rows, of which it has @p local_columns columns.
petsc::Matrix to_petsc(MPI_Comm comm, const Sparse& rows, Eigen::Index local_columns) {
  petsc::Matrix matrix;
  SCREE_PETSC(MatCreate(comm, matrix.out()));
  SCREE_PETSC(MatSetSizes(matrix.get(), static_cast<PetscInt>(rows.rows()),
                          static_cast<PetscInt>(local_columns), PETSC_DETERMINE, PETSC_DETERMINE));
  SCREE_PETSC(MatSetType(matrix.get(), MATAIJ));
  SCREE_PETSC(MatSeqAIJSetPreallocationCSR(matrix.get(), rows.outerIndexPtr(), rows.innerIndexPtr(),
                                           rows.valuePtr()));
  SCREE_PETSC(MatMPIAIJSetPreallocationCSR(matrix.get(), rows.outerIndexPtr(), rows.innerIndexPtr(),
                                           rows.valuePtr()));
  return matrix;
}

petsc::Vector to_petsc(MPI_Comm comm, const Dense& values) {
  petsc::Vector v = petsc::make_vector(comm, static_cast<std::size_t>(values.size()));
  std::copy_n(values.data(), values.size(), petsc::View(v.get()).data());
  return v;
}

Dense pick(const Dense& all, const std::vector<int>& kept) {
  Dense part(static_cast<Eigen::Index>(kept.size()));
  for (Eigen::Index k = 0; k < part.size(); ++k) part[k] = all[kept[static_cast<std::size_t>(k)]];
  return part;
}

/// What a rank keeps of a file, before anything is collective.
struct Kept {
  Header header;
  Rows rows;
  Share contacts{};
  Share dofs{};
  bool product = false;
  bool symmetric = true;
  int block_size = 0;
  Sparse operator_rows;  ///< of J or W
  Sparse inverse_mass;
  Dense r;
  Dense v_free;
};

void keep_matrix_form(Kept& kept, const Sparse& w, const Dense& q) {
  kept.symmetric = fclib::asymmetry(w) <= kSymmetric;
  kept.operator_rows = take(w, kept.rows.kept, kept.rows.number, kept.rows.total);
  kept.r = pick(q, kept.rows.kept);
}

void keep_product_form(Kept& kept, MPI_Comm comm, const fclib::MassInverse& inverse,
                       const Sparse& jacobian, const Dense& v_free) {
  kept.product = true;
  kept.block_size = inverse.block_size();
  kept.symmetric = fclib::asymmetry(inverse.matrix()) <= kSymmetric;
  const Eigen::Index unit = kept.block_size > 0 ? kept.block_size : 1;
  const Share units = share(comm, v_free.size() / unit);
  kept.dofs = {units.first * unit, units.end * unit};
  std::vector<int> own;
  for (Eigen::Index k = kept.dofs.first; k < kept.dofs.end; ++k) {
    own.push_back(static_cast<int>(k));
  }
  kept.operator_rows = take(jacobian, kept.rows.kept, {}, jacobian.cols());
  kept.inverse_mass = take(inverse.matrix(), own, {}, v_free.size());
  kept.v_free = pick(v_free, own);
  kept.r = pick(Dense(jacobian * v_free + kept.header.q), kept.rows.kept);
}

Kept read_share(MPI_Comm comm, const std::filesystem::path& path) {
  const h5::File file = h5::open_file(path);
  Kept kept;
  kept.header = fclib::read_header(file.get(), path);
  const Header& header = kept.header;
  const std::string group = header.group();
  kept.contacts = share(comm, static_cast<Eigen::Index>(header.mu.size()));
  kept.rows = number_rows(header, kept.contacts);
  const Eigen::Index n = header.q.size();
  if (!header.global) {
    keep_matrix_form(kept, fclib::read_matrix(file.get(), path, group + "/W", n, n), header.q);
    return kept;
  }
  const Eigen::Index dofs = header.f.size();
  const fclib::MassInverse inverse(fclib::read_matrix(file.get(), path, group + "/M", dofs, dofs),
                                   path);
  const Sparse jacobian = fclib::read_matrix(file.get(), path, group + "/H", dofs, n).transpose();
  const Dense v_free = inverse.times(header.f);
  if (inverse.by_blocks()) {
    keep_product_form(kept, comm, inverse, jacobian, v_free);
    return kept;
  }
  if (n > kLargestDense) {
    throw InputError(
        fmt::format("{}: deformable bodies with {} contact rows; scree forms "
                    "H^T M^-1 H up to {}",
                    path.string(), n, kLargestDense));
  }
  Eigen::MatrixXd w(n, n);
  for (Eigen::Index row = 0; row < n; ++row) {
    w.col(row) = jacobian * inverse.times(Dense(jacobian.row(row).transpose()));
  }
  keep_matrix_form(kept, Sparse(w.sparseView(0.0, 0.0)), jacobian * v_free + header.q);
  return kept;
}

}  // namespace

ContactProblem read_fclib(MPI_Comm comm, const std::filesystem::path& path, FrictionLaw law) {
  Kept kept;
  std::string error;
  try {
    kept = read_share(comm, path);
  } catch (const InputError& e) {
    error = e.what();
  }
  refuse_together(comm, error);

  ContactProblem problem;
  problem.comm = comm;
  problem.friction = law;
  problem.origin = path.filename().string();
  for (Eigen::Index i = kept.contacts.first; i < kept.contacts.end; ++i) {
    const double mu = kept.header.mu[static_cast<std::size_t>(i)];
    problem.cones.append(mu > 0.0 ? kept.header.dim : 1, mu);
  }
  problem.delassus.symmetric = kept.symmetric;
  problem.delassus.block_size = kept.block_size;
  problem.r = to_petsc(comm, kept.r);
  if (kept.product) {
    const Eigen::Index local_dofs = kept.v_free.size();
    problem.delassus.jacobian = to_petsc(comm, kept.operator_rows, local_dofs);
    problem.delassus.inverse_mass = to_petsc(comm, kept.inverse_mass, local_dofs);
    problem.v_free = to_petsc(comm, kept.v_free);
  } else {
    problem.delassus.matrix = to_petsc(comm, kept.operator_rows, kept.r.size());
  }
  return problem;
}

}  // namespace scree
