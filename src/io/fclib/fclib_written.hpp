#pragma once

/// A contact problem in the units and numbers of the FCLIB file that is to hold it.

#include <cstdint>
#include <string>
#include <vector>

#include "fclib_file.hpp"
#include "fclib_matrix.hpp"
#include "fclib_rows.hpp"
#include "scree/problem/contact_problem.hpp"

namespace scree::fclib {

/// J or W. Collective.
Mat main_matrix(const ContactProblem& problem);

inline bool is_soft(double compliance) {
  return compliance != 0.0;
}

/// A problem and the rows of the file that is to hold it.
struct Written {
  const ContactProblem& problem;
  FileRows rows;
  std::vector<double> length;  ///< l of each of this rank's rows of the problem
  Shares problem_rows;         ///< the problem's own numbers
  bool global = true;

  std::string group() const {
    return group_of(global ? Kind::global : Kind::local, rows.rolling());
  }
};

/// Collective. @throws Failure where a file cannot hold the cones of @p problem, which outlives the
/// result.
Written prepare(const ContactProblem& problem);

/// @p values of velocities in the problem, in the file's units. Not collective.
std::vector<double> in_file_units(const Written& written, std::vector<double> values);

/// The springs in the file of this rank's soft rows.
struct Springs {
  std::vector<std::int32_t> rows;  ///< of the file
  std::vector<double> r;           ///< compliances in its units
};

Springs springs_of(const Written& written);

/// M of M^-1, in which degrees of freedom that are held are zero rows: those get the mass 1.
struct Mass {
  petsc::Matrix matrix;
  std::vector<bool> held;  ///< of this rank
};

/// Collective. @throws Failure.
Mass mass_of(const ContactProblem& problem, const Shares& dofs);

/// J^T of what moves, by the file's rows. Collective.
petsc::Matrix moving_transposed(const Written& written, const Shares& dofs,
                                const std::vector<bool>& held);

/// W + R by the file's rows. Collective.
petsc::Matrix whole_operator(const Written& written);

}  // namespace scree::fclib
