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
/// Where a few boxes have left their skins, as at a blade in a bed, their bodies get new skins and
/// their pairs are listed anew: the list is mended. Owners and ghosts stay, so it takes that there
/// are all ghosts which the new skins ask for (Exchange::covers()). The owner of a pair may change.
///
/// In a bed at rest a list lasts for hundreds of steps; where grains stream it lasts for none, and
/// the skin, which makes a listing dearer, is left away for some steps: skins are then the boxes
/// themselves. The rule counts steps alone, so that all ranks follow it together.

#include <cstdint>
#include <optional>
#include <vector>

#include "scree/bodies/meeting_materials.hpp"
#include "scree/bodies/store.hpp"
#include "scree/contact/contact.hpp"
#include "scree/contact/own_pairs.hpp"

namespace scree {

/// How a list goes into the next step; where ranks differ, all take the one that is last here.
enum class Listing { kept, mended, anew };

/// Tools and owned grains that have left their skins, and the skins that they are to have.
struct NewSkins {
  std::vector<std::int32_t> slots;  ///< ascending
  std::vector<Box3> skins;
};

class NeighbourList {
 public:
  /// Those whose boxes have left their skins on this rank: the list serves on as it is where there
  /// are none on any, and mended where they get the skins that come with them, wider than their
  /// boxes by @p skin or more, m. None where it cannot be mended: other bodies stand in the slots,
  /// or too many have left. Not collective. @pre store.box of tools and owned grains is filled.
  std::optional<NewSkins> left(const Store& store, double skin, double dt) const;

  /// Gives up the list, and fills store.skin of tools and owned grains for the next: wider than
  /// store.box by @p skin or more, m. Not collective, but to be called on all ranks alike. @pre as
  /// left()
  void begin(Store& store, double skin, double dt);
  /// Has the pairs of the bodies in @p slots, each once, ghosts too, listed anew when the list next
  /// serves: their store.skin has changed. Not collective. @pre the list has served since the last
  /// call.
  void mend(std::vector<std::int32_t> slots);

  /// Has the list serve a step. Lists pairs, of materials that meet by @p meetings, where that
  /// was not done since begin(), and those that mend() asks for. Not collective, but to be called
  /// on all ranks alike. @pre store.box of all slots is filled, and store.skin as begin() left it
  /// or mend() was told, of ghosts as of their owners.
  void serve(const Store& store, const OwnsPoint& owns, const MeetingMaterials& meetings = {});

  /// The pairs of this rank whose boxes meet, sorted by the bodies' ids. Not collective. @pre
  /// serve() was called for the boxes.
  std::vector<Pair> meeting(const Store& store) const;

  /// Gives up the list: bodies change their owners. To be called on all ranks alike.
  void clear();

  /// Whether there is a list that may serve for the next step, too; the same on all ranks.
  bool may_last() const { return is_listed_ && !is_bare_; }
  /// How often all pairs were listed; the same on all ranks.
  std::int64_t n_listings() const { return n_listings_; }
  /// How often only those of some bodies were, on this rank.
  std::int64_t n_mendings() const { return n_mendings_; }

 private:
  void list(const Store& store, const OwnsPoint& owns, const MeetingMaterials& meetings);
  void list_again(const Store& store, const OwnsPoint& owns, const MeetingMaterials& meetings);

  std::vector<Pair> pairs_;          ///< of this rank whose skins meet, sorted by the bodies' ids
  std::vector<std::int32_t> again_;  ///< slots whose pairs are to be listed anew
  std::vector<std::int64_t> ids_;    ///< ids of the bodies in the slots when the list was made
  bool is_listed_ = false;
  bool is_bare_ = false;     ///< skins are the boxes themselves
  std::int64_t n_uses_ = 0;  ///< how often a list with skins has served
  std::int64_t n_bare_ = 0;  ///< listings without skins to come
  std::int64_t n_listings_ = 0;
  std::int64_t n_mendings_ = 0;
};

}  // namespace scree
