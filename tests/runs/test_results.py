#!/usr/bin/python3
"""scripts/scree_results.py and scripts/summary on runs, beside what scree itself says."""

import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import scree_results as results
from cli import DONE, GOOD, Cli

SHAPES = ["{type: sphere}", "{type: ellipsoid, semi_axes: [0.02, 0.01, 0.03]}", "{type: box, size: [0.02, 0.03, 0.05]}",
          "{type: capsule, radius: 0.01, length: 0.03}", "{type: ring, major_radius: 0.03, minor_radius: 0.01}",
          "{type: cylinder, radius: 0.02, length: 0.03}", "{type: cone, radius: 0.02, length: 0.03}",
          "{type: clump, parts: [{shape: {type: box, size: [0.02, 0.03, 0.05]}}, {shape: {type: sphere, radius: 0.01}, position: [0.02, 0, 0]}]}",
          f"{{type: polyhedron, file: {ROOT / 'configs' / 'rock.off'}, scale: 1.0e-3}}"]


def bodies():
    """One grain of each shape, far apart."""
    text = "bodies:\n"
    for k, shape in enumerate(SHAPES):
        size = "radii: {type: list, values: [0.02]}" if shape == "{type: sphere}" else f"shape: {shape}"
        text += (f"  g{k}:\n    material: stone\n    {size}\n"
                 f"    place: {{type: points, positions: [[{0.2 * k}, 0, 0.3]]}}\n")
    return text


class ResultsCli(Cli):
    def run_shapes(self, arrays="[velocity, orientation, shape, semi_axes, material, group, mass, inertia]"):
        begin, end = GOOD.index("bodies:"), GOOD.index("tools:")
        self.write(GOOD[:begin] + bodies() + GOOD[end:])
        done = self.scree("run", "run.yaml", "--output", "out", "--set", "output.snapshots.precision=double", "--set",
                          f"output.snapshots.arrays={arrays}")
        self.assert_status(done, DONE)
        return results.Run(self.folder / "out")

    def test_mass_and_inertia_follow_from_the_shape(self):
        grains = self.run_shapes().last
        self.assertEqual(len(grains), len(SHAPES))
        mass, inertia = grains.arrays.pop("mass"), grains.arrays.pop("inertia")
        np.testing.assert_allclose(results.mass(grains), mass, rtol=1e-12)
        np.testing.assert_allclose(results.inertia(grains), inertia, rtol=1e-9)  # of the hull, by its own integrals
        self.assertEqual([int(grains.select("group", f"g{k}").sum()) for k in range(len(SHAPES))], [1] * len(SHAPES))
        with self.assertRaisesRegex(AttributeError, "has no array angular_velocity; name it in output.snapshots.arrays"):
            grains.angular_velocity

    def script(self, name, *arguments):
        return subprocess.run([str(ROOT / "scripts" / name), *arguments], cwd=self.folder, capture_output=True, text=True,
                              timeout=60)

    def test_the_arrays_of_the_manual_are_enough_for_scripts(self):
        example = re.search(r"snapshots: \{every: 0.1, arrays: (\[.*?\])", (ROOT / "docs/output.md").read_text())[1]
        grains = self.run_shapes(example).last
        self.assertGreater(results.mass(grains).min(), 0)
        self.assertGreater(results.inertia(grains).min(), 0)
        for words in (["surfaces", "out"], ["picture", "out", "--matplotlib", "--size", "320", "200"]):
            done = self.script(*words)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('Name="group"', (self.folder / "out/surfaces/surfaces_00000010.vtp").read_text())

    def test_surfaces_are_written_once(self):
        self.run_shapes()
        folder = self.folder / "out/surfaces"
        self.assertEqual(self.script("surfaces", "out", "--last").stdout, "out/surfaces/surfaces_00000010.vtp\n")
        self.assertEqual((folder / "surfaces.pvd").read_text().count("<DataSet"), 1)
        self.assertEqual(self.script("surfaces", "out").stdout, "out/surfaces/surfaces_00000000.vtp\n")
        self.assertEqual((folder / "surfaces.pvd").read_text().count("<DataSet"), 2)
        old = self.folder / "out/snapshots/snapshot_00000010.hdf"
        later = (folder / "surfaces_00000010.vtp").stat().st_mtime + 1
        os.utime(old, (later, later))
        self.assertEqual(self.script("surfaces", "out").stdout, "out/surfaces/surfaces_00000010.vtp\n")

    def test_scripts_name_the_array_that_is_not_there(self):
        arrays = ["velocity", "orientation", "shape", "semi_axes"]
        path = self.run_shapes(f"[{', '.join(arrays)}]").snapshot_files[-1]
        done = self.script("surfaces", "out")  # without groups
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn('Name="group"', (self.folder / "out/surfaces/surfaces_00000010.vtp").read_text())
        for k, array in enumerate(arrays):
            lacking = shutil.copy(path, self.folder / f"no_{array}.hdf")
            with h5py.File(lacking, "a") as file:
                del file[f"VTKHDF/PointData/{array}"]
            name = ["surfaces", "picture"][k % 2]
            done = self.script(name, lacking.name)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertEqual(done.stderr, f"{name}: {lacking.name}: has no array {array}; name it in output.snapshots.arrays\n")

    def test_stress_is_force_times_arm(self):
        """As fields have it: row i is the force, column j the arm, so that an oblique force tells them apart."""
        grains = results.Grains(Path(), 0.0, 0, {"id": np.array([7]), "radius": np.array([0.5])}, {}, np.zeros(0), {})
        contacts = {"id_a": np.array([7]), "id_b": np.array([2**62]), "point": np.array([[0.0, 0.0, -0.5]]),
                    "ends": np.array([[[0.0, 0.0, 0.0], [0.0, 0.0, -0.5]]]), "force": np.array([[3.0, 0.0, 8.0]])}
        want = np.zeros((3, 3))
        want[0, 2], want[2, 2] = -1.5, -4.0
        np.testing.assert_allclose(results.stress(grains, contacts)[0], want / (4 / 3 * np.pi * 0.125), rtol=1e-12)

    def test_tables_and_snapshots(self):
        self.assert_status(self.scree("run", self.write(), "--output", "out", "--set", "output.snapshots.every=0.005",
                                      ranks=2), DONE)
        run = results.Run(self.folder / "out")
        self.assertEqual(list(run.steps.step), list(range(1, 11)))
        self.assertTrue((run.steps.reason.str.fullmatch(r"[a-z]+:[a-z-]+(>[a-z]+:[a-z-]+)*")).all())
        self.assertTrue(run.steps.worst_grain.isna().all())
        self.assertEqual(len(run.tool("floor")), 10)
        with self.assertRaisesRegex(KeyError, "there are floor"):
            run.tool("lid")
        times = [grains.time for grains in run.snapshots()]
        np.testing.assert_allclose(times, [0.0, 0.005, 0.01])
        self.assertAlmostEqual(results.mass(run.last).sum() / (2 * 2600 * 4 / 3 * np.pi * 0.05**3), 1.0, places=6)
        self.assertEqual(results.read_tools(run.snapshot_files[0])["name"], ["floor"])
        floor = run.tool("floor")
        for path, step in zip(run.snapshot_files[1:], (5, 10)):  # what ParaView colours walls by is what tools.csv has
            with h5py.File(path) as file:
                forces = file["walls/floor/force"][()].reshape(-1, 3)
            self.assertEqual(len(forces), 2)
            want = floor[floor.step == step][["force_x", "force_y", "force_z"]].to_numpy()
            self.assertGreater(np.abs(want).max(), 0)
            np.testing.assert_allclose(forces, np.repeat(want, 2, axis=0), rtol=1e-12)

    def test_a_step_that_is_not_solved_names_its_worst_contact(self):
        # One sweep is not enough for a stack of two; the upper contact is that of both stones, the lower the floor's.
        words = ["--set", "solver.max_iterations=1", "--set", "solver.method=pgj", "--set"]
        done = self.scree("run", self.write(), "--output", "out", *words, "solver.on_not_converged=continue", ranks=2)
        self.assert_status(done, DONE)
        steps = results.Run(self.folder / "out").steps
        unsolved = steps[steps.status != "converged"]
        self.assertGreater(len(unsolved), 0)
        self.assertTrue(unsolved.reason.str.len().max() < 60)
        for _, row in unsolved.iterrows():
            height = {"floor": 0.0, "grain 1": 0.1}[row.worst_other]
            np.testing.assert_allclose([row.worst_x, row.worst_y, row.worst_z], [0, 0, height], atol=1e-3)
        log = (self.folder / "out/run.log").read_text()
        self.assertIn(f"step {unsolved.step.iloc[0]}: pgj: iteration limit (", log)
        self.assertIn("worst between grain 0 and ", log)
        done = self.scree("run", self.write(), "--output", "other", *words, "solver.on_not_converged=abort")
        self.assert_says(done, "was not taken", "worst at the contact of grain 0 and ")
        self.assert_status(self.scree("report", "out"), DONE)
        page = (self.folder / "out/report.html").read_text()
        self.assertRegex(page, r"<td>\d\.\de[-+]\d\d</td><td>pgj:iteration-limit</td><td>grain 0 and (floor|grain 1) at")

    def test_contacts_bear_the_weight(self):
        """A stack of two stones at rest: the upper contact bears one weight, the floor both, also after a restart."""
        every = ["--output", "out", "--set", "output.contacts.every=0.005", "--set", "solver.tolerance=1e-9"]
        self.assert_status(self.scree("run", self.write(), *every, "--set", "time.end=0.006", ranks=2), DONE)
        self.assert_status(self.scree("run", "run.yaml", *every, "--restart", "latest"), DONE)
        run = results.Run(self.folder / "out")
        self.assertEqual([file.name for file in run.contact_files], ["contacts_00000005.hdf", "contacts_00000010.hdf"])
        index = (self.folder / "out/contacts.xdmf").read_text()
        self.assertEqual([index.count(f'<Time Value="{time}"/>') for time in (0.005, 0.01)], [1, 1])
        contacts, grains = results.read_contacts(run.contact_files[-1]), run.last
        for path in (run.contact_files[-1], run.snapshot_files[-1]):
            with h5py.File(path) as file:
                self.assertEqual(file["VTKHDF/FieldData/TimeValue"][()].tolist(), [file.attrs["time"]])
        weight = 2600 * 4 / 3 * np.pi * 0.05**3 * 9.81
        order = np.argsort(contacts["point"][:, 2])
        np.testing.assert_allclose(contacts["normal_force"][order], [2 * weight, weight], rtol=1e-5)
        np.testing.assert_allclose(contacts["point"][order][:, 2], [0, 0.1], atol=1e-5)
        np.testing.assert_array_equal(contacts["state"], [0, 0])
        # Of a ball between two forces f along z: -2 r f / V, and of the lower one r (f + 2 f).
        zz = results.stress(grains, contacts)[:, 2, 2]
        np.testing.assert_allclose(zz, -0.05 * weight * np.array([3.0, 1.0]) / (4 / 3 * np.pi * 0.05**3), rtol=1e-4)

    def test_summary_keeps_its_columns_apart(self):
        self.assert_status(self.scree("run", self.write(GOOD.replace("density: 2600", "density: 2.6e+15")), "--output", "out"), DONE)
        done = self.script("summary", "out")
        self.assertEqual(done.returncode, 0, done.stderr)
        line = next(line for line in done.stdout.splitlines() if line.split()[:1] == ["floor"])
        self.assertEqual(len(line.split()), 4, line)
        self.assertLess(float(line.split()[3]), -1e12)


if __name__ == "__main__":
    unittest.main()
