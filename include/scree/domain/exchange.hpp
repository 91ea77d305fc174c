#pragma once

/// Moves bodies to their owners and keeps copies of them where they are needed.
///
/// Who has what (regions: domain/partition.hpp):
///
/// | of a body               | its owner | a rank whose region its skin meets | any other rank |
/// | ---                     | ---       | ---                                | ---            |
/// | grain                   | owned slot | ghost slot                        | nothing        |
/// | its periodic image      | ghost slot where its skin meets the region, on any rank | |     |
/// | tool or wall            | none: every rank has the same tool slots  |  |                 |
///
/// Owners and ghosts are kept for as long as no body leaves its skin, or the ghosts that there are
/// suffice for the skins that those get which do (contact/neighbour_list.hpp): a grain belongs to
/// the rank whose region had its centre when it was last sent home, and may stand outside of it
/// until all skins are new.
///
/// | field            | after migrate()     | on ghosts after ghosts() | later on ghosts         |
/// | ---              | ---                 | ---                      | ---                     |
/// | Sync::motion     | the body's          | the owner's, bit by bit  | as of the last ghosts(), refresh() or update(field) |
/// | Sync::growth     | the body's          | the owner's, bit by bit  | as of ghosts(), or as of the last refresh() that asks for it |
/// | Sync::skin       | the body's          | the owner's, bit by bit  | as of ghosts(), or as of the last refresh() that asks for it |
/// | Sync::ghost      | the body's          | the owner's, bit by bit  | as of ghosts(), or as of the last update(field) |
/// | Sync::migrate    | the body's          | default values           | not meaningful          |
///
/// Who may write: the owner. The owner of a pair's contacts is the matter of contact/own_pairs.hpp;
/// it holds for every point of space that the rank whose region has it knows all bodies whose skins
/// have it, which is what that rule stands on.
///
/// Owned slots are sorted by id after migrate(), ghost slots by id after ghosts(): a rank's store
/// does not depend on the order in which messages arrive. Messages go only between ranks that have
/// something to say to each other.

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scree/bodies/store.hpp"
#include "scree/domain/packing.hpp"
#include "scree/domain/partition.hpp"

namespace scree {

/// Messages and bytes that this rank has sent since its Exchange was made.
struct Traffic {
  std::int64_t messages = 0;
  std::int64_t bytes = 0;
  std::int64_t migrated = 0;  ///< bodies that went to another owner

  Traffic operator+(const Traffic& other) const {
    return {messages + other.messages, bytes + other.bytes, migrated + other.migrated};
  }
  Traffic operator-(const Traffic& earlier) const {
    return {messages - earlier.messages, bytes - earlier.bytes, migrated - earlier.migrated};
  }
};

class Exchange {
 public:
  explicit Exchange(MPI_Comm comm);

  /// Sends each owned body to its owner (`owners[slot - first_owned]`, from Partition::owners) and
  /// drops all ghosts. Every field travels. Collective. @throws Failure when two bodies of one id
  /// meet.
  void migrate(Store& store, std::span<const int> owners);

  /// Makes ghosts anew: a copy of each body on every rank whose region store.skin meets; in a
  /// periodic @p cell of each image, too, whose skin may meet that of a body in the cell, on the
  /// owner's rank as well. Collective. @pre store.skin of owned slots is filled.
  void ghosts(Store& store, const Partition& partition, const PeriodicCell& cell = {}) {
    ghosts(store, partition, cell, store);
  }
  /// As above, and the images that may meet a body of @p among, too, which has others of the same
  /// ranks. Collective.
  void ghosts(Store& store, const Partition& partition, const PeriodicCell& cell,
              const Store& among);

  /// Whether the owned grain in @p slot may have the @p skin while ghosts stay: it still meets this
  /// rank's region; the ranks that it takes to have copies of the grain and of its images have them
  /// already, by its present skin; and images of other bodies were made wherever it may meet them.
  /// Not collective. @pre slots, @p partition and @p cell are as at ghosts().
  bool covers(const Store& store, std::int32_t slot, const Box3& skin, const Partition& partition,
              const PeriodicCell& cell = {}) const;

  /// Gives ghosts the owners' values of what changes while they are kept: fields of @p kind and of
  /// those that follow more often, images shifted in their @p cell. One message to each neighbour.
  /// Collective. @pre slots are as ghosts() left them, and skins such as it covers().
  void refresh(Store& store, Sync kind, const PeriodicCell& cell = {});

  /// Gives ghosts the owner's value of @p field, which has an entry for each slot of the store.
  /// Images get it as it is, without their shift. Collective. @pre slots are as ghosts() left them.
  template <class T>
  void update(std::vector<T>& field) {
    static_assert(kTravelsAsBytes<T>);
    update_bytes(reinterpret_cast<std::byte*>(field.data()), sizeof(T));
  }

  /// Ranks that have ghosts of this rank's bodies or the reverse.
  std::size_t n_neighbours() const;
  const Traffic& traffic() const { return traffic_; }
  /// Counts what another exchange of this rank has @p sent, too. Not collective.
  void add_traffic(const Traffic& sent) { traffic_ = traffic_ + sent; }
  MPI_Comm comm() const { return comm_; }

 private:
  /// A neighbour and the slots that go to it or come from it, in the same order on both sides.
  struct Link {
    int rank;
    std::vector<std::int32_t> slots;
  };

  /// Sends each neighbour what @p pack makes of the slots that go to it, @p size bytes each, and
  /// gives @p unpack what comes in. Collective.
  template <class Pack, class Unpack>
  void pass(std::size_t size, Pack&& pack, Unpack&& unpack);
  void update_bytes(std::byte* values, std::size_t size);
  void count(std::size_t bytes);

  MPI_Comm comm_;
  int rank_;
  std::vector<Link> sends_;     ///< owned slots, by rank
  std::vector<Link> receives_;  ///< ghost slots, by rank
  Box3 occupied_ = kNowhere;    ///< what images were made for: it holds all skins of all ranks
  Traffic traffic_;
};

}  // namespace scree
