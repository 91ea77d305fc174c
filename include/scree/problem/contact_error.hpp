#pragma once

/// How far the worst contact is from its law, in units of its own: what sums of energies cannot say
/// where masses or velocities of contacts differ by many orders of magnitude.
///
///     c_i   = max over the rows of contact i of  (|N| |lambda| + |r|),     |N| = |J| |M^-1| |J^T| + |R|  or  |W| + |R|
///     error = max_i |w_i| / (rho_i c_i)                                    w_i, rho_i as in problem/measure.hpp
///
/// It is of the order of the changes of N and r, entry by entry and relative to each, for which the
/// velocities would be those of a solution (Oettli and Prager 1964). So it is the same in whatever
/// units each contact has its impulses and velocities (N to D N D, r to D r, lambda to D^-1 lambda
/// with a diagonal D > 0 of one number a contact), and rounding leaves it at some units in the last
/// place: there is no problem that arithmetic itself keeps above them.
///
/// A limit of it: where large impulses cancel on a body, as on one that is squeezed, c_i of all its
/// contacts is large, and so are the velocities that are lost among those that the impulses give in
/// all.
///
/// Reference: W. Oettli, W. Prager, Numerische Mathematik 6 (1964); N. J. Higham, Accuracy and Stability of Numerical
/// Algorithms, section 7.2.

#include "scree/problem/contact_problem.hpp"

namespace scree {

/// Keeps |N| and |r|, which take the memory of the problem once more, and work vectors. All calls
/// collective.
class ContactErrors {
 public:
  explicit ContactErrors(const ContactProblem& problem);

  /// 0 without contacts; infinite where something is not finite.
  double largest(Vec lambda);

 private:
  const ContactProblem& problem_;
  ContactProblem absolute_;
  DelassusProduct product_;
  DelassusProduct absolute_product_;
  petsc::Vector velocity_;
  petsc::Vector impulse_size_;   ///< |lambda|
  petsc::Vector velocity_size_;  ///< |N| |lambda| + |r|
};

}  // namespace scree
