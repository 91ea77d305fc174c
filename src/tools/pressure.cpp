#include "scree/tools/pressure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "scree/base/check.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"

namespace scree {
namespace {

std::size_t place_of(std::span<const ToolSpec> tools, std::string_view name) {
  return std::ranges::find(tools, name, &ToolSpec::name) - tools.begin();
}

bool is_plane(const ToolSpec& tool) {
  return as_shape(tool.shape).is<Plane>();
}

/// The direction to the free side of the plane in @p slot.
Vec3 normal_of(const Store& store, std::size_t slot) {
  return store.orientation[slot] * Vec3::UnitZ();
}

/// The distance of the plane in the slot @p b from that in @p a, along the normal of the latter.
double distance_between(const Store& store, std::size_t a, std::size_t b) {
  return normal_of(store, a).dot(store.position[b] - store.position[a]);
}

double area_of(const Store& store, std::span<const ToolSpec> tools, const ToolSpec& tool) {
  const LoadMotion& load = *tool.load();
  if (load.area > 0.0) return load.area;
  double area = 1.0;
  for (const std::size_t k : {0, 2}) {
    const double side = distance_between(store, place_of(tools, load.within[k]),
                                         place_of(tools, load.within[k + 1]));
    if (!(side > 0.0)) {
      throw InputError(
          fmt::format("tools.{}.motion.within: {} and {} are {} m apart, and the cell "
                      "has no area there",
                      tool.name, load.within[k], load.within[k + 1], side));
    }
    area *= side;
  }
  return area;
}

/// Whether the planes @p a and @p b have their free sides to each other.
bool face_each_other(const ToolSpec& a, const ToolSpec& b) {
  constexpr double kParallel = 1e-9;
  return is_plane(a) && is_plane(b) &&
         a.normal.normalized().dot(b.normal.normalized()) < kParallel - 1.0;
}

constexpr double kRightAngle = 1e-9;

bool are_square(const Vec3& a, const Vec3& b) {
  return std::abs(a.dot(b)) < kRightAngle;
}

/// Why the pressure would do nothing; empty where the plane may move along its normal.
std::string fault_of_held(const ToolSpec& tool) {
  for (int axis = 0; axis < 3; ++axis) {
    const bool is_held = (tool.load()->held() >> axis & 1U) != 0;
    if (!is_held || std::abs(tool.normal.normalized()[axis]) < kRightAngle) continue;
    return fmt::format("{}: its pressure acts along {}, which is held; add it to `motion.free`",
                       tool.name, "xyz"[axis]);
  }
  return {};
}

}  // namespace

Vec6 load_on(const Store& store, std::span<const ToolSpec> tools, std::size_t i, double t) {
  const ToolSpec& tool = tools[i];
  const LoadMotion& load = *tool.load();
  Vec6 total = tool.load_at(t);
  if (load.presses() && tool.span.runs_at(t)) {
    total.head<3>() += load.pressure_at(tool.span.own_time(t), tool.name) *
                       area_of(store, tools, tool) * normal_of(store, i);
  }
  return total;
}

std::string fault_of_pressure(const ToolSpec& tool, std::span<const ToolSpec> tools) {
  const LoadMotion* const load = tool.load();
  if (load == nullptr || !load->presses()) return {};
  if (!is_plane(tool)) {
    return fmt::format(
        "{}: its motion has a pressure, which is for planes; allowed: `force`, of a "
        "{} whose area you know",
        tool.name, type_of(as_shape(tool.shape)));
  }
  if (const std::string held = fault_of_held(tool); !held.empty()) return held;
  if (load->within.size() != 4) return {};
  std::vector<Vec3> normals{tool.normal.normalized()};
  for (const std::size_t k : {0, 2}) {
    const std::size_t a = place_of(tools, load->within[k]);
    const std::size_t b = place_of(tools, load->within[k + 1]);
    if (a == tools.size() || b == tools.size() || !face_each_other(tools[a], tools[b])) {
      return fmt::format(
          "{}: its motion is within {} and {}, which are no planes that face each other", tool.name,
          load->within[k], load->within[k + 1]);
    }
    normals.push_back(tools[a].normal.normalized());
  }
  if (are_square(normals[0], normals[1]) && are_square(normals[0], normals[2]) &&
      are_square(normals[1], normals[2]))
    return {};
  return fmt::format(
      "{}: its motion is within {}, which are no two pairs of planes at right angles to "
      "each other and to it",
      tool.name, fmt::join(load->within, ", "));
}

}  // namespace scree
