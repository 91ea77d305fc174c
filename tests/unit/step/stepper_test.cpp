#include "scree/step/stepper.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "scree/base/check.hpp"
#include "scree/geometry/shapes/box.hpp"
#include "scree/geometry/shapes/capsule.hpp"
#include "scree/geometry/shapes/ellipsoid.hpp"
#include "scree/geometry/shapes/sphere.hpp"
#include "scree/step/inertial.hpp"
#include "scree/step/overdamped.hpp"

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

/// A step without contacts; @p load on each grain.
void free_step(Store& store, const Stepper& stepper, double dt, const Load& load = {}) {
  const Loads loads(std::vector(static_cast<std::size_t>(store.n_owned), load));
  predict(store, stepper, loads, dt);
  const petsc::Vector v =
      free_velocities(PETSC_COMM_SELF, store, stepper, loads, store.n_owned, dt);
  EXPECT_EQ(store.free_velocity[0], Vec3(petsc::ConstView(v.get()).data()));
  advance(PETSC_COMM_SELF, store, v.get(), dt);
}

void free_step(Store& store, const Vec3& gravity, double dt) {
  free_step(store, Inertial(gravity), dt);
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
  const petsc::Vector v = petsc::make_vector(PETSC_COMM_SELF, 6);
  Vec3::Map(petsc::View(v.get()).data() + 3) = spin;
  for (int i = 0; i < steps; ++i) advance(PETSC_COMM_SELF, store, v.get(), dt);
  EXPECT_NEAR(store.orientation[0].norm(), 1.0, 1e-15);
  const Quat exact(Eigen::AngleAxisd(spin.norm() * dt * steps, spin.normalized()));
  EXPECT_LT(store.orientation[0].angularDistance(exact), 1e-9);
}

TEST(Stepper, HeldDegreesOfFreedomFeelNoForce) {
  Store store = one_ball(Vec3(0.5, 0.0, 0.0), Vec3::Zero(), kFixZ | kFixRotation);
  free_step(store, Vec3(1.0, 0.0, -9.81), 0.1);
  EXPECT_DOUBLE_EQ(store.velocity[0].x(), 0.6);
  EXPECT_EQ(store.velocity[0].z(), 0.0);
  store.angular_velocity[0] = Vec3(0, 0, 2);
  Vec6 load;
  load << 0, 0, 5, 0, 0, 7;
  free_step(store, Overdamped(Vec3::Zero(), {.viscosity = 1.0}), 0.1, {load});
  EXPECT_EQ(store.velocity[0], Vec3::Zero());  // free ones stop, z is held
  EXPECT_EQ(store.angular_velocity[0], Vec3(0, 0, 2));
}

/// Drag coefficients of the ball of one_ball() in a fluid of 0.5 Pa s.
constexpr double kDrag = 6.0 * std::numbers::pi * 0.5 * 0.1;
constexpr double kTurningDrag = 8.0 * std::numbers::pi * 0.5 * 0.001;

// v = U + F / (6 pi eta r), omega = W + T / (8 pi eta r^3), whatever the ball's velocity was: to
// the rounding of 1 m/s and of 50 rad/s over a small moment.
TEST(Stepper, OverdampedBallsFollowMobilityAndFlow) {
  Store store = one_ball(Vec3(9, 9, 9), Vec3(9, 9, 9));
  Vec6 force;
  force << 1, -2, 3, 0.4, -0.5, 0.6;
  Vec6 flow;
  flow << 0.1, 0.2, 0.3, 1, 2, 3;
  free_step(store, Overdamped(Vec3::Zero(), {.viscosity = 0.5}), 0.1, {force, flow});
  EXPECT_LT((store.velocity[0] - flow.head<3>() - force.head<3>() / kDrag).norm(), 1e-14);
  EXPECT_LT((store.angular_velocity[0] - flow.tail<3>() - force.tail<3>() / kTurningDrag).norm(),
            1e-11);
}

// Implicit drag: each step divides the distance to the speed of settling by 1 + dt c / m.
TEST(Stepper, ABallInAFluidSettlesAtStokesSpeed) {
  Store store = one_ball(Vec3::Zero(), Vec3(0, 0, 1));
  const double mass = store.mass[0];
  const double dt = 0.1;
  const Inertial stepper(Vec3(0, 0, -9.81), {.viscosity = 0.5, .density = 600.0});
  const double settled = -0.4 * mass * 9.81 / kDrag;  // 1 - 600/1000 of its weight
  double turning = 1.0;
  double left = 1.0;
  for (int i = 0; i < 100; ++i) {
    free_step(store, stepper, dt);
    left /= 1.0 + dt * kDrag / mass;
    turning /= 1.0 + dt * kTurningDrag / store.inertia[0].x();
    EXPECT_NEAR(store.velocity[0].z() / settled, 1.0 - left, 1e-12);
    EXPECT_NEAR(store.angular_velocity[0].z(), turning, 1e-12);
  }
  EXPECT_LT(left, 0.2);
}

TEST(Stepper, DragAddsToTheMassOrTakesItsPlace) {
  const Store store = one_ball(Vec3::Zero(), Vec3::Zero());
  const double dt = 0.25;
  const Medium oil{.viscosity = 0.5};
  const BodyInertia alone = Inertial(Vec3::Zero()).apparent_inertia(store, 0, dt);
  EXPECT_EQ(alone.masses, Vec3::Constant(store.mass[0]));
  EXPECT_EQ(alone.moments, store.inertia[0]);
  const BodyInertia dragged = Inertial(Vec3::Zero(), oil).apparent_inertia(store, 0, dt);
  EXPECT_DOUBLE_EQ(dragged.masses.x(), store.mass[0] + dt * kDrag);
  EXPECT_DOUBLE_EQ(dragged.moments.z(), store.inertia[0].z() + dt * kTurningDrag);
  const BodyInertia damped = Overdamped(Vec3::Zero(), oil).apparent_inertia(store, 0, dt);
  EXPECT_DOUBLE_EQ(damped.masses.x(), dt * kDrag);
  EXPECT_DOUBLE_EQ(damped.moments.z(), dt * kTurningDrag);
}

// A problem's M^-1 and v_free are of one step: under an impulse p the velocity is v_free + M^-1 p,
// which is v_free of the same step under the force p/dt besides, whatever the stepper. To rounding.
TEST(Stepper, AnImpulseIsAForceOverTheStep) {
  const double dt = 0.05;
  const Medium oil{.viscosity = 0.5, .density = 600.0};
  const Vec3 gravity(0, 0, -9.81);
  Store turned;
  append_grain(turned, {.id = 0,
                        .orientation = Quat(Eigen::AngleAxisd(0.8, Vec3(1, -2, 3).normalized())),
                        .velocity = Vec3(1, 2, 3),
                        .angular_velocity = Vec3(4, 5, 6),
                        .shape = Ellipsoid{{0.1, 0.2, 0.3}},
                        .density = 1000.0});
  Store held = turned;
  held.fixed[0] = kFixY | kFixRotationX;
  const Inertial inertial(gravity, oil);
  const Overdamped overdamped(gravity, oil);
  Vec6 impulse;
  impulse << 0.1, -0.2, 0.3, 0.01, 0.02, -0.03;
  for (const Store& store : {one_ball(Vec3(1, 2, 3), Vec3(4, 5, 6)), turned, held}) {
    for (const Stepper* stepper :
         {static_cast<const Stepper*>(&inertial), static_cast<const Stepper*>(&overdamped)}) {
      const BodyInertia inertia = stepper->apparent_inertia(store, 0, dt);
      const auto free = [&](const Load& load) {
        return with_held(store, 0, stepper->free_velocity(store, 0, load, dt));
      };
      const Vec6 expected = free({}) + inverse_mass_of(store, 0, inertia) * impulse;
      const Vec6 v = free({.force = impulse / dt});
      EXPECT_LT((v - expected).norm(), 1e-13 * expected.norm());
    }
  }
}

// With the tensor of drag C of an ellipsoid that lies askew: (m + dt C) (v+ - v) = dt (F + C (U -
// v)), row by row but for those of held degrees of freedom, whose velocities stay. To rounding.
TEST(Stepper, DragOfAnEllipsoidIsImplicit) {
  const double dt = 0.5;
  const Medium oil{.viscosity = 0.5};
  const Quat turn(Eigen::AngleAxisd(0.8, Vec3(1, -2, 3).normalized()));
  Store store;
  append_grain(store, {.id = 0,
                       .orientation = turn,
                       .velocity = Vec3(1, 2, 3),
                       .shape = Ellipsoid{{0.01, 0.02, 0.03}},
                       .density = 1000.0});
  const Mat3 r = turn.toRotationMatrix();
  const Mat3 drag =
      r * (0.5 * stokes_resistance(store.shape[0])->linear).asDiagonal() * r.transpose();
  Load load;
  load.force << 0.3, -0.1, 0.2, 0, 0, 0;
  load.flow << 0.5, 0.25, -1, 0, 0, 0;
  const Mat3 mass = store.mass[0] * Mat3::Identity() + dt * drag;
  for (const bool fixed : {false, true}) {
    store.fixed[0] = fixed ? std::uint8_t{kFixY} : std::uint8_t{0};
    const Vec6 v =
        with_held(store, 0, Inertial(Vec3::Zero(), oil).free_velocity(store, 0, load, dt));
    const Vec3 before = store.velocity[0];
    Vec3 error = mass * (v.head<3>() - before) -
                 dt * (load.force.head<3>() + drag * (load.flow.head<3>() - before));
    if (fixed) {
      EXPECT_EQ(v.y(), before.y());
      error.y() = 0.0;
    }
    EXPECT_LT(error.norm(), 1e-14 * (mass * before).norm());
    const Vec6 w =
        with_held(store, 0, Overdamped(Vec3::Zero(), oil).free_velocity(store, 0, load, dt));
    Vec3 balance = load.force.head<3>() + drag * (load.flow.head<3>() - w.head<3>());
    if (fixed) balance.y() = 0.0;
    EXPECT_LT(balance.norm(), 1e-14 * load.force.norm());
  }
}

TEST(Stepper, AFreeVelocityBeyondNumbersIsRefused) {
  Store store = one_ball(Vec3::Zero(), Vec3::Zero());
  const Vec6 force = 1e308 * Vec6::Ones();
  EXPECT_THROW(free_step(store, Inertial(Vec3::Zero()), 1e9, {force}), InputError);
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

Store one_tumbling(const Shape& shape, const Vec3& spin) {
  Store store;
  append_grain(store, {.id = 1, .angular_velocity = spin, .shape = shape, .density = 2600.0});
  return store;
}

double spin_energy(const Store& store) {
  const Vec3 w = store.orientation[0].conjugate() * store.angular_velocity[0];
  return 0.5 * w.dot(store.inertia[0].cwiseProduct(w));
}

// Up to a turn of 0.6 rad a step: the energy of a free body never grows, rounding aside, whatever
// its shape.
TEST(Stepper, WhatTumblesGainsNoEnergy) {
  for (const Shape& shape : {Shape(Ellipsoid{{0.016, 0.01, 0.007}}), Shape(Capsule{0.006, 0.02}),
                             Shape(Box{{0.03, 0.003, 0.01}})}) {
    for (const Vec3& spin : {Vec3(20, 0, 100), Vec3(100, 100, 100), Vec3(0.1, 300, 0.1)}) {
      Store store = one_tumbling(shape, spin);
      double before = spin_energy(store);
      for (int k = 0; k < 2000; ++k) {
        free_step(store, Vec3::Zero(), 2e-3);
        const double now = spin_energy(store);
        ASSERT_LE(now, before * (1.0 + 1e-12)) << k;
        before = now;
      }
    }
  }
}

// A symmetric top: in its frame the spin across the axis turns at (I_3 - I_1)/I_1 w_3. Of first
// order in dt.
TEST(Stepper, ASymmetricTopPrecesses) {
  const Vec3 spin(1.0, 0.0, 10.0);
  const double t = 0.5;
  double error[2] = {};
  for (int n = 0; n < 2; ++n) {
    const int steps = n == 0 ? 1000 : 2000;
    Store store = one_tumbling(Capsule{0.006, 0.02}, spin);
    for (int k = 0; k < steps; ++k) free_step(store, Vec3::Zero(), t / steps);
    const Vec3& inertia = store.inertia[0];
    const double angle = (inertia.z() - inertia.x()) / inertia.x() * spin.z() * t;
    const Vec3 exact(std::cos(angle), std::sin(angle), spin.z());
    error[n] = (store.orientation[0].conjugate() * store.angular_velocity[0] - exact).norm();
  }
  EXPECT_LT(error[0], 0.05);
  EXPECT_NEAR(error[0] / error[1], 2.0, 0.1);
}

// About an axis that bearings hold a body has one moment of inertia, however it stands askew: its
// spin stays. To rounding of 1,000 steps.
TEST(Stepper, ARotorAskewInItsBearingsKeepsItsSpin) {
  Store store;
  append_grain(store, {.id = 1,
                       .orientation = Quat(Eigen::AngleAxisd(0.6, Vec3(1, 2, 0).normalized())),
                       .angular_velocity = Vec3(0, 0, 50),
                       .shape = Box{{0.03, 0.003, 0.01}},
                       .density = 2600.0,
                       .fixed = kFixX | kFixY | kFixZ | kFixRotationX | kFixRotationY});
  for (int k = 0; k < 1000; ++k) free_step(store, Vec3::Zero(), 2e-3);
  EXPECT_LT((store.angular_velocity[0] - Vec3(0, 0, 50)).norm(), 1e-11);
}

// A bearing that holds one rotation lets the body turn about two axes and bears the rest: as in a
// free body, the torque of turning takes no energy out of what it does not give back. Rounding
// aside, up to a turn of 0.6 rad a step.
TEST(Stepper, WhatTumblesInABearingGainsNoEnergy) {
  for (const std::uint8_t held : {kFixRotationX, kFixRotationY, kFixRotationZ}) {
    for (const Vec3& spin : {Vec3(20, 0, 100), Vec3(100, 100, 100), Vec3(0.1, 300, 0.1)}) {
      Store store = one_tumbling(Box{{0.03, 0.003, 0.01}}, spin);
      store.orientation[0] = Quat(Eigen::AngleAxisd(0.6, Vec3(1, 2, 0).normalized()));
      store.fixed[0] = held;
      for (int k = 0; k < 3; ++k) {
        if (is_held(store, 0, 3 + k)) store.angular_velocity[0][k] = 0.0;
      }
      double before = spin_energy(store);
      for (int k = 0; k < 2000; ++k) {
        free_step(store, Vec3::Zero(), 2e-3);
        const double now = spin_energy(store);
        ASSERT_LE(now, before * (1.0 + 1e-12)) << "bearing " << int{held} << ", step " << k;
        before = now;
      }
    }
  }
}

// The same body about the same two axes in steps of a tenth: an error of first order in dt, against
// a step so short that its own is a hundredth of it.
TEST(Stepper, TumblingInABearingIsFirstOrder) {
  const auto spin_after = [](int steps) {
    Store store = one_tumbling(Box{{0.03, 0.003, 0.01}}, Vec3(5, 8, 0));
    store.orientation[0] = Quat(Eigen::AngleAxisd(0.6, Vec3(1, 2, 0).normalized()));
    store.fixed[0] = kFixRotationZ;
    for (int k = 0; k < steps; ++k) free_step(store, Vec3::Zero(), 0.1 / steps);
    return Vec3(store.angular_velocity[0]);
  };
  const Vec3 exact = spin_after(100'000);
  const double coarse = (spin_after(500) - exact).norm();
  const double fine = (spin_after(1000) - exact).norm();
  EXPECT_GT(coarse, 1e-4);
  EXPECT_NEAR(coarse / fine, 2.0, 0.1);
}

// A needle of 1:60 askew in a bearing, spinning about its length: what the bearing leaves of the
// gyroscopic torque is far below rounding of its largest moment, and acts all the same. Bound: the
// error of first order above.
TEST(Stepper, ANeedleInABearingFeelsItsGyroscopicTorque) {
  const auto spin_after = [](int steps) {
    Store store = one_tumbling(Box{{0.06, 0.001, 0.001}}, Vec3::Zero());
    store.orientation[0] = Quat(Eigen::AngleAxisd(1e-2, Vec3::UnitZ()));
    store.fixed[0] = kFixRotationZ;
    store.angular_velocity[0] = Vec3(300, 0, 0);
    for (int k = 0; k < steps; ++k) free_step(store, Vec3::Zero(), 1e-2 / steps);
    return Vec3(store.angular_velocity[0]);
  };
  const Vec3 exact = spin_after(20'000);
  ASSERT_GT((exact - Vec3(300, 0, 0)).norm(), 1e-3);
  const double coarse = (spin_after(100) - exact).norm();
  const double fine = (spin_after(200) - exact).norm();
  EXPECT_LT(coarse, 0.5 * (exact - Vec3(300, 0, 0)).norm());
  EXPECT_NEAR(coarse / fine, 2.0, 0.2);
}

}  // namespace
}  // namespace scree
