#include "fclib_bodies.hpp"

#include <fmt/format.h>

#include "fclib_compliance.hpp"
#include "scree/problem/block_rows.hpp"

namespace scree::fclib {
namespace {

constexpr std::int64_t kLargestDense = 6000;  ///< rows of a W = H^T M^-1 H that is formed

/// A row of a matrix.
struct Row {
  std::vector<PetscInt> columns;
  std::vector<double> values;
};

Row row_of(Mat matrix, PetscInt number) {
  Row row;
  for_each_entry(matrix, number, number + 1, [&row](std::int32_t, std::int32_t column, double v) {
    row.columns.push_back(column);
    row.values.push_back(v);
  });
  return row;
}

}  // namespace

petsc::Matrix read_operator(MPI_Comm comm, hid_t file, const std::filesystem::path& path,
                            const Header& header, const Shares& rows) {
  Assembly assembly(comm, rows);
  read_entries(comm, file, path, {header.matrix(), header.n_rows(), header.n_rows()},
               [&assembly](const std::vector<Entry>& entries) {
                 for (const Entry& e : entries) assembly.add(e.row, e.column, e.value);
                 assembly.send();
               });
  return make_matrix(comm, assembly, rows);
}

Bodies read_bodies(MPI_Comm comm, hid_t file, const std::filesystem::path& path,
                   const Header& header, const Shares& rows) {
  SpringReader springs(comm, file, path, header);
  Bodies bodies{.dofs = even_shares(comm, header.n_body_dofs(), kBodyDofs)};
  const std::string group = header.group();
  Assembly mass(comm, bodies.dofs);
  read_entries(comm, file, path, {group + "/M", header.n_dofs, header.n_dofs},
               [&](const std::vector<Entry>& entries) {
                 for (const Entry& e : entries) {
                   if (springs.is_spring(e.row) || springs.is_spring(e.column)) {
                     springs.add_to_mass(e);
                   } else {
                     mass.add(e.row, e.column, e.value);
                   }
                 }
                 mass.send();
               });
  Assembly jacobian(comm, rows);
  read_entries(comm, file, path, {group + "/H", header.n_dofs, header.n_rows()},
               [&](const std::vector<Entry>& entries) {
                 for (const Entry& e : entries) {
                   if (springs.is_spring(e.row)) {
                     springs.add_to_h(e);
                   } else {
                     jacobian.add(e.column, e.row, e.value);
                   }
                 }
                 jacobian.send();
               });
  bodies.compliance = springs.compliance(rows);
  bodies.mass = make_matrix(comm, mass, bodies.dofs);
  bodies.jacobian = make_matrix(comm, jacobian, bodies.dofs);
  refuse_on_all(comm, path, [&] {
    bodies.momentum = read_share(file, path, group + "/vectors/f", bodies.dofs);
  });
  return bodies;
}

std::vector<double> product_diagonal(Mat jacobian, Mat inverse_mass) {
  petsc::Matrix response;
  SCREE_PETSC(
      MatMatMult(jacobian, inverse_mass, MAT_INITIAL_MATRIX, PETSC_DEFAULT, response.out()));
  PetscInt first = 0;
  PetscInt end = 0;
  SCREE_PETSC(MatGetOwnershipRange(jacobian, &first, &end));
  std::vector<double> diagonal(end - first, 0.0);
  for (PetscInt number = first; number < end; ++number) {
    const Row row = row_of(response.get(), number);
    for_each_entry(jacobian, number, number + 1, [&](std::int32_t, std::int32_t column, double v) {
      const auto at = std::lower_bound(row.columns.begin(), row.columns.end(), column);
      if (at == row.columns.end() || *at != column) return;
      diagonal[number - first] += v * row.values[at - row.columns.begin()];
    });
  }
  return diagonal;
}

petsc::Matrix form_product(MPI_Comm comm, const Bodies& bodies, const MassInverse& inverse,
                           const Shares& rows, const std::filesystem::path& path) {
  if (rows.total() > kLargestDense) {
    refuse(path, fmt::format("deformable bodies with {} contact rows; scree forms H^T M^-1 H up "
                             "to {}",
                             rows.total(), kLargestDense));
  }
  const Sparse jacobian = whole_matrix(comm, bodies.jacobian.get());
  Assembly product(comm, rows);
  for (std::int64_t column = rows.begin(); column < rows.end(); ++column) {
    const Dense response = jacobian * inverse.times_whole(Dense(jacobian.row(column).transpose()));
    for (Eigen::Index row = 0; row < response.size(); ++row) {
      if (response[row] == 0.0) continue;
      product.add(static_cast<std::int32_t>(row), static_cast<std::int32_t>(column), response[row]);
    }
  }
  for (std::int64_t row = rows.begin(); row < rows.end(); ++row) {
    const double r = bodies.compliance[row - rows.begin()];
    if (r == 0.0) continue;
    product.add(static_cast<std::int32_t>(row), static_cast<std::int32_t>(row), r);
  }
  product.send();
  return make_matrix(comm, product, rows);
}

}  // namespace scree::fclib
