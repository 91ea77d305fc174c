#include "scree/loads/drag.hpp"

#include <array>
#include <boost/math/special_functions/ellint_rd.hpp>
#include <boost/math/special_functions/ellint_rf.hpp>
#include <numbers>

#include "scree/geometry/shapes/ellipsoid.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"
#include "scree/geometry/shapes/sphere.hpp"

namespace scree {
namespace {

constexpr double kPi = std::numbers::pi;

Resistance resistance_of_ball(double radius) {
  return {.linear = Vec3::Constant(6.0 * kPi * radius),
          .angular = Vec3::Constant(8.0 * kPi * radius * radius * radius)};
}

/// The integrals are Carlson's: chi / (a_1 a_2 a_3) = 2 R_F, alpha_i / (a_1 a_2 a_3) = 2/3 R_D with
/// a_i^2 last.
Resistance resistance_of_ellipsoid(const Vec3& axes) {
  const Vec3 square = axes.cwiseAbs2();
  const double chi = 2.0 * boost::math::ellint_rf(square.x(), square.y(), square.z());
  Vec3 weighted;  // alpha_i a_i^2 / (a_1 a_2 a_3)
  for (int i = 0; i < 3; ++i) {
    const double integral =
        boost::math::ellint_rd(square[(i + 1) % 3], square[(i + 2) % 3], square[i]);
    weighted[i] = 2.0 / 3.0 * square[i] * integral;
  }
  Resistance result;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    const int k = (i + 2) % 3;
    const double sum = square[j] + square[k];
    result.linear[i] = 16.0 * kPi / (chi + weighted[i]);
    result.angular[i] = 16.0 * kPi * sum / (3.0 * (weighted[j] + weighted[k]));
    result.straining[i] = (square[j] - square[k]) / sum;
  }
  return result;
}

}  // namespace

std::optional<Resistance> stokes_resistance(const Shape& shape) {
  if (const auto* ball = shape.get_if<Sphere>()) return resistance_of_ball(ball->radius);
  if (const auto* ellipsoid = shape.get_if<Ellipsoid>()) {
    return resistance_of_ellipsoid(ellipsoid->axes());
  }
  return std::nullopt;
}

Resistance local_resistance(const Shape& shape, const ShapeLibrary& shapes) {
  const Box3 box = box_of(shape, Pose{}, shapes);
  const double length = (box.high - box.low).maxCoeff();
  return {.linear = Vec3::Constant(length),
          .angular = Vec3::Constant(length * length * length / 12.0)};
}

}  // namespace scree
