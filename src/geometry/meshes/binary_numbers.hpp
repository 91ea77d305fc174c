#pragma once

#include <algorithm>
#include <array>
#include <bit>

namespace scree {

/// The number whose bytes begin at @p bytes in the order @p order.
template <class T>
T number_at(const char* bytes, std::endian order) {
  std::array<char, sizeof(T)> own;
  std::copy_n(bytes, sizeof(T), own.begin());
  if (order != std::endian::native) std::reverse(own.begin(), own.end());
  return std::bit_cast<T>(own);
}

}  // namespace scree
