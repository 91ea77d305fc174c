#pragma once

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <span>

#include "scree/bodies/store.hpp"
#include "scree/contact/contact_list.hpp"
#include "scree/step/figures.hpp"
#include "scree/step/worst_contact.hpp"

namespace scree {

/// The column of steps.csv that ways of constraints fill which look at the end of the step.
inline constexpr FigureColumn kOverlapColumn{
    "overlap", "1",
    "largest overlap of the shapes at the end of the step, over the inscribed radius of the pair's "
    "smaller grain: with relcp less the compression of springs and what is left of an overlap of "
    "the start, with single and multisphere all of it"};

/// The overlap at the end of a step, of the bodies' own shapes. The same on every rank.
struct EndOverlap {
  /// Largest of all pairs over the inscribed radius of the smaller grain of the pair; beyond what
  /// is allowed, where the constraints allow any. NaN where it could not be found; 0 where the
  /// constraints do not look there.
  double largest = 0.0;
  std::int64_t id_a = -1;  ///< of the pair that has it; -1: none overlaps
  std::int64_t id_b = -1;
  bool leaves_unsolved = false;  ///< whether the step did not converge for it
};

/// The pair of @p overlap, at one of its @p contacts, or else at the centre of A; none where the
/// step did not fail to converge for it. The same on every rank. Collective.
std::optional<WorstContact> unsolved_pair(MPI_Comm comm, const EndOverlap& overlap,
                                          const Store& bodies, ContactView contacts);

}  // namespace scree
