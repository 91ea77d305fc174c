#pragma once

/// A std::vector whose entries are named by slots, and a slot is a signed number.

#include <concepts>
#include <cstddef>
#include <utility>
#include <vector>

#include "scree/base/check.hpp"

namespace scree {

/// One value for each slot [0, size). Taken by any integer type: slots are std::int32_t (bodies,
/// contacts), std::int64_t or Eigen::Index, and -1 stands for "none" in many tables, so a slot that
/// is negative or too large is a mistake of ours, found in debug builds. Everything else is
/// std::vector's own.
template <class T>
class SlotVector : public std::vector<T> {
 public:
  using std::vector<T>::vector;
  SlotVector() = default;
  SlotVector(std::vector<T> values) : std::vector<T>(std::move(values)) {}

  template <std::integral Slot>
  decltype(auto) operator[](Slot slot) {
    SCREE_ASSERT(std::cmp_greater_equal(slot, 0) && std::cmp_less(slot, this->size()));
    return std::vector<T>::operator[](static_cast<std::size_t>(slot));
  }
  template <std::integral Slot>
  decltype(auto) operator[](Slot slot) const {
    SCREE_ASSERT(std::cmp_greater_equal(slot, 0) && std::cmp_less(slot, this->size()));
    return std::vector<T>::operator[](static_cast<std::size_t>(slot));
  }
};

}  // namespace scree
