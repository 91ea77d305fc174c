#pragma once

/// N in factored form, for rigid bodies whose M^-1 is symmetric: what sweeps and Newton's methods
/// in the space of the bodies need.
///
///     M^-1 = L L^T body by body,   B = J L,   N = B B^T + R,   w = B^T lambda
///     u_i  = r_i + R_i lambda_i + sum_b B_ib w_b
///
/// | symbol | meaning                                   | shape          |
/// | ---    | ---                                       | ---            |
/// | B_ib   | rows of cone i, columns of body b         | dim x 6        |
/// | w_b    | L^-1 of the velocity that lambda gives    | 6              |
/// | L_b    | lower triangular; columns of held degrees of freedom are zero | 6 x 6 |

#include <memory>
#include <span>
#include <vector>

#include "scree/problem/block_rows.hpp"
#include "scree/problem/contact_problem.hpp"

namespace scree {

struct BodyRows {
  BodyPattern pattern;
  std::vector<double> values;  ///< B_ib, entry after entry
};

/// Whether @p problem has the form that BodyRows holds. The same on every rank. Not collective.
bool has_body_rows(const ContactProblem& problem);

/// The rows of @p problem in this form, made at the first call and kept with the problem, since
/// several methods need them. Not collective. @pre has_body_rows(problem).
std::shared_ptr<const BodyRows> body_rows(const ContactProblem& problem);

/// The same, for one who changes them; what is kept ends, where it can be made again. Not
/// collective. @pre as body_rows()
BodyRows take_body_rows(const ContactProblem& problem);

/// The columns of a body's blocks that count: three, with all that are not zero on any rank, or all
/// six. Collective.
std::vector<int> columns_that_count(MPI_Comm comm, const BodyRows& rows);
/// Whether @p columns that count are those of motion in a plane: two translations, and the rotation
/// about its normal.
bool are_planar(std::span<const int> columns);

/// B = J L as the product of two matrices, the rows of @p jacobian those of @p cones, and @p
/// inverse_mass, symmetric, of blocks of kBodyDofs. Collective.
BodyRows product_with_factor(MPI_Comm comm, Mat jacobian, Mat inverse_mass, const Cones& cones);

}  // namespace scree
