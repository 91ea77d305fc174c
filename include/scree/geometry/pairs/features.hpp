#pragma once

/// The numbers of contact points: which feature of A meets which of B.

#include <cstdint>

namespace scree {

inline constexpr int kBitsOfFeature = 31;

/// The number of two features that meet: never 0. @pre both are below 2^31
inline std::int64_t pair_feature(std::int64_t of_a, std::int64_t of_b) {
  return 1 + (of_a << kBitsOfFeature) + of_b;
}
/// The features of a number; 0 each where it is 0, that of a pair that has one point.
inline std::int64_t feature_of_a(std::int64_t feature) {
  return feature == 0 ? 0 : (feature - 1) >> kBitsOfFeature;
}
inline std::int64_t feature_of_b(std::int64_t feature) {
  constexpr std::int64_t kMask = (std::int64_t{1} << kBitsOfFeature) - 1;
  return feature == 0 ? 0 : (feature - 1) & kMask;
}
/// The number that the pair has when it is given in the other order.
inline std::int64_t swapped_feature(std::int64_t feature) {
  return feature == 0 ? 0 : pair_feature(feature_of_b(feature), feature_of_a(feature));
}

}  // namespace scree
