#pragma once

/// The memory of sources of rows (step/row_source.hpp) from one step to the next, cone by cone.
///
/// Forces are kept, not impulses, so that the time step may change. A record goes with its cone
/// where another rank gives it: in each step, since sources look at present places, to every rank
/// whose region meets the box in which the first grain of the cone must then be. It lasts for as
/// long as its cone is given in each step.

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "scree/base/math.hpp"
#include "scree/domain/partition.hpp"
#include "scree/geometry/periodic.hpp"
#include "scree/problem/cones/rows.hpp"

namespace scree {

/// A number for each row of a cone, zeros behind the last.
using ConeNumbers = std::array<double, cones::kMostRows>;

/// The memory of one cone.
struct RowRecord {
  std::int64_t key = 0;  ///< GivenCone::key
  ConeNumbers force{};   ///< lambda/dt of its rows, N
  double state = 0.0;    ///< what the source counts (RowSource::state_after())
  Box3 where{Vec3::Zero(), Vec3::Zero()};
};

/// The records of each source by its name; those of one source sorted by key.
using RowMemory = std::map<std::string, std::vector<RowRecord>>;

/// The record of @p key among @p records; null where there is none. Not collective.
const RowRecord* find_record(const std::vector<RowRecord>& records, std::int64_t key);

/// Sends what other ranks may need in the step that begins. Collective. @pre @p memory has the
/// same names on all ranks. @p skin: new skins are wider than boxes by that at most, m.
void redistribute(RowMemory& memory, const Partition& partition, const PeriodicCell& cell,
                  double skin = 0.0);

}  // namespace scree
