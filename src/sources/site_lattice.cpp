#include "scree/sources/site_lattice.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scree {
namespace {

/// A length that is a multiple of the spacing but for rounding holds that many.
constexpr double kRounding = 1e-12;

/// How many pieces of @p pitch fit into @p length.
std::int64_t pieces(double length, double pitch) {
  constexpr double kMost = 1e15;  // beyond, neighbours are not told apart
  return static_cast<std::int64_t>(
      std::floor(std::clamp(length / pitch * (1.0 + kRounding), 0.0, kMost)));
}

// Hexagonal close packing, in spacings: rows and layers apart, and what odd layers are shifted by.
constexpr double kRowPitch = 0.5 * std::numbers::sqrt3;
const double kLayerPitch = std::sqrt(2.0 / 3.0);
constexpr double kShift = std::numbers::inv_sqrt3 / 2.0;

}  // namespace

SiteLattice::SiteLattice(const Region& region, Arrangement arrangement, double spacing,
                         std::int64_t wanted)
    : arrangement_(arrangement), spacing_(spacing), bounds_(bounds_of(region)) {
  append_layers(region, wanted, true);
  if (n_sites_ >= wanted) return;
  rows_.clear();
  n_sites_ = 0;
  append_layers(region, wanted, false);
}

void SiteLattice::append_layers(const Region& region, std::int64_t wanted, bool thinned) {
  const double pitch = arrangement_ == Arrangement::dense ? kLayerPitch * spacing_ : spacing_;
  const double height = bounds_.high.z() - bounds_.low.z();
  last_layer_ = 0;
  if (pieces(height, spacing_) == 0) return;
  const std::int64_t n_layers = 1 + pieces(height - spacing_ * (1.0 - kRounding), pitch);
  for (std::int64_t i = 0; i < n_layers && n_sites_ < wanted; ++i) {
    const std::int64_t first = n_sites_;
    const Layer rows = layer(i);
    append_rows(region, rows, thinned ? stride(rows, wanted) : 1);
    if (n_sites_ > first) last_layer_ = first;
  }
}

std::int64_t SiteLattice::stride(const Layer& layer, std::int64_t wanted) const {
  constexpr double kPlenty = 4.0;
  const auto per_row = static_cast<double>(pieces(bounds_.high.x() - bounds_.low.x(), spacing_));
  const double sites = per_row * static_cast<double>(layer.n_rows);
  return std::max<std::int64_t>(
      1, static_cast<std::int64_t>(sites / (kPlenty * static_cast<double>(wanted))));
}

SiteLattice::Layer SiteLattice::layer(std::int64_t index) const {
  const double half = 0.5 * spacing_;
  const double depth = bounds_.high.y() - bounds_.low.y();
  Layer layer{.z = 0.0, .y = 0.0, .pitch = 0.0, .index = index, .n_rows = pieces(depth, spacing_)};
  if (arrangement_ == Arrangement::loose) {
    layer.z = bounds_.low.z() + half + static_cast<double>(index) * spacing_;
    layer.pitch = depth / static_cast<double>(std::max<std::int64_t>(layer.n_rows, 1));
    layer.y = bounds_.low.y() + 0.5 * layer.pitch;
    return layer;
  }
  const double shift = index % 2 == 0 ? 0.0 : kShift * spacing_;
  layer.z = bounds_.low.z() + half + static_cast<double>(index) * kLayerPitch * spacing_;
  layer.pitch = kRowPitch * spacing_;
  layer.y = bounds_.low.y() + half + shift;
  const double left = depth - spacing_ - shift;
  layer.n_rows = left < -kRounding * depth ? 0 : 1 + pieces(left, layer.pitch);
  return layer;
}

void SiteLattice::append_rows(const Region& region, const Layer& layer, std::int64_t stride) {
  const double half = 0.5 * spacing_;
  for (std::int64_t j = 0; j < layer.n_rows; j += stride) {
    const double y = layer.y + static_cast<double>(j) * layer.pitch;
    const auto chord = chord_of(region, y, layer.z, half);
    if (!chord) continue;
    const auto [begin, end] = *chord;
    if (arrangement_ == Arrangement::loose) {
      const double length = end - begin + spacing_;
      const std::int64_t n = pieces(length, spacing_);
      const double step = length / static_cast<double>(std::max<std::int64_t>(n, 1));
      append_row(begin - half + 0.5 * step, y, layer.z, step, n);
      continue;
    }
    const bool odd = (j + layer.index) % 2 != 0;
    const double phase = bounds_.low.x() + half + (odd ? half : 0.0);
    const double skipped = std::ceil((begin - phase) / spacing_ - kRounding);
    const double x = phase + skipped * spacing_;
    if (x > end + kRounding * spacing_) continue;
    append_row(x, y, layer.z, spacing_, 1 + pieces(end - x, spacing_));
  }
}

void SiteLattice::append_row(double x, double y, double z, double step, std::int64_t count) {
  if (count <= 0) return;
  rows_.push_back({x, y, z, step, n_sites_});
  n_sites_ += count;
}

Vec3 SiteLattice::site(std::int64_t i) const {
  const auto next = std::upper_bound(rows_.begin(), rows_.end(), i,
                                     [](std::int64_t n, const Row& row) { return n < row.first; });
  const Row& row = *std::prev(next);
  return {row.x + static_cast<double>(i - row.first) * row.step, row.y, row.z};
}

std::size_t SiteLattice::first_row_above(double z) const {
  const auto row = std::lower_bound(rows_.begin(), rows_.end(), z,
                                    [](const Row& one, double bound) { return one.z < bound; });
  return row - rows_.begin();
}

}  // namespace scree
