#pragma once

/// The friction LCP of a contact problem: each disc of a contact's cone (problem/cones/discs.hpp)
/// replaced by K directions, with the exact law in its linear form (maximum dissipation among the
/// directions, no dilation). Where cones have directions, or lines alone
/// (problem/cones/faceted.hpp), that is their own law.
///
///     | N_nn    N_nt D     0 | | lambda_n |   | r_n     |
///     | D^T N_tn  D^T N_tt D  e | | lambda_d | + | D^T r_t |  >= 0,  _|_ >= 0          (eq. 27)
///     | mu      -e^T       0 | | beta     |   | 0       |
///
/// | symbol   | meaning                                                  | shape a disc | unit |
/// | ---      | ---                                                      | ---    | ---  |
/// | D        | directions (problem/cones/facets.hpp)                    | rows of the disc x K | 1  |
/// | lambda_d | impulses along the directions                            | K      | N s  |
/// | beta     | speed of sliding, over 1/m_i                             | 1      | N s  |
/// | 1/m_i    | mean diagonal of N_ii of the contact: scale of the last row and column  | 1      | 1/kg |
///
/// A contact has its normal row and, of each disc, K rows and the last one: none without friction,
/// one disc of plain friction, another one of rolling. The pyramid of the law `box` is such a cone
/// already, and the LCP its own law. The last row and column are times 1/m_i, so that all rows are
/// in m/s and all variables in N s. A is not symmetric, even where N is, and has zeros on its
/// diagonal.
/// Reference: Erleben (paper 002), section 4.1, eqs. 26 and 27; Stewart, Trinkle (1996); Anitescu, Potra
/// (1997).

#include <cstdint>
#include <vector>

#include "scree/base/petsc_count.hpp"
#include "scree/problem/cones/facets.hpp"
#include "scree/problem/contact_problem.hpp"

namespace scree {

class FrictionLcp {
 public:
  /// Collective. @p directions of each circle, even, 4 at least; what is faceted has its own. @pre
  /// @p problem outlives this. N is formed. @throws InputError for cones that are none of contacts,
  /// on the ranks that have them; Failure on all ranks where rows or entries of the LCP may be more
  /// than @p countable, as many as PETSc counts.
  explicit FrictionLcp(const ContactProblem& problem, int directions = Friction().directions,
                       std::int64_t countable = petsc::kLargestInt);

  /// The LCP in matrix form, with half lines only. Rows stand contact by contact: the normal, then
  /// K directions and the slack of each disc.
  const ContactProblem& lcp() const { return lcp_; }
  /// Impulses of the contact problem from those of the LCP. Collective.
  void to_contacts(Vec x, Vec lambda) const;
  /// Variables of the LCP from impulses of the contact problem: speeds of sliding are those of N
  /// lambda + r. A solution of the law becomes one of the LCP. Collective.
  petsc::Vector from_contacts(Vec lambda) const;

 private:
  const ContactProblem& problem_;
  std::vector<std::vector<cones::Facets>> pyramids_;  ///< discs of each of this rank's cones
  petsc::Matrix spread_;                              ///< rows of the problem x rows of the LCP
  ContactProblem lcp_;
};

}  // namespace scree
