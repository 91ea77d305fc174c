#pragma once

/// The memory of contacts from one step to the next: a named state of the simulation.
///
/// | carried            | for                                                                       |
/// | ---                | ---                                                                       |
/// | force, moment      | the start of the next solve; elastic memory: what the tangential spring holds |
/// | rest gap           | an overlap that the pair came with, at which its spring is at rest; it decays |
/// | touched            | cohesion: only pairs that have touched pull                               |
///
/// Without elastic memory beds creep. Vectors are kept in the world frame; they turn with the pair:
/// by the shortest turn of the normal, then by the mean spin of both bodies about it. They are kept
/// as forces, so that the time step may change.
///
/// Records are keyed by ContactKey. Where the features of a pair change, or are another point's
/// now, the nearest point inherits. A contact stays with its rank while the skins of its pair do
/// (contact/own_pairs.hpp). It may change its owner when any are made anew: then each record goes
/// to every rank whose region meets the box in which the next owning point must lie, which is
/// mostly the rank that has it.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "scree/base/petsc.hpp"
#include "scree/bodies/materials.hpp"
#include "scree/bodies/store.hpp"
#include "scree/contact/contact_list.hpp"
#include "scree/domain/partition.hpp"
#include "scree/problem/assemble.hpp"
#include "scree/problem/contact_problem.hpp"
#include "scree/step/contact_records.hpp"

namespace scree {

/// The result of a step that is to be remembered.
struct ContactOutcome {
  const ContactList& contacts;
  const FormulatedStep& formulated;
  Vec lambda;  ///< of the problem as it was solved
  Vec total;   ///< lambda, and what impacts before it gave: what the bodies felt
};

class ContactMemory {
 public:
  /// Drops what contacts of the grains with these @p ids, in order, carry. Not collective.
  void forget(std::span<const std::int64_t> ids);

  /// Sends what other ranks may need with new cuts or skins, where grains may have gone through a
  /// side of the periodic @p cell. Collective. @p skin: skins are wider than boxes by that at most,
  /// m.
  void redistribute(const Partition& partition, const PeriodicCell& cell = {}, double skin = 0.0);

  /// The record of each of @p contacts: its own, unless that of another point of the pair is
  /// clearly nearer; else that of the nearest point of its pair that is not another contact's;
  /// else, where the pair is known, one without a force, of what its nearest point is at rest with.
  /// Valid until the memory changes. Not collective.
  FoundRecords find(ContactView contacts) const;

  /// The records of this rank. Between steps, each record is on one rank; after a step that was not
  /// taken, on each that it was sent to. Not collective.
  const ContactRecords& records() const { return records_; }
  /// The box of one of them.
  Box3 box(const ContactRecord& record) const { return records_.box(record).box(); }
  /// Gives the records up, so that their storage is used again.
  ContactRecords release() { return std::move(records_); }
  /// Takes over @p records, sorted by key. Not collective.
  void replace(ContactRecords records) { records_ = std::move(records); }
  /// Takes over what records() and box() gave, on any ranks, each record once. Not collective.
  void restore(ContactRecords records);

 private:
  /// A contact of a pair with records, none of which is surely its own.
  struct OpenContact {
    std::size_t contact;
    std::size_t own;  ///< the record of its features; the number of all where it has none
  };

  bool has_key(std::size_t record, const ContactKey& key) const {
    return record < records_.size() && records_.key(record) == key;
  }
  bool is_of_pair(std::size_t record, const ContactKey& key) const {
    return record < records_.size() && of_one_pair(records_.key(record), key);
  }
  bool has_others(std::size_t record) const;
  bool another_is_nearer(std::size_t own, const Vec3& arm) const;
  std::size_t first_of_pair(const ContactKey& key) const;
  void inherit(const ContactView& contacts, std::span<const OpenContact> open,
               FoundRecords& found) const;
  void give_nearest(const Contact& contact, const OpenContact& open, std::vector<bool>& taken,
                    FoundRecords& found) const;

  ContactRecords records_;  ///< sorted by key
};

}  // namespace scree
