#pragma once

/// Sets of bodies that contacts join.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace scree {

class JoinedBodies {
 public:
  explicit JoinedBodies(std::size_t n) : parent_(n) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  /// The least body of the set.
  std::int32_t root(std::int32_t body) {
    while (parent(body) != body) body = parent(body) = parent(parent(body));
    return body;
  }
  void join(std::int32_t a, std::int32_t b) {
    a = root(a);
    b = root(b);
    parent(std::max(a, b)) = std::min(a, b);
  }

 private:
  std::int32_t& parent(std::int32_t body) { return parent_[static_cast<std::size_t>(body)]; }
  std::vector<std::int32_t> parent_;
};

}  // namespace scree
