#!/usr/bin/python3
"""The benches of scripts/bench on LCPs and on planar scenes, at a small size."""
import sys
import unittest

sys.dont_write_bytecode = True
from benches import Benches
from cli import Cli


class LcpBench(Benches, Cli):
    def test_lcp(self):
        """Small problems, on which every method that the paper finds to work does."""
        self.bench("lcp", "ends", "fill", "warm", "convergence", "strategies", "--problems", 1, "--fluid-size", 60,
                   "--contacts", 3, "--dense-size", 20, "--methods", "fischer", "minmap:scaled=true", "pgs",
                   "--strategies", "perturbation", "approximation", "--results", "out")
        rows = {(row["problems"], row["method"]): row for row in self.table("out/ends.csv")}
        for key in (("fluid", "fischer"), ("fluid", "pgs"), ("contact", "fischer"), ("contact", "minmap:scaled=true")):
            self.assertEqual(rows[key]["ends"], "1 absolute", key)
        fluid, contact = self.table("out/fill.csv")
        self.assertEqual((fluid["entries"], fluid["symmetric"]), (str(60 + 2 * (59 + 58 + 57)), "yes"))  # three bands
        self.assertEqual((contact["symmetric"], contact["zeros on the diagonal"]), ("no", "3"))  # the slacks
        for row in self.table("out/warm.csv"):
            self.assertEqual(row["ends"], "1 absolute", row)
        newton, = [row for row in self.table("out/convergence.csv") if (row["problem"], row["method"]) == ("fluid", "fischer")]
        self.assertAlmostEqual(float(newton["order"]), 2, delta=0.2)  # quadratic
        strategies = self.table("out/strategies.csv")
        self.assertEqual(len(strategies), 2 * 2 * 3)
        for row in strategies:
            self.assertEqual(row["solved"], "1", row)
        for plot in ("fill", "convergence", "strategies"):
            self.assertTrue((self.folder / f"out/{plot}.png").read_bytes().startswith(b"\x89PNG"))


class LcpSweepsBench(Benches, Cli):
    def test_relaxation_seconds_and_zeros(self):
        self.bench("lcp", "relaxation", "seconds", "zeros", "--problems", 1, "--fluid-size", 60, "--dense-size", 20,
                   "--factors", 1.3, 1.6, "--largest", 60, "--repeats", 1, "--shares", 0.8, "--methods", "fischer", "pgs",
                   "--results", "out")
        for row in self.table("out/relaxation.csv"):  # theory of equations for an LCP
            self.assertAlmostEqual(float(row["to 1e-8"]), float(row["best for equations"]), delta=0.2)
        for plot in ("relaxation", "seconds"):
            self.assertTrue((self.folder / f"out/{plot}.png").read_bytes().startswith(b"\x89PNG"))
        self.check_seconds()
        self.check_zeros()

    def check_seconds(self):
        rows = {(row["problem"], row["variables"], row["method"]): row for row in self.table("out/seconds.csv")}
        self.assertEqual({key[:2] for key in rows}, {("fluid", "8"), ("contact", "60")})
        self.assertEqual({key[2] for key in rows}, {"fischer", "pgs", "lemke", "baraff"})
        for (kind, _, method), row in rows.items():
            with self.subTest(row=row):
                if method in ("lemke", "baraff"):
                    self.assertEqual(row["end"], "converged")
                elif method == "pgs":
                    self.assertEqual((row["iterations"], row["end"]), ("10", "iteration limit"))
                elif method == "fischer":
                    self.assertGreaterEqual(int(row["iterations"]), 5 if kind == "fluid" else 7)  # the paper's Table 2
                self.assertGreater(float(row["seconds"]), 0)

    def check_zeros(self):
        """With a solution lemke finds one, whatever the eigenvalues; sweeps that are left without one go to their limit."""
        rows = self.table("out/zeros.csv")
        self.assertEqual([row["zero eigenvalues"] for row in rows], 4 * ["0.8"])
        for row in rows:
            with self.subTest(row=row):
                solvable = row["right-hand side"] == "complementary"
                self.assertEqual(row["lemke"], "1 converged" if solvable else "1 infeasible")
                if row["method"] == "pgs":
                    self.assertEqual(row["ends"], "1 absolute" if solvable else "1 iteration limit")


class PlanarBench(Benches, Cli):
    def test_planar(self):
        self.bench("planar", "--scenes", "stacking30", "--methods", "pgs", "amgs:alpha=0.25",
                   "--points", 30, "--steps", 70, "--alphas", 0.5, "--repeats", 1, "--results", "out")
        rows = self.table("out/lcps.csv")
        self.assertEqual([row["start"] for row in rows], 10 * ["kept"] + 10 * ["zero"])
        for part in (rows[:10], rows[10:]):
            pgs, quarter = (int(row["sweeps"]) for row in part[:2])
            of_splitting = {row["method"]: int(row["sweeps"]) for row in part[2:]}
            self.assertLess(quarter, 0.6 * pgs)
            # the same method, on the matrix; sweeps are looked for to a hundredth
            self.assertLessEqual(abs(of_splitting["AMGS"] - pgs), 1 + pgs // 100)
            self.assertLess(of_splitting["AMSOR 1.4"], of_splitting["AMGS"])
            self.assertLess(of_splitting["AMGS"], of_splitting["MGS"])
        formed, = self.table("out/formed.csv")
        self.assertEqual(formed["A dense, entries"], str(30**2))
        self.assertLessEqual(int(formed["A sparse, entries"]), 30 * 9)  # a row and its neighbours
        for stored in ("sparse", "dense"):
            self.assertGreater(float(formed[f"A {stored} over J"]), 0)  # how much dearer is for the bench to say
        self.assertEqual((formed["rows"], formed["sweeps"]), ("30", "500"))
        steps = self.table("out/steps.csv")
        self.assertEqual([row["method"] for row in steps], ["pgs", "amgs:alpha=0.5"])
        rest = 30 * 9.80665 / 60  # N s that a step brings into the stack
        for row in steps:
            self.assertLess(float(row["largest of steps to 70"]), rest)
        pgs, half = (row["10 sweeps: RES, median of steps to 70"] for row in steps)
        self.assertEqual(pgs, half)  # the same method
        for plot in ("out/lcps.png", "out/steps.png"):
            self.assertTrue((self.folder / plot).read_bytes().startswith(b"\x89PNG"))


if __name__ == "__main__":
    unittest.main()
