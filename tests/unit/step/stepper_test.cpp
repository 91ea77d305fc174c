#include "scree/step/stepper.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace scree {
namespace {

Store one_ball(const Vec3& velocity, const Vec3& spin, std::uint8_t fixed = 0) {
  Store store;
  append_grain(store, {.id = 1,
                       .velocity = velocity,
                       .angular_velocity = spin,
                       .shape = Sphere{0.1},
                       .density = 1000.0,
                       .fixed = fixed});
  return store;
}

void free_step(Store& store, const Vec3& gravity, double dt) {
  const petsc::Vector v = predict(PETSC_COMM_SELF, store, gravity, dt);
  advance(store, v.get(), dt);
}

// Implicit Euler: v(t) = v0 + g t exactly, x(t) = x0 + v0 t + g t^2/2 + g t dt/2 (a sum of n
// terms).
TEST(Stepper, FreeFlightHasExactVelocityAndFirstOrderPosition) {
  const Vec3 gravity(0.0, 0.0, -9.81);
  const double dt = 1e-3;
  const Vec3 v0(1.0, 0.0, 2.0);
  Store store = one_ball(v0, Vec3::Zero());
  const int steps = 1000;
  for (int i = 0; i < steps; ++i) free_step(store, gravity, dt);
  const double t = steps * dt;
  EXPECT_LT((store.velocity[0] - (v0 + t * gravity)).norm(), 1e-8);
  const Vec3 exact = t * v0 + 0.5 * t * t * gravity;
  EXPECT_LT((store.position[0] - exact - 0.5 * t * dt * gravity).norm(), 1e-8);
}

// exp(dt omega) is exact for a constant spin: after 1e6 steps the angle is omega t, up to the
// rounding of 1e6 products of size 1e-16 each (1e-10), and the length is one to rounding.
TEST(Stepper, QuaternionsStayUnitAfterAMillionSteps) {
  const Vec3 spin(0.3, -0.2, 0.9);
  Store store = one_ball(Vec3::Zero(), spin);
  const double dt = 1e-3;
  const int steps = 1'000'000;
  const petsc::Vector v = predict(PETSC_COMM_SELF, store, Vec3::Zero(), dt);
  for (int i = 0; i < steps; ++i) advance(store, v.get(), dt);
  EXPECT_NEAR(store.orientation[0].norm(), 1.0, 1e-15);
  const Quat exact(Eigen::AngleAxisd(spin.norm() * dt * steps, spin.normalized()));
  EXPECT_LT(store.orientation[0].angularDistance(exact), 1e-9);
}

TEST(Stepper, HeldDegreesOfFreedomFeelNoForce) {
  Store store = one_ball(Vec3(0.5, 0.0, 0.0), Vec3::Zero(), kFixZ | kFixRotation);
  free_step(store, Vec3(1.0, 0.0, -9.81), 0.1);
  EXPECT_DOUBLE_EQ(store.velocity[0].x(), 0.6);
  EXPECT_EQ(store.velocity[0].z(), 0.0);
}

// A free box keeps its angular momentum; explicit gyroscopic torque is first order in dt, so the
// error halves with dt (ratio within 10 %).
TEST(Stepper, GyroscopicTorqueIsFirstOrder) {
  auto drift = [](double dt) {
    Store store;
    append_grain(store, {.id = 1,
                         .angular_velocity = Vec3(1.0, 5.0, 0.5),
                         .shape = Box{{0.1, 0.2, 0.3}},
                         .density = 1000.0});
    const auto momentum = [&store] {
      const Quat& q = store.orientation[0];
      return Vec3(q * store.inertia[0].cwiseProduct(q.conjugate() * store.angular_velocity[0]));
    };
    const Vec3 start = momentum();
    const auto steps = static_cast<int>(std::lround(0.5 / dt));
    for (int i = 0; i < steps; ++i) free_step(store, Vec3::Zero(), dt);
    return (momentum() - start).norm() / start.norm();
  };
  const double coarse = drift(1e-4);
  const double fine = drift(5e-5);
  EXPECT_GT(coarse, 0.0);
  EXPECT_NEAR(coarse / fine, 2.0, 0.2);
}

}  // namespace
}  // namespace scree
