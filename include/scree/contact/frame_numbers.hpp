#pragma once

/// The numbers of a vector in the frame of a contact, without a branch and without the tangents,
/// for loops over many contacts at once (base/triples.hpp). The frame is that of
/// contact/contact.hpp:
///
///     t1 . f = f_x - x s,   t2 . f = f_y - y s,   s = a (x f_x + y f_y) + f_z

#include "scree/base/triples.hpp"

namespace scree {

/// (n, t1, t2) . @p f in the frame_of() the unit vector @p normal.
inline Triple in_frame_of(const Triple& normal, const Triple& f) {
  const auto [x, y, z] = normal;
  const double h = x * x + y * y;
  const bool below = z < 0.0;
  const bool straight_down = below && h < 1e-280;
  const double a = (below ? 1.0 - z : 1.0) / (below ? h : 1.0 + z);
  const double s = straight_down ? f.z : a * (x * f.x + y * f.y) + f.z;
  return {dot(normal, f), f.x - x * s, straight_down ? -f.y : f.y - y * s};
}

}  // namespace scree
