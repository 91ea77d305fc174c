#!/usr/bin/python3
"""Algorithm 1 with exact friction as scripts/bench has it, against closed forms and scree's own kleinert."""
import csv
import os
import subprocess
import sys
import unittest
from pathlib import Path

import numpy as np
import scipy.sparse
import scipy.sparse.linalg

sys.dont_write_bytecode = True
from cli import DONE, PATIENCE, Cli

BENCH = Path(__file__).resolve().parents[2] / "scripts" / "bench"
sys.path += [str(BENCH / "exact_gradient"), str(BENCH / "lib")]
import algorithm1
import judge
import signs

EPSILON = np.finfo(float).eps


def interior_points(random, n):
    tangents = random.standard_normal((n, 2))
    return np.column_stack([np.linalg.norm(tangents, axis=1) + random.uniform(0.01, 1, n), tangents])


class ExactGradient(Cli):
    def setUp(self):
        super().setUp()
        self.random = np.random.default_rng(1)

    def path(self, law, n=4):
        """Of contacts that all feel each other."""
        root = self.random.standard_normal((3 * n, 3 * n))
        mu = self.random.uniform(0.2, 1.0, n)
        return algorithm1.Path(scipy.sparse.csr_matrix(root @ root.T), self.random.standard_normal(3 * n), mu,
                               algorithm1.LAWS[law])

    def test_scaling(self):
        x, y = interior_points(self.random, 50), interior_points(self.random, 50)
        image = np.einsum("ijk,ik->ij", algorithm1.scaling(x, y), x)
        np.testing.assert_allclose(image, y, rtol=0, atol=1e-10)  # det x is as small as 0.01 |x|: some 1e4 roundings

    def test_the_longest_step_ends_where_the_determinant_vanishes(self):
        for _ in range(100):
            x, dx = interior_points(self.random, 1), self.random.standard_normal((1, 3))
            theta = algorithm1.longest_step(x, dx)
            if dx[0, 0] >= np.linalg.norm(dx[0, 1:]):
                self.assertEqual(theta, np.inf)
                continue
            self.assertTrue(algorithm1.interior(x + 0.999 * theta * dx))
            end = x + theta * dx
            self.assertLess(abs(algorithm1.det(end)[0]), 1e3 * EPSILON * (x**2 + (theta * dx)**2).sum())

    def test_the_gradient_is_the_derivative(self):
        """(13) by central differences, whose error is some (cube root of epsilon)^2 of second and third derivatives."""
        path = self.path("exact, (13)")
        path.x = interior_points(self.random, 4)
        h = np.cbrt(EPSILON)
        columns = [(path.F(path.x + h * e.reshape(4, 3)) - path.F(path.x - h * e.reshape(4, 3))).ravel() / (2 * h)
                   for e in np.eye(12)]
        gradient = path.gradient().toarray()
        self.assertLess(abs(np.array(columns).T - gradient).max(), 1e-6 * abs(gradient).max())
        self.assertGreater(abs(gradient - gradient.T).max(), 0.1 * abs(gradient).max())

    def test_linear_steps_leave_no_defect_where_the_law_is_linear(self):
        for law, drifts in (("associated", False), ("exact, (13)", True)):
            path = self.path(law)
            scale = abs(path.F(path.x)).max()
            self.assertLess(abs(path.defect()).max(), 1e2 * EPSILON * scale)
            for _ in range(5):
                system = path.system()
                path.step(system, scipy.sparse.linalg.splu(system.A))
            self.assertEqual(abs(path.defect()).max() > 1e-6 * scale, drifts)

    def test_a_contact_that_slides(self):
        """r_n = -q_n/a, r_t against q_t at the bound, as long as |q_t| is above b mu r_n."""
        a, b, mu, q = 2.0, 0.5, 0.4, np.array([-1.0, 3.0, 4.0])
        r_n = -q[0] / a
        exact = np.array([r_n, *(-mu * r_n * q[1:] / 5.0)])
        for law, reached in (("exact, (13), corrected", True), ("exact, N, corrected", True),
                             ("exact, N", False)):
            W = scipy.sparse.diags([a, b, b]).tocsr()
            path = algorithm1.Path(W, q, np.array([mu]), algorithm1.LAWS[law])
            for _ in range(40):
                if judge.residual(W, q, np.array([mu]), path.impulses()) < 1e-10:
                    break
                system = path.system()
                path.step(system, scipy.sparse.linalg.splu(system.A))
            self.assertEqual(np.allclose(path.impulses(), exact, rtol=1e-8), reached, law)

    def test_damping_leaves_no_negative_determinant(self):
        """N = k v v^T: det A = det P (1 + k v^T P^-1 (v + (xi.v_t) e_n)), on the central path with P^-1 = P(x)/alpha."""
        v, x, alpha, k = np.array([1.04, -1.0, 0.0]), np.array([[1.0, 0.99, 0.0]]), 0.01, 10.0
        P_x = np.outer(x, x) - algorithm1.det(x) * np.diag(algorithm1.J)
        for law, negative in (("exact, (13)", True), ("exact, (13), corrected, damped", False), ("exact, N", False)):
            W = scipy.sparse.csr_matrix(k * np.outer(v, v))
            path = algorithm1.Path(W, np.zeros(3), np.ones(1), algorithm1.LAWS[law])
            path.x, path.y = x, alpha * algorithm1.J * x / algorithm1.det(x)[:, None]
            path.c = np.array([0.0, 1.0, 0.0]) - path.N @ x[0]  # u_t = (1, 0) = xi
            determinant = np.linalg.det(path.system().A.toarray())
            self.assertEqual(determinant < 0, negative, law)
            if negative:
                factor = 1 + k / alpha * v @ P_x @ (v + v[1] * np.eye(3)[0])
                self.assertAlmostEqual(determinant * np.linalg.det(P_x / alpha) / factor, 1, places=8)

    def test_signs(self):
        for n in range(1, 12):
            matrix = self.random.standard_normal((n, n))
            factors = scipy.sparse.linalg.splu(scipy.sparse.csc_matrix(matrix))
            self.assertEqual(signs.of_determinant(factors), np.linalg.slogdet(matrix)[0])
            symmetric = scipy.sparse.csc_matrix(matrix + matrix.T)
            self.assertEqual(signs.negative_eigenvalues(symmetric), (np.linalg.eigvalsh(matrix + matrix.T) < 0).sum())

    def bench(self, **environment):
        done = subprocess.run([BENCH / "run", "exact_gradient", "piles", "--problems", "box20t-seed1",
                               "heap20r-seed1", "--results", "out"], cwd=self.folder, capture_output=True, text=True,
                              timeout=PATIENCE, env=dict(os.environ, **environment))
        self.assert_status(done, DONE)
        with open(self.folder / "out/problems.csv", newline="", encoding="utf-8") as file:
            return {(row["problem"], row["method"]): row for row in csv.DictReader(file)}

    def test_the_bench(self):
        rows = self.bench()
        for problem in ("box20t-seed1", "heap20r-seed1"):
            paper, scree = rows[problem, "associated"], rows[problem, "kleinert"]
            self.assertEqual([paper[key] for key in ("to 1e-4", "to 1e-8")], [scree[key] for key in ("to 1e-4", "to 1e-8")])
            self.assertEqual(rows[problem, "exact, N"]["to 1e-4"], "-")
            self.assertEqual(rows[problem, "pac"]["ends"], "converged")
        self.assertEqual(rows["heap20r-seed1", "exact, (13), corrected"]["ends"], "converged")
        self.assertEqual(self.bench(SCREE_PROGRAM=str(self.folder / "no-such-program")), rows)  # from what was kept alone


if __name__ == "__main__":
    unittest.main()
