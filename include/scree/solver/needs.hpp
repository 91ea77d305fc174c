#pragma once

/// What a method asks of a problem, and what a problem is: a mismatch is refused before the first
/// iteration, on all ranks.

#include <cstdint>
#include <string>

#include "scree/problem/contact_problem.hpp"

namespace scree {

struct Needs {
  bool exact_friction = false;     ///< not the associated law
  bool round_cones = true;         ///< not the law `box`
  bool half_lines = false;         ///< cones of dim 1 only: LCPs, contacts without friction
  bool positive_diagonal = false;  ///< of N, but for rows of zeros
  std::int64_t most_rows = 0;      ///< 0: any number
};

struct ProblemTraits {
  FrictionLaw friction = FrictionLaw::coulomb;
  bool half_lines = false;
  bool positive_diagonal = true;
  std::int64_t rows = 0;  ///< of all ranks
};

/// Collective.
ProblemTraits traits_of(const ContactProblem& problem);

/// What @p traits lack of @p needs, as `solves ..., but ...`; empty when nothing.
std::string unmet(const Needs& needs, const ProblemTraits& traits);

}  // namespace scree
