#!/usr/bin/python3
"""Joints and motors as a user says them: joints.csv, examples, restarts, and what is refused."""

import csv
import unittest
from pathlib import Path

from cli import DONE, FAILED, WRONG_INPUT, Cli

CONFIGS = Path(__file__).resolve().parents[2] / "configs"

ARM = """\
time: {dt: 1e-3, end: 0.02}
materials: {steel: {density: 7800}}
tools:
  post: {material: steel, shape: {type: box, size: [0.1, 0.1, 1]}, position: [-1, 0, 0]}
  arm: {material: steel, shape: {type: box, size: [0.4, 0.03, 0.03]}, position: [0.2, 0, 0], motion: {type: load}, mass: 2}
joints:
  pin: {type: hinge, between: [arm, post], position: [0, 0, 0], axis: [0, 1, 0]}
motors:
  hold: {joint: pin, type: velocity, velocity: "0"}
solver: {tolerance: 1e-10}
output: {snapshots: {start: false}, checkpoints: {every: 0.01}}
"""


class JointsCli(Cli):

    def rows(self, folder="out"):
        with open(self.folder / folder / "joints.csv") as file:
            return list(csv.DictReader(file))

    def test_a_motor_bears_an_arm(self):
        self.write(ARM)
        self.assert_status(self.scree("run", "run.yaml", "--output", "out", "--quiet"), DONE)
        rows = self.rows()
        self.assertEqual(len(rows), 20)
        self.assertEqual({row["joint"] for row in rows}, {"pin"})
        for row in rows:
            self.assertAlmostEqual(float(row["force_z"]), 2 * 9.81, delta=1e-6)
            self.assertAlmostEqual(float(row["motor"]), -2 * 9.81 * 0.2, delta=1e-6)  # about y, from z to x
            self.assertAlmostEqual(float(row["torque_y"]), float(row["motor"]), delta=1e-6)
            self.assertAlmostEqual(float(row["turn"]), 0, delta=1e-10)

    def test_a_checked_configuration_names_them(self):
        self.write(ARM)
        done = self.scree("check", "run.yaml")
        self.assert_status(done, DONE)
        self.assert_says(done, "pin: hinge between arm and post", "hold: velocity of pin")

    def test_a_restart_may_change_motors_and_not_places(self):
        self.write(ARM)
        self.assert_status(self.scree("run", "run.yaml", "--output", "out", "--quiet"), DONE)
        first = sorted((self.folder / "out/checkpoints").glob("*.h5"))[0]
        moved = self.scree("run", "run.yaml", "--output", "moved", "--restart", str(first), "--quiet",
                           "--set", "joints.pin.position=[0.1, 0, 0]")
        self.assert_status(moved, WRONG_INPUT)
        self.assert_says(moved, "joints.pin.position")
        again = self.scree("run", "run.yaml", "--output", "again", "--restart", str(first), "--quiet",
                           "--set", "motors.hold.velocity=2", "--set", "joints.pin.turn.friction=1")
        self.assert_status(again, DONE)
        self.assertAlmostEqual(float(self.rows("again")[-1]["turn"]), 2 * 0.01, delta=1e-9)

    def test_what_cannot_be_is_refused(self):
        for before, after, words in [
                ("[arm, post]", "[arm, past]", ["\"past\" is no body", "did you mean \"post\""]),
                ("[arm, post]", "[arm]", ["joints.pin.between", "two bodies"]),
                ("[arm, post]", "[post, world]", ["neither post nor world can give way"]),
                ("[arm, post], position: [0, 0, 0]", "[arm, world]", ["has no `position`"]),
                ("axis: [0, 1, 0]", "axis: [0, 0, 0]", ["joints.pin.axis: has no direction"]),
                ("axis: [0, 1, 0]", "axis: [0, 1, 0], turn: {limits: [0.1, 1]}", ["joints.pin.turn.limits"]),
                ("axis: [0, 1, 0]", "axis: [0, 1, 0], turn: {limits: [-1, 1]}", ["hold", "a `largest` force"]),
                ("axis: [0, 1, 0]", "axis: [0, 1, 0], turn: {friction: -1}", ["joints.pin.turn.friction.constant", "at least 0"]),
                ("axis: [0, 1, 0]", "axis: [0, 1, 0], turn: {friction: [1]}", ["joints.pin.turn.friction", "a map of keys"]),
                ("axis: [0, 1, 0]", "axis: [0, 1, 0], turn: {friction: {coefficient: 0.1}}",
                 ["joints.pin.turn.friction.radius", "makes no torque"]),
                ("type: hinge, between: [arm, post], position: [0, 0, 0], axis: [0, 1, 0]",
                 "type: ball, between: [arm, post], position: [0, 0, 0], swing: {limit: 4}", ["joints.pin.swing.limit", "below 3.14"]),
                ("type: hinge", "type: strut, points: [[0, 0, 0], [1, 0, 0]], stretch: {friction: {coefficient: 1}}",
                 ["joints.pin.stretch.friction.coefficient", "unknown key"]),
                ("joint: pin", "joint: pen", ["motors.hold.joint", "pin"]),
                ("joint: pin", "joint: pin, along: slide", ["its `along` is to be turn"]),
                ("velocity: \"0\"", "velocity: \"x\"", ["motors.hold.velocity", "\"x\" at character 1 is unknown"]),
                ("{tolerance: 1e-10}", "{method: ipm}", ["solver: ipm solves", "nsgs"]),
                ("output:", "debug: {fclib: {every: 5}}\noutput:", ["debug", "hold no joints"])]:
            with self.subTest(after):
                self.write(ARM.replace(before, after))
                done = self.scree("run", "run.yaml", "--output", "refused", "--quiet")
                self.assert_says(done, *words)
                self.assert_status(done, WRONG_INPUT)
                self.assertFalse((self.folder / "refused").exists())

    def test_formulas_of_motors_are_looked_at_before_the_run(self):
        stages = "stages:\n  - {name: one, until: {duration: 0.01}}\n  - {name: two, set: {motors.hold.velocity: \"%s\"}}\n"
        for text, words in ((ARM.replace("velocity: \"0\"", "velocity: \"t > 0.01 ? 0 : sqrt(-1)\""), ["motors.hold", "0.0005 s"]),
                            (ARM + stages % "sqrt(-1-t)", ["motors.hold", "finite", 'in the stage "two"'])):
            self.write(text)
            done = self.scree("run", "run.yaml", "--output", "refused", "--quiet")
            self.assert_says(done, *words)
            self.assert_status(done, WRONG_INPUT)
            self.assertFalse((self.folder / "refused").exists())
        self.write(ARM + stages % "0*sqrt(t-0.005)")
        self.assert_status(self.scree("run", "run.yaml", "--output", "out", "--quiet"), DONE)

    def test_a_joint_that_is_not_solved_is_named(self):
        self.write(ARM.replace("joints:", "  tip: {material: steel, shape: {type: sphere, radius: 0.1}, position: [0.6, 0, 0], motion: {type: load}}\n"
                               "joints:\n  elbow: {type: ball, between: [tip, arm], position: [0.4, 0, 0]}")
                   .replace("{tolerance: 1e-10}", "{method: nsgs, tolerance: 1e-14, max_iterations: 1, on_not_converged: warn}"))
        done = self.scree("run", "run.yaml", "--output", "out")
        self.assert_status(done, DONE)
        with open(self.folder / "out/steps.csv") as file:
            steps = [row for row in csv.DictReader(file) if row["status"] != "converged"]
        self.assertTrue(steps)
        for row in steps:
            self.assertIn(row["worst_other"], ("joint pin", "joint elbow", "motor hold"))
            self.assertEqual((row["worst_grain"], row["worst_x"]), ("", ""))
        self.assertRegex((self.folder / "out/run.log").read_text(), "worst (joint|motor) (pin|elbow|hold)")

    def test_a_formula_without_a_value_ends_the_run(self):
        self.write(ARM.replace("velocity: \"0\"", "velocity: \"t < 0.0081 ? 0 : sqrt(-1)\""))
        for ranks in (1, 2):
            done = self.scree("run", "run.yaml", "--output", f"out{ranks}", "--quiet", ranks=ranks)
            self.assert_status(done, FAILED)
            self.assert_says(done, "step 9: ", "motors.hold: \"t < 0.0081 ? 0 : sqrt(-1)\" is", "must have a finite value")

    def test_the_digger_digs(self):
        done = self.scree("run", str(CONFIGS / "digger.yaml"), "--output", "out", "--quiet", "--set", "time.end=0.02",
                          "--set", "bodies.bed.place.count=100")
        self.assert_status(done, DONE)
        rows = self.rows()
        self.assertEqual(len(rows), 6 * 20)
        self.assertLess(max(float(row["misfit"]) for row in rows), 1e-6)

    def test_the_triaxial_cell_keeps_its_stress(self):
        done = self.scree("run", str(CONFIGS / "triaxial.yaml"), "--output", "out", "--quiet", "--set", "time.end=0.01",
                          "--set", "bodies.sample.place.count=100")
        self.assert_status(done, DONE)
        with open(self.folder / "out/tools.csv") as file:
            tools = {row["tool"]: row for row in csv.DictReader(file) if row["step"] == "20"}
        self.assertAlmostEqual(float(tools["right"]["velocity_x"]) / -20e3 / 0.175**2 / 0.01, 1, delta=0.2)


if __name__ == "__main__":
    unittest.main()
