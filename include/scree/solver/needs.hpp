#pragma once

/// Needs of a method and traits of a problem: a mismatch is refused before the first
/// iteration, on all ranks.

#include <cstdint>
#include <string>

#include "scree/problem/contact_problem.hpp"

namespace scree {

/// Types of cones, a bit each, by their places in cones::List.
using ConeSet = std::uint32_t;
template <class... Cone>
inline constexpr ConeSet kSetOf = (ConeSet{0} | ... | (ConeSet{1} << cones::kTypeOf<Cone>));
inline constexpr ConeSet kAllCones = (ConeSet{1} << cones::kTypes) - 1;
inline constexpr ConeSet kSecondOrderCones =
    kSetOf<cones::HalfLine, cones::Planar, cones::Circular>;

/// Those whose law is an LCP: half lines, and friction in linear form, which is solved through its
/// friction LCP.
inline constexpr ConeSet kLcpCones =
    kSetOf<cones::HalfLine, cones::Planar, cones::Pyramid, cones::FacetedCircular,
           cones::FacetedRolling, cones::FacetedSpinning>;

struct Needs {
  ConeSet cones = kAllCones;      ///< types of cones that the method takes
  bool exact_friction = false;    ///< not the associated law
  bool relaxed_friction = false;  ///< the associated law alone
  /// Whether the diagonal of N must be positive, but for rows of zeros.
  bool positive_diagonal = false;
  bool symmetric = false;      ///< N
  std::int64_t most_rows = 0;  ///< of the LCP; 0: any number
};

struct ProblemTraits {
  ConeSet cones = 0;
  bool associated = false;  ///< some friction is by the associated law
  bool exact = false;       ///< some friction is exact
  bool positive_diagonal = true;
  bool symmetric = true;   ///< N, by those who made it
  bool by_bodies = false;  ///< N has the form of BodyRows, and is not a matrix alone
  /// Half lines alone, some nearly those of their neighbours (problem/pair_blocks.hpp).
  bool repeats_rows = false;
  /// Bodies move and turn in one plane of the axes. Looked at where rows repeat.
  bool planar = false;
  /// The associated law, or no friction, of spheres with one disc a contact at most and nothing
  /// beside them: gradient steps go on the kernels (apgd.hpp). Looked at where some friction is by
  /// that law.
  bool plain_spheres = false;
  std::int64_t lcp_rows = 0;  ///< of all ranks: rows of the friction LCP of cones of kLcpCones

  bool half_lines() const { return (cones & ~kSetOf<cones::HalfLine>) == 0; }
  bool pyramids() const { return (cones & kSetOf<cones::Pyramid>) != 0; }
};

/// Traits of contacts with plain friction by @p law, before any problem is known.
ProblemTraits traits_of(FrictionLaw law);
/// Collective.
ProblemTraits traits_of(const ContactProblem& problem);
/// The needs that @p traits do not meet, as `solves ..., but ...`; empty when they meet all.
std::string unmet(const Needs& needs, const ProblemTraits& traits);

}  // namespace scree
