#include "scree/contact/strays.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "cell_grid.hpp"
#include "pair_ways.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"
#include "scree/geometry/shapes/sphere.hpp"

namespace scree {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Vec6 velocity_of(const Store& store, std::int32_t slot) {
  Vec6 velocity;
  velocity << store.velocity[slot], store.angular_velocity[slot];
  return velocity;
}

/// How fast turning takes the surface from where it was predicted to be, m/s.
double turning_off_path(const Store& store, std::int32_t slot, const Vec3& spin) {
  if (store.shape[slot].is<Sphere>()) return 0.0;
  const Vec3& predicted = store.angular_velocity[slot];
  const Vec3 off = spin - predicted;
  // one turn about an axis of revolution and another one end alike, a sum of such with others not
  const bool turns = surface_speed(store, slot, store.orientation[slot], spin) > 0.0 ||
                     surface_speed(store, slot, store.orientation[slot], predicted) > 0.0;
  return turns && !off.isZero(0.0) ? off.norm() * spin_radius(store.shape[slot], *store.shapes)
                                   : 0.0;
}

/// How fast points of the body in @p slot go at most, m/s.
double speed(const Store& store, std::int32_t slot, const Vec6& velocity) {
  return velocity.head<3>().norm() +
         surface_speed(store, slot, store.orientation[slot], velocity.tail<3>());
}

/// How fast they leave the predicted path at most, m/s.
double speed_off_path(const Store& store, std::int32_t slot, const Vec6& velocity) {
  const Vec3 off = velocity.head<3>() - predicted_velocity(store, slot);
  return off.norm() + turning_off_path(store, slot, velocity.tail<3>());
}

/// Boxes that others are held against: in a grid, but for those without a finite size.
class SortedBoxes {
 public:
  /// Longest edge of a box over that of the grid from which on it has too many cells in its reach:
  /// at most 8 along x are the buckets of the smallest table.
  static constexpr double kWide = 6.0;
  static double longest_edge(const Box3& box) { return (box.high - box.low).maxCoeff(); }

  explicit SortedBoxes(const BoxList& boxes) {
    boxes_.reserve(boxes.size);
    std::vector<std::int32_t> gridded;
    for (std::size_t i = 0; i < boxes.size; ++i) {
      const Box3& box = boxes_.emplace_back(boxes.at(i));
      around_ = {around_.low.cwiseMin(box.low), around_.high.cwiseMax(box.high)};
      const double edge = longest_edge(box);
      const bool gridable = std::isfinite(edge) && edge > 0.0;
      if (gridable) edge_ = std::max(edge_, edge);
      (gridable ? gridded : others_).push_back(static_cast<std::int32_t>(i));
    }
    if (!gridded.empty()) grid_.emplace(boxes_, gridded, edge_);
  }

  /// Calls visit(i) for each that meets @p box, some more than once.
  template <class Visit>
  void visit_meeting(const Box3& box, const Visit& visit) const {
    if (!around_.meets(box)) return;
    const auto visit_if_meeting = [&](std::int32_t i) {
      if (boxes_[i].meets(box)) visit(i);
    };
    std::ranges::for_each(others_, visit_if_meeting);
    if (!grid_) return;
    if (longest_edge(box) <= kWide * edge_) return visit_in(*grid_, box, visit);
    for (std::int32_t i = 0; std::cmp_less(i, boxes_.size()); ++i) visit_if_meeting(i);
  }

 private:
  template <class Visit>
  static void visit_in(const CellGrid& grid, const Box3& box, const Visit& visit) {
    const auto [first, last] = grid.cells_in_reach(box);
    for (std::int64_t z = first[2]; z <= last[2]; ++z) {
      for (std::int64_t y = first[1]; y <= last[1]; ++y) {
        grid.visit_row(box, {first[0], y, z}, last[0] - first[0] + 1,
                       [&visit](const CellGrid::Entry& entry) { visit(entry.slot); });
      }
    }
  }

  std::vector<Box3> boxes_;
  Box3 around_{Vec3::Constant(kInfinity), Vec3::Constant(-kInfinity)};
  double edge_ = 0.0;  ///< the longest of those in the grid, m
  std::vector<std::int32_t> others_;
  std::optional<CellGrid> grid_;
};

/// The longest edge of those that are finite, m.
double longest_edge_of(const BoxList& boxes) {
  double longest = 0.0;
  for (std::size_t i = 0; i < boxes.size; ++i) {
    const double edge = SortedBoxes::longest_edge(boxes.at(i));
    if (std::isfinite(edge)) longest = std::max(longest, edge);
  }
  return longest;
}

}  // namespace

Excursion excursion(const Store& store, std::int32_t slot, const Vec6& velocity,
                    const Reach& reach) {
  return {.way = reach.dt * speed(store, slot, velocity),
          .margin = margin(store, slot, reach),
          .off_path = reach.dt * speed_off_path(store, slot, velocity)};
}

Strays any_strays(const Store& store, std::span<const double> end_velocity, const Reach& reach,
                  double tolerated) {
  const double surely_within = rest_margin(reach) + tolerated;
  Strays any;
  const auto add = [&](std::int32_t slot, const Vec6& velocity) {
    any.off_path = any.off_path || reach.dt * speed_off_path(store, slot, velocity) > tolerated;
    any.beyond = any.beyond || (reach.dt * speed(store, slot, velocity) > surely_within &&
                                excursion(store, slot, velocity, reach).beyond() > tolerated);
  };
  for (std::int32_t slot = 0; slot < store.first_owned(); ++slot) {
    if (store.is_prescribed(slot)) add(slot, velocity_of(store, slot));
  }
  for_each_row(store, std::ssize(end_velocity) / 6, [&](std::int32_t slot, std::int64_t row) {
    add(slot, Vec6(&end_velocity[6 * static_cast<std::size_t>(row)]));
  });
  return any;
}

std::vector<std::int32_t> meeting_any(const BoxList& boxes, const BoxList& targets) {
  std::vector<bool> meets(boxes.size);
  // in a grid of boxes that are much finer targets would be held against all
  const bool sorts_boxes = boxes.size < targets.size &&
                           longest_edge_of(targets) <= SortedBoxes::kWide * longest_edge_of(boxes);
  if (sorts_boxes) {
    const SortedBoxes few(boxes);
    for (std::size_t k = 0; k < targets.size; ++k) {
      few.visit_meeting(targets.at(k), [&](std::int32_t i) { meets[i] = true; });
    }
  } else {
    const SortedBoxes few(targets);
    for (std::size_t i = 0; i < boxes.size; ++i) {
      few.visit_meeting(boxes.at(i), [&](std::int32_t) { meets[i] = true; });
    }
  }
  std::vector<std::int32_t> meeting;
  for (std::size_t i = 0; i < meets.size(); ++i) {
    if (meets[i]) meeting.push_back(static_cast<std::int32_t>(i));
  }
  return meeting;
}

}  // namespace scree
