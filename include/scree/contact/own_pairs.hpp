#pragma once

/// The rank that has a pair, and so its contacts. Every rank that has both bodies may see the pair;
/// exactly one of them keeps it:
///
/// | A      | B     | kept by                                                                    |
/// | ---    | ---   | ---                                                                        |
/// | owned  | tool  | this rank                                                                  |
/// | ghost  | tool  | A's owner                                                                  |
/// | owned or ghost | owned or ghost | the rank whose region holds the lower corner of both skins' intersection |
///
/// That rank meets both skins at the corner, so it has both bodies; all ranks compute the corner
/// from the same two skins, bit by bit. For as long as both skins stay
/// (contact/neighbour_list.hpp), so does the rank that has the pair.
///
/// In a periodic cell a pair is seen in several images; the one is kept in which A is itself,
/// whatever image B is. A body and its own image keep their distance, and are no pair.

#include <functional>
#include <vector>

#include "scree/bodies/store.hpp"
#include "scree/contact/contact.hpp"

namespace scree {

/// Whether this rank's region holds a point. Regions of all ranks cover space without overlap.
using OwnsPoint = std::function<bool(const Vec3&)>;

/// Those of @p pairs that are this rank's, in their order. Not collective. @pre store.skin is
/// filled.
std::vector<Pair> own_pairs(const Store& store, std::vector<Pair> pairs, const OwnsPoint& owns);

}  // namespace scree
