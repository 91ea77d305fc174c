/// Tools that a load moves: what cannot be, each with its remedy.

#include <gtest/gtest.h>

#include <string>

#include "scree/app/config/run_config.hpp"
#include "support/refusal.hpp"

namespace scree {
namespace {

std::string fault_of_plate(const std::string& plate, const std::string& more = "") {
  const std::string yaml = R"(
time: {dt: 1e-3, end: 1}
materials: {stone: {density: 2600}}
friction: [{between: [stone, stone], mu: 0.4}]
bodies: {one: {material: stone, radii: {type: list, values: [0.01]}, place: {type: points, positions: [[0, 0, 0]]}}}
)" + more + "\ntools: {plate: {material: stone, " +
                           plate + "}}\n";
  return test::refusal_of([&] { read_run_config(yaml, "r.yaml"); });
}

void expect_fault(const std::string& plate, const std::string& part, const std::string& more = "") {
  const std::string fault = fault_of_plate(plate, more);
  EXPECT_NE(fault.find(part), std::string::npos) << fault << "\nlacks " << part;
}

const std::string kBox = "shape: {type: box, size: [1, 1, 0.1]}, ";
const std::string kPlane = "shape: {type: plane}, ";
const std::string kDrum = "shape: {type: hollow_cylinder, radius: 1}, ";

TEST(FreeTool, IsTakenWithWhatItNeeds) {
  EXPECT_EQ(fault_of_plate(kBox + "motion: {type: load}"), "(accepted)");
  EXPECT_EQ(fault_of_plate(kBox + "mass: 2, motion: {type: load, force: [0, 0, -1]}"),
            "(accepted)");
  EXPECT_EQ(fault_of_plate(kPlane + "mass: 2, motion: {type: load, free: [z]}"), "(accepted)");
  EXPECT_EQ(fault_of_plate(kDrum + "mass: 2, inertia: [1, 1, 1], motion: {type: load, free: [rz]}",
                           "periodic: {z: [0, 1]}"),
            "(accepted)");
}

TEST(FreeTool, MassIsRefusedWithAPath) {
  expect_fault(kBox + "mass: 2", "tools.plate.mass: is for `motion: {type: load}` alone");
  expect_fault(kBox + "inertia: [1, 1, 1], motion: {type: velocity, velocity: [1, 0, 0]}",
               "tools.plate.inertia: is for `motion: {type: load}` alone");
}

TEST(FreeTool, NeedsAMassAndMoments) {
  expect_fault(kPlane + "motion: {type: load, free: [z]}", "tools.plate.mass: is missing");
  expect_fault(kDrum + "mass: 1, motion: {type: load}", "tools.plate.inertia: is missing");
  expect_fault(kBox + "inertia: [1, 1, 3], motion: {type: load}",
               "tools.plate.inertia: is of no body");
  expect_fault(kBox + "inertia: [1, 1, 0], motion: {type: load}",
               "tools.plate.inertia: is of no body");
}

TEST(FreeTool, DoesNotTurnWithoutEnds) {
  expect_fault(kPlane + "mass: 1, inertia: [1, 1, 1], motion: {type: load}",
               "tools.plate.motion: lets a plane turn");
  expect_fault(kDrum + "mass: 2, inertia: [1, 1, 1], motion: {type: load}",
               "to free no rotation but that about z", "periodic: {z: [0, 1]}");
}

TEST(FreeTool, IsNotPushedAlongWhatIsHeld) {
  expect_fault(kBox + "motion: {type: load, force: [1, 0, 0], free: [z]}",
               "tools.plate.motion.force: acts along x, which is held");
  expect_fault(kBox + "motion: {type: load, torque: [0, t, 0], free: [z]}",
               "tools.plate.motion.torque: acts along ry, which is held");
  expect_fault(kBox + "motion: {type: load, free: []}", "tools.plate.motion.free: frees nothing");
  expect_fault(kBox + "motion: {type: load, force: [0, 0, x]}", "tools.plate.motion.force");
}

TEST(FreeTool, NeedsInertia) {
  expect_fault(kBox + "motion: {type: load}", "plate: a load moves it against its mass",
               "dynamics: overdamped\nfluid: {viscosity: 1e-3}\n");
}

}  // namespace
}  // namespace scree
