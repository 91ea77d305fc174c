#pragma once

/// Simultaneous impacts of tests and benches: balls that touch, walls, and random rigid bodies.

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "scree/impact/impact_problem.hpp"

namespace scree::test {

struct Ball {
  Vec3 centre;
  double radius = 1.0;
  double mass = 1.0;
  Vec3 velocity = Vec3::Zero();
  Vec3 spin = Vec3::Zero();
};

/// The side of @p point that @p normal shows to is free.
struct Wall {
  Vec3 point;
  Vec3 normal;
  Vec3 velocity = Vec3::Zero();
};

/// Normal and two tangents.
inline Mat3 frame_of(const Vec3& normal) {
  Mat3 frame;
  frame.row(0) = normal;
  frame.row(1) = normal.unitOrthogonal();
  frame.row(2) = normal.cross(normal.unitOrthogonal());
  return frame;
}

/// Rows of a body whose contact point is @p arm away from its centre; @p side is 1 for the first
/// body, -1 for the second.
inline ImpactRows rows_of(const Mat3& frame, const Vec3& arm, double side) {
  ImpactRows rows;
  rows.leftCols<3>() = side * frame;
  rows.rightCols<3>() = -side * frame * skew(arm);
  return rows;
}

inline ImpactBody body_of(const Ball& ball) {
  ImpactBody body;
  body.inverse_mass.diagonal().head<3>().setConstant(1.0 / ball.mass);
  body.inverse_mass.diagonal().tail<3>().setConstant(2.5 / (ball.mass * ball.radius * ball.radius));
  body.velocity << ball.velocity, ball.spin;
  return body;
}

/// The contacts of balls and walls that touch, within 1e-9 of a unit.
inline ImpactProblem touching(const std::vector<Ball>& balls, const std::vector<Wall>& walls = {}) {
  constexpr double kTouch = 1e-9;
  ImpactProblem problem;
  for (std::size_t a = 0; a < balls.size(); ++a) {
    problem.bodies.push_back(body_of(balls[a]));
    problem.bodies.back().id = static_cast<std::int64_t>(a);
    const auto self = static_cast<std::int32_t>(a);
    for (const Wall& wall : walls) {
      if ((balls[a].centre - wall.point).dot(wall.normal) > balls[a].radius + kTouch) continue;
      ImpactContact contact;
      contact.body = {self, -1};
      contact.rows[0] = rows_of(frame_of(wall.normal), -balls[a].radius * wall.normal, 1.0);
      contact.bias = -frame_of(wall.normal) * wall.velocity;
      problem.contacts.push_back(contact);
    }
    for (std::size_t b = a + 1; b < balls.size(); ++b) {
      const Vec3 between = balls[a].centre - balls[b].centre;
      if (between.norm() > balls[a].radius + balls[b].radius + kTouch) continue;
      const Vec3 normal = between.normalized();
      ImpactContact contact;
      contact.body = {self, static_cast<std::int32_t>(b)};
      contact.rows[0] = rows_of(frame_of(normal), -balls[a].radius * normal, 1.0);
      contact.rows[1] = rows_of(frame_of(normal), balls[b].radius * normal, -1.0);
      problem.contacts.push_back(contact);
    }
  }
  return problem;
}

/// Newton's cradle along x: balls of these masses and velocities, each touching the next.
inline ImpactProblem cradle(const std::vector<double>& masses,
                            const std::vector<double>& velocities) {
  std::vector<Ball> balls;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    balls.push_back(
        {Vec3(2.0 * static_cast<double>(i), 0, 0), 1.0, masses[i], Vec3(velocities[i], 0, 0)});
  }
  return touching(balls);
}

/// Fig. 2: @p n balls side by side between two walls that touch the outer ones, all with @p
/// velocity.
inline ImpactProblem between_walls(std::size_t n, const Vec3& velocity) {
  std::vector<Ball> balls;
  for (std::size_t i = 0; i < n; ++i) {
    balls.push_back({Vec3(2.0 * static_cast<double>(i), 0, 0), 1.0, 1.0, velocity});
  }
  const double right = 2.0 * static_cast<double>(n) - 1.0;
  return touching(balls, {{Vec3(-1, 0, 0), Vec3::UnitX()}, {Vec3(right, 0, 0), -Vec3::UnitX()}});
}

/// Fig. 3: a ball in a wedge of @p angle whose normals are (0, 1) and (sin angle, -cos angle),
/// moving along the bisector of neither: (-0.6, -0.8).
inline ImpactProblem wedge(double angle) {
  const Vec3 up(0, 1, 0);
  const Vec3 down(std::sin(angle), -std::cos(angle), 0);
  return touching({{Vec3::Zero(), 1.0, 1.0, Vec3(-0.6, -0.8, 0)}}, {{-up, up}, {-down, down}});
}

/// Fig. 1, in the plane: a plug of @p rows rows of @p columns balls that fill a shaft from wall to
/// wall, hit from below between the two balls in the middle. @pre an even number of columns.
inline ImpactProblem geyser(std::size_t columns, std::size_t rows) {
  std::vector<Ball> balls;
  for (std::size_t j = 0; j < rows; ++j) {
    for (std::size_t i = 0; i < columns; ++i) {
      balls.push_back({Vec3(2.0 * static_cast<double>(i), 2.0 * static_cast<double>(j), 0)});
    }
  }
  const double middle = static_cast<double>(columns) - 1.0;
  balls.push_back({Vec3(middle, -std::sqrt(3.0), 0), 1.0, 1.0, Vec3(0, 1, 0)});
  return touching(
      balls, {{Vec3(-1, 0, 0), Vec3::UnitX()}, {Vec3(2.0 * middle + 1.0, 0, 0), -Vec3::UnitX()}});
}

/// Fifteen balls in a triangle about the x axis, and the cue ball that hits its tip along x: the
/// last one.
inline ImpactProblem pool_break() {
  std::vector<Ball> balls;
  for (int row = 0; row < 5; ++row) {
    for (int i = 0; i <= row; ++i) {
      balls.push_back({Vec3(std::sqrt(3.0) * row, 2.0 * i - row, 0)});
    }
  }
  balls.push_back({Vec3(-2, 0, 0), 1.0, 1.0, Vec3(1, 0, 0)});
  return touching(balls);
}

inline Vec3 random_direction(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  Vec3 direction(normal(random), normal(random), normal(random));
  return direction.normalized();
}

/// A rigid body with random velocity, masses over two decades and principal moments of a random
/// box.
inline ImpactBody random_body(std::mt19937_64& random) {
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  const double mass = std::pow(10.0, 2.0 * unit(random) - 1.0);
  const Vec3 sides(0.5 + unit(random), 0.5 + unit(random), 0.5 + unit(random));
  const Vec3 squares = sides.cwiseAbs2();
  const Vec3 moments = mass / 12.0 * (Vec3::Constant(squares.sum()) - squares);
  const Mat3 turn =
      Eigen::AngleAxisd(6.0 * unit(random), random_direction(random)).toRotationMatrix();
  ImpactBody body;
  body.inverse_mass.diagonal().head<3>().setConstant(1.0 / mass);
  body.inverse_mass.bottomRightCorner<3, 3>() =
      turn * moments.cwiseInverse().asDiagonal() * turn.transpose();
  body.velocity << random_direction(random), random_direction(random);
  return body;
}

/// A contact of body @p a with @p b, or with a wall where that is negative, at points half a unit
/// off the centres.
inline ImpactContact random_contact(std::mt19937_64& random, std::int32_t a, std::int32_t b) {
  const Mat3 frame = frame_of(random_direction(random));
  ImpactContact contact;
  contact.body = {a, b};
  contact.rows[0] = rows_of(frame, 0.5 * random_direction(random), 1.0);
  if (b >= 0) contact.rows[1] = rows_of(frame, 0.5 * random_direction(random), -1.0);
  return contact;
}

/// @p n contacts of random rigid bodies, one body for one to twelve contacts, one contact in ten
/// with a wall. Where
/// @p degenerate, the last of them opposes the first exactly, as the second of two parallel walls.
inline ImpactProblem random_impact(std::mt19937_64& random, std::size_t n, bool degenerate) {
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  const auto n_bodies =
      static_cast<std::int32_t>(2.0 + static_cast<double>(n) / (1.0 + 11.0 * unit(random)));
  ImpactProblem problem;
  for (std::int32_t b = 0; b < n_bodies; ++b) {
    problem.bodies.push_back(random_body(random));
    problem.bodies.back().id = b;
  }
  for (std::size_t i = 0; i < n; ++i) {
    const auto a = static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(n_bodies));
    auto b = static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(n_bodies - 1));
    if (b >= a) ++b;
    problem.contacts.push_back(random_contact(random, a, unit(random) < 0.1 ? -1 : b));
  }
  if (degenerate) {
    problem.contacts.back() = problem.contacts.front();
    for (ImpactRows& rows : problem.contacts.back().rows) rows = -rows;
  }
  return problem;
}

/// Kinetic energy, J. @pre no degree of freedom is held.
inline double energy_of(const ImpactProblem& problem, const ImpactVelocities& velocity) {
  double energy = 0.0;
  for (std::size_t b = 0; b < velocity.size(); ++b) {
    energy += 0.5 * velocity[b].dot(problem.bodies[b].inverse_mass.inverse() * velocity[b]);
  }
  return energy;
}

}  // namespace scree::test
