#!/usr/bin/python3
"""Walls and tools from mesh files from the outside: examples, what `check` says, restarts, and what is refused."""
import subprocess
import sys
import unittest
from pathlib import Path

import h5py

sys.dont_write_bytecode = True
from cli import DONE, PATIENCE, WRONG_INPUT, Cli
from test_examples import Examples
from test_polyhedra import cube

ROOT = Path(__file__).resolve().parents[2]
BLOCK = """\
time: {dt: 1e-3, end: 0.04}
materials: {stone: {density: 2600}}
friction: [{between: [stone, stone], mu: 0.4}]
bodies:
  heap:
    material: stone
    radii: {type: list, values: [0.05]}
    place: {type: points, positions: [[0.2, 0.3, 1.06], [0.7, 0.6, 1.06]]}
    velocity: [0.1, 0, -1]
tools:
  block: {material: stone, shape: {type: mesh, file: cube.stl}}
solver: {tolerance: 1e-10}
output: {checkpoints: {every: 0.02}, snapshots: {precision: double}}
"""


class MeshesCli(Examples, Cli):

    def block(self, text=BLOCK, mesh=None):
        self.write(mesh if mesh is not None else cube(), "cube.stl")
        return self.write(text)

    def refused(self, mesh, *texts, changes=()):
        """Said within a second of work, whatever a file claims, and nothing written."""
        self.write(BLOCK)
        if isinstance(mesh, bytes):
            (self.folder / "cube.stl").write_bytes(mesh)
        elif mesh is not None:
            self.write(mesh, "cube.stl")
        settings = [word for change in changes for word in ("--set", change)]
        done = self.scree("run", "run.yaml", "--output", "out", *settings)
        self.assert_status(done, WRONG_INPUT)
        self.assert_says(done, "tools.block.shape", *texts)
        self.assertFalse((self.folder / "out").exists())

    def test_check_says_what_a_mesh_is(self):
        self.block()
        done = self.scree("check", "run.yaml")
        self.assert_status(done, DONE)
        self.assert_says(done, "block: mesh", "12 triangles, 1 x 1 x 1 m, area 6 m^2, a solid of 1 m^3")
        done = self.scree("check", "run.yaml", "--set", "tools.block.shape.scale=200")
        self.assert_says(done, "millimetres")
        self.block(mesh=cube().replace("facet", "facet", 1))
        done = self.scree("check", "run.yaml", "--set", "tools.block.shape.sides=both")
        self.assert_says(done, "a sheet: both sides hold")

    def test_check_says_where_a_hull_fills_hollows(self):
        base = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]
        points = "".join(f"{x} {y} {z}\n" for z in (0, 1) for x, y in base)
        sides = "".join(f"4 {k} {(k + 1) % 6} {(k + 1) % 6 + 6} {k + 6}\n" for k in range(6))
        self.write(f"OFF\n12 8 0\n{points}{sides}6 5 4 3 2 1 0\n6 6 7 8 9 10 11\n", "angle.off")
        self.block()
        done = self.scree("check", "run.yaml", "--set", "tools.block.shape={type: polyhedron, file: angle.off}")
        self.assert_status(done, DONE)
        self.assert_says(done, "the convex hull is 3.5 m^3, the file's triangles enclose 3 m^3")
        done = self.scree("check", "run.yaml", "--set", "tools.block.shape={type: mesh, file: angle.off}")
        self.assert_says(done, "20 triangles, 2 x 2 x 1 m, area 14 m^2, a solid of 3 m^3")

    def test_a_run_goes_on_with_its_mesh_alone(self):
        self.block()
        self.assert_status(self.scree("run", "run.yaml", "--output", "whole", "--quiet"), DONE)
        self.assert_status(self.scree("run", "run.yaml", "--output", "rest", "--quiet", "--restart",
                                      "whole/checkpoints/checkpoint_00000020.h5"), DONE)
        places = []
        for name in ("whole", "rest"):
            with h5py.File(self.folder / name / "snapshots" / "snapshot_00000040.hdf") as file:
                places.append(file["VTKHDF/Points"][()].tolist())
                self.assertEqual(file["walls/block/triangles"].shape, (12, 3))
                self.assertEqual(file["walls/block"].attrs["shape"], b"mesh")
        self.assertEqual(*places)
        self.assertGreater(min(z for _, _, z in places[0]), 1.04, "they lie on the block")
        self.write(cube(1.01), "cube.stl")
        changed = self.scree("run", "run.yaml", "--output", "other", "--quiet", "--restart",
                             "whole/checkpoints/checkpoint_00000020.h5")
        self.assert_status(changed, WRONG_INPUT)
        self.assert_says(changed, "tools.block.shape.file", "another mesh")

    def test_what_is_no_mesh_is_refused(self):
        self.refused(None, "cube.stl")
        self.refused("solid nothing\nendsolid nothing\n", "triangle")
        self.refused(cube().replace("vertex 0.0 0.0 0.0", "vertex nan 0 0", 1), "nan")
        self.refused(b"binary".ljust(80) + (1 << 31).to_bytes(4, "little") + bytes(50), "whole file")
        self.refused(cube(), "scale", changes=["tools.block.shape.scale=0"])
        self.refused(cube(), "sides", changes=["tools.block.shape.sides=inside"])
        opened = cube().split("facet normal")
        self.refused("facet normal".join(opened[:-1]) + "endsolid cube\n", "3 open",
                     changes=["tools.block.shape.sides=one"])

    def test_grains_are_no_meshes(self):
        self.block()
        done = self.scree("check", "run.yaml", "--set", "bodies.heap.shape={type: mesh, file: cube.stl}")
        self.assert_status(done, WRONG_INPUT)
        self.assert_says(done, "bodies.heap.shape", "polyhedron")

    def test_hopper_empties_when_the_gate_opens(self):
        step, tools = self.last_rows("mesh-hopper.yaml", 0.4, "bodies.fill.place.count=300", "keep_inside.low=[-0.2, -0.2, -0.02]",
                                     "tools.gate.motion.start=0.1", "tools.gate.motion.stop=0.4", ranks=2)
        self.assertGreater(int(step["removed"]), 0)
        self.assertLess(float(tools["hopper"]["force_z"]), 0.0)
        picture = subprocess.run([ROOT / "scripts" / "picture", "--matplotlib", "--size", "320", "200", "out"], cwd=self.folder,
                                 capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(picture.returncode, 0, picture.stderr)

    def test_bucket_meets_the_bed(self):
        step, tools = self.last_rows("bucket.yaml", 0.45, "bodies.bed.place.count=400", "tools.bucket.position=[0.15, 0.15, 0.33]",
                                     "tools.bucket.motion.times=[0.05, 0.4, 0.8, 1, 2]")
        self.assertGreater(float(tools["bucket"]["force_z"]), 0.0)

    def test_screw_turns_in_its_tube(self):
        step, tools = self.last_rows("screw.yaml", 0.3, "bodies.fill.place.count=60", "tools.screw.motion.start=0.05")
        self.assertEqual(int(step["removed"]), 0)
        self.assertGreater(int(tools["tube"]["contacts"]) + int(tools["screw"]["contacts"]), 0)


if __name__ == "__main__":
    unittest.main()
