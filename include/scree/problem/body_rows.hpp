#pragma once

/// N in factored form, for rigid bodies: what a sweep over the contacts and the diagonal blocks
/// need, without forming N.
///
///     M^-1 = L L^T body by body,   B = J L,   N = B B^T,   w = B^T lambda
///     u_i  = r_i + sum_b B_ib w_b
///
/// | symbol | meaning                                   | shape          |
/// | ---    | ---                                       | ---            |
/// | B_ib   | rows of cone i, columns of body b; zero rows below dim 3 | 3 x 6 |
/// | w_b    | L^-1 of the velocity that lambda gives    | 6              |
/// | L_b    | lower triangular; columns of held degrees of freedom are zero | 6 x 6 |
///
/// A rank holds the entries of its own cones. Bodies are numbered locally: owned ones first, in the
/// order of M^-1's rows, then those of other ranks that its cones touch, by global block.

#include <cstdint>
#include <memory>
#include <vector>

#include "scree/problem/contact_problem.hpp"

namespace scree {

/// Degrees of freedom of a rigid body.
inline constexpr int kBodyDofs = 6;
/// Of them those of a body that does not turn.
inline constexpr int kLinearDofs = 3;
/// Rows of a cone in padded storage.
inline constexpr int kConeRows = 3;

struct BodyRows {
  static constexpr std::size_t kEntrySize = kConeRows * kBodyDofs;

  std::int32_t n_owned = 0;            ///< bodies of this rank
  std::vector<PetscInt> ghosts;        ///< global blocks of the other bodies, ascending
  std::vector<std::int32_t> first{0};  ///< cone i has the entries [first[i], first[i+1])
  std::vector<std::int32_t> body;      ///< local body of an entry
  std::vector<double> values;          ///< kEntrySize numbers an entry, row-major

  std::size_t n_cones() const { return first.size() - 1; }
  std::size_t n_bodies() const { return static_cast<std::size_t>(n_owned) + ghosts.size(); }
  const double* block(std::int32_t entry) const {
    return values.data() + kEntrySize * static_cast<std::size_t>(entry);
  }
};

/// Whether @p problem has the form that BodyRows holds: product, symmetric, bodies of 6 degrees of
/// freedom. The same on every rank. Not collective.
bool has_body_rows(const ContactProblem& problem);

/// Collective. Made at the first call and kept with the problem, since the measure and the methods
/// all need it. @pre has_body_rows(problem).
std::shared_ptr<const BodyRows> body_rows(const ContactProblem& problem);

/// Copies numbers of bodies between their owner and the ranks that know them as ghosts.
class BodyExchange {
 public:
  /// Collective. @p width numbers a body.
  BodyExchange(MPI_Comm comm, const BodyRows& rows, int width);

  /// Collective. @p values: width x n_bodies; the ghosts' part is overwritten by the owners'.
  void to_ghosts(std::vector<double>& values);
  /// Collective. Adds the ghosts' part of @p values to the owners'; the ghosts' part is kept.
  void add_to_owners(std::vector<double>& values);

 private:
  std::size_t n_owned_;  ///< numbers, not bodies
  petsc::Vector owned_;
  petsc::Vector ghost_;
  petsc::Scatter scatter_;
  bool needed_ = false;  ///< some rank has ghosts
};

}  // namespace scree
