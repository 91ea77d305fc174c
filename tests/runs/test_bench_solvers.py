#!/usr/bin/python3
"""The benches of scripts/bench that make contact problems and compare methods on them, at a small size."""
import gzip
import json
import math
import subprocess
import sys
import unittest

import h5py
import numpy as np

sys.dont_write_bytecode = True
from benches import BENCH, Benches
from cli import DONE, PATIENCE, Cli


class SolversBench(Benches, Cli):
    def residual(self, problem, ranks):
        done = self.scree("solve", problem, "--tol", "1e-6", "--friction", "associated", "--report",
                          "report.json", ranks=ranks)
        self.assert_status(done, DONE)
        return json.loads((self.folder / "report.json").read_text())["measures"]["residual"]

    def test_piles_and_solvers(self):
        names = ["box60r-seed1", "heap40t-mu1-ratio1000-seed2"]
        self.bench("piles", "piles", *names)
        self.assertEqual([row["pile"] for row in self.table("piles/piles.csv")], names)
        for name, grains, mu, ranks in ((names[0], 60, 0.4, 1), (names[1], 40, 1.0, 2)):
            with self.subTest(name=name):
                with h5py.File(self.folder / f"piles/{name}.hdf5") as file:
                    problem = file["fclib_global"]
                    self.assertEqual(len(problem["info/body_id"]), grains)
                    self.assertEqual(set(problem["vectors/mu"][:]), {mu})
                    gaps = problem["vectors/w"][:].reshape(-1, 3)  # over dt; the walls stand still
                    self.assertGreaterEqual(gaps.min(), -1e-12)
                    self.assertGreater(len(gaps), grains)
                    mass = problem["M/x"][:].reshape(-1, 6)[:, 0]
                    self.assertEqual(mass.max() > 100 * np.median(mass), "ratio" in name)
                self.assertLessEqual(self.residual(f"piles/{name}.hdf5", ranks), 1e-6)
        self.compare_solvers(names)

    def compare_solvers(self, names):
        self.bench("solvers", f"piles/{names[0]}.hdf5", "--tolerances", "1e-4", "1e-2", "--methods", "nsgs", "apgd",
                   "--friction", "coulomb", "--results", "out")
        rows = self.table("out/solvers.csv")
        self.assertEqual([row["method"] for row in rows], ["nsgs", "apgd"])
        for row in rows:
            self.assertEqual(row["status"], "converged")
            self.assertLessEqual(float(row["residual"]), 1.01e-4)
            self.assertLessEqual(int(row["0.01: iterations"]), int(row["0.0001: iterations"]))
            self.assertEqual(row["0.0001: iterations"], row["iterations"])
            # a product a sweep, or a gradient step; line searches add less than one each, the last measurement one
            iterations = int(row["iterations"])
            self.assertTrue(iterations <= int(row["products"]) < 2 * iterations, row)
        self.assertTrue((self.folder / "out/solvers.png").read_bytes().startswith(b"\x89PNG"))
        self.bench("solvers", f"piles/{names[0]}.hdf5", "--tolerances", "1e-3", "--methods", "kleinert",
                   "ipm:linear_solver=cg,preconditioner=ssor", "--friction", "associated", "--measure", "error",
                   "--results", "out")
        exact, krylov = self.table("out/solvers.csv")
        for row in (exact, krylov):
            self.assertEqual(row["status"], "converged", row)
        self.assertEqual((exact["inner_iterations"], krylov["factorisations"]), ("0", "0"))
        self.assertEqual(exact["factorisations"], exact["iterations"])

    def test_a_name_that_is_none(self):
        done = subprocess.run([BENCH / "run", "piles", "piles", "bag60r-seed1"], cwd=self.folder,
                              capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, 2)
        self.assertIn("a name is like", done.stderr)
        self.assert_untouched()


class IpmBench(Benches, Cli):
    def test_ipm_on_piles(self):
        arguments = ["piles", "--piles", "heap20r", "--results", "out", "--seeds", 1]
        self.bench("ipm", *arguments, 2)
        rows = self.table("out/piles.csv")
        self.assertEqual([row["pile"] for row in rows], 4 * ["heap20r-seed1"] + 4 * ["heap20r-seed2"])
        self.check_rows(rows)
        bars = {row["what"]: row for row in self.table("out/piles-bars.csv")}
        self.assertEqual(len(bars), 6)
        self.assertLessEqual(float(bars["smallest error"]["median"]), 1e-9)
        self.assertEqual({row["seeds"] for row in bars.values()}, {"2"})
        self.bench_again("ipm", *arguments, "--more", "heap20r-seed2")
        self.assertEqual(self.table("out/piles.csv"), rows)
        self.assertEqual({row["seeds"] for row in self.table("out/piles-bars.csv")}, {"1"})
        next((self.folder / "out/solves").glob("heap20r-seed1*pgj*")).unlink()
        self.bench("ipm", *arguments, "--ranks", 1, 2)
        more = self.table("out/piles.csv")  # what is missing is solved again, and by subdomains
        self.assertEqual([row["status"] for row in more[:4]], [row["status"] for row in rows[:4]])
        self.assertEqual([row["ranks"] for row in more], 4 * ["1"] + 6 * ["2"])
        self.check_rows(more[4:])

    def check_rows(self, rows):
        for row in rows:
            if row["method"].startswith("ipm"):
                wanted = 2e-9 if row["method"] == "ipm auto" else 1.01e-6 if row["method"] == "ipm cg" else 1.01e-3
                self.assertLessEqual(float(row["smallest residual"]), wanted, row)
                self.check_products(row)

    def check_products(self, row):
        """A step by conjugate gradients takes one product with the matrix at least, and no factor; what a residual costs grows
        with it, and stays below the bar that the bench sets for 5,040 spheres, 1500 to a residual of 1e-3.
        """
        products = int(row["residual 1e-3: products"])
        self.assertLessEqual(products, 1500)
        if row["residual 1e-6: iterations / products / factorisations"] == "-":
            self.assertNotIn(row["method"], ("ipm auto", "ipm cg"))
            return
        iterations, more, factors = map(int, row["residual 1e-6: iterations / products / factorisations"].split(" / "))
        self.assertLessEqual(products, more)
        if row["method"] == "ipm cg":
            self.assertEqual(factors, 0)
            self.assertLessEqual(iterations, more)


class Paper004Bench(Benches, Cli):
    def test_the_figures_of_paper_004(self):
        arguments = ["piles", "--first", "box20t", "--second", "box30t", "--seeds", 1, "--iterations", 20,
                     "--max-seconds", 1, "--results", "out"]
        self.bench("paper004", *arguments)
        rows = {(row["pile"], row["method"]): row for row in self.table("out/box.csv")}
        self.assertEqual({pile for pile, _ in rows}, {"box20t-seed1", "box30t-seed1", "box20t-young1e9-seed1"})
        for pile in ("box20t-seed1", "box30t-seed1"):
            self.assertEqual(rows[pile, "ipm"]["status"], "converged")
            exact = rows[pile, "kleinert:linear_solver=mumps"]
            self.assertEqual(exact["error 1e-3: iterations / Krylov / s"].split(" / ")[1], "0")
        for figure in (8, 9, 10, 11, 12):
            self.assertTrue((self.folder / f"out/box-fig{figure}.png").read_bytes().startswith(b"\x89PNG"))
        spectra = [json.loads(file.read_text()) for file in (self.folder / "out/solves").glob("*spectrum*")]
        self.assertEqual(len(spectra), 4)
        for report in spectra:
            low, high = report["history"][1]["eigenvalues"]
            self.assertLess(low, high)
        numbers = self.table("out/box-fig8.csv")
        self.assertEqual({row["matrix"] for row in numbers}, {"plain", "R", "R, IC(0)", "R, ILU(0): singular values"})
        for row in numbers:
            self.assertLess(float(row["smallest"]), float(row["largest"]), row)
        self.bench_again("paper004", *arguments, "--figures", 8, 12)


class PublishedPilesBench(Benches, Cli):
    def test_the_piles_of_paper_004(self):
        """Four spheres on the floor carry a fifth: the floor's impulses are the weight of all."""
        radius, half = 0.01, 0.0101
        rows = [(x, y, radius, radius) for x in (-half, half) for y in (-half, half)]
        rows.append((0, 0, radius + (4 * radius**2 - 2 * half**2) ** 0.5, radius))
        text = "x,y,z,r\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)
        self.write(text, "pile2048.csv")
        (self.folder / "pile5040.csv.gz").write_bytes(gzip.compress(text.encode()))
        self.bench("paper004", "piles", "--published", ".", "--figures", 10, "--iterations", 20, "--max-seconds", 1,
                   "--results", "out")
        ours = next(row for row in self.table("out/published.csv") if row["method"] == "ipm")
        # 4 of the floor, and each pair but the two across: 0.0101 * 8^0.5 - 0.02 is 8.57 mm
        self.assertEqual((ours["status"], ours["contacts"]), ("converged", str(4 + 4 + 4)))
        self.assert_status(self.scree("solve", "piles/published5040-seed1.hdf5", "--solver", "ipm", "--tol", "1e-8",
                                      "--friction", "associated", "--output", "solved.hdf5"), DONE)
        with h5py.File(self.folder / "solved.hdf5") as file:
            of_floor = file["solution/r"][:].reshape(-1, 3)[-4:, 0]
            h = file["fclib_global/H"]
            transfer = np.zeros((5 * 6, 12 * 3))
            transfer[h["i"][:], h["p"][:]] = h["x"][:]
        of_bodies = transfer.reshape(5, 6, 12, 3)[:, :3]  # body, force, contact, row
        for contact, forces in enumerate(of_bodies.transpose(2, 0, 1, 3)):
            bodies = [one for one in forces if one.any()]
            for one in bodies:  # n, t and q
                np.testing.assert_allclose(one.T @ one, np.eye(3), atol=1e-14)
            self.assertEqual(len(bodies), 2 if contact < 8 else 1)
            if contact < 8:
                np.testing.assert_array_equal(bodies[0], -bodies[1])
        weight = 5 * 1650 * 4 / 3 * math.pi * radius**3 * 10 * 0.01
        self.assertAlmostEqual(of_floor.sum(), weight, delta=1e-6 * weight)


if __name__ == "__main__":
    unittest.main()
