#!/usr/bin/python3
"""What ParaView shows of a run, beside the outlines that the shapes have in closed form."""
import subprocess
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "lib"))
import picture_shapes
import pvbatch
from cli import DONE, GOOD, Cli

# name, shape, turn (axis, angle), x of the centre
BODIES = [("ellipsoid", "{type: ellipsoid, semi_axes: [1.0, 0.5, 0.3]}", ([1, 2, 3], 0.8), 0.0),
          ("capsule", "{type: capsule, radius: 0.3, length: 1.2}", ([1, 1, 0], 1.1), 2.5),
          ("ring", "{type: ring, major_radius: 0.8, minor_radius: 0.2}", ([1, 0, 0], 0.5 * np.pi), 5.0),  # seen as an annulus
          ("slanting", "{type: ring, major_radius: 0.8, minor_radius: 0.2}", ([2, 1, 0], 0.9), 7.5),
          ("ball", "{type: sphere}", ([1, 0, 0], 0.0), 10.0)]
WIDTH, HEIGHT, MIDDLE, HALF_HEIGHT = 1600, 400, 5.0, 1.6
SEEN = np.array([[1.0, 0, 0], [0, 0, 1.0]])  # what of the world is in the picture, whose pixels are squares


def scene():
    text = "bodies:\n"
    for name, shape, (axis, angle), x in BODIES:
        size = "radii: {type: list, values: [0.5]}" if name == "ball" else f"shape: {shape}"
        text += (f"  {name}:\n    material: stone\n    {size}\n    orientation: {{axis: {axis}, angle: {angle:.15f}}}\n"
                 f"    place: {{type: points, positions: [[{x}, 0, 0]]}}\n")
    return GOOD[:GOOD.index("bodies:")].replace("end: 0.01", "end: 1e-3").replace("-9.81]", "0]") + text


def rotation(axis, angle):
    half = 0.5 * angle
    return picture_shapes.turn([np.cos(half), *(np.sin(half) * np.array(axis) / np.linalg.norm(axis))])


def distance(points, corners):
    """From a chain of segments, of each point."""
    nearest = np.full(len(points), np.inf)
    for a, b in zip(corners[:-1], corners[1:]):
        share = np.clip((points - a) @ (b - a) / ((b - a) @ (b - a)), 0, 1)
        nearest = np.minimum(nearest, np.linalg.norm(points - a - share[:, None] * (b - a), axis=1))
    return nearest


def covers(name, turned, points):
    """Which points (N x 2) the shape's parallel projection covers: it stands at the origin, turned by the matrix."""
    if name == "ellipsoid":  # the projection of {|A^-1 R^T x| <= 1} is the ellipse of the matrix P R A^2 R^T P^T
        form = SEEN @ turned @ np.diag([1.0, 0.25, 0.09]) @ turned.T @ SEEN.T
        return np.einsum("ni,ij,nj->n", points, np.linalg.inv(form), points) <= 1
    if name == "capsule":  # a stadium: what is near the projected segment
        return distance(points, (SEEN @ turned @ np.array([[0, 0, -0.6], [0, 0, 0.6]]).T).T) <= 0.3
    if name == "ball":
        return np.linalg.norm(points, axis=1) <= 0.5
    angle = np.linspace(0, 2 * np.pi, 361)  # of rings: what is near the projected circle
    circle = 0.8 * np.column_stack((np.cos(angle), np.sin(angle), 0 * angle))
    return distance(points, circle @ turned.T @ SEEN.T) <= 0.2


class ParaView(Cli):
    def run_bodies(self):
        self.write(scene())
        self.assert_status(self.scree("run", "run.yaml", "--output", "out"), DONE)

    def test_numbers_of_shapes_are_those_of_snapshots(self):
        self.run_bodies()
        with h5py.File(self.folder / "out/snapshots/snapshot_00000001.hdf") as file:
            self.assertEqual(file["VTKHDF/PointData/shape"].attrs["names"].decode(), ",".join(picture_shapes.KINDS))

    def test_a_macro_shows_the_outlines_of_the_true_shapes(self):
        if pvbatch.command() is None:
            self.skipTest("pvbatch, or a display and xvfb-run, is not installed")
        from matplotlib import image
        self.run_bodies()
        subprocess.run([ROOT / "scripts/paraview/open", "--macro", self.folder / "macro.py"], check=True)
        picture = self.folder / "shapes.png"
        reason = pvbatch.run(Path(__file__).parent / "paraview" / "draw_shapes.py",
                             [self.folder / "macro.py", picture, WIDTH, HEIGHT, MIDDLE, HALF_HEIGHT], picture,
                             {"SCREE_RUN": str(self.folder / "out")})
        self.assertIsNone(reason)
        covered = image.imread(picture)[:, :, 3] > 0.5
        pixel = 2 * HALF_HEIGHT / HEIGHT
        x = MIDDLE + pixel * (np.arange(WIDTH) + 0.5 - 0.5 * WIDTH)
        z = pixel * (0.5 * HEIGHT - np.arange(HEIGHT) - 0.5)
        for name, _, turn, centre in BODIES:
            columns = np.flatnonzero(abs(x - centre) < 1.25)
            grid = np.stack(np.meshgrid(x[columns] - centre, z), axis=-1).reshape(-1, 2)
            want = covers(name, rotation(*turn), grid)
            got = covered[:, columns].ravel()
            with self.subTest(name=name):
                # Polygons of 40 corners within circles lack 0.4 % of their area; the rest is for pixels, counted one by one.
                self.assertLess(int((got != want).sum()), 0.01 * want.sum())


if __name__ == "__main__":
    unittest.main()
