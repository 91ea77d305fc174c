#!/usr/bin/python3
"""The examples in configs/ that test_cli.py does not run, briefly."""

import csv
import math
import os
import subprocess
import unittest
from pathlib import Path

import h5py

from cli import DONE, PATIENCE, Cli

CONFIGS = Path(__file__).resolve().parents[2] / "configs"


class Examples:
    """Runs examples; beside Cli."""

    def last_rows(self, example, end, *settings, ranks=1):
        """Runs an example until @p end; the last row of steps.csv, and of each tool."""
        changes = [word for s in (f"time.end={end}", *settings) for word in ("--set", s)]
        done = self.scree("run", str(CONFIGS / example), "--output", "out", "--quiet", *changes,
                          ranks=ranks)
        self.assert_status(done, DONE)
        with open(self.folder / "out" / "steps.csv") as file:
            step = list(csv.DictReader(file))[-1]
        with open(self.folder / "out" / "tools.csv") as file:
            tools = {row["tool"]: row for row in csv.DictReader(file)}
        return step, tools

    def fields(self, name):
        with open(self.folder / "out" / "fields" / f"{name}.csv") as file:
            return list(csv.DictReader(file))


class ExamplesCli(Examples, Cli):

    def test_drum_turns_and_carries_the_bed(self):
        step, tools = self.last_rows("drum.yaml", 0.3, "bodies.bed.place.count=300",
                                     "tools.drum.motion.start=0.1")
        self.assertEqual(int(step["bodies"]), 300)
        self.assertLess(float(tools["drum"]["force_z"]), 0.0)
        self.assertLess(float(tools["drum"]["torque_y"]), 0.0, "the bed resists the turn")
        self.assertLess(float(step["penetration"]), 0.05)

    def test_silo_empties_when_the_gate_opens(self):
        step, tools = self.last_rows("silo.yaml", 0.35, "bodies.fill.place.count=400",
                                     "tools.gate.motion.start=0.05", "tools.gate.motion.stop=0.3")
        self.assertGreater(int(step["removed"]), 0)
        self.assertGreater(int(tools["cone"]["contacts"]), 0)

    def test_hopper_has_fields_while_it_empties(self):
        step, _ = self.last_rows("hopper-fields.yaml", 0.26, "time.dt=2.0e-3", "bodies.fill.place.count=100",
                                 "tools.gate.motion.start=0.05", "tools.gate.motion.stop=0.3",
                                 "output.fields.section.from=0.1", "output.fields.height.from=0.1", ranks=2)
        self.assertGreater(int(step["removed"]), 0)
        section, height = self.fields("section"), self.fields("height")
        self.assertEqual((len(section), len(height)), (2 * 30 * 48, 2 * 60))
        # Grains fall faster the lower they are.
        speed = {round(float(row["z"]), 3): -float(row["velocity_z"]) for row in height[60:]}
        self.assertGreater(speed[-0.014], speed[0.03])
        self.assertGreater(speed[0.03], 0.0)
        for field in ("pressure", "velocity_z"):
            done = subprocess.run([CONFIGS.parent / "scripts" / "fields", self.folder / "out", "section", "--field", field],
                                  capture_output=True, text=True, timeout=PATIENCE)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertGreater((self.folder / "out" / "fields" / f"section_{field}.png").stat().st_size, 5000)


class BenchmarkExampleCli(Examples, Cli):

    def test_benchmark_drum_carries_small_and_large_grains(self):
        turn = [f"tools.{tool}.motion.start=0.1" for tool in ("drum", "front", "back")]
        step, tools = self.last_rows("dosta-drum.yaml", 0.25, "bodies.large.place.count=300", "bodies.small.place.count=500", *turn)
        self.assertEqual(step["status"], "converged")
        self.assertGreater(float(tools["drum"]["torque_y"]), 0.0, "the bed resists the turn")

    def test_benchmark_silo_opens_in_its_second_stage(self):
        step, tools = self.last_rows("dosta-silo.yaml", 1.0, "bodies.fill.place.count=600", "stages[fill].until.duration=0.25",
                                     "stages[flow].until.duration=0.15")
        self.assertEqual((int(step["stage"]), step["status"]), (2, "converged"))
        self.assertGreater(int(step["removed"]), 0)
        self.assertLess(float(tools["gate"]["position_z"]), -0.5)

    def test_blade_cuts_a_bed_of_copies_of_a_cell(self):
        sides = ["periodic.x=[0, 0.1]", "periodic.y=[0, 0.1]"]
        self.last_rows("cell.yaml", 0.4, *sides, "bodies.bed.place.count=60", "bodies.bed.place.high=[0.1, 0.1, 1]",
                       "output.snapshots.every=0.4")
        (self.folder / "out").rename(self.folder / "cell")
        step, tools = self.last_rows("trench-1m.yaml", 0.3, "periodic.x=[0, 0.3]", "periodic.y=[0, 0.2]",
                                     "bodies.bed.place.file=cell/snapshots/snapshot_00000200.hdf",
                                     "bodies.bed.place.repeat=[3, 2, 1]", "bodies.bed.place.period=[0.1, 0.1, 0]",
                                     "tools.blade.shape.size=[0.03, 0.06, 0.2]", "tools.blade.position=[0.1, 0.1, 0.25]",
                                     "tools.blade.motion.times=[0.02, 0.12, 0.3]",
                                     "tools.blade.motion.displacements=[[0, 0, 0], [0, 0, -0.1], [0.05, 0, -0.1]]",
                                     "output.snapshots.every=0", ranks=2)
        self.assertEqual((int(step["bodies"]), step["status"]), (360, "converged"))
        self.assertLess(float(tools["blade"]["force_x"]), 0.0)
        mass = 360 / 60 * self.mass_of_cell()
        self.assertAlmostEqual(-float(tools["floor"]["force_z"]) / (9.81 * mass), 1.0, delta=0.3)

    def mass_of_cell(self):
        with h5py.File(self.folder / "cell/snapshots/snapshot_00000200.hdf") as snapshot:
            return 2600 * 4 / 3 * math.pi * (snapshot["VTKHDF/PointData/radius"][:]**3).sum()

    def test_blade_is_drawn_in_the_second_stage_of_a_trench(self):
        step, tools = self.last_rows(
            "trench-kleinert.yaml", 0.5, "bodies.bed.place.count=1200", "bodies.bed.place.high=[0.4, 0.3, 0.5]",
            "tools.end.position=[0.4, 0, 0]", "tools.left.position=[0, 0.3, 0]", "tools.blade.shape={type: box, size: [0.02, 0.15, 0.6]}",
            "tools.blade.position=[-0.01, 0.15, 0.36]", "stages[fill].until.duration=0.3")
        self.assertEqual((int(step["stage"]), step["status"]), (2, "converged"))
        # from -0.01 m by 0.2 m/s for 0.2 s, to rounding: 1e-9 by judgement
        self.assertAlmostEqual(float(tools["blade"]["position_x"]), 0.03, delta=1e-9)
        self.assertLess(float(tools["blade"]["force_x"]), -1.0, "the bed resists the blade")

    def test_benchmark_impact_throws_the_ball_back(self):
        step, tools = self.last_rows("dosta-impact.yaml", 1.0, "bodies.bed.place.count=1600", "bodies.bed.place.low=[-0.012, -0.012, -0.0902431]",
                                     "bodies.bed.place.high=[0.012, 0.012, 0]", "materials.M1.young_modulus=1e8",
                                     "materials.steel.young_modulus=2.1e10", "time.dt=1e-5", "stages[settle].until.duration=0.002",
                                     "tools.ball.position=[0, 0, -0.056]", "tools.ball.motion.velocity=[0, 0, -3]",
                                     "stages[impact].until.duration=0.004", "output.snapshots.every=0",
                                     *(f"tools.{tool}.position={place}" for tool, place in
                                       (("left", "[-0.012, 0, 0]"), ("right", "[0.012, 0, 0]"), ("front", "[0, -0.012, 0]"),
                                        ("back", "[0, 0.012, 0]"))))
        self.assertEqual((int(step["stage"]), step["status"]), (2, "converged"))
        self.assertGreater(float(tools["ball"]["velocity_z"]), 0.3, "rigid contacts would hardly throw it back")


class SceneExampleCli(Examples, Cli):

    def test_piston_rests_on_the_bed_with_weight_and_load(self):
        _, tools = self.last_rows("piston.yaml", 0.6, "tools.piston.motion.force=[0, 0, 't < 0.3 ? 0 : -20']",
                                  "output.snapshots.every=0", ranks=2)
        self.assertAlmostEqual(float(tools["piston"]["force_z"]), 29.81, delta=0.1)
        self.assertLess(abs(float(tools["piston"]["velocity_z"])), 1e-2)
        self.assertEqual(float(tools["piston"]["position_x"]), 0.06)

    def test_heavy_ball_falls_into_the_bed(self):
        step, tools = self.last_rows("heavy-ball.yaml", 0.05, "bodies.bed.place.count=2000", "bodies.bed.place.high=[0.6, 0.6, 0.02]",
                                     "tools.ball.position=[0.3, 0.3, 0.521]", "output.snapshots.every=0", ranks=2)
        self.assertEqual(step["status"], "converged")
        self.assertGreater(float(tools["ball"]["force_z"]), 0.0)

    def test_bed_settles_and_is_sheared(self):
        step, tools = self.last_rows("settle-then-shear.yaml", 3.0, "bodies.bed.place.count=60", "tools.lid.position=[0, 0, 0.2]",
                                     "bodies.bed.place.high=[0.1, 0.1, 0.18]", "stages[shear].until.duration=0.1", "output.snapshots.every=0")
        self.assertEqual(int(step["stage"]), 3)
        self.assertLess(float(step["time"]), 2.9, "the run ends when its last stage does")
        self.assertAlmostEqual(float(tools["floor"]["position_x"]), 0.01, delta=1e-12)
        self.assertLess(float(tools["floor"]["force_x"]), -0.5, "the bed resists")
        self.assertLess(float(tools["floor"]["force_z"]), -25.0, "it bears the lid and its load")

    def test_colony_divides_twice_by_2_ln_2(self):
        step, _ = self.last_rows("colony.yaml", 1.5, "time.dt=5e-3", ranks=2)
        self.assertEqual(int(step["bodies"]), 4)
        self.assertEqual(step["status"], "converged")
        self.assertLess(float(step["overlap"]), 1e-5)


class FlowExampleCli(Examples, Cli):

    def test_regions_follow_an_avalanche(self):
        step, tools = self.last_rows("avalanche.yaml", 0.6, "bodies.layer.place.count=600", "output.snapshots.every=0", ranks=4)
        self.assertEqual(int(step["bodies"]), 600)
        self.assertGreater(min(float(tools["right"]["force_x"]), float(tools["back"]["force_y"])), 0.0, "they have arrived")
        with open(self.folder / "out" / "steps.csv") as file:
            steps = list(csv.DictReader(file))[1:]
        # balance.bound is 1.1; a rank has 150 grains, and a step brings the busiest some of them
        self.assertLess(max(float(row["imbalance"]) for row in steps), 1.2)
        self.assertGreater(sum(int(row["migrated"]) for row in steps), 400, "regions have moved")

    def test_slope_runs_on_two_ranks(self):
        step, _ = self.last_rows("slope.yaml", 0.02, "bodies.flow.place.count=100", ranks=2)
        self.assertEqual(int(step["bodies"]), 240)
        self.assertGreater(float(step["kinetic_energy"]), 0.0)

    def test_colloids_sink_and_gather(self):
        # What the tweezers and weight give, the fluid takes.
        step, _ = self.last_rows("colloids.yaml", 2.5, "time.dt=0.1",
                                 "bodies.cloud.place.count=100", ranks=2)
        self.assertEqual(int(step["bodies"]), 100)
        self.assertGreater(float(step["field_power"]), 0.0)
        self.assertLess(float(step["drag_power"]), -float(step["field_power"]))


class TrenchExampleCli(Examples, Cli):

    # A narrow trench, in which a small blade goes down at once, so fast that soft springs yield far, and is drawn.
    TRENCH = ("time.dt=4e-3", "contact.law=linear", "contact.max_compression=2", "tools.right.position=[0.25, 0, 0]", "tools.back.position=[0, 0.08, 0]",
              "bodies.bed.place.high=[0.25, 0.08, 0.3]", "bodies.bed.place.count=120",
              "tools.blade.shape.size=[0.02, 0.04, 0.15]", "tools.blade.position=[0.06, 0.04, 0.3]",
              "tools.blade.motion.times=[0.08, 0.12, 0.32]", "tools.blade.motion.displacements=[[0, 0, 0], [0, 0, -0.195], [0.1, 0, -0.195]]",
              "output.snapshots.every=0")

    def trench(self, *settings, ranks=1):
        """Rows of steps.csv, and the draft force of each step, of the narrow trench by ipm."""
        self.last_rows("trench-ipm.yaml", 0.24, *self.TRENCH, *settings, ranks=ranks)
        with open(self.folder / "out" / "steps.csv") as file:
            steps = list(csv.DictReader(file))
        with open(self.folder / "out" / "tools.csv") as file:
            return steps, [-float(row["force_x"]) for row in csv.DictReader(file) if row["tool"] == "blade"]

    def test_trench_by_ipm_is_alike_on_ranks(self):
        # Incomplete Cholesky knows a rank's part alone: iterates differ, and solutions by the tolerance, which chaos makes
        # grow. Forces are compared in the mean of the 30 steps in which the blade is drawn.
        runs = {ranks: self.trench("solver.tolerance=1e-6", "output.overwrite=true", ranks=ranks) for ranks in (1, 2)}
        drafts = {}
        for ranks, (steps, draft) in runs.items():
            for row in steps:
                self.assertEqual((row["solver"], row["reason"]), ("ipm", "ipm:converged"), f"step {row['step']}, {ranks} ranks")
                self.assertLessEqual(float(row["residual"]), 1.01e-6)
            drafts[ranks] = sum(draft[-30:]) / 30
        self.assertGreater(drafts[1], 0.1)
        self.assertAlmostEqual(drafts[2], drafts[1], delta=0.1 * drafts[1])
        # until the blade touches and chaos sets in
        for here, alone in zip(runs[2][0][:20], runs[1][0][:20]):
            self.assertAlmostEqual(float(here["kinetic_energy"]), float(alone["kinetic_energy"]),
                                   delta=1e-3 * float(alone["kinetic_energy"]))

    def test_trench_goes_on_by_pgj_where_ipm_is_cut_short(self):
        steps, _ = self.trench("time.end=0.12", "solver.max_iterations=6")
        reasons = {row["reason"].partition(":")[2] for row in steps}
        self.assertIn("iteration-limit>pgj:iteration-limit", reasons)
        self.assertLessEqual(reasons, {"converged", "iteration-limit>pgj:iteration-limit", "iteration-limit>pgj:converged"})
        self.assertEqual({row["solver"] for row in steps}, {"ipm", "pgj"})
        for row in steps:
            self.assertEqual(row["solver"] == "ipm" or "pgj" in row["reason"], True)


if __name__ == "__main__":
    unittest.main()
