#include "scree/contact/broadphase.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cell_grid.hpp"

namespace scree {
namespace {

/// A class of so few bodies is held against everybody instead of getting a grid.
constexpr std::size_t kFew = 16;
/// Ratio of the longest to the shortest edge in a class.
constexpr double kClassRatio = 4.0;

/// Collects pairs, lower id first, without those of two tools.
class PairList {
 public:
  explicit PairList(const Store& store) : store_(store) {}

  void add_if_meeting(std::int32_t i, std::int32_t j) {
    const auto a = static_cast<std::size_t>(i);
    const auto b = static_cast<std::size_t>(j);
    if (!store_.box[a].meets(store_.box[b])) return;
    if (store_.is_tool(i) && store_.is_tool(j)) return;
    pairs_.push_back(store_.id[a] < store_.id[b] ? Pair{i, j} : Pair{j, i});
  }

  void reserve(std::size_t n) { pairs_.reserve(n); }
  std::vector<Pair> take() { return std::move(pairs_); }

 private:
  const Store& store_;
  std::vector<Pair> pairs_;
};

struct SizeClass {
  double edge;  ///< the longest
  std::vector<std::int32_t> slots;
};

struct SizeClasses {
  std::vector<SizeClass> gridded;    ///< from coarse to fine
  std::vector<std::int32_t> others;  ///< few of their size, or without a finite box
};

double longest_edge(const Box3& box) {
  return (box.high - box.low).maxCoeff();
}

SizeClasses sort_by_size(const Store& store) {
  SizeClasses result;
  std::vector<std::int32_t> rest;
  std::vector<double> edge(store.box.size());
  for (std::int32_t slot = 0; slot < store.size(); ++slot) {
    const Box3& box = store.box[static_cast<std::size_t>(slot)];
    edge[static_cast<std::size_t>(slot)] = longest_edge(box);
    const bool gridable =
        box.low.allFinite() && box.high.allFinite() && edge[static_cast<std::size_t>(slot)] > 0.0;
    (gridable ? rest : result.others).push_back(slot);
  }
  while (!rest.empty()) {
    double longest = 0.0;
    for (const std::int32_t slot : rest) {
      longest = std::max(longest, edge[static_cast<std::size_t>(slot)]);
    }
    SizeClass next{longest, {}};
    std::vector<std::int32_t> finer;
    for (const std::int32_t slot : rest) {
      const bool here = edge[static_cast<std::size_t>(slot)] * kClassRatio >= longest;
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
void pair_others(const SizeClasses& classes, PairList& pairs) {
  const auto& others = classes.others;
  for (std::size_t i = 0; i < others.size(); ++i) {
    for (std::size_t j = i + 1; j < others.size(); ++j) pairs.add_if_meeting(others[i], others[j]);
    for (const SizeClass& sizes : classes.gridded) {
      for (const std::int32_t slot : sizes.slots) pairs.add_if_meeting(others[i], slot);
    }
  }
}

/// Within a grid: each cell with itself and with half of its neighbours, so that a pair comes once.
void pair_within(const CellGrid& grid, PairList& pairs) {
  for (const CellGrid::Entry& entry : grid.entries()) {
    for (int k = 13; k < 27; ++k) {
      const CellGrid::Cell cell{entry.cell[0] + k % 3 - 1, entry.cell[1] + k / 3 % 3 - 1,
                                entry.cell[2] + k / 9 - 1};
      grid.visit_cell(cell, [&](std::int32_t slot) {
        if (k > 13 || slot > entry.slot) pairs.add_if_meeting(entry.slot, slot);
      });
    }
  }
}

/// A finer class against a coarser grid: all neighbours.
void pair_across(const Store& store, const SizeClass& finer, const CellGrid& grid,
                 PairList& pairs) {
  for (const std::int32_t slot : finer.slots) {
    const CellGrid::Cell centre = grid.cell_of(store.box[static_cast<std::size_t>(slot)]);
    for (int k = 0; k < 27; ++k) {
      const CellGrid::Cell cell{centre[0] + k % 3 - 1, centre[1] + k / 3 % 3 - 1,
                                centre[2] + k / 9 - 1};
      grid.visit_cell(cell, [&](std::int32_t other) { pairs.add_if_meeting(slot, other); });
    }
  }
}

}  // namespace

std::vector<Pair> broadphase(const Store& store) {
  const SizeClasses classes = sort_by_size(store);
  PairList pairs(store);
  pairs.reserve(8 * store.box.size());
  pair_others(classes, pairs);
  std::vector<CellGrid> grids;
  grids.reserve(classes.gridded.size());
  for (const SizeClass& sizes : classes.gridded) {
    for (const CellGrid& coarser : grids) pair_across(store, sizes, coarser, pairs);
    grids.emplace_back(store.box, sizes.slots, sizes.edge);
    pair_within(grids.back(), pairs);
  }
  return pairs.take();
}

std::vector<Pair> all_pairs(const Store& store) {
  PairList pairs(store);
  for (std::int32_t i = 0; i < store.size(); ++i) {
    for (std::int32_t j = i + 1; j < store.size(); ++j) pairs.add_if_meeting(i, j);
  }
  return pairs.take();
}

}  // namespace scree
