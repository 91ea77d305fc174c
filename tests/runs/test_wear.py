#!/usr/bin/python3
"""What grains do to the triangles of a mesh: a box that slides over some, its weight and the work of friction."""
import shutil
import unittest

import h5py
import numpy

from cli import DONE, WRONG_INPUT, Cli

SCENE = """\
name: slide
time: {dt: 1e-3, end: 0.2}
gravity: [0, 0, -10]
materials:
  stone: {density: 2600}
friction:
  - {between: [stone, stone], mu: 0.2}
bodies:
  box:
    material: stone
    shape: {type: box, size: [0.1, 0.1, 0.1]}
    place: {type: points, positions: [[0, 0, 0.05]]}
    velocity: [1, 0, 0]
tools:
  floor: {material: stone, shape: {type: mesh, file: floor.off}, motion: {type: velocity, velocity: [0.2, 0, 0]}}
solver: {tolerance: 1e-12}
output: {wear: {tools: [floor], every: 0.05}, checkpoints: {every: 0.1}}
"""
MASS = 2.6
N = 20  # squares a side, of two triangles


def floor(half=0.6):
    lines = []
    for j in range(N + 1):
        for i in range(N + 1):
            lines.append(f"{half * (2 * i / N - 1)} {half * (2 * j / N - 1)} 0")
    faces = []
    for j in range(N):
        for i in range(N):
            a = j * (N + 1) + i
            faces.append(f"4 {a} {a + 1} {a + N + 2} {a + N + 1}")
    return "OFF\n" + f"{len(lines)} {len(faces)} 0\n" + "\n".join(lines + faces) + "\n"


class Wear(Cli):
    def setUp(self):
        super().setUp()
        self.write(floor(), "floor.off")
        self.write(SCENE)

    def map_of(self, step, out="out"):
        with h5py.File(self.folder / out / "wear" / f"floor_{step:08}.hdf") as file:
            data, grid = file["VTKHDF/CellData"], file["VTKHDF"]
            points, corners = grid["Points"][:], grid["Connectivity"][:].reshape(-1, 3)
            a, b, c = (points[corners[:, k]] for k in range(3))
            area = 0.5 * numpy.linalg.norm(numpy.cross(b - a, c - a), axis=1)
            self.assertEqual(list(grid["Types"][:]), [5] * (2 * N * N))
            return ({name: data[name][:] for name in data}, area, (a + b + c) / 3.0, dict(file.attrs))

    def test_weight_and_friction_are_on_the_triangles_below_the_box(self):
        self.assert_status(self.scree("run", "run.yaml", "--output", "out"), DONE)
        work = 0.0
        for k in range(1, 5):
            data, area, middle, attributes = self.map_of(50 * k)
            numpy.testing.assert_allclose(data["force"].sum(axis=0), [0.2 * MASS * 10, 0, -MASS * 10], atol=1e-8)
            self.assertAlmostEqual((data["pressure"] * area).sum(), MASS * 10, places=8)
            self.assertAlmostEqual(attributes["seconds"], 0.05, places=12)
            self.assertAlmostEqual(attributes["from"], 0.05 * (k - 1), places=12)
            # slowed by 2 m/s^2 from 1 m/s, over a floor that goes 0.2 m/s
            slid = lambda t: 0.8 * t - t * t
            expected = 0.2 * MASS * 10 * slid(0.05 * k)
            self.assertAlmostEqual((data["sliding_work"] * area).sum() / expected, 1.0, delta=2e-2)
            self.assertAlmostEqual((data["sliding_power"] * area).sum() * 0.05, (data["sliding_work"] * area).sum() - work, places=8)
            work = (data["sliding_work"] * area).sum()
            touched = data["pressure"] > 0.0
            self.assertTrue(touched.any())
            beside = numpy.abs(middle[touched][:, 1])
            self.assertLess(beside.max(), 0.05 + 0.07)
        text = (self.folder / "out/wear/floor.xdmf").read_text()
        self.assertEqual(text.count("<Time "), 4)

    def test_a_run_that_goes_on_on_other_ranks_has_the_same(self):
        self.assert_status(self.scree("run", "run.yaml", "--output", "out"), DONE)
        shutil.copytree(self.folder / "out", self.folder / "other")
        self.assert_status(self.scree("run", "run.yaml", "--output", "other", "--restart", "other/checkpoints/checkpoint_00000100.h5",
                                      ranks=2), DONE)
        for step in (50, 100, 150, 200):
            one, other = self.map_of(step)[0], self.map_of(step, "other")[0]
            for name in one:
                numpy.testing.assert_allclose(other[name], one[name], atol=1e-6 * numpy.abs(one[name]).max(), err_msg=name)

    def test_tools_that_are_no_meshes_are_refused(self):
        for scene, part in [
            (SCENE.replace("type: mesh, file: floor.off", "type: plane"), "has wear of floor, a plane, which has no triangles"),
            (SCENE.replace("tools: [floor]", "tools: [flor]"), "flor"),
        ]:
            self.write(scene)
            for ranks in (1, 2):
                done = self.scree("run", "run.yaml", "--output", "out", ranks=ranks)
                self.assert_status(done, WRONG_INPUT)
                self.assert_says(done, part)
            self.assert_untouched("run.yaml", "floor.off")


if __name__ == "__main__":
    unittest.main()
