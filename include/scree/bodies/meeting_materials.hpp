#pragma once

/// Which materials meet. Bodies of two that do not are no pair anywhere: they neither touch nor
/// overlap, and one may be placed within the other.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace scree {

/// By indices into the list of materials. Without a call of part(), all meet.
class MeetingMaterials {
 public:
  MeetingMaterials() = default;
  explicit MeetingMaterials(std::size_t n_materials) : n_materials_(n_materials) {}

  /// Has bodies of the two not meet. @pre both are below n_materials
  void part(std::int32_t a, std::int32_t b) {
    if (apart_.empty()) apart_.assign(n_materials_ * n_materials_, 0);
    apart_[index(a, b)] = apart_[index(b, a)] = 1;
  }

  bool meet(std::int32_t a, std::int32_t b) const {
    return apart_.empty() || apart_[index(a, b)] == 0;
  }
  /// Whether any two meet.
  bool all() const { return apart_.empty(); }

 private:
  std::size_t index(std::int32_t a, std::int32_t b) const { return n_materials_ * a + b; }

  std::size_t n_materials_ = 0;
  std::vector<std::uint8_t> apart_;  ///< full square; empty where all meet
};

}  // namespace scree
