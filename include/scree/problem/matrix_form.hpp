#pragma once

/// The algebraic face of a problem of rigid bodies: the same problem with its block rows withheld,
/// so that all that is computed with it comes from J and M^-1 as distributed PETSc matrices,
/// products with N and its diagonal blocks, too.

#include "scree/problem/contact_problem.hpp"

namespace scree {

/// @p problem by jacobian() and inverse_mass(), which are made once and shared with it. Where M^-1
/// is symmetric it has body rows, from the product B = J L of matrices. Collective. @pre block
/// rows.
ContactProblem in_matrix_form(const ContactProblem& problem);

/// Another owner of @p matrix, which may be null.
petsc::Matrix share(Mat matrix);

}  // namespace scree
