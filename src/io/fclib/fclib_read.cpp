#include <fmt/format.h>

#include <array>
#include <cmath>

#include "fclib_compliance.hpp"
#include "fclib_cut.hpp"
#include "fclib_file.hpp"
#include "fclib_mass.hpp"
#include "fclib_rolling.hpp"
#include "scree/base/parallel.hpp"
#include "scree/io/fclib/fclib.hpp"

namespace scree {
namespace {

using fclib::Dense;
using fclib::Header;
using fclib::Sparse;

constexpr double kSymmetric = 1e-6;           ///< asymmetry below this is the writer's rounding
constexpr Eigen::Index kLargestDense = 6000;  ///< rows of a W = H^T M^-1 H that is formed

/// Which rows of the file a rank keeps, and where every row of the file goes.
struct Rows {
  std::vector<int> kept;    ///< rows of the file, this rank's, in order
  std::vector<int> number;  ///< new global number of a row of the file, -1 where left out
  int total = 0;
};

Rows number_rows(const Header& header, const std::vector<int>& dims, const fclib::Order& contacts,
                 int rank) {
  Rows rows;
  const auto first = contacts.first.begin() + rank;
  rows.number.assign(header.mu.size() * header.dim, -1);
  for (int place = 0; const int contact : contacts.number) {
    const bool mine = place >= first[0] && place < first[1];
    for (int k = 0; k < dims[contact]; ++k) {
      const int row = contact * header.dim + k;
      if (mine) rows.kept.push_back(row);
      rows.number[row] = rows.total++;
    }
    ++place;
  }
  return rows;
}

/// The degrees of freedom of @p units of @p unit each.
std::vector<int> dofs_of(const std::vector<int>& units, int unit) {
  std::vector<int> dofs;
  for (const int u : units) {
    for (int k = 0; k < unit; ++k) dofs.push_back(u * unit + k);
  }
  return dofs;
}

/// The rows @p kept of @p all, columns renumbered by @p number.
Sparse take(const Sparse& all, const std::vector<int>& kept, const std::vector<int>& number,
            Eigen::Index n_columns) {
  std::vector<Eigen::Triplet<double>> triplets;
  for (std::size_t k = 0; k < kept.size(); ++k) {
    for (Sparse::InnerIterator entry(all, kept[k]); entry; ++entry) {
      const int renumbered = number[entry.col()];
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
  petsc::Vector v = petsc::make_vector(comm, values.size());
  std::copy_n(values.data(), values.size(), petsc::View(v.get()).data());
  return v;
}

Dense pick(const Dense& all, const std::vector<int>& kept) {
  Dense part(static_cast<Eigen::Index>(kept.size()));
  for (Eigen::Index k = 0; k < part.size(); ++k) part[k] = all[kept[k]];
  return part;
}

/// The part of a file that a rank keeps, before anything is collective.
struct Kept {
  Header header;
  fclib::ConeShapes shapes;
  std::vector<int> contacts;  ///< numbers in the file
  bool product = false;
  bool symmetric = true;
  bool rigid_bodies = false;
  Sparse operator_rows;  ///< rows of J or W
  Sparse inverse_mass;
  Dense compliance;  ///< R; empty where all of this rank's rows are rigid
  Dense r;
  Dense v_free;
};

/// The rows of this rank; the contacts of each rank are sorted, so that cones of one type stand
/// together.
Rows keep_contacts(Kept& kept, MPI_Comm comm, fclib::Order contacts) {
  contacts.sort_on_ranks(kept.shapes.dim);
  kept.contacts = contacts.of_rank(rank_of(comm));
  return number_rows(kept.header, kept.shapes.dim, contacts, rank_of(comm));
}

/// l of the rolling rows of the file, by @p diagonal of N.
Dense choose_shapes(Kept& kept, const Dense& diagonal) {
  kept.shapes = fclib::cone_shapes(kept.header, diagonal);
  return fclib::row_lengths(kept.header, kept.shapes);
}

void keep_matrix_form(Kept& kept, MPI_Comm comm, const Sparse& w_of_file, const Dense& q) {
  const Dense length = choose_shapes(kept, w_of_file.diagonal());
  const Sparse w = length.asDiagonal() * w_of_file * length.asDiagonal();
  const fclib::Cut cut = fclib::cut_matrix(w, kept.header.dim, size_of(comm));
  const Rows rows = keep_contacts(kept, comm, cut.contacts);
  kept.symmetric = fclib::asymmetry(w) <= kSymmetric;
  kept.operator_rows = take(w, rows.kept, rows.number, rows.total);
  kept.r = pick(length.cwiseProduct(q), rows.kept);
}

/// The diagonal of J M^-1 J^T.
Dense product_diagonal(const Sparse& jacobian, const Sparse& inverse_mass) {
  const Sparse response = jacobian * inverse_mass;
  return response.cwiseProduct(jacobian) * Dense::Ones(jacobian.cols());
}

void keep_product_form(Kept& kept, MPI_Comm comm, const fclib::MassInverse& inverse,
                       const Sparse& jacobian_of_file, const Dense& v_free,
                       const Dense& compliance) {
  kept.product = true;
  kept.rigid_bodies = inverse.rigid_bodies();
  kept.symmetric = fclib::asymmetry(inverse.matrix()) <= kSymmetric;
  const Dense length =
      choose_shapes(kept, product_diagonal(jacobian_of_file, inverse.matrix()) + compliance);
  const Sparse jacobian = length.asDiagonal() * jacobian_of_file;
  const int unit = kept.rigid_bodies ? kBodyDofs : 1;
  const fclib::Cut cut = fclib::cut_product(jacobian, kept.header.dim, unit, size_of(comm));
  const Rows rows = keep_contacts(kept, comm, cut.contacts);
  const std::vector<int> number = fclib::places(dofs_of(cut.units.number, unit));
  const std::vector<int> own = dofs_of(cut.units.of_rank(rank_of(comm)), unit);
  kept.operator_rows = take(jacobian, rows.kept, number, jacobian.cols());
  kept.inverse_mass = take(inverse.matrix(), own, number, v_free.size());
  kept.v_free = pick(v_free, own);
  kept.r = pick(Dense(jacobian * v_free + length.cwiseProduct(kept.header.q)), rows.kept);
  kept.compliance = pick(length.cwiseAbs2().cwiseProduct(compliance), rows.kept);
  if (kept.compliance.isZero(0.0)) kept.compliance.resize(0);
}

Kept read_share(MPI_Comm comm, const std::filesystem::path& path) {
  const h5::File file = h5::open_file(path);
  Kept kept;
  kept.header = fclib::read_header(file.get(), path);
  const Header& header = kept.header;
  const Eigen::Index n = header.q.size();
  if (!header.global()) {
    keep_matrix_form(kept, comm, fclib::read_matrix(file.get(), path, header.matrix(), n, n),
                     header.q);
    return kept;
  }
  fclib::GlobalMatrices matrices = fclib::read_global(file.get(), path, header);
  const Dense compliance = fclib::take_springs(matrices, header.compliant_rows, path);
  const fclib::MassInverse inverse(matrices.mass, path);
  const Sparse jacobian = matrices.h.transpose();
  const Dense v_free = inverse.times(matrices.f);
  if (inverse.by_blocks()) {
    keep_product_form(kept, comm, inverse, jacobian, v_free, compliance);
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
  w.diagonal() += compliance;
  keep_matrix_form(kept, comm, Sparse(w.sparseView(0.0, 0.0)), jacobian * v_free + header.q);
  return kept;
}

}  // namespace

ContactProblem read_fclib(MPI_Comm comm, const std::filesystem::path& path,
                          const Friction& friction) {
  Kept kept;
  std::string error;
  try {
    kept = h5::reading(path, [&] { return read_share(comm, path); });
  } catch (const InputError& e) {
    error = e.what();
  }
  refuse_together(comm, error);
  if (kept.header.rolling && friction.law == FrictionLaw::box) {
    throw InputError(
        fmt::format("{}: the law box has no rolling friction; take coulomb, pyramid or associated",
                    path.string()));
  }

  ContactProblem problem;
  problem.comm = comm;
  problem.origin = path.filename().string();
  for (const int contact : kept.contacts) {
    fclib::append_cone(problem.cones, kept.header, kept.shapes, contact, friction);
    if (kept.shapes.length.empty()) continue;
    problem.rolling_length.push_back(kept.shapes.length[contact]);
  }
  problem.number_in_file = std::move(kept.contacts);
  problem.delassus.symmetric = kept.symmetric;
  problem.r = to_petsc(comm, kept.r);
  if (kept.product) {
    const Eigen::Index local_dofs = kept.v_free.size();
    petsc::Matrix jacobian = to_petsc(comm, kept.operator_rows, local_dofs);
    petsc::Matrix inverse_mass = to_petsc(comm, kept.inverse_mass, local_dofs);
    if (kept.rigid_bodies) {
      problem.delassus.blocks = std::make_shared<const BlockRows>(
          block_rows_of(comm, jacobian.get(), inverse_mass.get(), problem.cones));
    } else {
      problem.delassus.jacobian = std::move(jacobian);
      problem.delassus.inverse_mass = std::move(inverse_mass);
    }
    problem.v_free = to_petsc(comm, kept.v_free);
    problem.compliance = fclib::to_vector(kept.compliance);
  } else {
    problem.delassus.matrix = to_petsc(comm, kept.operator_rows, kept.r.size());
  }
  return problem;
}

}  // namespace scree
