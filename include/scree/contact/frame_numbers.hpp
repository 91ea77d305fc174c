#pragma once

/// The numbers of a vector in the frame of a contact, for loops over many contacts at once
/// (base/triples.hpp).

#include "scree/base/triples.hpp"
#include "scree/contact/contact.hpp"

namespace scree {

/// (n, t1, t2) . @p f in the frame_of() the unit vector @p normal.
inline Triple in_frame_of(const Triple& normal, const Triple& f) {
  const Tangents t = tangents_of(normal.x, normal.y, normal.z);
  return {dot(normal, f), dot({t.x1, t.y1, t.z1}, f), dot({t.x2, t.y2, t.z2}, f)};
}

}  // namespace scree
