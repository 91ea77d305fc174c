#!/usr/bin/python3
"""followed.csv: grains that are followed, against Newton's law, on ranks, across periodic sides, removed, gone on with."""
import math
import unittest

from cli import DONE, GOOD, WRONG_INPUT, Cli
from restarts import BED, ENDLESS, STEP, Restarts, rows

RADIUS = 0.04
MASS = 7800 * 4 / 3 * math.pi * RADIUS**3
DT = 1e-3

# A ball, with a spin, dropped on a bed in a cell of which it leaves one side.
INTRUDER = """\
name: intruder
time: {dt: 1e-3, end: 0.1}
periodic: {x: [0, 0.4], y: [0, 0.2]}
materials:
  stone: {density: 2600}
  steel: {density: 7800}
friction:
  - {between: default, mu: 0.4, rolling: 1e-3, spinning: 1e-3}
bodies:
  bed:
    material: stone
    radii: {type: uniform, min: 0.015, max: 0.02}
    place: {type: box, low: [0, 0, 0], high: [0.4, 0.2, 0.1], count: 60, seed: 2}
  intruder:
    material: steel
    radii: {type: list, values: [0.04]}
    place: {type: points, positions: [[0.37, 0.1, 0.2]]}
    velocity: [1.2, 0.1, -2]
    angular_velocity: [3, 20, -10]
tools:
  floor: {material: stone, shape: {type: plane}}
output: {follow: [intruder]}
"""

# Grains that rain through a box that swallows them, onto one that lies.
RAIN = GOOD.replace("end: 0.01", "end: 0.2") + """\
insertions:
  rain:
    material: stone
    radii: {type: list, values: [0.02]}
    region: {type: box, low: [0.4, 0.4, 0.4], high: [0.6, 0.6, 0.6]}
    rate: 2
    start: 0.02
removal_boxes:
  sink: {low: [-1, -1, 0.35], high: [2, 2, 0.39]}
output: {follow: [rain, 1]}
"""


def triple(row, name):
    return [float(row[f"{name}_{axis}"]) for axis in "xyz"]


def largest(values):
    return max(abs(value) for triple in values for value in triple)


class Runs:
    def table(self, text, *more, out="out", ranks=1):
        """The rows of a run of @p text."""
        self.write(text)
        self.assert_status(self.scree("run", "run.yaml", "--output", out, *more, ranks=ranks), DONE)
        return rows(self.folder / out / "followed.csv")


class FollowedMotion(Runs, Cli):
    def assert_newton(self, table, velocity, spin):
        """Mass times acceleration is force and weight, to the rounding of velocities of a few m/s over the step."""
        weight = [0, 0, -9.81 * MASS]
        moved, turned = [], []
        for row in table:
            now, turn = triple(row, "velocity"), triple(row, "angular_velocity")
            moved.append([MASS * (a - b) / DT - w - f for a, b, w, f in zip(now, velocity, weight, triple(row, "force"))])
            turned.append([0.4 * MASS * RADIUS**2 * (a - b) / DT - t for a, b, t in zip(turn, spin, triple(row, "torque"))])
            velocity, spin = now, turn
        force, torque = largest(triple(row, "force") for row in table), largest(triple(row, "torque") for row in table)
        self.assertGreater(force, 100)
        self.assertGreater(torque, 0.1)
        self.assertLess(largest(moved), 1e-11 * force)
        self.assertLess(largest(turned), 1e-11 * torque)

    def test_newton_s_law(self):
        for ranks in (1, 2, 4):
            table = self.table(INTRUDER, out=f"out{ranks}", ranks=ranks)
            self.assertEqual([int(row["step"]) for row in table], list(range(1, 101)))
            self.assertEqual({(row["id"], row["group"]) for row in table}, {("60", "intruder")})
            self.assert_newton(table, [1.2, 0.1, -2], [3, 20, -10])

    def test_newton_s_law_with_impacts_and_cohesion(self):
        table = self.table(INTRUDER, "--set", "impact.law=energetic", "--set", "friction.0.restitution=0.5",
                           "--set", "friction.0.cohesion=5", "--set", "friction.0.rupture_distance=1e-3", ranks=2)
        self.assert_newton(table, [1.2, 0.1, -2], [3, 20, -10])

    def test_places_go_on_across_the_end_of_a_cell(self):
        table = self.table(INTRUDER, ranks=2)
        place = [0.37, 0.1, 0.2]
        for row in table:
            place = [x + DT * v for x, v in zip(place, triple(row, "velocity"))]
            for found, wanted in zip(triple(row, "position"), place):
                self.assertAlmostEqual(found, wanted, delta=1e-12)
        self.assertGreater(place[0], 0.41)


class FollowedRows(Runs, Cli):
    def test_rows_are_in_the_order_of_ids_whatever_the_ranks(self):
        one = self.table(INTRUDER, "--set", "output.follow=[intruder, 7, bed]", "--set", "time.end=0.02")
        for ranks in (2, 4):
            other = self.table(INTRUDER, "--set", "output.follow=[intruder, 7, bed]", "--set", "time.end=0.02",
                               out=f"out{ranks}", ranks=ranks)
            self.assertEqual([(row["step"], row["id"], row["group"]) for row in other],
                             [(row["step"], row["id"], row["group"]) for row in one])
        self.assertEqual([(int(row["step"]), int(row["id"])) for row in one],
                         [(step, grain) for step in range(1, 21) for grain in range(61)])

    def test_the_stack_bears_its_weights(self):
        table = self.table(GOOD + "solver: {tolerance: 1e-9}\noutput: {follow: [stones]}\n")
        weight = 2600 * 4 / 3 * math.pi * 0.05**3 * 9.81
        for row in table:  # the lower is pushed from below and above
            self.assertAlmostEqual(float(row["force_z"]), weight, delta=1e-6 * weight)
            self.assertEqual(row["loaded_contacts"], {"0": "2", "1": "1"}[row["id"]])

    def test_grains_come_and_go(self):
        for ranks in (1, 2):
            table = self.table(RAIN, out=f"out{ranks}", ranks=ranks)
            self.assertEqual([int(row["step"]) for row in table if row["id"] == "1"], list(range(1, 201)))
            rain = {}
            for row in table:
                if row["group"] == "rain":
                    rain.setdefault(int(row["id"]), []).append(int(row["step"]))
            self.assertGreater(len(rain), 1)
            self.assertGreater(min(rain), 1)
            self.assertLess(max(rain[min(rain)]), 200)  # the sink had it
            for steps in rain.values():
                self.assertEqual(steps, list(range(steps[0], steps[-1] + 1)))

    def test_without_the_key_there_is_no_table(self):
        self.write()
        self.assert_status(self.scree("run", "run.yaml", "--output", "out"), DONE)
        self.assertFalse((self.folder / "out/followed.csv").exists())

    def test_rows_come_as_often_as_those_of_steps(self):
        table = self.table(INTRUDER, "--set", "output.csv.every=40")
        self.assertEqual([row["step"] for row in table], [row["step"] for row in rows(self.folder / "out/steps.csv")])

    def test_the_table_says_what_it_is(self):
        self.table(INTRUDER, "--set", "time.end=0.01")
        done = self.scree("info", "out/followed.csv")
        self.assert_status(done, DONE)
        self.assert_says(done, "kind: table of grains that are followed", "rows: 10", "torque_z           N m")

    def test_what_is_not_there_is_refused(self):
        self.write(INTRUDER)
        for ranks in (1, 2):
            for command in (["run", "--output", "out"], ["check"]):
                done = self.scree(*command, "run.yaml", "--set", "output.follow=[0, 61]", ranks=ranks)
                self.assert_status(done, WRONG_INPUT)
                self.assert_says(done, "output.follow: there is no grain 61; allowed: ids of grains that are there at the "
                                 "start, the highest of which is 60, and the names of groups")
                self.assertFalse((self.folder / "out").exists())
        done = self.scree("check", "run.yaml", "--set", "output.follow=[intrudr]")
        self.assert_status(done, WRONG_INPUT)
        self.assert_says(done, "follow: \"intrudr\" is no id of a grain, no group of bodies, no population and no insertion; "
                         "did you mean \"intruder\"?")

    def test_a_sweep_takes_a_column(self):
        self.write(INTRUDER)
        self.write("base: run.yaml\nparameters: {bodies.intruder.velocity: [[1.2, 0.1, -2], [1.2, 0.1, -1]]}\nobservables:\n"
                   "  push: {grain: intruder, column: force_z, of: max}\n  same: {grain: 60, column: force_z, of: max}\n",
                   "sweep.yaml")
        self.assert_status(self.scree("sweep", "sweep.yaml", "--output", "out"), DONE)
        for row in rows(self.folder / "out/results.csv"):
            table = rows(self.folder / "out" / row["run"] / "followed.csv")
            self.assertEqual(row["push"], row["same"])
            self.assertEqual(float(row["push"]), max(float(one["force_z"]) for one in table))


class FollowedGoOn(Restarts, Cli):
    def setUp(self):
        super().setUp()
        self.write(BED.replace("output:\n", "output:\n  follow: [5, 60, 119]\n"), "bed.yaml")

    def table(self, out="out"):
        return rows(self.folder / out / "followed.csv")

    def test_a_restart_goes_on_with_the_table(self):
        self.assert_status(self.run_bed(out="whole"), DONE)
        self.assert_status(self.run_bed("--set", "time.end=0.06"), DONE)
        done = self.run_bed("--restart", "latest")
        self.assert_status(done, DONE)
        self.assertNotIn("missing", done.stdout + done.stderr)
        self.assertEqual((self.folder / "out/followed.csv").read_text(), (self.folder / "whole/followed.csv").read_text())

    def test_a_run_that_was_killed_is_cut_back(self):
        self.assert_status(self.run_bed(out="whole"), DONE)
        process = self.start(*ENDLESS)
        self.wait_for_rows(45)
        process.kill()
        process.wait()
        kept = [int(file.stem.split("_")[1]) for file in self.checkpoints() if file.suffix == ".h5"][-1]
        with open(self.folder / "out/followed.csv", "a") as table:
            table.write("0.3,1")  # a row that was not finished
        self.assert_status(self.run_bed("--restart", "latest", "--set", f"time.end={(kept + 10) * STEP}"), DONE)
        whole, out = self.table("whole"), self.table()
        self.assertEqual(out[:len(whole)], whole[:len(out)])
        self.assertEqual(int(out[-1]["step"]), kept + 10)

    def test_grains_that_are_gone_are_no_fault_of_a_restart(self):
        text = (self.folder / "bed.yaml").read_text()
        self.write(text.replace("keep_inside:", "removal_boxes: {sink: {low: [-9, -9, -9], high: [9, 9, 0.05]}}\nkeep_inside:"),
                   "bed.yaml")
        self.assert_status(self.run_bed("--set", "time.end=0.06"), DONE)
        ended = {row["id"]: int(row["step"]) for row in self.table()}
        self.assertLess(min(ended.values()), 30)
        self.assert_status(self.run_bed("--restart", "latest"), DONE)
        done = self.run_bed("--restart", "latest", "--set", "time.end=0.2", "--set", "output.follow=[5, 120]")
        self.assert_status(done, WRONG_INPUT)
        self.assert_says(done, "there is no grain 120")

    def test_those_that_are_followed_may_change_at_a_restart(self):
        self.assert_status(self.run_bed("--set", "time.end=0.04", "--set", "output.follow=[]"), DONE)
        self.assertFalse((self.folder / "out/followed.csv").exists())
        done = self.run_bed("--restart", "latest", "--set", "time.end=0.06")
        self.assert_status(done, DONE)
        self.assertEqual([int(row["step"]) for row in self.table() if row["id"] == "5"], list(range(21, 31)))


if __name__ == "__main__":
    unittest.main()
