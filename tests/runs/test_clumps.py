#!/usr/bin/python3
"""Clumps from the outside: a heap, its restart, its snapshots, pictures and faults."""
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
time: {dt: 1e-3, end: 0.02}
materials:
  stone: {density: 2600}
friction:
  - {between: [stone, stone], mu: 0.4}
bodies:
  heap:
    populations:
      hooks:
        material: stone
        share: 1
        shape:
          type: clump
          parts:
            - {shape: {type: box, size: [0.02, 0.006, 0.006]}}
            - {shape: {type: capsule, radius: 0.003, length: 0.01}, position: [0.008, 0, 0.006]}
            - {shape: {type: polyhedron, file: wedge.off, scale: 1e-3}, position: [-0.008, 0, 0]}
      rocks: {material: stone, share: 1, shape: {type: clump, hulls: rock.obj, scale: 1e-3}, radii: {type: list, values: [0.008]}}
      fours: {material: stone, share: 1, shape: {type: clump, spheres: four.txt, scale: 1e-3}}
    place: {type: box, low: [0, 0, 0.07], high: [0.14, 0.14, 0.27], count: 15, seed: 1}
    velocity: [0, 0, -1]
tools:
  floor: {material: stone, shape: {type: plane}}
  step:
    material: stone
    shape:
      type: clump
      parts:
        - {shape: {type: box, size: [0.06, 0.06, 0.02]}}
        - {shape: {type: box, size: [0.02, 0.06, 0.04]}, position: [0.02, 0, 0.03]}
    position: [0.07, 0.07, 0.01]
solver: {tolerance: 1e-10}
output: {checkpoints: {every: 0.01}, snapshots: {precision: double}}
"""

SPHERES = "# x y z radius, in mm\n0 0 0 5\n8 0 0 4\n\n0 8 0 4  # far\n0 0 8 4\n"


def obj():
    text = ""
    for x in (0, 10):
        for i in range(8):
            text += f"v {x + 10 * (i & 1)} {10 * (i >> 1 & 1)} {10 * (i >> 2)}\n"
    for k, name in enumerate(("g first", "o second")):
        text += name + "\n"
        for a, b, c, d in ((1, 2, 4, 3), (5, 6, 8, 7)):
            text += "f " + " ".join(str(8 * k + i) for i in (a, b, c, d)) + "\n"
    return text


class Clumps(HeapCli):
    HANDLE = "clump"

    def setUp(self):
        super().setUp()
        self.write("OFF\n4 0 0\n0 -3 -3\n0 3 -3\n0 0 4\n-5 0 0\n", "wedge.off")
        self.write(obj(), "rock.obj")
        self.write(SPHERES, "four.txt")
        self.write(HEAP)

    def test_a_heap_goes_on_after_a_restart_on_other_ranks(self):
        done = self.scree("check", "run.yaml", ranks=2)
        self.assert_status(done, DONE)
        self.assert_says(done, "3 parts, 1.021e-06 m^3, without 1.3e-07", "2 parts, 2e-06 m^3", "4 parts, 1.308e-06 m^3",
                         "step: clump, stone", "2 parts, 0.00012 m^3")
        self.assert_status(self.run_heap(out="whole"), DONE)
        self.assert_status(self.run_heap("--set", "time.end=0.01", ranks=2), DONE)
        self.assert_status(self.run_heap("--restart", "latest"), DONE)
        self.assert_same_grains(self.snapshot("whole", 20), self.snapshot("out", 20), 1e-7)

    def test_other_parts_are_refused_at_a_restart(self):
        self.assert_status(self.run_heap("--set", "time.end=0.01"), DONE)
        before = sorted(f.name for f in (self.folder / "out").rglob("*"))
        self.write(SPHERES.replace("8 0 0 4", "8 0 0 4.1"), "four.txt")
        done = self.run_heap("--restart", "latest", ranks=2)
        self.assert_status(done, WRONG_INPUT)
        self.assert_says(done, "bodies.heap.populations.fours.shape.parts: the checkpoint has other parts",
                         "put them back as they were")
        self.assertEqual(before, sorted(f.name for f in (self.folder / "out").rglob("*")))

    def test_snapshots_tell_the_parts_and_are_where_another_run_begins(self):
        self.assert_status(self.run_heap(), DONE)
        last = self.snapshot("out", 20)
        with h5py.File(last) as file:
            self.assertEqual(len(file["clumps/volume"]), 4)
            self.assertAlmostEqual(file["clumps/volume"][1] / 2e-6, 1.0, places=12)
            self.assertEqual([int((file["clump_parts/clump"][:] == k).sum()) for k in range(4)], [3, 2, 4, 2])
            self.assertEqual(list(file["tools/clump"][:]), [-1, 3])
        self.assert_says(self.scree("info", str(last)), "clump", "scale")
        begin = HEAP.index("    populations:")
        end = HEAP.index("    velocity:")
        tools = HEAP.index("  step:")
        rest = HEAP.index("solver:")
        self.write(HEAP[:begin] + f"    material: stone\n    place: {{type: hdf5, file: {last}}}\n" + HEAP[end:tools] + HEAP[rest:])
        self.assert_status(self.run_heap("--set", "time.end=0.002", out="next", ranks=2), DONE)
        self.assert_same_grains(last, self.snapshot("next", 0), 0.0)

    def test_pictures_have_their_parts(self):
        self.assert_status(self.run_heap("--set", "time.end=0.002"), DONE)
        words = [str(ROOT / "scripts" / "picture"), "out", "--size", "320", "200", "--matplotlib"]
        done = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE)
        self.assert_status(done, DONE)
        sys.path.insert(0, str(ROOT / "scripts" / "lib"))
        import picture_scene
        import picture_shapes
        scene = picture_scene.load(self.snapshot("out", 2))
        points, triangles, owner = picture_shapes.mesh(scene.grains)
        self.assertEqual(set(owner), set(range(15)))
        rocks = numpy.flatnonzero(scene.grains.clump == 1)
        for i in rocks:  # their two cubes share no more than a face
            mine = triangles[(owner[triangles] == i).all(axis=1)]
            a, b, c = (points[mine[:, k]] - scene.grains.points[i] for k in range(3))
            volume = numpy.einsum("ij,ij->i", a, numpy.cross(b, c)).sum() / 6.0
            self.assertAlmostEqual(volume / (4.0 / 3.0 * numpy.pi * scene.radius[i]**3), 1.0, places=9)
        self.assertEqual(scene.tools.kinds, ["clump"])
        done = subprocess.run([str(ROOT / "scripts" / "surfaces"), "out"], cwd=self.folder, capture_output=True,
                              text=True, timeout=PATIENCE)
        self.assert_status(done, DONE)
        self.assertIn(f'<Piece NumberOfPoints="{len(points)}" NumberOfPolys="{len(triangles)}">',
                      (self.folder / "out/surfaces/surfaces_00000002.vtp").read_text())


class ClumpFaults(Cli):
    def test_each_is_refused_on_all_ranks_before_anything_is_written(self):
        good = GOOD.replace("radii: {type: list, values: [0.05]}",
                            "shape: {type: clump, parts: [{shape: {type: sphere, radius: 0.05}}], spheres: a.txt}")
        self.write(good)
        for spheres, change, part in [
            (None, ("", ""), "there is no file"),
            ("0 0 0\n", ("", ""), '"" is not a number'),
            ("0 0 0 1 1\n", ("", ""), "give four finite numbers a line, x y z radius"),
            ("0 0 0 -1\n", ("", ""), "the last above 0"),
            ("0 0 0 nan\n", ("", ""), "line 1"),
            ("0 0 0 1\n", ("radius: 0.05}}", "radius: -1}}"), "allowed: a number above 0, in m"),
            ("0 0 0 1\n", ("type: sphere", "type: plane"), "allowed: sphere, box, capsule, ellipsoid"),
            ("0 0 0 1\n", ("type: sphere, radius: 0.05", "type: clump, parts: []"), "allowed: sphere, box, capsule, ellipsoid"),
            ("", ("parts: [{shape: {type: sphere, radius: 0.05}}], spheres: a.txt", "parts: []"), "allowed: 1 to 2047"),
            ("0 0 0 1\n" * 2047, ("", ""), "allowed: 1 to 2047"),
        ]:
            with self.subTest(part=part):
                (self.folder / "a.txt").unlink(missing_ok=True)
                if spheres is not None:
                    self.write(spheres, "a.txt")
                self.write(good.replace(*change))
                for ranks in (1, 2):
                    done = self.scree("run", "run.yaml", "--output", "out", ranks=ranks)
                    self.assert_status(done, WRONG_INPUT)
                    self.assert_says(done, "run.yaml:11: bodies.stones.shape.", part)
                self.assert_untouched("run.yaml", *(["a.txt"] if spheres is not None else []))
        self.write("0 0 0 0.05\n", "a.txt")
        self.write(good)
        self.assert_status(self.scree("run", "run.yaml", "--output", "out", ranks=2), DONE)


if __name__ == "__main__":
    unittest.main()
