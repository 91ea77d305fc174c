#pragma once

/// Sites for grains in a region: points of a lattice, at least one spacing from each other and half
/// of one from the region's surface. Grains within half a spacing of their sites never overlap,
/// whoever places them.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "scree/base/enumeration.hpp"
#include "scree/sources/regions.hpp"

namespace scree {

enum class Arrangement {
  loose,  ///< cubic, with rows spread over the region sideways
  dense,  ///< hexagonal close packing
};
template <>
inline constexpr std::array kNamesOf<Arrangement> = names("loose", "dense");

class SiteLattice {
 public:
  /// The layers from below until there are @p wanted sites, or all. Of a layer with far more sites
  /// than are wanted some rows are left out. @pre @p spacing > 0, @p wanted > 0.
  SiteLattice(const Region& region, Arrangement arrangement, double spacing, std::int64_t wanted);

  double spacing() const { return spacing_; }
  std::int64_t n_sites() const { return n_sites_; }
  /// The first site of the highest layer that is there; n_sites() when there is none.
  std::int64_t last_layer() const { return last_layer_; }
  /// @pre 0 <= i < n_sites(). Sites are numbered from below, row by row.
  Vec3 site(std::int64_t i) const;

  /// Calls @p visit(i) for each site closer than @p distance to @p point.
  template <class Visit>
  void visit_near(const Vec3& point, double distance, Visit&& visit) const;

 private:
  struct Row {
    double x;  ///< x of its first site, m
    double y;
    double z;
    double step;         ///< distance from site to site, m
    std::int64_t first;  ///< number of its first site
  };
  struct Layer {
    double z;
    double y;            ///< y of its first row, m
    double pitch;        ///< distance from row to row, m
    std::int64_t index;  ///< number of the layer, from below
    std::int64_t n_rows;
  };

  Layer layer(std::int64_t index) const;
  void append_layers(const Region& region, std::int64_t wanted, bool thinned);
  /// Rows from one that is used to the next, in a layer with more sites than are wanted.
  std::int64_t stride(const Layer& layer, std::int64_t wanted) const;
  void append_rows(const Region& region, const Layer& layer, std::int64_t stride);
  /// A row of @p count sites from @p x on.
  void append_row(double x, double y, double z, double step, std::int64_t count);
  std::int64_t row_end(std::size_t row) const {
    return row + 1 < rows_.size() ? rows_[row + 1].first : n_sites_;
  }
  /// The first row at or above @p z.
  std::size_t first_row_above(double z) const;

  Arrangement arrangement_;
  double spacing_;
  Box3 bounds_;
  std::vector<Row> rows_;
  std::int64_t n_sites_ = 0;
  std::int64_t last_layer_ = 0;
};

template <class Visit>
void SiteLattice::visit_near(const Vec3& point, double distance, Visit&& visit) const {
  for (std::size_t r = first_row_above(point.z() - distance); r < rows_.size(); ++r) {
    const Row& row = rows_[r];
    if (row.z > point.z() + distance) return;
    const double dy = row.y - point.y();
    const double dz = row.z - point.z();
    const double square = distance * distance - dy * dy - dz * dz;
    if (square <= 0.0) continue;
    const double half = std::sqrt(square);
    const double left = std::ceil((point.x() - half - row.x) / row.step);
    const double right = std::floor((point.x() + half - row.x) / row.step);
    const auto n = static_cast<double>(row_end(r) - row.first);
    for (double k = std::max(left, 0.0); k <= std::min(right, n - 1.0); ++k) {
      visit(row.first + static_cast<std::int64_t>(k));
    }
  }
}

}  // namespace scree
