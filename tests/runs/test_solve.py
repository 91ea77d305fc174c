#!/usr/bin/python3
"""`scree solve` as a user meets it."""
import json
import sys
import unittest

import h5py
import numpy as np

sys.dont_write_bytecode = True
from cli import DONE, FAILED, WRONG_INPUT, Cli


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
        for law, expected, ranks in [("coulomb", self.COULOMB, 1), ("coulomb", self.COULOMB, 4),
                                     ("associated", self.ASSOCIATED, 3)]:
            with self.subTest(ranks=ranks, law=law):
                done = self.scree("solve", "problem.hdf5", "--solver", "nsgs", "--friction", law,
                                  "--tol", "1e-10", "--report", "report.json", "--output",
                                  "solved.hdf5", ranks=ranks)
                self.assert_status(done, DONE)
                report = json.loads((self.folder / "report.json").read_text())
                self.assertEqual(report["status"], "converged")
                self.assertLessEqual(report["measures"]["residual"], 1e-10)
                self.assertLess(np.abs(self.solution("solved.hdf5") - expected).max(), 1e-9)

    def lcp(self, a, b):
        """Writes an LCP."""
        a = np.array(a, float)
        row, column = np.nonzero(a)
        with h5py.File(self.folder / "lcp.hdf5", "w") as file:
            matrix = file.create_group("lcp/A")
            for key, value in [("m", a.shape[0]), ("n", a.shape[1]), ("nz", row.size), ("nzmax", row.size)]:
                matrix[key] = np.array([value], np.int32)
            matrix["i"], matrix["p"] = row.astype(np.int32), column.astype(np.int32)
            matrix["x"] = a[row, column]
            file["lcp/vectors/b"] = np.array(b, float)

    def test_linear_complementarity(self):
        # eq. 27 of one contact that slides: impulse 1, friction 0.5, speed of sliding 0.4
        self.lcp([[1, 0, 0, 0], [0, 1, -1, 1], [0, -1, 1, 1], [0.5, -1, -1, 0]], [-1, -0.9, 0.9, 0])
        for method, ranks in (("lemke", 2), ("fischer", 2), ("auto", 1)):
            done = self.scree("solve", "lcp.hdf5", "--solver", method, "--tol", "1e-9", "--output", "solved.hdf5", ranks=ranks)
            self.assert_status(done, DONE)
            with h5py.File(self.folder / "solved.hdf5") as file:
                self.assertLess(np.abs(file["solution/r"][:] - [1, 0.5, 0, 0.4]).max(), 1e-7, method)
                self.assertLess(np.abs(file["solution/u"][:] - [0, 0, 0.8, 0]).max(), 1e-7, method)
        self.assert_says(self.scree("info", "lcp.hdf5"), "linear complementarity problem", "matrix A: 4 x 4")
        done = self.scree("solve", "lcp.hdf5", "--solver", "pgs", "--output", "other.hdf5", ranks=2)
        self.assert_status(done, WRONG_INPUT)
        self.assert_says(done, "lcp.hdf5: pgs divides by the diagonal", "lemke would do")
        self.assertFalse((self.folder / "other.hdf5").exists())

    def test_friction_by_directions(self):
        self.problem()
        done = self.scree("solve", "problem.hdf5", "--directions", "4", "--solver", "lemke", "--report", "report.json",
                          "--output", "solved.hdf5")
        self.assert_status(done, DONE)
        self.assertLess(json.loads((self.folder / "report.json").read_text())["residual_of_cones"], 1e-9)
        self.assertLess(np.abs(self.solution("solved.hdf5") - self.COULOMB).max(), 1e-9)  # it slides along one
        done = self.scree("solve", "problem.hdf5", "--directions", "4", "--friction", "associated")
        self.assert_status(done, WRONG_INPUT)
        self.assert_says(done, "--friction excludes --directions")
        done = self.scree("solve", "problem.hdf5", "--directions", "5")
        self.assert_status(done, WRONG_INPUT)
        self.assert_says(done, "even number of directions")
        done = self.scree("solve", "problem.hdf5", "--solver", "minmap")
        self.assert_status(done, WRONG_INPUT)
        self.assert_says(done, "friction cones", "nsgs")

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
            (["problem.hdf5", "--solver", "nsg"], 'did you mean "nsgs"'),
            (["problem.hdf5", "--friction", "some"], "some"),
            (["problem.hdf5", "--tol", "-1"], "solver.tolerance: -1 is out of range"),
            (["problem.hdf5", "--report", "absent/report.json"], "absent"),
            (["problem.hdf5", "--tol", "nan"], "solver.tolerance"),
            (["problem.hdf5", "--max-seconds", "inf"], "solver.max_seconds"),
            (["problem.hdf5", "--set", "time.dt=1"], "time"),
            (["problem.hdf5", "--replay"], "solve it without --replay"),
        ]:
            with self.subTest(words=words):
                done = self.scree("solve", *words)
                self.assert_status(done, WRONG_INPUT)
                self.assert_says(done, text)
        self.assert_untouched("problem.hdf5", "text.hdf5")

    def test_nothing_is_written_over_what_is_read(self):
        self.problem()
        (self.folder / "link.hdf5").symlink_to("problem.hdf5")
        (self.folder / "inner").mkdir()
        before = (self.folder / "problem.hdf5").read_bytes()
        for words, ranks, text in [
            (["--output", "problem.hdf5"], 2, "another name"),
            (["--output", "inner/../problem.hdf5"], 1, "another name"),
            (["--report", "problem.hdf5"], 1, "another name"),
            (["--report", "link.hdf5"], 1, "another name"),
            (["--report", "new", "--output", "inner/../new"], 1, "another name"),
            (["--report", "inner"], 1, "inner: is a folder"),
            (["--output", "inner/"], 2, "inner/: is a folder"),
            (["--report", "/proc/new"], 2, "/proc/new: cannot be written"),
            (["--output", "/proc/new"], 1, "/proc/new: cannot be written"),
        ]:
            with self.subTest(words=words, ranks=ranks):
                done = self.scree("solve", "problem.hdf5", *words, ranks=ranks)
                self.assert_status(done, WRONG_INPUT)
                self.assert_says(done, text)
                self.assertNotIn("converged", done.stdout)
                self.assertEqual((self.folder / "problem.hdf5").read_bytes(), before)
        self.assert_untouched("problem.hdf5", "link.hdf5", "inner")

    def test_what_stands_under_a_name(self):
        """A link is followed, a stream is written to, and neither is replaced by a file."""
        self.problem()
        (self.folder / "old.hdf5").write_text("old")
        (self.folder / "link.hdf5").symlink_to("old.hdf5")
        done = self.scree("solve", "problem.hdf5", "--quiet", "--output", "link.hdf5", "--report",
                          "/dev/stdout")
        self.assert_status(done, DONE)
        self.assertEqual(json.loads(done.stdout)["status"], "converged")
        self.assertTrue((self.folder / "link.hdf5").is_symlink())
        self.assertEqual(self.solution("old.hdf5").shape, (3, 3))
        self.assert_untouched("problem.hdf5", "old.hdf5", "link.hdf5")
        (self.folder / "new.hdf5.part").symlink_to("problem.hdf5")
        for output, text in [("/dev/null", "is no file"), ("new.hdf5", "another name")]:
            with self.subTest(output=output):
                done = self.scree("solve", "problem.hdf5", "--output", output)
                self.assert_status(done, WRONG_INPUT)
                self.assert_says(done, text)

    def test_one_message_from_many_ranks(self):
        done = self.scree("solve", "absent.hdf5", ranks=3)
        self.assert_status(done, WRONG_INPUT)
        self.assertEqual((done.stdout + done.stderr).count("scree:"), 1, done.stderr)

    def test_quiet(self):
        self.problem()
        done = self.scree("solve", "problem.hdf5", "--quiet")
        self.assert_status(done, DONE)
        self.assertEqual(done.stdout + done.stderr, "")


if __name__ == "__main__":
    unittest.main()
