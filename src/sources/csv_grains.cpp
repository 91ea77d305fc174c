#include "csv_grains.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>

#include "scree/config/csv.hpp"
#include "scree/sources/counter_random.hpp"

namespace scree {
namespace {

constexpr std::array<CsvColumn, 15> kColumns{{{"id", false},
                                              {"x", true},
                                              {"y", true},
                                              {"z", true},
                                              {"r", true},
                                              {"vx", false},
                                              {"vy", false},
                                              {"vz", false},
                                              {"wx", false},
                                              {"wy", false},
                                              {"wz", false},
                                              {"qw", false},
                                              {"qx", false},
                                              {"qy", false},
                                              {"qz", false}}};

/// The id of a row, or @p index where the file has none.
std::int64_t id_of(const std::filesystem::path& file, const CsvRow& row, std::int64_t index) {
  const double value = row.values[0];
  if (std::isnan(value)) return index;
  constexpr double kLargest = 9007199254740992.0;  // 2^53: beyond, neighbours are not told apart
  if (value != std::floor(value) || value < 0.0 || value > kLargest) {
    refuse_csv_row(file, row.line,
                   fmt::format("id: {} is not a whole number from 0 to 2^53", value));
  }
  return static_cast<std::int64_t>(value);
}

Vec3 vector_of(const CsvRow& row, std::size_t column) {
  return {row.values[column], row.values[column + 1], row.values[column + 2]};
}

/// The columns qw to qz as a unit quaternion, or @p fallback where the file has none of them.
Quat orientation_of(const std::filesystem::path& file, const CsvRow& row, const Quat& fallback) {
  constexpr double kRounding = 1e-3;  // of numbers with few digits
  const Quat q(row.values[11], row.values[12], row.values[13], row.values[14]);
  if (q.coeffs().array().isNaN().all()) return fallback;
  if (!(std::abs(q.norm() - 1.0) <= kRounding)) {
    refuse_csv_row(file, row.line,
                   fmt::format("qw,qx,qy,qz: the length is {:.4g}; allowed: all four columns, of "
                               "the length 1",
                               q.norm()));
  }
  return q.normalized();
}

/// Columns that are absent keep what stands there.
Vec3 replaced(const Vec3& values, const Vec3& fallback) {
  return values.array().isNaN().select(fallback, values);
}

}  // namespace

GrainExtent scan_csv_grains(const std::filesystem::path& file, const Share& share) {
  GrainExtent extent;
  std::unordered_set<std::int64_t> ids;
  read_csv(file, kColumns, [&](const CsvRow& row) {
    const std::int64_t id = id_of(file, row, extent.count);
    if (row.values[4] <= 0.0) {
      refuse_csv_row(file, row.line,
                     fmt::format("r: {} is no radius; it must be above 0", row.values[4]));
    }
    const std::uint64_t mine =
        mixed(static_cast<std::uint64_t>(id)) % static_cast<std::uint64_t>(share.count);
    if (mine == static_cast<std::uint64_t>(share.index) && !ids.insert(id).second) {
      refuse_csv_row(file, row.line, fmt::format("id: {} stands in an earlier row too", id));
    }
    extent.largest_id = std::max(extent.largest_id, id);
    ++extent.count;
  });
  if (extent.count == 0) refuse_csv_row(file, 1, "there are no rows");
  return extent;
}

void append_csv_grains(const std::filesystem::path& file, const GrainExtent& extent,
                       const Share& share, std::int64_t first_id, const Mixture& grains,
                       std::vector<Body>& bodies) {
  const Body& prototype = grains.prototype();
  std::int64_t index = -1;
  read_csv(file, kColumns, [&](const CsvRow& row) {
    ++index;
    if (index < share.begin(extent.count) || index >= share.end(extent.count)) return;
    Body body = prototype;
    body.id = first_id + id_of(file, row, index);
    body.position = vector_of(row, 1);
    body.orientation = orientation_of(file, row, prototype.orientation);
    grains.resize(body, row.values[4]);
    body.velocity = replaced(vector_of(row, 5), prototype.velocity);
    body.angular_velocity = replaced(vector_of(row, 8), prototype.angular_velocity);
    bodies.push_back(body);
  });
}

}  // namespace scree
