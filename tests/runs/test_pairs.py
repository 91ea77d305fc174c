#!/usr/bin/python3
"""pairs.csv: forces between named pairs of bodies, against weights, on ranks, cut off and gone on with."""
import math
import unittest

from cli import DONE, GOOD, WRONG_INPUT, Cli
from restarts import BED, ENDLESS, STEP, Restarts, rows

WEIGHT = 2600 * 4 / 3 * math.pi * 0.05**3 * 9.81  # of a ball, N

# Two balls, one on the other, at rest from the start.
STACK = GOOD.replace("""\
  stones:
    material: stone
    radii: {type: list, values: [0.05]}
    place: {type: points, positions: [[0, 0, 0.05], [0, 0, 0.15]]}
""", """\
  lower:
    material: stone
    radii: {type: list, values: [0.05]}
    place: {type: points, positions: [[0, 0, 0.05]]}
  upper:
    material: chalk
    radii: {type: list, values: [0.05]}
    place: {type: points, positions: [[0, 0, 0.15]]}
""").replace("  stone: {density: 2600}\n", "  stone: {density: 2600}\n  chalk: {density: 2600}\n").replace(
    "  - {between: [stone, stone], mu: 0.4}\n",
    "".join(f"  - {{between: [{a}], mu: 0.4}}\n" for a in ("stone, stone", "stone, chalk", "chalk, chalk"))) + """\
solver: {tolerance: 1e-9}
output:
  pairs:
    floor_lower: {between: [floor, lower]}
    lower_floor: {between: [lower, floor]}
    lower_upper: {between: [lower, upper]}
    upper_lower: {between: [upper, lower]}
    upper_floor: {between: [upper, floor]}
    chalk_stone: {materials: [chalk, stone]}
"""

# A ball that is held beside the end of a periodic cell, and one beyond that end that falls against its image.
ACROSS = """\
name: across
time: {dt: 1e-3, end: 0.01}
gravity: [9.81, 0, 0]
periodic: {x: [0, 1]}
materials:
  stone: {density: 2600}
friction:
  - {between: [stone, stone], mu: 0.4}
bodies:
  held:
    material: stone
    radii: {type: list, values: [0.05]}
    place: {type: points, positions: [[0.03, 0, 0]]}
    fix: [all]
  free:
    material: stone
    radii: {type: list, values: [0.05]}
    place: {type: points, positions: [[0.93, 0, 0]]}
solver: {tolerance: 1e-9}
output:
  pairs:
    held_free: {between: [held, free]}
"""

PAIRS = """\
output:
  pairs:
    bed_blade: {between: [bed, blade]}
    blade_bed: {between: [blade, bed]}
    bed_floor: {between: [bed, floor]}
"""


def force(row):
    return [float(row[f"force_{axis}"]) for axis in "xyz"]


class Pairs(Cli):
    def table(self, text, *more, out="out", ranks=1):
        """The rows of a run of @p text, by step and pair."""
        self.write(text)
        self.assert_status(self.scree("run", "run.yaml", "--output", out, *more, ranks=ranks), DONE)
        return {(int(row["step"]), row["pair"]): row for row in rows(self.folder / out / "pairs.csv")}

    def assert_force(self, row, wanted, tolerance=1e-6):
        for found, value in zip(force(row), wanted):
            self.assertAlmostEqual(found, value, delta=tolerance * WEIGHT)

    def test_a_stack_bears_its_weights(self):
        table = self.table(STACK)
        self.assertEqual(len(table), 10 * 6)
        for step in range(1, 11):
            self.assert_force(table[step, "lower_floor"], [0, 0, 2 * WEIGHT])
            self.assert_force(table[step, "upper_lower"], [0, 0, WEIGHT])
            self.assert_force(table[step, "chalk_stone"], [0, 0, WEIGHT])
            self.assertEqual(force(table[step, "upper_floor"]), [0, 0, 0])
            self.assertEqual([int(table[step, name]["loaded_contacts"])
                              for name in ("lower_floor", "upper_lower", "chalk_stone", "upper_floor")], [1, 1, 1, 0])

    def test_action_is_reaction(self):
        table = self.table(STACK)
        for step in range(1, 11):
            for one, other in (("lower_floor", "floor_lower"), ("upper_lower", "lower_upper")):
                self.assertEqual(force(table[step, one]), [-value for value in force(table[step, other])])

    def test_an_image_presses_as_the_body_does(self):
        table = self.table(ACROSS)
        self.assert_force(table[10, "held_free"], [WEIGHT, 0, 0])
        self.assertEqual(table[10, "held_free"]["loaded_contacts"], "1")

    def test_rows_come_as_often_as_those_of_steps(self):
        table = self.table(STACK, "--set", "output.csv.every=4")
        self.assertEqual(sorted({step for step, _ in table}),
                         [int(row["step"]) for row in rows(self.folder / "out/steps.csv")])

    def test_without_pairs_there_is_no_table(self):
        self.write()
        self.assert_status(self.scree("run", "run.yaml", "--output", "out"), DONE)
        self.assertFalse((self.folder / "out/pairs.csv").exists())

    def test_the_table_says_what_it_is(self):
        self.table(STACK)
        done = self.scree("info", "out/pairs.csv")
        self.assert_status(done, DONE)
        self.assert_says(done, "kind: table of forces between pairs of bodies", "rows: 60", "force_x            N")

    def test_the_table_is_a_run_s(self):
        """It is replaced with the run, and does not make the folder another's."""
        self.table(STACK)
        self.write()
        self.assert_status(self.scree("run", "run.yaml", "--output", "out"), WRONG_INPUT)
        self.assert_status(self.scree("run", "run.yaml", "--output", "out", "--set", "output.overwrite=true"), DONE)
        self.assertFalse((self.folder / "out/pairs.csv").exists())

    def test_the_effective_configuration_can_be_run(self):
        self.table(STACK)
        again = self.table((self.folder / "out/run.yaml").read_text(), out="again")
        self.assertEqual(len(again), 10 * 6)


class PairsGoOn(Restarts, Cli):
    def setUp(self):
        super().setUp()
        self.write(BED.replace("output:\n", PAIRS), "bed.yaml")

    def table(self, out="out"):
        return rows(self.folder / out / "pairs.csv")

    def assert_pairs(self, out, steps):
        self.assertEqual([(int(row["step"]), row["pair"]) for row in self.table(out)],
                         [(step, name) for step in range(1, steps + 1)
                          for name in ("bed_blade", "blade_bed", "bed_floor")])

    def test_ranks_agree(self):
        """With each other, and with what tools.csv says of all that presses on a tool."""
        tolerance = ("--set", "solver.tolerance=1e-10", "--set", "solver.max_iterations=100000", "--set", "time.end=0.04")
        for ranks in (1, 3):
            out = f"out{ranks}"
            self.assert_status(self.run_bed(*tolerance, out=out, ranks=ranks), DONE)
            self.assert_pairs(out, 20)
            tools = {(row["step"], row["tool"]): row for row in rows(self.folder / out / "tools.csv")}
            largest = max(abs(value) for row in self.table(out) for value in force(row))
            self.assertGreater(largest, 1.0)
            for row, one in zip(self.table(out), self.table("out1")):
                for a, b in zip(force(row), force(one)):
                    self.assertAlmostEqual(a, b, delta=1e-5 * largest)
                if row["pair"] == "bed_blade":
                    continue
                tool, sign = {"blade_bed": ("blade", 1), "bed_floor": ("floor", -1)}[row["pair"]]
                for a, b in zip(force(row), force(tools[row["step"], tool])):
                    self.assertAlmostEqual(a, sign * b, delta=1e-12 * largest)

    def test_a_restart_goes_on_with_the_table(self):
        self.assert_status(self.run_bed(out="whole"), DONE)
        self.assert_status(self.run_bed("--set", "time.end=0.06"), DONE)
        done = self.run_bed("--restart", "latest")
        self.assert_status(done, DONE)
        self.assertNotIn("missing", done.stdout + done.stderr)
        self.assertEqual((self.folder / "out/pairs.csv").read_text(), (self.folder / "whole/pairs.csv").read_text())

    def test_a_run_that_was_killed_is_cut_back(self):
        self.assert_status(self.run_bed(out="whole"), DONE)
        process = self.start(*ENDLESS)
        self.wait_for_rows(45)
        process.kill()
        process.wait()
        kept, last = [int(file.stem.split("_")[1]) for file in self.checkpoints() if file.suffix == ".h5"][-2:]
        (self.folder / f"out/checkpoints/checkpoint_{last:08}.h5").unlink()
        self.assertIn(str(last), [row["step"] for row in self.table()])  # which is cut off
        with open(self.folder / "out/pairs.csv", "a") as table:
            table.write("0.3,1")  # a row that was not finished
        done = self.run_bed("--restart", "latest", "--set", f"time.end={(kept + 10) * STEP}")
        self.assert_status(done, DONE)
        self.assert_pairs("out", kept + 10)
        self.assertNotIn("missing", done.stdout + done.stderr)
        whole, out = self.table("whole"), self.table("out")
        self.assertEqual(out[:len(whole)], whole[:len(out)])

    def test_a_hole_is_told(self):
        self.assert_status(self.run_bed("--set", "time.end=0.04"), DONE)
        path = self.folder / "out/pairs.csv"
        lines = path.read_text().splitlines(keepends=True)
        path.write_text("".join(lines[:5] + lines[6:]))
        done = self.run_bed("--restart", "latest")
        self.assert_status(done, DONE)
        self.assert_says(done, "pairs.csv: rows are missing, of 1 of the 20 steps until 20", "the first is step 2")

    def test_damage_is_refused_before_anything_is_written(self):
        self.assert_status(self.run_bed("--set", "time.end=0.04"), DONE)
        path = self.folder / "out/pairs.csv"
        path.write_text(path.read_text().replace(",2,0.002,", ",2x,0.002,", 1))
        before = {file: file.read_bytes() for file in (self.folder / "out").glob("*.*")}
        for ranks in (1, 2):
            done = self.run_bed("--restart", "latest", ranks=ranks)
            self.assert_status(done, WRONG_INPUT)
            self.assert_says(done, "out/pairs.csv:5: \"2x\" is no step")
        self.assertEqual({file: file.read_bytes() for file in before}, before)

    def test_pairs_may_come_and_go_at_a_restart(self):
        self.assert_status(self.run_bed("--set", "time.end=0.04", "--set", "output.pairs={}"), DONE)
        self.assertFalse((self.folder / "out/pairs.csv").exists())
        done = self.run_bed("--restart", "latest", "--set", "time.end=0.06")
        self.assert_status(done, DONE)
        self.assertNotIn("missing", done.stdout + done.stderr)
        self.assertEqual([int(row["step"]) for row in self.table()], [step for step in range(21, 31) for _ in range(3)])
        done = self.run_bed("--restart", "latest", "--set", "time.end=0.08", "--set", "output.pairs={}")
        self.assert_status(done, DONE)
        self.assertNotIn("missing", done.stdout + done.stderr)
        self.assertEqual(len(self.table()), 30)


if __name__ == "__main__":
    unittest.main()
