#pragma once

/// Makes the grains of the groups, each rank its share, with the same result on any number of
/// ranks.
///
/// Grain i of a group is a function of the group and i alone (counter_random.hpp), so a rank makes
/// the grains [k n / P, (k + 1) n / P) of each group and nothing else. Ids: those of a group follow
/// on the largest of the group before it; within a group they are 0, 1, 2, ... in order, or those
/// of its file, so that a first group from a file keeps the file's ids.

#include <cstdint>
#include <span>
#include <vector>

#include "scree/bodies/materials.hpp"
#include "scree/bodies/store.hpp"
#include "scree/sources/groups.hpp"

namespace scree {

/// Part k of P of a list.
struct Share {
  int index = 0;
  int count = 1;

  std::int64_t begin(std::int64_t n) const { return cut(n, index); }
  std::int64_t end(std::int64_t n) const { return cut(n, index + 1); }

 private:
  /// k n / P without overflow.
  std::int64_t cut(std::int64_t n, std::int64_t k) const {
    return n / count * k + n % count * k / count;
  }
};

/// The share of the grains of all groups; Body::group counts their populations. @p shapes holds
/// their polyhedra. Not collective. @pre HDF5 files are read, for the same share
/// (io/state/grain_file.hpp).
/// @throws InputError for a count that does not fit, more than kMaxGrains in all, an unknown
/// material, faults of a file. A rank may be the only one that throws (a fault in its share): see
/// refuse_together.
std::vector<Body> generate(std::span<const BodyGroup> groups, std::span<const Material> materials,
                           const Share& share = {}, const ShapeLibrary& shapes = *empty_library());

}  // namespace scree
