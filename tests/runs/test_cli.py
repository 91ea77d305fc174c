#!/usr/bin/python3
"""The command line as a user meets it: exit statuses, messages, and that wrong input writes nothing.

SCREE_PROGRAM is the executable, SCREE_MPIRUN the words that start it on several ranks.
"""
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

PROGRAM = os.environ.get("SCREE_PROGRAM", "scree")
MPIRUN = os.environ.get("SCREE_MPIRUN", "mpirun").split()

COMMANDS = ["solve"]
DONE, FAILED, WRONG_INPUT = 0, 1, 2

GOOD = """\
name: two_stones
time: {dt: 1e-3, end: 0.01}
gravity: [0, 0, -9.81]
materials:
  stone: {density: 2600}
friction:
  - {between: [stone, stone], mu: 0.4}
bodies:
  stones:
    material: stone
    radii: {type: list, values: [0.05]}
    place: {type: points, positions: [[0, 0, 0.05], [0, 0, 0.15]]}
tools:
  floor: {material: stone, shape: {type: plane}, position: [0, 0, 0], normal: [0, 0, 1]}
"""


class Cli(unittest.TestCase):
    """Starts the program in an empty folder."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, text=GOOD, name="run.yaml"):
        (self.folder / name).write_text(text)
        return name

    def scree(self, *arguments, ranks=1):
        launcher = [] if ranks == 1 else [*MPIRUN, "-n", str(ranks)]
        return subprocess.run([*launcher, PROGRAM, *arguments], cwd=self.folder,
                              capture_output=True, text=True, timeout=120)

    def assert_status(self, done, status):
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)

    def assert_says(self, done, *texts):
        for text in texts:
            self.assertIn(text, done.stdout + done.stderr)

    def assert_untouched(self, *names):
        """The folder holds the files that the test wrote and no others."""
        self.assertEqual(sorted(f.name for f in self.folder.iterdir()), sorted(names))


class Usage(Cli):
    def test_help(self):
        done = self.scree("--help")
        self.assert_status(done, DONE)
        self.assert_says(done, *COMMANDS)
        for command in COMMANDS:
            with self.subTest(command=command):
                self.assert_status(self.scree(command, "--help"), DONE)

    def test_wrong_words(self):
        for words in [[], ["walk"], *([command] for command in COMMANDS if command != "schema"),
                      ["solve", "a.hdf5", "--fast"]]:
            with self.subTest(words=words):
                done = self.scree(*words)
                self.assert_status(done, WRONG_INPUT)
                self.assertNotEqual(done.stderr.strip(), "")

    def test_wrong_words_are_answered_once(self):
        done = self.scree("walk", ranks=3)
        self.assert_status(done, WRONG_INPUT)
        self.assertEqual(done.stderr.count("--help"), 1, done.stderr)


class Solve(Cli):
    """Three contacts that do not feel each other, N = 2: one sticks, one opens, one slides."""

    Q = [[-1, 0.1, 0], [1, 0, 0], [-1, 3, 0]]
    MU = 0.5
    COULOMB = [[0.5, -0.05, 0], [0, 0, 0], [0.5, -0.25, 0]]
    ASSOCIATED = [[0.5, -0.05, 0], [0, 0, 0], [1.0, -0.5, 0]]

    def problem(self, w=None, q=None, name="problem.hdf5"):
        """Writes a local FCLIB problem as triplets."""
        q = np.array(self.Q if q is None else q, float)
        w = 2 * np.eye(q.size) if w is None else w
        row, column = np.nonzero(w)
        with h5py.File(self.folder / name, "w") as file:
            local = file.create_group("fclib_local")
            local["spacedim"] = np.array([3], np.int32)
            matrix = local.create_group("W")
            for key, value in [("m", q.size), ("n", q.size), ("nz", row.size), ("nzmax", row.size)]:
                matrix[key] = np.array([value], np.int32)
            matrix["i"], matrix["p"] = row.astype(np.int32), column.astype(np.int32)
            matrix["x"] = w[row, column]
            vectors = local.create_group("vectors")
            vectors["q"], vectors["mu"] = q.ravel(), np.full(len(q), self.MU)
        return name

    def solution(self, name):
        with h5py.File(self.folder / name) as file:
            return np.array(file["solution/r"]).reshape(-1, 3)

    def test_solution_and_report(self):
        self.problem()
        for ranks in (1, 3, 4):
            for law, expected in [("coulomb", self.COULOMB), ("associated", self.ASSOCIATED)]:
                with self.subTest(ranks=ranks, law=law):
                    done = self.scree("solve", "problem.hdf5", "--solver", "nsgs", "--friction", law,
                                      "--tol", "1e-10", "--report", "report.json", "--output",
                                      "solved.hdf5", ranks=ranks)
                    self.assert_status(done, DONE)
                    report = json.loads((self.folder / "report.json").read_text())
                    self.assertEqual(report["status"], "converged")
                    self.assertLessEqual(report["measures"]["residual"], 1e-10)
                    self.assertLess(np.abs(self.solution("solved.hdf5") - expected).max(), 1e-9)

    def test_not_converged_is_status_1(self):
        half = np.random.default_rng(1).normal(size=(60, 60))
        self.problem(half @ half.T + 0.1 * np.eye(60), np.tile([-1.0, 0.5, 0.2], (20, 1)))
        done = self.scree("solve", "problem.hdf5", "--solver", "nsgs", "--no-fallback", "--tol", "1e-12",
                          "--max-iterations", "2")
        self.assert_status(done, FAILED)
        self.assert_says(done, "iteration limit")

    def test_wrong_input(self):
        self.problem()
        (self.folder / "text.hdf5").write_text("no HDF5")
        for words, text in [
            (["absent.hdf5"], "absent.hdf5"),
            (["text.hdf5"], "text.hdf5"),
            (["problem.hdf5", "--solver", "nsg"], "did you mean `nsgs`"),
            (["problem.hdf5", "--friction", "some"], "some"),
            (["problem.hdf5", "--tol", "-1"], "--tol"),
            (["problem.hdf5", "--report", "absent/report.json"], "absent"),
            (["problem.hdf5", "--output", "problem.hdf5"], "another name"),
        ]:
            with self.subTest(words=words):
                done = self.scree("solve", *words)
                self.assert_status(done, WRONG_INPUT)
                self.assert_says(done, text)
        self.assert_untouched("problem.hdf5", "text.hdf5")

    def test_one_message_from_many_ranks(self):
        done = self.scree("solve", "absent.hdf5", ranks=4)
        self.assert_status(done, WRONG_INPUT)
        self.assertEqual((done.stdout + done.stderr).count("scree:"), 1, done.stderr)

    def test_quiet(self):
        self.problem()
        done = self.scree("solve", "problem.hdf5", "--quiet")
        self.assert_status(done, DONE)
        self.assertEqual(done.stdout + done.stderr, "")


if __name__ == "__main__":
    unittest.main()
