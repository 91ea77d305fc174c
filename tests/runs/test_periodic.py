#!/usr/bin/python3
"""A run in a periodic cell as a user sees it: its files, its restart on other ranks, its problems."""

import json
import unittest

import h5py
import numpy as np

from cli import Cli, DONE, WRONG_INPUT

SLOPE = """\
name: slope
time: {dt: 2e-3, end: 0.08}
gravity: [5, 0, -8]
periodic: {x: [0, 0.2], y: [-0.1, 0.1]}
materials:
  stone: {density: 2600}
friction:
  - {between: [stone, stone], mu: 0.3}
bodies:
  bed:
    material: stone
    radii: {type: uniform, min: 0.01, max: 0.02}
    place: {type: box, low: [0, -0.1, 0], high: [0.2, 0.1, 0.3], count: 60, seed: 3}
    velocity: [2, 0.5, -1]
tools:
  floor: {material: stone, shape: {type: plane}}
solver: {tolerance: 1e-6}
output: {checkpoints: {every: 0.04, wall_every: 0}}
"""


class PeriodicCli(Cli):

    def ways(self, folder):
        """Places in the cell and unwrapped ones at the end of a run, by id."""
        with h5py.File(self.folder / folder / "snapshots" / "snapshot_00000040.hdf", "r") as file:
            data = file["VTKHDF/PointData"]
            order = np.argsort(data["id"][()])
            return file["VTKHDF/Points"][()][order], data["unwrapped_position"][()][order]

    def test_check_tells_of_the_cell(self):
        checked = self.scree("check", self.write(SLOPE))
        self.assert_status(checked, DONE)
        self.assert_says(checked, "x [0, 0.2] m, y [-0.1, 0.1] m")

    def test_output_restart_and_problems(self):
        name = self.write(SLOPE)
        self.assert_status(self.scree("run", name, "--output", "a", "--quiet", "--set",
                                      "debug.fclib.every=40", ranks=2), DONE)
        inside, way = self.ways("a")
        self.assertTrue((inside[:, 0] >= 0).all() and (inside[:, 0] < 0.2).all())
        periods = (way - inside)[:, :2] / 0.2
        self.assertLess(np.abs(periods - np.round(periods)).max(), 1e-12)
        self.assertGreater(way[:, 0].max(), 0.25)

        with self.subTest("the middle checkpoint goes on on one rank"):
            checkpoint = self.folder / "a" / "checkpoints" / "checkpoint_00000020.h5"
            self.assertTrue(checkpoint.exists())
            self.assert_status(self.scree("run", name, "--output", "b", "--quiet", "--restart",
                                          str(checkpoint)), DONE)
            self.assertLess(np.abs(self.ways("b")[1] - way).max(), 1e-3)
            changed = self.scree("run", name, "--output", "c", "--restart", str(checkpoint),
                                 "--set", "periodic.y=[-0.2, 0.2]")
            self.assert_status(changed, WRONG_INPUT)
            self.assert_says(changed, "periodic.y")

        with self.subTest("a problem of the run is solved from its file"):
            problem = self.folder / "a" / "problems" / "step_00000040.hdf5"
            self.assert_status(self.scree("solve", str(problem), "--report", "report.json"), DONE)
            report = json.loads((self.folder / "report.json").read_text())
            self.assertEqual(report["status"], "converged")


if __name__ == "__main__":
    unittest.main()
