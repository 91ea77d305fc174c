#pragma once

/// Batches of contacts without a common body, by list scheduling: a contact, in order, goes to the
/// first batch with room behind the batches of its bodies' contacts before it. Contacts of one body
/// keep their order, so that a sweep over the batches gives what a sweep over the contacts one by
/// one, in that order, gives. The order is the caller's, but for bodies that several ranks know:
/// their contacts come before all others, so that messages about them can go while these are swept.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scree/problem/body_pattern.hpp"

namespace scree {

/// The batches of one problem; the vectors are kept from problem to problem. Not collective.
class ContactBatches {
 public:
  /// Of the contacts from @p first to @p end - 1, which are numbered from 0 on. @p width: lanes of
  /// a batch, a power of two. @p bodies: of each contact, two at most, from 0 to @p n_bodies - 1.
  /// @p is_shared: whether several ranks know a body; empty where no body is.
  void schedule(int width, std::size_t n_bodies, const BodiesOfCones& bodies, std::size_t first,
                std::size_t end, std::span<const std::uint8_t> is_shared = {});

  std::size_t count() const { return used_.size(); }
  /// The first batches, which hold all contacts of shared bodies.
  std::size_t count_of_shared() const { return n_shared_; }
  /// Lanes that contacts have in @p batch, the first ones.
  std::size_t used(std::size_t batch) const { return used_[batch]; }
  std::size_t batch_of(std::size_t contact) const { return slots_[contact] >> shift_; }
  std::size_t lane_of(std::size_t contact) const { return slots_[contact] & ((1U << shift_) - 1U); }
  /// The first bodies of a batch's lanes, then the second ones; numbers from n_bodies on, each once
  /// in a batch, where there is none.
  const std::vector<std::int32_t>& bodies() const { return bodies_; }
  /// Contacts over lanes, 1 where no lane is empty.
  double fill() const {
    return slots_.empty()
               ? 1.0
               : static_cast<double>(slots_.size()) / static_cast<double>(used_.size() << shift_);
  }

 private:
  std::int32_t with_room(std::int32_t batch);
  void open_batch(std::size_t n_bodies);
  void place(std::size_t contact, const BodiesOfCone& own, std::size_t n_bodies);

  unsigned shift_ = 0;  ///< the width is 1 << shift
  std::size_t n_shared_ = 0;
  std::vector<std::uint32_t> slots_;  ///< batch * width + lane, of each contact
  std::vector<std::int32_t> bodies_;
  std::vector<std::int32_t> used_;  ///< lanes taken, of each batch
  std::vector<std::int32_t>
      next_;  ///< a later batch to try, of each full batch; itself where there is room
  std::vector<std::int32_t> last_;  ///< batch of a body's latest contact
};

}  // namespace scree
