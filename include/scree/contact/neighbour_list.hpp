#pragma once

/// Pairs of bodies that may meet, listed once for several steps.
///
/// Pairs are listed by skins: boxes that are wider than the bodies' own by a skin on all sides, and
/// by what the body goes in some steps. For as long as the same bodies stand in the same slots, and
/// on no rank a box has left its skin, the pairs whose boxes meet are among those listed, and all
/// that follows from the skins stays with them:
///
/// | what                     | follows from                     | see                      |
/// | ---                      | ---                              | ---                      |
/// | ghosts, images, rows     | skins that meet a rank's region  | domain/exchange.hpp      |
/// | pairs                    | skins that meet                  | contact/broadphase.hpp   |
/// | the rank that has a pair | the corner where two skins meet  | contact/own_pairs.hpp    |
///
/// In a bed at rest that lasts for hundreds of steps; where grains stream it lasts for none, and
/// the skin, which makes a listing dearer, is left away for some steps: skins are then the boxes
/// themselves. The rule counts steps alone, so that all ranks follow it together.

#include <cstdint>
#include <vector>

#include "scree/bodies/meeting_materials.hpp"
#include "scree/bodies/store.hpp"
#include "scree/contact/contact.hpp"
#include "scree/contact/own_pairs.hpp"

namespace scree {

class NeighbourList {
 public:
  /// Whether this rank's bodies stand where they did at the listing, each with its box in its skin:
  /// the list serves on where that is so on all ranks. Not collective. @pre store.box of tools and
  /// owned grains is filled.
  bool holds(const Store& store) const;

  /// Gives up the list, and fills store.skin of tools and owned grains for the next: wider than
  /// store.box by @p skin or more, m. Returns the most by which a skin may be wider on any rank, m.
  /// Not collective, but to be called on all ranks alike. @pre as holds()
  double begin(Store& store, double skin, double dt);

  /// Has the list serve a step. Lists pairs, of materials that meet by @p meetings, where that
  /// was not done since begin(). Not collective, but to be called on all ranks alike. @pre
  /// store.box of all slots is filled, and store.skin as begin() left it, of ghosts as of their
  /// owners.
  void serve(const Store& store, const OwnsPoint& owns, const MeetingMaterials& meetings = {});

  /// The pairs of this rank whose boxes meet, sorted by the bodies' ids. Not collective. @pre
  /// serve() was called for the boxes.
  std::vector<Pair> meeting(const Store& store) const;

  /// Gives up the list: bodies change their owners. To be called on all ranks alike.
  void clear();

  /// Whether there is a list that may serve for the next step, too; the same on all ranks.
  bool may_last() const { return is_listed_ && !is_bare_; }
  /// How often pairs were listed: the list is that of the last step where this has not changed.
  std::int64_t n_listings() const { return n_listings_; }

 private:
  void list(const Store& store, const OwnsPoint& owns, const MeetingMaterials& meetings);

  std::vector<Pair> pairs_;        ///< of this rank whose skins meet
  std::vector<std::int64_t> ids_;  ///< ids of the bodies in the slots when the list was made
  bool is_listed_ = false;
  bool is_bare_ = false;     ///< skins are the boxes themselves
  std::int64_t n_uses_ = 0;  ///< how often a list with skins has served
  std::int64_t n_bare_ = 0;  ///< listings without skins to come
  std::int64_t n_listings_ = 0;
};

}  // namespace scree
