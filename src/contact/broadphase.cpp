#include "scree/contact/broadphase.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <ranges>
#include <utility>

#include "cell_grid.hpp"
#include "scree/base/instructions.hpp"

namespace scree {
namespace {

/// A class of so few bodies is held against everybody instead of getting a grid.
constexpr std::size_t kFew = 16;
/// Ratio of the longest to the shortest edge in a class.
constexpr double kClassRatio = 4.0;

/// Collects pairs, lower id first, without those of two tools and of materials that do not meet.
class PairList {
 public:
  PairList(const Store& store, const std::vector<Box3>& boxes, const MeetingMaterials& meetings)
      : store_(store), boxes_(boxes), meetings_(meetings) {}

  void add_if_meeting(std::int32_t i, std::int32_t j) {
    if (boxes_[i].meets(boxes_[j])) add(i, j);
  }

  void reserve(std::size_t n) { pairs_.reserve(n); }
  std::vector<Pair> take() { return std::move(pairs_); }

  void add(std::int32_t i, std::int32_t j) {
    if (store_.is_tool(i) && store_.is_tool(j)) return;
    if (!meetings_.meet(store_.material[i], store_.material[j])) return;
    const bool in_order = store_.id[i] < store_.id[j];
    pairs_.push_back({in_order ? i : j, in_order ? j : i});
  }

 private:
  const Store& store_;
  const std::vector<Box3>& boxes_;
  const MeetingMaterials& meetings_;
  std::vector<Pair> pairs_;
};

struct SizeClass {
  double edge;  ///< the longest
  std::vector<std::int32_t> slots;
};

struct SizeClasses {
  std::vector<SizeClass> gridded;    ///< size classes with a grid, from coarse to fine
  std::vector<std::int32_t> others;  ///< few of their size, or without a finite box
};

double longest_edge(const Box3& box) {
  return (box.high - box.low).maxCoeff();
}

/// Puts the bodies in @p slots, a range, into classes of sizes.
template <class Slots>
SizeClasses sort_by_size(const std::vector<Box3>& boxes, const Slots& slots) {
  SizeClasses result;
  std::vector<std::int32_t> rest;
  std::vector<double> edge(boxes.size());
  for (const std::int32_t slot : slots) {
    const Box3& box = boxes[slot];
    edge[slot] = longest_edge(box);
    const bool gridable = box.low.allFinite() && box.high.allFinite() && edge[slot] > 0.0;
    (gridable ? rest : result.others).push_back(slot);
  }
  while (!rest.empty()) {
    double longest = 0.0;
    for (const std::int32_t slot : rest) {
      longest = std::max(longest, edge[slot]);
    }
    SizeClass next{longest, {}};
    std::vector<std::int32_t> finer;
    for (const std::int32_t slot : rest) {
      const bool here = edge[slot] * kClassRatio >= longest;
      (here ? next.slots : finer).push_back(slot);
    }
    if (next.slots.size() <= kFew) {
      result.others.insert(result.others.end(), next.slots.begin(), next.slots.end());
    } else {
      result.gridded.push_back(std::move(next));
    }
    rest = std::move(finer);
  }
  return result;
}

/// The bodies without a grid against all, and each other.
void pair_ungridded(const SizeClasses& classes, PairList& pairs) {
  const auto& others = classes.others;
  for (std::size_t i = 0; i < others.size(); ++i) {
    for (std::size_t j = i + 1; j < others.size(); ++j) pairs.add_if_meeting(others[i], others[j]);
    for (const SizeClass& sizes : classes.gridded) {
      for (const std::int32_t slot : sizes.slots) pairs.add_if_meeting(others[i], slot);
    }
  }
}

/// The rows of cells along x around a cell that come after its own: offsets in y and z.
constexpr std::array<std::array<int, 2>, 4> kLaterRows{{{1, 0}, {-1, 1}, {0, 1}, {1, 1}}};

/// Within a grid: each body with its own cell and those after it, so that a pair comes once.
void pair_within(const CellGrid& grid, PairList& pairs) {
  for (const CellGrid::Entry& entry : grid.entries()) {
    const auto& [x, y, z] = entry.cell;
    grid.visit_row(entry.box, entry.cell, 2, [&](const CellGrid::Entry& other) {
      if (other.cell[0] > entry.cell[0] || other.slot > entry.slot) {
        pairs.add(entry.slot, other.slot);
      }
    });
    for (const auto& row : kLaterRows) {
      grid.visit_row(entry.box, {x - 1, y + row[0], z + row[1]}, 3,
                     [&](const CellGrid::Entry& other) { pairs.add(entry.slot, other.slot); });
    }
  }
}

/// Calls visit(slot) for each body of the grid whose box meets @p box.
template <class Visit>
void visit_meeting(const CellGrid& grid, const Box3& box, Visit&& visit) {
  const auto [first, last] = grid.cells_in_reach(box);
  for (std::int64_t z = first[2]; z <= last[2]; ++z) {
    for (std::int64_t y = first[1]; y <= last[1]; ++y) {
      grid.visit_row(box, {first[0], y, z}, last[0] - first[0] + 1,
                     [&](const CellGrid::Entry& entry) { visit(entry.slot); });
    }
  }
}

/// The bodies of a finer class's grid against a coarser grid. Few cells are in reach of a body that
/// is small beside them: mostly two along each axis.
void pair_across(const CellGrid& finer, const CellGrid& coarser, PairList& pairs) {
  for (const CellGrid::Entry& entry : finer.entries()) {
    visit_meeting(coarser, entry.box, [&](std::int32_t other) { pairs.add(entry.slot, other); });
  }
}

/// A few bodies of one class of sizes, in a grid.
struct FewOfASize {
  FewOfASize(const std::vector<Box3>& boxes, const SizeClass& sizes)
      : slots(sizes.slots), edge(sizes.edge), grid(boxes, slots, edge), hull(boxes[slots.front()]) {
    for (const std::int32_t slot : slots) {
      hull.low = hull.low.cwiseMin(boxes[slot].low);
      hull.high = hull.high.cwiseMax(boxes[slot].high);
    }
  }

  /// Calls visit(slot) for each that may meet @p box: for those that do, where that takes fewer
  /// cells than there are bodies, else for all.
  template <class Visit>
  void visit(const Box3& box, Visit&& visit) const {
    if (!hull.meets(box)) return;
    const double cells_along = 2.0 + longest_edge(box) / edge;
    if (std::pow(cells_along, 3) <= static_cast<double>(slots.size())) {
      visit_meeting(grid, box, visit);
    } else {
      for (const std::int32_t slot : slots) visit(slot);
    }
  }

  const std::vector<std::int32_t>& slots;
  double edge;
  CellGrid grid;
  Box3 hull;  ///< of their boxes
};

/// How a body is held against all others.
enum class Held : char { neither, in_grid, alone };

}  // namespace

std::vector<Pair> broadphase(const Store& store, const std::vector<Box3>& boxes,
                             const MeetingMaterials& meetings) {
  const SizeClasses classes =
      sort_by_size(boxes, std::views::iota(0, static_cast<std::int32_t>(boxes.size())));
  PairList pairs(store, boxes, meetings);
  pairs.reserve(8 * boxes.size());
  pair_ungridded(classes, pairs);
  std::vector<CellGrid> grids;
  grids.reserve(classes.gridded.size());
  for (const SizeClass& sizes : classes.gridded) {
    CellGrid grid(boxes, sizes.slots, sizes.edge);
    run_by(instructions(), [&] {
      for (const CellGrid& coarser : grids) pair_across(grid, coarser, pairs);
      pair_within(grid, pairs);
    });
    grids.push_back(std::move(grid));
  }
  return pairs.take();
}

std::vector<Pair> broadphase_of(const std::vector<std::int32_t>& slots, const Store& store,
                                const std::vector<Box3>& boxes, const MeetingMaterials& meetings) {
  const SizeClasses classes = sort_by_size(boxes, slots);
  std::vector<FewOfASize> grids;
  grids.reserve(classes.gridded.size());
  for (const SizeClass& sizes : classes.gridded) grids.emplace_back(boxes, sizes);
  const auto n = static_cast<std::int32_t>(boxes.size());
  std::vector<Held> held(boxes.size(), Held::neither);
  for (const std::int32_t slot : slots) held[slot] = Held::in_grid;
  for (const std::int32_t slot : classes.others) held[slot] = Held::alone;
  PairList pairs(store, boxes, meetings);
  for (const std::int32_t other : classes.others) {
    for (std::int32_t slot = 0; slot < n; ++slot) {
      if (held[slot] != Held::alone || slot > other) pairs.add_if_meeting(other, slot);
    }
  }
  run_by(instructions(), [&] {
    for (std::int32_t slot = 0; slot < n; ++slot) {
      if (held[slot] == Held::alone) continue;
      for (const FewOfASize& few : grids) {
        few.visit(boxes[slot], [&](std::int32_t other) {
          if (held[slot] == Held::neither || slot < other) pairs.add_if_meeting(other, slot);
        });
      }
    }
  });
  return pairs.take();
}

std::vector<Pair> all_pairs(const Store& store) {
  const MeetingMaterials all_meet;
  PairList pairs(store, store.box, all_meet);
  for (std::int32_t i = 0; i < store.size(); ++i) {
    for (std::int32_t j = i + 1; j < store.size(); ++j) pairs.add_if_meeting(i, j);
  }
  return pairs.take();
}

}  // namespace scree
