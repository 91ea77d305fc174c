#pragma once

/// Bodies that a step takes further than the search for its contacts allowed for.
///
/// Two bodies of which the step knows no contact are apart at its start by the sum of their margins
/// at least, and where one of these is capped, so that it may go further, their predicted paths do
/// not touch (contact/reach.hpp). Impulses may throw a body further than its margin, and off its
/// path:
///
///     beyond   = dt (|v| + |w| rho) - margin
///     off_path = dt (|v - v*| + |w - w*| rho)
///
/// v, w: velocities of the step, w without what turns the surface into itself; v*, w*: those of the
/// predicted path; rho: the spin radius. At the end of the step such a pair is no deeper than
///
///     min( beyond_a + beyond_b, off_path_a + off_path_b )
///
/// The first is what is left of the gap at the start. The second: where the paths end the two do
/// not overlap, since without a cap a path is shorter than its margin. So a pair may be deeper than
/// 2 d only where one of it goes beyond its margin and one of it, the same or the other, off its
/// path by more than d each. The two bounds do not mix: a body that is stopped early may stand in
/// the path of one that is not. A prescribed tool is never off its path, nor is a grain in flight.
/// Ends alone are looked at: a body that goes further than its radius may pass another between its
/// start and its end (contact/closing.hpp).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "scree/bodies/store.hpp"
#include "scree/contact/reach.hpp"

namespace scree {

/// How far a body goes in a step, m.
struct Excursion {
  double way = 0.0;       ///< of its points, at most
  double margin = 0.0;    ///< what the search allowed for
  double off_path = 0.0;  ///< see above

  double beyond() const { return way - margin; }
  /// Whether its end may reach out of the box that the search has swept over its path.
  bool may_leave_box() const { return std::min(way, off_path) > margin; }
};

/// How far the body in @p slot goes. @param velocity linear, then angular  @pre as update_boxes()
Excursion excursion(const Store& store, std::int32_t slot, const Vec6& velocity,
                    const Reach& reach);

/// Which bounds a body, or one of several, exceeds.
struct Strays {
  bool beyond = false;
  bool off_path = false;

  Strays operator|(const Strays& other) const {
    return {beyond || other.beyond, off_path || other.off_path};
  }
  /// Whether a pair of these may be deep in each other.
  bool may_meet() const { return beyond && off_path; }
  bool operator==(const Strays&) const = default;
};

/// Which bounds @p way exceeds by more than @p tolerated, m.
inline Strays strays(const Excursion& way, double tolerated) {
  return {way.beyond() > tolerated, way.off_path > tolerated};
}

/// Which bounds bodies of this rank, or prescribed tools, exceed by more than @p tolerated, m. Not
/// collective. @param end_velocity six numbers for each block row
Strays any_strays(const Store& store, std::span<const double> end_velocity, const Reach& reach,
                  double tolerated);

/// Boxes, each worked out when it is asked for.
struct BoxList {
  std::size_t size;
  std::function<Box3(std::size_t)> at;
};

/// The indices of those of @p boxes that meet any of @p targets, in order. O(boxes + targets) where
/// these are apart, and alike in size or the boxes finer; memory goes with the shorter list, or the
/// coarser one.
std::vector<std::int32_t> meeting_any(const BoxList& boxes, const BoxList& targets);

}  // namespace scree
