#include "fclib_written.hpp"

#include <algorithm>
#include <functional>

#include "fclib_blocks.hpp"
#include "fclib_rolling.hpp"

namespace scree::fclib {
namespace {

/// A copy of @p matrix with its rows, and where @p columns_too its columns, in the file's units.
/// Collective.
petsc::Matrix scaled(const Written& written, Mat matrix, bool columns_too) {
  petsc::Matrix result;
  SCREE_PETSC(MatDuplicate(matrix, MAT_COPY_VALUES, result.out()));
  const petsc::Vector factor = make_vector(written.problem.comm, written.length);
  SCREE_PETSC(VecReciprocal(factor.get()));
  SCREE_PETSC(MatDiagonalScale(result.get(), factor.get(), columns_too ? factor.get() : nullptr));
  return result;
}

}  // namespace

Mat main_matrix(const ContactProblem& problem) {
  return problem.delassus.is_product() ? jacobian(problem) : problem.delassus.matrix.get();
}

Written prepare(const ContactProblem& problem) {
  return {problem, file_rows(problem), row_lengths(problem),
          shares_of(problem.comm, static_cast<std::int64_t>(problem.cones.rows())),
          problem.delassus.is_product()};
}

std::vector<double> in_file_units(const Written& written, std::vector<double> values) {
  std::transform(values.begin(), values.end(), written.length.begin(), values.begin(),
                 std::divides<>());
  return values;
}

Springs springs_of(const Written& written) {
  Springs springs;
  const std::vector<double>& compliance = written.problem.compliance;
  for (std::size_t k = 0; k < compliance.size(); ++k) {
    if (!is_soft(compliance[k])) continue;
    springs.rows.push_back(written.rows.row[k]);
    springs.r.push_back(compliance[k] / (written.length[k] * written.length[k]));
  }
  return springs;
}

Mass mass_of(const ContactProblem& problem, const Shares& dofs) {
  Mass mass{.matrix = {}, .held = std::vector<bool>(dofs.count(), true)};
  Assembly assembly(problem.comm, dofs);
  for_each_entry(inverse_mass(problem), [&](std::int32_t row, std::int32_t column, double v) {
    assembly.add(row, column, v);
    if (v != 0.0) mass.held[row - dofs.begin()] = false;
  });
  for (std::int64_t dof = dofs.begin(); dof < dofs.end(); ++dof) {
    const auto row = static_cast<std::int32_t>(dof);
    if (mass.held[dof - dofs.begin()]) assembly.add(row, row, 1.0);
  }
  const petsc::Matrix inverse = make_matrix(problem.comm, assembly, dofs);
  const Blocks blocks = find_blocks(problem.comm, inverse.get(), dofs);
  if (!blocks.are_small) throw Failure("the inverse mass couples too many degrees of freedom");
  try {
    mass.matrix = inverse_of(problem.comm, inverse.get(), dofs, blocks, "the inverse mass");
  } catch (const InputError& fault) {  // of a run's own numbers, on every rank
    throw Failure(fault.what());
  }
  return mass;
}

petsc::Matrix moving_transposed(const Written& written, const Shares& dofs,
                                const std::vector<bool>& held) {
  MPI_Comm comm = written.problem.comm;
  petsc::Matrix transposed;
  petsc::Matrix in_units;
  Mat jacobian = main_matrix(written.problem);
  if (written.rows.rolling()) {
    in_units = scaled(written, jacobian, false);
    jacobian = in_units.get();
  }
  SCREE_PETSC(MatTranspose(jacobian, MAT_INITIAL_MATRIX, transposed.out()));
  in_units.reset();
  std::vector<std::int32_t> moving(dofs.count(), -1);
  for (std::size_t k = 0; k < moving.size(); ++k) {
    if (!held[k])
      moving[k] = static_cast<std::int32_t>(dofs.begin() + static_cast<std::int64_t>(k));
  }
  return renumber(comm, transposed.get(), {moving, written.problem_rows, written.rows.row}, dofs,
                  written.rows.rows);
}

petsc::Matrix whole_operator(const Written& written) {
  MPI_Comm comm = written.problem.comm;
  petsc::Matrix in_units;
  Mat w = main_matrix(written.problem);
  if (written.rows.rolling()) {
    in_units = scaled(written, w, true);
    w = in_units.get();
  }
  const std::vector<std::int32_t>& row = written.rows.row;
  Assembly whole(comm, written.rows.rows);
  add_renumbered(whole, comm, w, {row, written.problem_rows, row});
  in_units.reset();
  const Springs springs = springs_of(written);
  for (std::size_t k = 0; k < springs.rows.size(); ++k) {
    whole.add(springs.rows[k], springs.rows[k], springs.r[k]);
  }
  return make_matrix(comm, whole, written.rows.rows);
}

}  // namespace scree::fclib
