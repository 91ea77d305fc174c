#pragma once

/// Vectors as plain numbers, and blocks of them side by side, for loops that work on many at once:
/// compilers vectorise loops over these, but none over Eigen's vectors, which they keep in memory.
/// Such a loop has no branches, and runs by base/instructions.hpp. Where rounding must not depend
/// on a contact's place, as in detection and in springs, it goes over the whole block: the last few
/// of fewer are left to scalar code, which contracts products and sums otherwise.

#include <array>
#include <cstddef>

#include "scree/base/math.hpp"

namespace scree {

struct Triple {
  double x;
  double y;
  double z;
};

inline Triple triple_of(const Vec3& v) {
  return {v.x(), v.y(), v.z()};
}
inline Vec3 vec3_of(const Triple& v) {
  return {v.x, v.y, v.z};
}

inline Triple operator+(const Triple& a, const Triple& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Triple operator-(const Triple& a, const Triple& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline Triple operator*(double s, const Triple& a) {
  return {s * a.x, s * a.y, s * a.z};
}
inline double dot(const Triple& a, const Triple& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline Triple cross(const Triple& a, const Triple& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// Contacts that are worked on at once: a dozen numbers of each stay in the first cache.
inline constexpr std::size_t kBlock = 64;

/// One number of each contact of a block.
using BlockNumbers = std::array<double, kBlock>;

/// One vector of each contact of a block.
struct Triples {
  BlockNumbers x;
  BlockNumbers y;
  BlockNumbers z;

  Triple operator[](std::size_t i) const { return {x[i], y[i], z[i]}; }
  void set(std::size_t i, const Triple& v) {
    x[i] = v.x;
    y[i] = v.y;
    z[i] = v.z;
  }
  void set(std::size_t i, const Vec3& v) { set(i, triple_of(v)); }
};

}  // namespace scree
