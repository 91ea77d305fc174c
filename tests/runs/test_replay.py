#!/usr/bin/python3
"""`scree solve --replay` repeats the solve of the run that wrote the problem."""
import csv
import json
import sys
import unittest

import h5py

sys.dont_write_bytecode = True
from cli import DONE, GOOD, Cli


class Replay(Cli):
    """Ellipsoids that fall on each other, whose constraints bound velocity errors tighter than the
    tolerance does.
    """

    STEPS = (20, 40, 100)

    def bed(self):
        begin, end = GOOD.index("bodies:"), GOOD.index("tools:")
        grains = ("bodies:\n  fill:\n    material: stone\n"
                  "    shape: {type: ellipsoid, semi_axes: [0.006, 0.004, 0.003]}\n"
                  "    place: {type: box, low: [-0.02, -0.02, 0], high: [0.02, 0.02, 0.06], count: 40, seed: 1}\n")
        walls = "".join(f"  wall{k}: {{material: stone, shape: {{type: plane}}, position: {[-0.02 * n for n in normal]}, "
                        f"normal: {list(normal)}}}\n"
                        for k, normal in enumerate([(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0)]))
        self.write(GOOD[:begin] + grains + GOOD[end:] + walls +
                   "contact: {constraints: relcp, overlap_tolerance: 1e-5}\n")
        self.assert_status(self.scree("run", "run.yaml", "--output", "out", "--set", "time.end=0.1", "--set",
                                      "debug.fclib.every=20", "--set", "output.snapshots.every=0"), DONE)
        with open(self.folder / "out/steps.csv", newline="", encoding="utf-8") as file:
            return {int(row["step"]): row for row in csv.DictReader(file)}

    def test_it_ends_where_the_run_did(self):
        rows = self.bed()
        for step in self.STEPS:
            problem = f"out/problems/step_{step:08}.hdf5"
            with h5py.File(self.folder / problem) as file:
                bound = file["fclib_global/info/velocity_error"][0]
            for ranks in (1, 2):
                with self.subTest(step=step, ranks=ranks):
                    done = self.scree("solve", problem, "--replay", "--report", "report.json", ranks=ranks)
                    self.assert_status(done, DONE)
                    report = json.loads((self.folder / "report.json").read_text())
                    self.assertLessEqual(report["measures"]["velocity_error"], bound)
                    if ranks == 1:  # contacts of two ranks are swept in another order
                        self.assertEqual(report["solver"], rows[step]["solver"])
                        ran = float(rows[step]["residual"])
                        self.assertAlmostEqual(report["measures"]["residual"], ran, delta=1e-3 * ran + 1e-12)


if __name__ == "__main__":
    unittest.main()
