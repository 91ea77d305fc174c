#pragma once

/// Pairs of bodies that may meet, listed once for several steps.
///
/// Pairs are listed with boxes that are wider by a skin on all sides, and by what the body goes in
/// some steps. For as long as the same bodies stand in the same slots, and no box has left its
/// wider one, the pairs whose boxes meet are among those listed. In a bed at rest that lasts for
/// hundreds of steps; where grains stream it lasts for none, and the skin, which makes a listing
/// dearer, is left away for some steps.

#include <cstdint>
#include <vector>

#include "scree/bodies/store.hpp"
#include "scree/contact/contact.hpp"

namespace scree {

class NeighbourList {
 public:
  /// The pairs of broadphase(store), in any order: sorted by the bodies' ids where the list serves
  /// for several steps. @p skin in m, @p dt in s. Not collective. @pre store.box is filled.
  std::vector<Pair> meeting(const Store& store, double skin, double dt);

  /// How many of the calls listed pairs anew.
  std::int64_t n_listings() const { return n_listings_; }

 private:
  bool holds(const Store& store) const;
  void list(const Store& store, double skin, double dt);

  std::vector<Pair> pairs_;        ///< sorted by ids
  std::vector<std::int64_t> ids_;  ///< ids of the bodies in the slots when the list was made
  std::vector<Vec3i> images_;
  std::vector<Box3> boxes_;  ///< boxes of the bodies, wider by the skin
  std::int64_t n_uses_ = 0;  ///< how often the list has served
  std::int64_t n_bare_ = 0;  ///< steps without a skin to come
  std::int64_t n_listings_ = 0;
};

}  // namespace scree
