#!/usr/bin/python3
"""The scripts in scripts/bench that make contact problems and compare methods on them, at a small size."""
import csv
import json
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.dont_write_bytecode = True
from cli import DONE, Cli

BENCH = Path(__file__).resolve().parents[2] / "scripts" / "bench"


class Benches(Cli):
    def bench(self, name, *arguments):
        done = subprocess.run([BENCH / "run", name, *map(str, arguments)], cwd=self.folder,
                              capture_output=True, text=True, timeout=600)
        self.assert_status(done, DONE)
        return done

    def table(self, name):
        with open(self.folder / name, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def residual(self, problem, ranks):
        done = self.scree("solve", problem, "--tol", "1e-6", "--friction", "associated", "--report",
                          "report.json", ranks=ranks)
        self.assert_status(done, DONE)
        return json.loads((self.folder / "report.json").read_text())["measures"]["residual"]

    def test_smooth(self):
        self.bench("smooth", "compaction", "--short", "--ranks", "1", "--results", "out", "--runs", "runs")
        rows = self.table("out/compaction.csv")
        relcp = {row["dt"]: row for row in rows if row["constraints"] == "ReLCP"}
        self.assertEqual(len(relcp), 2)
        for row in rows:
            with self.subTest(row=row):
                self.assertEqual(row["unsolved"], "0")
                if row["constraints"] == "ReLCP":
                    self.assertLessEqual(float(row["overlap"]), 1e-5)
                else:
                    self.assertGreater(float(row["overlap"]), 1e-3)
                if row["constraints"] == "7 balls":
                    self.assertGreater(int(row["count"]), int(relcp[row["dt"]]["count"]))

    def test_packing_of_a_cubic_lattice(self):
        """Balls of the diameter 1 on a cubic lattice fill pi/6 of space and have six neighbours each."""
        sys.path[:0] = [str(BENCH / "smooth"), str(BENCH / "lib")]
        import smooth_packing
        from smooth_packing import scree_results
        edge, layers = int(smooth_packing.CELL), 12
        cells = [(i, j, k) for i in range(edge) for j in range(edge) for k in range(layers)]
        names = {cell: n for n, cell in enumerate(cells)}
        pairs = [(n, names[other]) for (i, j, k), n in names.items()
                 for other in (((i + 1) % edge, j, k), (i, (j + 1) % edge, k), (i, j, k + 1)) if other in names]
        count = len(cells)
        grains = scree_results.Grains(Path(), 0.0, 0, {
            "id": np.arange(count), "position": np.array(cells) + 0.5, "radius": np.full(count, 0.5), "shape": np.zeros(count, dtype=int),
            "semi_axes": np.full((count, 3), 0.5), "orientation": np.tile([0.5, 0.5, 0.5, 0.5], (count, 1))},
            {"shape": ["sphere"]}, np.zeros(0), {})
        self.assertEqual(smooth_packing.bulk(grains), (2.0, 9.0))  # whole layers
        self.assertAlmostEqual(smooth_packing.packing(grains), np.pi / 6, places=12)
        contacts = {"id_a": np.array(pairs)[:, 0], "id_b": np.array(pairs)[:, 1]}
        self.assertEqual(smooth_packing.coordination(grains, contacts), 6)

    def test_colony(self):
        self.bench("colony", "--cells", 16, "--beside", 8, "--balls", 5, "--ranks", 1, "--results", "out",
                   "--runs", "runs")
        relcp, balls = self.table("out/constraints.csv")
        self.assertEqual([row["cells"] for row in (relcp, balls)], ["8", "8"])
        self.assertLessEqual(float(relcp["largest_overlap"]), 1e-5)
        self.assertGreater(float(balls["largest_overlap"]), 1e-2)  # balls 0.6 apart leave valleys 0.13 deep between radii of 0.25
        self.assertEqual([row["not_converged"] for row in (relcp, balls)], ["0", "0"])
        self.assertTrue((self.folder / "out/colony.png").read_bytes().startswith(b"\x89PNG"))
        sys.path[:0] = [str(BENCH / "colony"), str(BENCH / "lib")]
        import colony_cells
        *_, grains = colony_cells.snapshots(self.folder / "runs/cells16")
        starts, ends, radius = colony_cells.centre_lines(grains)
        lines = [a + np.linspace(0, 1, 401)[:, None] * (b - a) for a, b in zip(starts, ends)]
        pairs = [(i, j) for i in range(len(grains)) for j in range(i)]
        for reach in (0.5, 0.9):
            bound = 2 * radius * (1 + reach)  # distances of samples 0.01 apart exceed those of lines by 2e-5 at most
            near = [np.linalg.norm(lines[i][:, None] - lines[j], axis=-1).min() < bound for i, j in pairs]
            of_balls = [(np.linalg.norm(lines[i][::100, None] - lines[j][::100], axis=-1) < bound).sum() for i, j in pairs]
            self.assertEqual(colony_cells.pairs_within(grains, 5, reach), (sum(near), sum(of_balls)))

    def test_piles_and_solvers(self):
        names = ["box60r-seed1", "heap40t-mu1-ratio1000-seed2"]
        self.bench("piles", "piles", *names)
        self.assertEqual([row["pile"] for row in self.table("piles/piles.csv")], names)
        for name, grains, mu in ((names[0], 60, 0.4), (names[1], 40, 1.0)):
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
                self.assertLessEqual(self.residual(f"piles/{name}.hdf5", 1), 1e-6)
                self.assertLessEqual(self.residual(f"piles/{name}.hdf5", 2), 1e-6)
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
            self.assertTrue(iterations < int(row["products"]) < 2 * iterations, row)
        self.assertTrue((self.folder / "out/solvers.png").read_bytes().startswith(b"\x89PNG"))
        self.bench("solvers", f"piles/{names[0]}.hdf5", "--tolerances", "1e-3", "--methods", "kleinert",
                   "ipm:linear_solver=cg,preconditioner=ssor", "--friction", "associated", "--measure", "error",
                   "--results", "out")
        exact, krylov = self.table("out/solvers.csv")
        for row in (exact, krylov):
            self.assertEqual(row["status"], "converged", row)
        self.assertEqual((exact["inner_iterations"], krylov["factorisations"]), ("0", "0"))
        self.assertEqual(exact["factorisations"], exact["iterations"])

    def bench_again(self, name, *arguments):
        """From what was kept alone: no solve is possible."""
        done = subprocess.run([BENCH / "run", name, *map(str, arguments)], cwd=self.folder,
                              capture_output=True, text=True, timeout=60,
                              env=dict(os.environ, SCREE_PROGRAM=str(self.folder / "no-such-program")))
        self.assert_status(done, DONE)

    def test_ipm_on_piles(self):
        arguments = ["piles", "--piles", "box40t", "--seeds", 1, 2, "--more", "heap30r-seed1", "--ranks", 1, 2,
                     "--max-seconds", 60, "--results", "out"]
        self.bench("ipm", *arguments)
        rows = self.table("out/piles.csv")
        self.assertEqual({row["pile"] for row in rows}, {"box40t-seed1", "box40t-seed2", "heap30r-seed1"})
        self.assertEqual(len(rows), 3 * (4 + 6))
        for row in rows:
            if row["method"].startswith("ipm"):
                wanted = 2e-9 if row["method"] == "ipm auto" else 1.01e-6 if row["method"] == "ipm cg" else 1.01e-3
                self.assertLessEqual(float(row["smallest residual"]), wanted, row)
                self.check_products(row)
        bars = {row["what"]: row for row in self.table("out/piles-bars.csv")}
        self.assertEqual(len(bars), 6)
        self.assertLessEqual(float(bars["smallest error"]["median"]), 1e-9)
        self.assertEqual({row["seeds"] for row in bars.values()}, {"2"})
        (self.folder / "out/piles.csv").unlink()
        self.bench_again("ipm", *arguments)
        self.assertEqual(self.table("out/piles.csv"), rows)
        next((self.folder / "out/solves").glob("*pgj*")).unlink()
        self.bench("ipm", *arguments)  # what is missing is solved again
        self.assertEqual([row["status"] for row in self.table("out/piles.csv")], [row["status"] for row in rows])

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

    def test_the_figures_of_paper_004(self):
        arguments = ["piles", "--first", "box20t", "--second", "box30t", "--seeds", 1, "--max-seconds", 5,
                     "--results", "out"]
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
        self.bench_again("paper004", *arguments)

    def test_a_law_that_does_not_come_out(self):
        arguments = ["bounce", "--short", "--runs", "runs", "--results", "out"]
        self.bench("physics", *arguments)
        page = self.folder / "out/README.md"
        self.assertNotIn("FAILS", page.read_text())
        self.assertRegex(page.read_text(), r"(?s)## bounce.*\(bounce\.csv\).*scripts/bench/run physics bounce --short\n"
                                           r".*Made on .*commit.* cores.*<!-- end of bounce -->")
        page.write_text(page.read_text() + "\nWords of one's own.\n\n## other\n\nA section.\n")
        written = page.read_text().splitlines()
        self.bench_again("physics", *arguments)
        again = page.read_text().splitlines()  # the section in its place, the rest as it was
        self.assertEqual([line for line in again if "Made on" not in line], [line for line in written if "Made on" not in line])
        shutil.copy(self.folder / "runs/bounce/e0.5-dt0.001/steps.csv", self.folder / "runs/bounce/e0.9-dt0.001/steps.csv")
        failed = subprocess.run([BENCH / "run", "physics", *arguments], cwd=self.folder,
                                capture_output=True, text=True, timeout=60)
        self.assert_status(failed, 1)
        self.assertIn("FAILS", page.read_text())

    def test_a_name_that_is_none(self):
        done = subprocess.run([BENCH / "run", "piles", "piles", "bag60r-seed1"], cwd=self.folder,
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 2)
        self.assertIn("a name is like", done.stderr)
        self.assert_untouched()

    def test_friction(self):
        arguments = ["--scenes", "trench", "--dt", "5e-3", "--tolerances", "1e-3", "--rivals", "pgj", "--iterations",
                     "2", "--end", "0.02", "--results", "out"]
        self.bench("friction", *arguments)
        rows = self.table("out/friction.csv")
        self.assertEqual([(row["friction"], row["method"], row["steps"]) for row in rows],
                         [("coulomb", "auto", "4"), ("coulomb", "pgj", "4"),
                          ("associated", "auto", "4"), ("associated", "pgj", "4")])
        self.assertEqual([row["reached_tolerance"] for row in rows if row["method"] == "auto"], ["4", "4"])
        self.assertTrue((self.folder / "out/friction.png").is_file())
        path = self.folder / "out/friction.csv"
        path.write_text(path.read_text().replace(f",{rows[0]['residual_worst']},", ",marked,"))
        self.bench("friction", *arguments)
        self.assertEqual(self.table("out/friction.csv")[0]["residual_worst"], "marked")  # kept, not run again

    def test_step(self):
        self.bench("step", "--before", os.environ["SCREE_PROGRAM"], "--end", "0.01", "--repeats", "1", "--results", "out")
        rows = {row["case"]: row for row in self.table("out/step.csv")}
        self.assertEqual(set(rows), {"before, rigid 1e-4", "rigid 1e-4", "1e10 Pa 1e-4", "1e8 Pa 1e-4", "1e8 Pa 1e-8",
                                     "1e7 Pa 1e-4"})
        self.assertEqual(rows["before, rigid 1e-4"]["updates_M"], rows["rigid 1e-4"]["updates_M"])  # one program
        self.assertEqual(float(rows["rigid 1e-4"]["compression_late"]), 0.0)
        for row in rows.values():
            self.assertEqual(float(row["not_converged"]), 0.0)
            self.assertTrue(0 < float(row["solve_share"]) < 1, row)  # the solve is a part of the step
            self.assertGreater(float(row["us_per_contact_outside"]), 0.0)  # so is what is not the solve
        softer = [rows[case] for case in ("1e10 Pa 1e-4", "1e8 Pa 1e-4", "1e7 Pa 1e-4")]
        pressed = [float(row["compression_late"]) for row in softer]
        self.assertEqual(pressed, sorted(pressed))  # the same bed yields more the softer it is
        self.assertLess(pressed[0], 0.1 * pressed[-1])  # a thousandth of the modulus
        self.assertEqual([float(row["penetration_late"]) for row in softer], [0.0] * 3)  # compliant gaps do not pass

    def test_compliance(self):
        for part in ("bounce", "draft", "energy", "forces", "jammed", "packing", "rest"):
            self.bench("compliance", part, "--short", "--results", "out")
        for row in self.table("out/bounce.csv"):
            self.assertLessEqual(float(row["largest_error"]), float(row["bound"]), row)
        self.assertEqual([row["ends"] for row in self.table("out/draft.csv")], ["done", "done"])
        energy, = self.table("out/energy.csv")
        self.assertEqual(energy["steps_that_grow"], "0")
        self.assertAlmostEqual(float(energy["springs_over_force"]), 1, places=2)
        for row in self.table("out/forces.csv"):
            self.assertEqual(row["reached"], row["starts"])
            # the same starts would end alike, digit by digit; these differ by less than in the full bed, where forces of
            # one modulus are unique and those of rigid contacts are not (docs/results/compliance)
            self.assertGreater(float(row["largest_difference"]), 1e-9)
            self.assertLess(float(row["largest_difference"]), 2.2e-2)
        solved = {(row["R_over_N"], row["method"], row["friction"]): row for row in self.table("out/jammed.csv")}
        self.assertEqual(len(solved), 3 * 4)
        for method in ("nsgs", "pac"):
            self.assertEqual(solved["0.1", method, "coulomb"]["status"], "converged")
        self.assertEqual({row["E_Pa"] for row in self.table("out/packing.csv")}, {"1e7"})
        still, = self.table("out/rest.csv")
        self.assertLess(float(still["moved_last_um_s"]), 1)

    def test_impact(self):
        """A ball without loss comes back to its height, with energetic impacts to rounding of the table's digits."""
        self.bench("impact", "bounce", "--short", "--results", "out")
        rows = {(row["law"], row["e"]): row for row in self.table("out/bounce.csv")}
        self.assertEqual(rows["energetic", "1.0"]["height_ratios"], "1.0000 1.0000 1.0000")
        self.assertLess(float(rows["energetic", "0.8"]["worst_error"]), 4e-3)  # (1 - e^2) of a step's way over the height

    def test_lcp(self):
        """Small problems, on which every method that the paper finds to work does."""
        self.bench("lcp", "ends", "fill", "warm", "convergence", "strategies", "relaxation", "--problems", "1", "--fluid-size",
                   "60", "--contacts", "3", "--dense-size", "20", "--results", "out")
        rows = {(row["problems"], row["method"]): row for row in self.table("out/ends.csv")}
        for key in (("fluid", "fischer"), ("fluid", "minmap"), ("fluid", "pgs"), ("contact", "fischer")):
            self.assertEqual(rows[key]["ends"], "1 absolute", key)
        fluid, contact = self.table("out/fill.csv")
        self.assertEqual((fluid["entries"], fluid["symmetric"]), (str(60 + 2 * (59 + 58 + 57)), "yes"))  # three bands
        self.assertEqual((contact["symmetric"], contact["zeros on the diagonal"]), ("no", "3"))  # the slacks
        for row in self.table("out/warm.csv"):
            self.assertEqual(row["ends"], "1 absolute", row)
        newton, = [row for row in self.table("out/convergence.csv") if (row["problem"], row["method"]) == ("fluid", "fischer")]
        self.assertAlmostEqual(float(newton["order"]), 2, delta=0.2)  # quadratic
        for row in self.table("out/strategies.csv"):
            self.assertEqual(row["solved"], "1", row)
        for row in self.table("out/relaxation.csv"):  # factors in steps of 0.1, and theory of equations for an LCP
            self.assertAlmostEqual(float(row["to 1e-8"]), float(row["best for equations"]), delta=0.2)
        for plot in ("fill", "convergence", "strategies", "relaxation"):
            self.assertTrue((self.folder / f"out/{plot}.png").read_bytes().startswith(b"\x89PNG"))

    def test_seconds_of_lcps(self):
        self.bench("lcp", "seconds", "--largest", "60", "--results", "out")
        rows = {(row["problem"], row["variables"], row["method"]): row for row in self.table("out/seconds.csv")}
        self.assertEqual({key[:2] for key in rows}, {("fluid", "8"), ("contact", "60")})
        for (kind, _, method), row in rows.items():
            with self.subTest(row=row):
                if method in ("lemke", "baraff"):
                    self.assertEqual(row["end"], "converged")
                elif method in ("pgs", "psor", "amgs"):
                    self.assertEqual((row["iterations"], row["end"]), ("10", "iteration limit"))
                elif method == "fischer":
                    self.assertGreaterEqual(int(row["iterations"]), 5 if kind == "fluid" else 7)  # the paper's Table 2
                self.assertLess(float(row["seconds"]), 1)  # 60 rows

    def test_zero_eigenvalues(self):
        """With a solution lemke finds one, whatever the eigenvalues; sweeps that are left without one go to their limit."""
        self.bench("lcp", "zeros", "--problems", "1", "--dense-size", "20", "--results", "out")
        rows = self.table("out/zeros.csv")
        for row in rows:
            with self.subTest(row=row):
                solvable = row["right-hand side"] == "complementary" or row["zero eigenvalues"] == "0.0"
                self.assertEqual(row["lemke"], "1 converged" if solvable else "1 infeasible")
                if row["method"] == "pgs":
                    self.assertEqual(row["ends"], "1 absolute" if solvable else "1 iteration limit")

    def test_planar(self):
        self.bench("planar", "--scenes", "stacking30", "--methods", "pgs", "amgs:alpha=0.5", "amgs:alpha=0.25",
                   "--steps", 80, "--results", "out")
        rows = self.table("out/lcps.csv")
        self.assertEqual([row["start"] for row in rows], 11 * ["kept"] + 11 * ["zero"])
        for part in (rows[:11], rows[11:]):
            pgs, half, quarter = (int(row["sweeps"]) for row in part[:3])
            of_splitting = {row["method"]: int(row["sweeps"]) for row in part[3:]}
            self.assertEqual(pgs, half)  # the same method
            self.assertLess(quarter, 0.6 * pgs)
            # once more the same, on the matrix; sweeps are looked for to a hundredth
            self.assertLessEqual(abs(of_splitting["AMGS"] - pgs), 1 + pgs // 100)
            self.assertLess(of_splitting["AMSOR 1.4"], of_splitting["AMGS"])
            self.assertLess(of_splitting["AMGS"], of_splitting["MGS"])
        formed, = self.table("out/formed.csv")
        # 30 entries a row beside 9 at most; the least time of several solves
        self.assertGreater(float(formed["A dense over J"]), float(formed["A sparse over J"]))
        self.assertEqual((formed["rows"], formed["sweeps"]), ("30", "500"))
        steps = self.table("out/steps.csv")
        self.assertEqual(len(steps), 7)
        rest = 30 * 9.80665 / 60  # N s that a step brings into the stack
        for row in steps:
            self.assertLess(float(row["largest of steps to 80"]), rest)
        pgs, half = (row["10 sweeps: RES, median of steps to 80"] for row in (steps[0], steps[5]))
        self.assertEqual(pgs, half)
        for plot in ("out/lcps.png", "out/steps.png"):
            self.assertTrue((self.folder / plot).read_bytes().startswith(b"\x89PNG"))


if __name__ == "__main__":
    unittest.main()
