#pragma once

/// Batches of contacts without a common body, by list scheduling: a contact, in order, goes to the
/// first batch with room behind the batches of its bodies' contacts before it. Contacts of one body
/// keep their order, so that a sweep over the batches gives what a sweep over the contacts one by
/// one gives.

#include <cstdint>
#include <span>
#include <vector>

namespace scree {

/// The batches of one problem; the vectors are kept from problem to problem. Not collective.
class ContactBatches {
 public:
  /// @p first, @p second: bodies of each contact, from 0 to @p n_bodies - 1; negative where there
  /// is none.
  void schedule(int width, std::size_t n_bodies, std::span<const std::int32_t> first,
                std::span<const std::int32_t> second);

  std::size_t count() const { return used_.size(); }
  /// Lanes that contacts have in @p batch, the first ones.
  std::size_t used(std::size_t batch) const { return used_[batch]; }
  /// Slot of each contact: batch * width + lane.
  const std::vector<std::int32_t>& slots() const { return slots_; }
  /// Contacts over lanes, 1 where no lane is empty.
  double fill(int width) const {
    return slots_.empty() ? 1.0
                          : static_cast<double>(slots_.size()) /
                                (static_cast<double>(used_.size()) * static_cast<double>(width));
  }

 private:
  std::int32_t with_room(std::int32_t batch);

  std::vector<std::int32_t> slots_;
  std::vector<std::int32_t> used_;  ///< lanes taken, of each batch
  std::vector<std::int32_t>
      next_;  ///< a later batch to try, of each full batch; itself where there is room
  std::vector<std::int32_t> last_;  ///< batch of a body's latest contact
};

}  // namespace scree
