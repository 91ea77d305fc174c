#!/usr/bin/python3
"""The problems of blocks, rocks and capsules of scripts/bench, the judge of their solutions, and the bench itself."""
import csv
import json
import os
import subprocess
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.dont_write_bytecode = True
from cli import DONE, FAILED, PATIENCE, Cli

BENCH = Path(__file__).resolve().parents[2] / "scripts" / "bench"
sys.path.append(str(BENCH / "lib"))
import block_problems
import block_scenes
import judge

QUICK = ("--families", "tower", "wall", "column", "rocks", "capsules", "rocks-skew", "--seeds", 5)


class BlockProblems(Cli):
    def test_claims_of_each_family(self):
        for family, (_, _, _, skew) in block_problems.FAMILIES.items():
            with self.subTest(family=family):
                scene, problem = block_problems.make(family, 5)
                W, n = problem.W.toarray(), len(problem.mu)
                self.assertEqual(problem.W.shape, (3 * n, 3 * n))
                self.assertEqual(problem.q.shape, (3 * n,))
                self.assertTrue(20 <= n <= 1200, n)
                self.assertGreaterEqual(min(contact.gap for contact in scene.contacts), 0)
                self.assertEqual(set(problem.mu), {1.0 if skew else 0.7})
                dofs = 6 * len(scene.bodies)
                sizes = np.linalg.svd(W, compute_uv=False) if skew else abs(np.linalg.eigvalsh(W))
                rank = int((sizes > 1e-10 * abs(W).max()).sum())
                self.assertLessEqual(rank, dofs)
                self.assertLess(rank, 3 * n)
                asymmetry = np.linalg.norm(W - W.T) / np.linalg.norm(W)
                if skew:
                    self.assertTrue(2e-4 < asymmetry < 4e-3, asymmetry)
                else:
                    self.assertEqual(asymmetry, 0)
                    self.assertGreater(np.linalg.eigvalsh(W)[0], -1e-12 * sizes.max())

    def test_seeds_of_the_bench_are_all_states_with_all_friction(self):
        for family, (_, friction, seeds, _) in block_problems.FAMILIES.items():
            cases = {block_problems.state_and_friction(family, seed) for seed in range(seeds)}
            self.assertEqual(len(cases), len(block_problems.STATES) * len(friction), family)
        self.assertEqual(block_problems.name_of("rocks-skew", 6), "rocks-skew-fast-6")

    def test_towers_are_far_from_full_rank(self):
        scene, problem = block_problems.make("tower", 4)
        self.assertLess(6 * len(scene.bodies) / problem.W.shape[0], 0.14)

    def test_the_same_seed_makes_the_same_file(self):
        contents = {}
        for name, seed in (("once", 1), ("again", 1), ("other", 5)):
            block_problems.write(self.folder / name, block_problems.make("rocks-skew", seed)[1])
            contents[name] = (self.folder / name).read_bytes()
        self.assertEqual(contents["once"], contents["again"])
        self.assertNotEqual(contents["once"], contents["other"])

    def test_a_file_is_read_as_it_was_written(self):
        _, problem = block_problems.make("rocks-skew", 4)
        block_problems.write(self.folder / "problem.hdf5", problem)
        read = block_problems.read(self.folder / "problem.hdf5")
        self.assertEqual(abs(read.W - problem.W).max(), 0)
        np.testing.assert_array_equal(read.q, problem.q)
        np.testing.assert_array_equal(read.mu, problem.mu)

    def test_three_bricks(self):
        """Two beside each other, one on both: faces with the ground, between the two, and under the third."""
        size = [0.2, 0.1, 0.06]
        scene = block_scenes.scene_of([block_scenes.box(centre, size)
                                       for centre in ([0.1, 0, 0.03], [0.3, 0, 0.03], [0.2, 0, 0.09])])
        faces = [(contact.first, contact.second) for contact in scene.contacts]
        self.assertEqual({face: faces.count(face) for face in faces},
                         {(-1, 0): 4, (-1, 1): 4, (0, 1): 4, (0, 2): 4, (1, 2): 4})
        between = np.array([c.point for c in scene.contacts if (c.first, c.second) == (1, 2)])
        np.testing.assert_allclose(np.unique(between[:, 0]), [0.2, 0.3])
        np.testing.assert_allclose(np.unique(between[:, 1]), [-0.05, 0.05])
        np.testing.assert_allclose(between[:, 2], 0.06)
        mass = 2600 * 0.2 * 0.1 * 0.06
        self.assertAlmostEqual(scene.bodies[0].mass, mass)
        np.testing.assert_allclose(scene.bodies[0].inertia,
                                   mass / 12 * np.array([0.1**2 + 0.06**2, 0.2**2 + 0.06**2, 0.2**2 + 0.1**2]))

    def test_what_an_impulse_does(self):
        """Velocities of contacts after impulses at all of them, by the laws of a rigid body."""
        scene, problem = block_problems.make("rocks", 3)
        r = np.random.default_rng(1).standard_normal(3 * len(problem.mu))
        velocity = np.zeros((len(scene.bodies), 3))
        spin = np.zeros_like(velocity)
        impulses = [block_scenes.frame(c.normal).T @ r[3 * k:3 * k + 3] for k, c in enumerate(scene.contacts)]
        for contact, impulse in zip(scene.contacts, impulses):
            for number, sign in ((contact.first, -1), (contact.second, 1)):
                if number >= 0:
                    body = scene.bodies[number]
                    velocity[number] += sign * impulse / body.mass
                    spin[number] += sign * np.cross(contact.point - body.centre, impulse) / body.inertia

        def at(number, point):
            if number < 0:
                return np.zeros(3)
            return velocity[number] + np.cross(spin[number], point - scene.bodies[number].centre)
        u = [block_scenes.frame(c.normal) @ (at(c.second, c.point) - at(c.first, c.point)) for c in scene.contacts]
        wanted = np.concatenate(u)
        np.testing.assert_allclose(problem.W @ r, wanted, rtol=0, atol=1e-10 * abs(wanted).max())

    def test_the_ground_bears_the_weight(self):
        scene, problem = block_problems.make("wall", 0)  # at rest
        r = self.solved(problem, "--tol", "1e-8")[1].reshape(-1, 3)
        borne = sum(r[k, 0] for k, contact in enumerate(scene.contacts) if contact.first == block_scenes.GROUND)
        weight = sum(body.mass for body in scene.bodies) * block_problems.GRAVITY
        self.assertAlmostEqual(borne / (weight * block_problems.DT), 1, places=6)

    def solved(self, problem, *arguments, status=DONE):
        """scree's residual, and its impulses."""
        block_problems.write(self.folder / "problem.hdf5", problem)
        done = self.scree("solve", "problem.hdf5", "--no-fallback", "--output", "solved.hdf5", "--report",
                          "report.json", *arguments)
        self.assert_status(done, status)
        report = json.loads((self.folder / "report.json").read_text())
        self.assertGreater(report["processor_seconds"], 0)
        with h5py.File(self.folder / "solved.hdf5") as file:
            return report["measures"]["residual"], file["solution/r"][:]

    def test_the_judge_measures_what_scree_does(self):
        for family in ("column", "rocks-skew"):
            for sweeps in ("1", "7"):
                with self.subTest(family=family, sweeps=sweeps):
                    problem = block_problems.make(family, 9)[1]
                    own, r = self.solved(problem, "--solver", "nsgs", "--max-iterations", sweeps, "--tol", "1e-12",
                                         status=FAILED)
                    self.assertGreater(own, 1e-6)
                    self.assertAlmostEqual(judge.residual(*problem, r) / own, 1, places=8)

    def test_the_judge_by_hand(self):
        """One contact, W = 1, mu = 1/2: what approaches at 1 m/s is held by an impulse of 1."""
        def of(q, r):
            return judge.residual(np.eye(3), np.array(q), np.array([0.5]), np.array(r))
        self.assertAlmostEqual(of([-1.0, 0, 0], [1.0, 0, 0]), 0)
        self.assertAlmostEqual(of([1.0, 0, 0], [0.0, 0, 0]), 0)
        self.assertAlmostEqual(of([-1.0, 0.4, 0], [1.0, -0.4, 0]), 0)  # sticks
        self.assertAlmostEqual(of([-1.0, 2.0, 0], [1.0, -0.5, 0]), 0)  # slides
        self.assertAlmostEqual(of([-1.0, 0, 0], [0.0, 0, 0]), 1)
        self.assertAlmostEqual(of([-1.0, 0, 0], [0.75, 0, 0]), 0.25)

    def bench(self, *arguments, status=DONE, **environment):
        done = subprocess.run([BENCH / "run", "blocks", *map(str, arguments)], cwd=self.folder,
                              capture_output=True, text=True, timeout=PATIENCE, env=dict(os.environ, **environment))
        self.assert_status(done, status)
        return done

    def table(self, name):
        with open(self.folder / name, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_all_of_a_small_set_are_solved(self):
        arguments = ["problems", *QUICK, "--results", "out"]
        self.bench(*arguments)
        rows = self.table("out/problems.csv")
        self.assertEqual(len(rows), 6)
        for row in rows:
            self.assertEqual((row["status"], row["solved"]), ("converged", "yes"), row)
            self.assertLessEqual(float(row["judged"]), 1.01e-8, row)
            self.assertEqual(row["symmetric"], "no" if row["family"] == "rocks-skew" else "yes")
            self.assertLess(float(row["rank/rows"]), 0.8)
        families = self.table("out/families.csv")
        self.assertEqual([(row["problems"], row["solved"]) for row in families], 6 * [("1", "1")])
        self.bench(*arguments, SCREE_PROGRAM=str(self.folder / "no-such-program"))  # from what was kept alone
        self.assertEqual(self.table("out/problems.csv"), rows)

    def test_what_is_not_solved_is_told(self):
        self.bench("problems", "--families", "column", "--seeds", 0, "--tolerance", "1e-300", "--max-seconds", 2,
                   "--results", "out")
        row, = self.table("out/problems.csv")
        self.assertEqual(row["solved"], "no")
        self.assertNotEqual(row["status"], "converged")
        self.assertEqual(self.table("out/families.csv")[0]["solved"], "0")

    def test_impulses_that_are_no_solution_are_told(self):
        arguments = ["problems", "--families", "column", "--seeds", 0, "--results", "out"]
        self.bench(*arguments)
        with h5py.File(next((self.folder / "out/solves").glob("*.hdf5")), "r+") as file:
            file["solution/r"][:] *= 1.5
        self.bench(*arguments, status=FAILED)
        row, = self.table("out/problems.csv")
        self.assertEqual((row["status"], row["solved"]), ("converged", "judged otherwise"))


if __name__ == "__main__":
    unittest.main()
