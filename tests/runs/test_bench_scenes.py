#!/usr/bin/python3
"""The benches of scripts/bench that run scenes, at a small size."""
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
from benches import BENCH, Benches
from cli import PATIENCE, PROGRAM, Cli



class SmoothBench(Benches, Cli):
    def test_two_ellipsoids_beside_their_differential_equation(self):
        sys.path[:0] = [str(BENCH / "smooth")]
        import pair_ode
        ellipses = pair_ode.Ellipses((2, 1), (36, 36, 48), -1)
        q, step = np.array([0.3, 0.9, 0.5]), 1e-6
        slopes = [(ellipses.room(q + way)[0] - ellipses.room(q - way)[0]) / (2 * step) for way in step * np.eye(3)]
        np.testing.assert_allclose(ellipses.room(q)[1], slopes, atol=1e-8)  # rounding over the step
        self.bench("smooth", "pair", "--short", "--ranks", "1", "--results", "out", "--runs", "runs")
        short, long = (row for row in self.table("out/pair.csv") if row["study"] == "relcp")
        for key in ("x", "y", "angle"):
            self.assertAlmostEqual(float(long[key]) / float(short[key]), 2.0, delta=0.1)  # of first order, by two digits
            self.assertLess(float(short[key]), 2e-3)  # twice what the stored table has

    def test_smooth(self):
        self.bench("smooth", "compaction", "gathering", "settling", "--short", "--ranks", "1", "--results", "out", "--runs", "runs")
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

        gathering = self.table("out/gathering.csv")
        self.assertEqual({row["method"] for row in gathering}, {"ReLCP", "3 balls"})
        self.assertGreater(int(gathering[-1]["constraints"]), 0)  # they have come together
        for row in gathering:
            with self.subTest(row=row):
                self.assertEqual(row["unsolved"], "0")
                if row["method"] == "ReLCP":
                    self.assertEqual(row["seconds_over_relcp"], "1.0")
        for row in self.table("out/settling.csv"):
            with self.subTest(row=row):
                self.assertEqual(row["unsolved"], "0")
                if row["constraints"] == "relcp":
                    self.assertLessEqual(float(row["overlap"]), 1e-5)

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


class ColonyBench(Benches, Cli):
    def test_colony(self):
        self.bench("colony", "--cells", 16, "--beside", 8, "--balls", 5, "--ranks", 1, "--results", "out",
                   "--runs", "runs")
        relcp, balls = self.table("out/constraints.csv")
        self.assertEqual([row["cells"] for row in (relcp, balls)], ["8", "8"])
        self.assertLessEqual(float(relcp["largest_overlap"]), 1e-5)
        self.assertGreater(float(balls["largest_overlap"]), 1e-2)  # balls 0.6 apart leave valleys 0.13 deep between radii of 0.25
        self.assertEqual([row["not_converged"] for row in (relcp, balls)], ["0", "0"])
        last = self.table("out/growth.csv")[-1]
        self.assertEqual((last["cells"], last["cut"]), ("16", "0.00"))
        near, *_, far = self.table("out/alignment.csv")
        self.assertEqual(list(near), ["from_diameters", "to_diameters", "relcp", "5_balls"])
        self.assertEqual((near["from_diameters"], far["to_diameters"]), ("1", "16"))
        self.assertTrue((self.folder / "out/colony.png").read_bytes().startswith(b"\x89PNG"))
        sys.path[:0] = [str(BENCH / "colony"), str(BENCH / "lib")]
        import colony_cells
        *_, grains = colony_cells.snapshots(self.folder / "runs/cells16-1")
        starts, ends, radius = colony_cells.centre_lines(grains)
        lines = [a + np.linspace(0, 1, 401)[:, None] * (b - a) for a, b in zip(starts, ends)]
        pairs = [(i, j) for i in range(len(grains)) for j in range(i)]
        for reach in (0.5, 0.9):
            bound = 2 * radius * (1 + reach)  # distances of samples 0.01 apart exceed those of lines by 2e-5 at most
            near = [np.linalg.norm(lines[i][:, None] - lines[j], axis=-1).min() < bound for i, j in pairs]
            of_balls = [(np.linalg.norm(lines[i][::100, None] - lines[j][::100], axis=-1) < bound).sum() for i, j in pairs]
            self.assertEqual(colony_cells.pairs_within(grains, 5, reach), (sum(near), sum(of_balls)))
        edges, axes = [0.0, 1.0, 2.0, 4.0, 8.0], (ends - starts) / np.linalg.norm(ends - starts, axis=1)[:, None]
        apart = [np.linalg.norm(grains.position[i, :2] - grains.position[j, :2]) for i, j in pairs]
        aligned = [2 * (axes[i] @ axes[j])**2 - 1 for i, j in pairs]  # cos 2 x
        for low, high, mean in zip(edges, edges[1:], colony_cells.alignment(grains, edges)):
            of_bin = [value for value, distance in zip(aligned, apart) if low <= distance < high]
            self.assertAlmostEqual(mean, np.mean(of_bin), places=6)  # orientations are of single precision

    def test_a_step_in_parts_is_one(self):
        sys.path[:0] = [str(BENCH / "colony"), str(BENCH / "lib")]
        import bench
        of_all = {"bodies": 16, "contacts": 10, "recursions": 2, "overlap": 1e-6, "status": "converged", "seconds_solve": 1.0}
        steps = [of_all | {"step": step, "seconds_step": seconds} for step, seconds in ((1, 2.0), (2, 1.0), (2, 5.0))]
        (row,) = bench.growth(steps, 1)
        self.assertEqual((row["steps"], row["ms_a_step"], row["cut"], row["share_of_solves"]), (2, "4000.0", "0.75", "0.38"))
        self.assertEqual((row["recursions"], row["us_a_constraint"]), ("3.0", "400000 +- 282843"))


class PhysicsBench(Benches, Cli):
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
                                capture_output=True, text=True, timeout=PATIENCE)
        self.assert_status(failed, 1)
        self.assertIn("FAILS", page.read_text())


class ImpactBench(Benches, Cli):
    def test_impact(self):
        """A ball without loss comes back to its height, with energetic impacts to rounding of the table's digits."""
        self.bench("impact", "bounce", "--short", "--results", "out")
        rows = {(row["law"], row["e"]): row for row in self.table("out/bounce.csv")}
        self.assertEqual(rows["energetic", "1.0"]["height_ratios"], "1.0000 1.0000 1.0000")
        self.assertLess(float(rows["energetic", "0.8"]["worst_error"]), 4e-3)  # (1 - e^2) of a step's way over the height


class AttackBench(Benches, Cli):
    def test_closed_containers(self):
        self.bench("attack", "closed", "--seeds", 1, "--containers", 2, "--before", PROGRAM, "--results", "out")
        rows = self.table("out/closed.csv")
        self.assertEqual([(row["class"], row["constraints"]) for row in rows],
                         [(name, way) for way in ("manifold", "relcp") for name in ("container", "overlap", "sizes")])
        for row in rows:
            self.assertEqual(row["scenes"], "1")
            self.assertGreater(int(row["steps"]), 50)
            for count in ("passed", "infeasible", "ended", "blown"):
                self.assertEqual((row[count], row[f"{count}_before"]), ("0", "0"), row)


class DraftBench(Benches, Cli):
    def test_draft_force(self):
        self.bench("trench", "--short", "--seeds", "2", "--results", "out")
        alone, other = self.table("out/trench.csv")
        self.assertEqual(alone["change_percent"], "+0.0 +- 0.0")
        self.assertEqual([(row["beds"], row["unsolved"]) for row in (alone, other)], [("2", "0")] * 2)


class ComplianceBench(Benches, Cli):
    def test_compliance(self):
        self.bench("compliance", "bounce", "draft", "energy", "forces", "jammed", "packing", "rest", "restitution", "steps",
                   "--short", "--results", "out")
        for row in self.table("out/bounce.csv"):
            self.assertLessEqual(float(row["largest_error"]), float(row["bound"]), row)
        for row in self.table("out/restitution.csv"):
            self.assertAlmostEqual(float(row["e_mean"]), 0.8, delta=0.02, msg=row)
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
        self.assertEqual(len(solved), 4)
        for method in ("nsgs", "pac"):
            self.assertEqual(solved["0.1", method, "coulomb"]["status"], "converged")
        self.assertEqual({row["E_Pa"] for row in self.table("out/packing.csv")}, {"1e7"})
        still, = self.table("out/rest.csv")
        self.assertLess(float(still["moved_last_um_s"]), 1)
        fixed, chosen, _ = (int(row["n_steps"]) for row in self.table("out/steps.csv"))
        self.assertLess(chosen, fixed)


class StepBench(Benches, Cli):
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


class FrictionBench(Benches, Cli):
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


if __name__ == "__main__":
    unittest.main()
