#include "scree/joints/joint_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>

#include "scree/config/declaration.hpp"
#include "scree/joints/joint_frame.hpp"

namespace scree {

std::optional<GrainName> grain_name(std::string_view name) {
  const std::size_t open = name.find('[');
  if (open == 0 || open == std::string_view::npos || !name.ends_with(']')) return std::nullopt;
  const std::string_view digits = name.substr(open + 1, name.size() - open - 2);
  GrainName grain{.group = std::string(name.substr(0, open))};
  const auto [end, error] = std::from_chars(digits.begin(), digits.end(), grain.index);
  if (error != std::errc() || end != digits.end() || grain.index < 0) return std::nullopt;
  return grain;
}

void JointSpec::declare(Declaration& d) {
  d.texts(
      "between", between,
      {.help =
           "the two bodies: names of tools, `GROUP[I]` for the I-th grain of a group, counted from "
           "0, or `world`"});
  d.name_of("bodies", "chain", chain,
            {.help = "in place of `between`: a group, each of whose grains is joined to the next"});
  d.flag("contact", contact, {.help = "whether the joined bodies meet each other, too"});
  d.one_of("", type, {.help = "what is held"});
  d.require("between", between.empty() != chain.empty(),
            "or `chain` says what is joined, and one of the two is to stand here");
  d.require("between", between.empty() || (between.size() == 2 && between[0] != between[1]),
            "is to name two bodies");
}

std::string_view JointSpec::type_name() const {
  return std::visit([](const auto& one) { return one.kType; }, type);
}

std::span<const Coordinate> JointSpec::free() const {
  return std::visit([](const auto& one) { return std::span<const Coordinate>(one.kFree); }, type);
}

double JointSpec::largest_swing() const {
  const auto* const ball = std::get_if<BallJoint>(&type);
  const bool is_bounded = ball != nullptr && ball->swing.limit > 0.0;
  return is_bounded ? ball->swing.limit : std::numeric_limits<double>::infinity();
}

const CoordinateSpec& JointSpec::along(Coordinate coordinate) const {
  return std::visit(
      [coordinate](const auto& one) -> const CoordinateSpec& {
        static const CoordinateSpec kNone;
        if constexpr (requires { one.slide; }) {
          if (coordinate == Coordinate::slide) return one.slide;
        }
        if constexpr (requires { one.turn; }) {
          if (coordinate == Coordinate::turn) return one.turn;
        }
        if constexpr (requires { one.stretch; }) {
          if (coordinate == Coordinate::stretch) return one.stretch;
        }
        return kNone;
      },
      type);
}

std::string name_of(const JointSpec& spec, std::int64_t link) {
  return spec.chain.empty() ? spec.name : fmt::format("{}[{}]", spec.name, link);
}

namespace {

JointPlace place_by(const JointPoint& point, const Vec3& centre_a, const Vec3& centre_b) {
  const Vec3 at =
      point.position.empty() ? Vec3(0.5 * (centre_a + centre_b)) : Vec3(point.position.data());
  return {.point_a = at, .point_b = at};
}

JointPlace place_by(const JointAxis& place, const Vec3& centre_a, const Vec3& centre_b) {
  JointPlace at = place_by(place.point, centre_a, centre_b);
  at.axes = axes_about(place.axis);
  return at;
}

JointPlace place_by(const JointPoints& place, const Vec3& centre_a, const Vec3& centre_b) {
  if (place.points.empty()) return {.point_a = centre_a, .point_b = centre_b};
  return {.point_a = place.points[0], .point_b = place.points[1]};
}

bool is_open(const JointPoint& place) {
  return place.position.empty();
}
bool is_open(const JointAxis& place) {
  return place.point.position.empty();
}
bool is_open(const JointPoints& place) {
  return place.points.empty();
}

}  // namespace

JointPlace place_of(const JointSpec& joint, const Vec3& centre_a, const Vec3& centre_b) {
  return std::visit([&](const auto& one) { return place_by(one.place, centre_a, centre_b); },
                    joint.type);
}

double reach_of(const JointSpec& joint, const JointFrame& frame) {
  double reach = frame.distance;
  for (const Coordinate coordinate : joint.free()) {
    if (coordinate == Coordinate::turn) continue;
    const std::vector<double>& limits = joint.along(coordinate).limits;
    reach +=
        limits.empty() ? std::numeric_limits<double>::infinity() : std::max(-limits[0], limits[1]);
  }
  return reach;
}

CoordinatePlace place_along(Coordinate coordinate, const JointEnds& ends, double turn_before) {
  CoordinatePlace at{.row = coordinate_row(coordinate, ends),
                     .per_unit = row_per_unit(coordinate, ends)};
  at.place = at.row.value / at.per_unit;
  if (coordinate == Coordinate::turn) {
    at.place = turn_before + std::remainder(at.place - turn_before, 2.0 * std::numbers::pi);
  }
  return at;
}

double misfit_of(const JointSpec& joint, const JointEnds& ends) {
  return std::visit(
      [&ends](const auto& one) {
        double largest = 0.0;
        for (const JointRow& row : one.rows(ends)) largest = std::max(largest, std::abs(row.value));
        return largest;
      },
      joint.type);
}

bool is_placed_by_centres(const JointSpec& joint) {
  return std::visit([](const auto& one) { return is_open(one.place); }, joint.type);
}

}  // namespace scree
