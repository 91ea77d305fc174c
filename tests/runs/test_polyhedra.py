#!/usr/bin/python3
"""Polyhedra of mesh files from the outside: a heap, its restart, its snapshots, pictures and faults."""
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

import h5py
import numpy

sys.dont_write_bytecode = True
from cli import DONE, GOOD, PATIENCE, WRONG_INPUT, Cli
from heap import HeapCli

ROOT = Path(__file__).resolve().parents[2]
HEAP = """\
name: heap
time: {dt: 2e-3, end: 0.02}
materials:
  stone: {density: 2600}
friction:
  - {between: [stone, stone], mu: 0.4}
bodies:
  heap:
    populations:
      rocks: {material: stone, share: 1, shape: {type: polyhedron, file: meshes/rock.off, scale: 1e-3}}
      cubes: {material: stone, share: 1, shape: {type: polyhedron, file: meshes/cube.stl}, radii: {type: list, values: [0.01]}}
      balls: {material: stone, share: 1, radii: {type: list, values: [0.01]}}
    place: {type: box, low: [0, 0, 0], high: [0.12, 0.12, 0.2], count: 15, seed: 1}
    velocity: [0, 0, -1]
tools:
  floor: {material: stone, shape: {type: plane}}
  boulder: {material: stone, shape: {type: polyhedron, file: meshes/rock.off, scale: 2e-3}, position: [0.06, 0.06, 0]}
solver: {tolerance: 1e-10}
output: {checkpoints: {every: 0.01}, snapshots: {precision: double}}
"""


def cube(edge=1.0):
    """An STL file of its twelve triangles."""
    corners = [[edge * ((i >> k) & 1) for k in range(3)] for i in range(8)]
    text = "solid cube\n"
    for a, b, c, d in ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)):
        for triangle in ((a, b, c), (a, c, d)):
            points = "".join("vertex {} {} {}\n".format(*corners[i]) for i in triangle)
            text += f"facet normal 0 0 0\nouter loop\n{points}endloop\nendfacet\n"
    return text + "endsolid cube\n"


class Polyhedra(HeapCli):
    HANDLE = "hull"

    def setUp(self):
        super().setUp()
        (self.folder / "meshes").mkdir()
        shutil.copy(ROOT / "configs" / "rock.off", self.folder / "meshes")
        self.write(cube(), "meshes/cube.stl")
        self.write(HEAP)

    def test_a_heap_goes_on_after_a_restart_on_other_ranks(self):
        done = self.scree("check", "run.yaml", ranks=2)
        self.assert_status(done, DONE)
        self.assert_says(done, "boulder: polyhedron, stone", "heap.rocks:")
        self.assert_status(self.run_heap(out="whole"), DONE)
        self.assert_status(self.run_heap("--set", "time.end=0.01", ranks=2), DONE)
        (self.folder / "meshes").rename(self.folder / "moved")
        self.write(HEAP.replace("meshes/", "moved/"))
        done = self.run_heap("--restart", "latest")
        self.assert_status(done, DONE)
        self.assert_same_grains(self.snapshot("whole", 10), self.snapshot("out", 10), 1e-7)

    def test_a_mesh_that_has_changed_is_refused_at_a_restart(self):
        self.assert_status(self.run_heap("--set", "time.end=0.01"), DONE)
        before = sorted(f.name for f in (self.folder / "out").rglob("*"))
        text = (self.folder / "meshes" / "rock.off").read_text()
        self.write(text.replace("1.5 -2.5 7.4", "1.5 -2.5 7.5"), "meshes/rock.off")
        done = self.run_heap("--restart", "latest", ranks=2)
        self.assert_status(done, WRONG_INPUT)
        self.assert_says(done, "bodies.heap.populations.rocks.shape.file", "rock.off holds another polyhedron",
                         "put the file back as it was")
        self.assertEqual(before, sorted(f.name for f in (self.folder / "out").rglob("*")))
        self.write("# another comment, and the same rock\n" + text, "meshes/rock.off")
        self.assert_status(self.run_heap("--restart", "latest"), DONE)

    def test_snapshots_tell_the_shapes_and_are_where_another_run_begins(self):
        self.assert_status(self.run_heap(), DONE)
        last = self.snapshot("out", 10)
        with h5py.File(last) as file:
            self.assertEqual(len(file["hulls/volume"]), 2)
            self.assertAlmostEqual(file["hulls/volume"][1], 1.0, places=12)  # the cube, of the edge 1
            of, vertices = file["hull_vertices/hull"][:], file["hull_vertices/position"][:]
            self.assertEqual([int((of == k).sum()) for k in (0, 1)], [20, 8])
            numpy.testing.assert_allclose(numpy.abs(vertices[of == 1]), 0.5, rtol=1e-12)
            data = file["VTKHDF/PointData"]
            names = data["shape"].attrs["names"].decode().split(",")
            polyhedra = data["shape"][:] == names.index("polyhedron")
            numpy.testing.assert_array_equal(polyhedra, data["hull"][:] >= 0)
            rocks = data["hull"][:] == 0
            numpy.testing.assert_array_equal(data["scale"][:][rocks], 1e-3)
            self.assertTrue(rocks.any() and (data["hull"][:] == 1).any() and (~polyhedra).any())
            self.assertEqual(list(file["tools/hull"][:]), [-1, 0])
        self.assert_says(self.scree("info", str(last)), "hull", "scale")
        self.assert_says(self.scree("info", "out/checkpoints/checkpoint_00000010.h5"), "hull_vertices/position")
        begin = HEAP.index("    populations:")
        end = HEAP.index("    velocity:")
        self.write(HEAP[:begin] + f"    material: stone\n    place: {{type: hdf5, file: {last}}}\n" + HEAP[end:])
        self.assert_status(self.run_heap("--set", "time.end=0.002", out="next", ranks=2), DONE)
        # The boulder is the first of the new run's hulls and the rock of the old one: the same handle.
        self.assert_same_grains(last, self.snapshot("next", 0), 0.0)

    def test_pictures_have_their_faces(self):
        self.assert_status(self.run_heap("--set", "time.end=0.002"), DONE)
        words = [str(ROOT / "scripts" / "picture"), "out", "--size", "320", "200", "--matplotlib"]
        done = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE)
        self.assert_status(done, DONE)
        self.assertGreater((self.folder / "out" / "final.png").stat().st_size, 5000)
        sys.path.insert(0, str(ROOT / "scripts" / "lib"))
        import picture_scene
        import picture_shapes
        scene = picture_scene.load(self.snapshot("out", 1))
        for i, kind in enumerate(scene.grains.kinds):
            if kind != "polyhedron":
                continue
            points, triangles, _ = picture_shapes.mesh_of_hull(scene.grains, numpy.array([i]))
            a, b, c = (points[triangles[:, k]] - scene.grains.points[i] for k in range(3))
            volume = numpy.einsum("ij,ij->i", a, numpy.cross(b, c)).sum() / 6.0
            self.assertAlmostEqual(volume / (4.0 / 3.0 * numpy.pi * scene.radius[i]**3), 1.0, places=12)
        self.assertEqual(scene.tools.kinds, ["polyhedron"])
        done = subprocess.run([str(ROOT / "scripts" / "surfaces"), "out"], cwd=self.folder, capture_output=True,
                              text=True, timeout=PATIENCE)
        self.assert_status(done, DONE)
        points, triangles, _ = picture_shapes.mesh(scene.grains)
        self.assertIn(f'<Piece NumberOfPoints="{len(points)}" NumberOfPolys="{len(triangles)}">',
                      (self.folder / "out/surfaces/surfaces_00000001.vtp").read_text())


class MeshFaults(Cli):
    def test_each_is_refused_on_all_ranks_before_anything_is_written(self):
        good = GOOD.replace("radii: {type: list, values: [0.05]}",
                            "shape: {type: polyhedron, file: a.off, scale: 0.05}")
        self.write(good)
        flat = "OFF\n4 0 0\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n"
        solid = "OFF\n4 0 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n"
        for mesh, change, part in [
            (None, ("", ""), "there is no file"),
            ("OFF\n0 0 0\n", ("", ""), "0 points have no volume; give at least 4"),
            (flat, ("", ""), "a body of no volume; give points of a solid"),
            (solid.replace("0 0 1", "0 0 1e-4"), ("", ""), "beyond 1:1000; give a thicker body"),
            ("PLY\n", ("", ""), "does not begin with the word OFF"),
            (solid, ("scale: 0.05", "scale: -1"), "allowed: a number above 0, in m"),
            (solid, ("scale: 0.05", "scale: 0"), "allowed: a number above 0, in m"),
            (solid, ("polyhedron", "polyeder"), 'did you mean "polyhedron"?'),
        ]:
            with self.subTest(part=part):
                (self.folder / "a.off").unlink(missing_ok=True)
                if mesh is not None:
                    self.write(mesh, "a.off")
                self.write(good.replace(*change))
                for ranks in (1, 2):
                    done = self.scree("run", "run.yaml", "--output", "out", ranks=ranks)
                    self.assert_status(done, WRONG_INPUT)
                    self.assert_says(done, "run.yaml:11: bodies.stones.shape.", part)
                self.assert_untouched("run.yaml", *(["a.off"] if mesh is not None else []))
        self.write(solid, "a.off")
        self.write(good)
        self.assert_status(self.scree("run", "run.yaml", "--output", "out", ranks=2), DONE)


if __name__ == "__main__":
    unittest.main()
