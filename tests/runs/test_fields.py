#!/usr/bin/python3
"""Coarse-grained fields of runs: what they add up to, closed forms, ranks, restarts, and that ParaView reads them."""
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

import h5py
import numpy

sys.dont_write_bytecode = True
from cli import DONE, PATIENCE, WRONG_INPUT, Cli
from restarts import ENDLESS, STEP, STOPPED, Restarts, rows as rows_of

RADIUS, DENSITY, GRAVITY = 0.05, 2600.0, 10.0
MASS = DENSITY * 4 / 3 * numpy.pi * RADIUS**3

COLUMN = """\
name: column
time: {dt: 1e-3, end: 0.02}
gravity: [0, 0, -10]
materials: {stone: {density: 2600}}
friction: [{between: [stone, stone], mu: 0.4}]
bodies:
  balls:
    material: stone
    radii: {type: list, values: [0.05]}
    place: {type: points, positions: [[0, 0, 0.05], [0, 0, 0.15], [0, 0, 0.25], [0, 0, 0.35], [0, 0, 0.45], [0, 0, 0.55]]}
tools:
  floor: {material: stone, shape: {type: plane}}
solver: {tolerance: 1e-10}
output:
  fields:
    up: {grid: {lower: [-0.1, -0.2, -0.3], upper: [0.1, 0.2, 0.9], cells: [1, 1, 48]}, width: 0.04}
"""

POUR = """\
name: pour
time: {dt: 2e-3, end: 0.2}
materials: {stone: {density: 2600}}
friction: [{between: [stone, stone], mu: 0.4, restitution: 0.3}]
bodies:
  bed:
    material: stone
    radii: {type: uniform, min: 0.01, max: 0.02}
    place: {type: box, low: [0, 0, 0.02], high: [0.2, 0.2, 0.3], count: 120, seed: 3}
    velocity: [-0.3, 0.1, -1.0]
tools:
  floor: {material: stone, shape: {type: plane}}
  right: {material: stone, shape: {type: plane}, position: [0.2, 0, 0], normal: [-1, 0, 0]}
  left: {material: stone, shape: {type: plane}, normal: [1, 0, 0]}
  front: {material: stone, shape: {type: plane}, normal: [0, 1, 0]}
  back: {material: stone, shape: {type: plane}, position: [0, 0.2, 0], normal: [0, -1, 0]}
output:
  fields:
    all: {grid: {lower: [-1, -1, -1], upper: [2, 2, 2], cells: [1, 1, 1]}, every: 2e-3}
    grid: {grid: {lower: [-0.1, -0.1, -0.1], upper: [0.3, 0.3, 0.5], cells: [4, 5, 7]}, width: 0.015, every: 0.05}
"""


def table(path):
    return numpy.genfromtxt(path, delimiter=",", names=True)


def vectors(rows, name):
    return numpy.column_stack([rows[f"{name}_{axis}"] for axis in "xyz"])


def step_spline(q):
    """The integral of the cubic B-spline up to q."""
    a = numpy.minimum(numpy.abs(q), 2)
    half = numpy.where(a < 1, a * (2 / 3 - a**2 * (1 / 3 - a / 8)), 0.5 - (2 - a)**4 / 24)
    return 0.5 + numpy.sign(q) * half


def means_over(faces, function):
    """The means of a function over the cells between faces: Gauss's rule of five points on 20 pieces of each."""
    nodes, weights = numpy.polynomial.legendre.leggauss(5)
    pieces = numpy.array([numpy.linspace(low, high, 21) for low, high in zip(faces, faces[1:])])
    low, half = pieces[:, :-1, None], numpy.diff(pieces)[:, :, None] / 2
    return (function(low + half * (1 + nodes)) * weights / 2).sum(axis=2).mean(axis=1)


class Fields(Cli):
    def run_scene(self, text, *arguments, ranks=1, out="out"):
        self.write(text)
        self.assert_status(self.scree("run", "run.yaml", "--output", out, *arguments, ranks=ranks), DONE)
        return self.folder / out / "fields"

    def test_a_column_bears_what_is_above(self):
        """-sigma_zz A = sum of m g (S((z - 0)/h) - S((z - x)/h)): the weight above z, the floor's step and each ball
        smoothed. The rule of the line integral is right to 2e-6 of the peak, forces to the solver's tolerance.
        """
        fields = self.run_scene(COLUMN)
        rows = table(fields / "up.csv")
        faces = numpy.linspace(-0.3, 0.9, 49)
        area, h, weight = 0.2 * 0.4, 0.04 * 3**0.5, MASS * GRAVITY
        centres = RADIUS * (2 * numpy.arange(6) + 1)
        borne = means_over(faces, lambda z: sum(step_spline(z / h) - step_spline((z - x) / h) for x in centres))
        self.assertLess(numpy.abs(-rows["contact_stress_zz"] * area / weight - borne).max(), 2e-5)
        self.assertGreater(borne.max(), 4.5)  # else the test would say little
        for name in ("xx", "yy", "xz", "zx"):
            self.assertLess(numpy.abs(rows[f"contact_stress_{name}"]).max() * area, 1e-6 * weight)
        cell = area * 0.025
        self.assertAlmostEqual(rows["density"].sum() * cell / (6 * MASS), 1, delta=1e-12)
        self.assertAlmostEqual(rows["packing_fraction"].sum() * cell * DENSITY / (6 * MASS), 1, delta=1e-12)
        self.assertAlmostEqual(rows["wall_force_z"].sum() * cell / (6 * weight), 1, delta=1e-6)
        # The floor's force is the stress's integral over a surface above it, and what is between.
        high = numpy.searchsorted(rows["z"], 0.3)
        below = (rows["wall_force_z"] - GRAVITY * rows["density"])[:high].sum() * cell
        face = numpy.interp(faces[high], rows["z"], rows["contact_stress_zz"]) * area
        self.assertAlmostEqual((below + face) / weight, 0, delta=0.05)  # interpolated: (cell/h)^2/8 of 3 weights

    def test_momentum_changes_by_gravity_and_the_walls(self):
        """Step by step: P(t + dt) - P(t) = dt (M g + force of the walls), to rounding; and the walls' force is minus
        what tools.csv says.
        """
        fields = self.run_scene(POUR)
        rows = table(fields / "all.csv")
        self.assertEqual(list(rows["step"]), list(range(1, 101)))
        momentum, force, mass = (27 * value for value in (vectors(rows, "momentum"), vectors(rows, "wall_force"), rows["density"]))
        self.assertLess(numpy.abs(mass / mass[0] - 1).max(), 1e-12)
        change = numpy.diff(momentum, axis=0) / 2e-3
        want = force[1:] + mass[1:, None] * [0, 0, -9.81]
        self.assertLess(numpy.abs(change - want).max(), 1e-10 * numpy.abs(force).max())
        tools = numpy.genfromtxt(fields.parent / "tools.csv", delimiter=",", names=True, dtype=None, encoding=None)
        borne = vectors(tools, "force").reshape(100, 5, 3).sum(axis=1)
        self.assertLess(numpy.abs(force + borne).max(), 1e-12 * numpy.abs(force).max())
        self.assertGreater(numpy.abs(force).max(), 10 * mass[0])
        self.check_images(fields)

    def check_images(self, fields):
        """Images hold what the table holds; a mean is that of its time."""
        rows = table(fields / "grid.csv").reshape(4, -1)
        names = sorted(path.name for path in fields.glob("grid_*.hdf"))
        self.assertEqual(names, [f"grid_{step:08}.hdf" for step in (25, 50, 75, 100)])
        for name, mean in zip(names, rows):
            with h5py.File(fields / name) as file:
                data = file["VTKHDF/CellData"]
                self.assertEqual(file["VTKHDF"].attrs["Type"], b"ImageData")
                self.assertEqual(data["density"].attrs["unit"], b"kg/m^3")
                self.assertEqual(data["contact_stress"].shape, (7, 5, 4, 9))
                self.assertEqual(data["velocity"].shape, (7, 5, 4, 3))
                numpy.testing.assert_array_equal(data["density"][()].ravel(), mean["density"])
                numpy.testing.assert_array_equal(data["contact_stress"][..., 2].ravel(), mean["contact_stress_xz"])
                self.assertEqual(file.attrs["samples"], 25)
                self.assertAlmostEqual(file.attrs["seconds"], 0.05, delta=1e-12)
                numpy.testing.assert_array_equal(mean["seconds"], file.attrs["seconds"])
                self.assertAlmostEqual(file.attrs["time"] - file.attrs["from"], 0.05, delta=1e-12)
                self.assertIn("name: pour", file["configuration"][()].decode())
        whole = table(fields / "all.csv").reshape(4, 25)
        cell = 0.1 * 0.08 * 0.6 / 7
        for axis in "xyz":
            numpy.testing.assert_allclose(rows[f"momentum_{axis}"].sum(axis=1) * cell,
                                          27 * whole[f"momentum_{axis}"].mean(axis=1), rtol=1e-11, atol=1e-12)
        self.assert_says(self.scree("info", str(fields / names[0])), "kind: fields", "contact_stress")
        self.assertEqual((fields / "grid.xdmf").read_text().count("<Time "), 4)

    def test_any_number_of_ranks_gives_the_same(self):
        """Before grains touch they fly alike: to rounding. What contacts bear is equal to the solver's tolerance."""
        short = ("--set", "time.end=0.02", "--set", "output.fields.grid.every=0.02")
        loose = POUR.replace("low: [0, 0, 0.02]", "low: [0, 0, 0.05]").replace("velocity: [-0.3, 0.1, -1.0]", "velocity: [0, 0, 0.5]")
        one = table(self.run_scene(loose, *short, out="one") / "grid.csv")
        stride = ("--set", "output.fields.up.stride=4")
        column = table(self.run_scene(COLUMN, *stride, out="column") / "up.csv")
        numpy.testing.assert_array_equal(column["samples"], 5)  # of 20 steps of a millisecond
        numpy.testing.assert_allclose(column["seconds"], 0.005, rtol=1e-12)
        for ranks in (2, 4):
            more = table(self.run_scene(loose, *short, ranks=ranks, out=f"ranks{ranks}") / "grid.csv")
            for name in one.dtype.names:
                if "stress" in name or "pressure" in name or "wall" in name:
                    continue
                numpy.testing.assert_allclose(more[name], one[name], rtol=1e-12, atol=1e-12 * numpy.nanmax(numpy.abs(one[name])))
            stack = table(self.run_scene(COLUMN, *stride, ranks=ranks, out=f"column{ranks}") / "up.csv")
            for name in ("contact_stress_zz", "wall_force_z", "density"):
                numpy.testing.assert_allclose(stack[name], column[name], atol=1e-7 * numpy.abs(column[name]).max())

    def test_a_periodic_cell_and_held_grains(self):
        """Held grains are walls: they have no mass among the fields, and what they bear is a wall's force."""
        text = COLUMN.replace("[[0, 0, 0.05], ", "[").replace("tools:", """\
  base:
    material: stone
    radii: {type: list, values: [0.05]}
    place: {type: points, positions: [[0, 0, 0.05]]}
    fix: [x, y, z, rotation]
tools:""").replace("gravity", "periodic: {x: [-0.15, 0.15], y: [-0.2, 0.2]}\ngravity")
        rows = table(self.run_scene(text) / "up.csv")
        cell = 0.2 * 0.4 * 0.025
        self.assertAlmostEqual(rows["density"].sum() * cell / (5 * MASS), 1, delta=1e-12)
        self.assertAlmostEqual(rows["wall_force_z"].sum() * cell / (5 * MASS * GRAVITY), 1, delta=1e-6)
        centre = (rows["z"] * rows["wall_force_z"]).sum() / rows["wall_force_z"].sum()
        self.assertAlmostEqual(centre, 0.1, delta=1e-6)  # where the lowest free grain touches the held one

    def test_what_cannot_be_is_refused(self):
        for change, words in ((("width: 0.04", "width: 0"), "allowed: 0.0025 m to 1.2 m"),
                              (("width: 0.04", "width: 2"), "allowed: 0.0025 m to 1.2 m"),
                              (("cells: [1, 1, 48]", "cells: [1, 1000, 200]"), "csv: would be a table of 200000 rows"),
                              (("    up:", "    other: {grid: {lower: [0, 0, 0], upper: [1, 1, 1], cells: [100, 100, 100]}, width: 0.01, csv: false}\n    up:"),
                               "fields: have 1000048 cells together"),
                              (("cells: [1, 1, 48]", "cells: [1000, 1000, 48]"), "cells: are more than 1000000"),
                              (("cells: [1, 1, 48]", "cells: [100, 100, 100]"), "width: smears each grain over 1.69e+05 cells, above 1e+05"),
                              (("width: 0.04", "width: 0.04, every: 0.0015, stride: 2"), "up, every 0.0015 s: no step of a mean may count"),
                              (("cells: [1, 1, 48]", "cells: [1, 48]"), "cells"),
                              (("upper: [0.1, 0.2, 0.9]", "upper: [0.1, 0.2, -0.9]"), "upper: is not above lower"),
                              (("    up:", "    up/down:"), "is no name; allowed: letters, digits, _ and -"),
                              (("    up:", f"    {'u' * 65}:"), "with a name of 65 letters; allowed: at most 64"),
                              (("gravity", "periodic: {y: [0, 0.3]}\ngravity"), "longer than the periodic cell")):
            self.write(COLUMN.replace(*change))
            done = self.scree("check", "run.yaml")
            self.assert_status(done, WRONG_INPUT)
            self.assert_says(done, words)

    def test_paraview_reads_them(self):
        program = shutil.which("pvbatch")
        if program is None:
            self.skipTest("pvbatch is not installed")
        fields = self.run_scene(POUR, "--set", "time.end=0.1")
        found = self.folder / "found.json"
        # A clean environment: pvbatch must not take itself for a rank of a caller's MPI job.
        env = {k: v for k, v in os.environ.items() if not k.startswith(("OMPI_", "PMIX_", "PMI_"))}
        script = Path(__file__).parent / "paraview" / "read_fields.py"
        done = subprocess.run([program, script, fields / "grid.xdmf", found], env=env, capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        want = {}
        for step in (25, 50):
            with h5py.File(fields / f"grid_{step:08}.hdf") as file:
                want[file.attrs["time"]] = {name: data[()].reshape(140, -1) for name, data in file["VTKHDF/CellData"].items()}
        for reader, steps in json.loads(found.read_text()).items():
            numpy.testing.assert_allclose([step["time"] for step in steps], sorted(want), err_msg=reader)
            for step in steps:
                numpy.testing.assert_allclose(step["bounds"], [-0.1, 0.3, -0.1, 0.3, -0.1, 0.5], atol=1e-12, err_msg=reader)
                data = want[min(want, key=lambda time: abs(time - step["time"]))]
                for name, values in data.items():
                    numpy.testing.assert_array_equal(numpy.array(step["arrays"][name]).reshape(140, -1), values, err_msg=f"{reader}: {name}")


class FieldsGoOn(Restarts, Cli):
    FIELDS = """\
  fields:
    box: {grid: {lower: [-2, -2, -2], upper: [2, 2, 2], cells: [1, 1, 1]}, every: 0.02}
    all: {grid: {lower: [-2, -2, -2], upper: [2, 2, 2], cells: [1, 1, 1]}, from: 0.02}
"""

    def bed_with_fields(self):
        path = self.folder / self.bed()
        path.write_text(path.read_text() + self.FIELDS)

    def fields(self, out, name="box"):
        return table(self.folder / out / "fields" / f"{name}.csv")

    def test_a_stopped_run_ends_its_means_and_begins_them_anew(self):
        self.bed_with_fields()
        self.assert_status(self.run_bed(out="whole"), DONE)
        process = self.start(*ENDLESS)
        self.wait_for_rows(14)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)
        last = self.fields("out")[-1]
        self.assert_status(self.run_bed("--restart", "latest"), DONE)
        rows, whole = self.fields("out"), self.fields("whole")
        stop = last["step"]
        self.assertEqual(list(rows["step"]), sorted({*range(10, 61, 10), int(stop)}))
        numpy.testing.assert_array_equal(rows["from"][1:], rows["time"][:-1])
        self.assertEqual(rows["samples"].sum(), 60)
        # Together the parts are the mean of the whole run.
        for name in ("density", "momentum_z", "contact_stress_zz", "wall_force_z"):
            mean = [(run[name] * (run["time"] - run["from"])).sum() for run in (rows, whole)]
            self.assertAlmostEqual(mean[0], mean[1], delta=1e-9 * abs(mean[1]))

    def test_a_step_that_is_given_up_leaves_the_means_until_there(self):
        """Grains fall some 20 steps until they touch, and no residual is as small as the first step with contacts wants."""
        self.bed_with_fields()
        path = self.folder / "bed.yaml"
        path.write_text(path.read_text().replace("low: [0, 0, 0], high: [0.2, 0.2, 0.3]", "low: [0, 0, 0.16], high: [0.2, 0.2, 0.46]"))
        process = self.start("--set", "solver={method: nsgs, tolerance: 1e-300, max_iterations: 1000000000000, on_not_converged: warn}")
        self.wait_for_rows(11)
        seen = 0
        while (now := len(rows_of(self.folder / "out/steps.csv"))) > seen:
            seen = now
            time.sleep(1)
        process.send_signal(signal.SIGUSR1)
        text = process.communicate(timeout=PATIENCE)[0]
        self.assertEqual(process.returncode, STOPPED, text)
        self.assertIn("was not taken", text)
        self.assertEqual(self.fields("out")["samples"].sum(), seen)
        mean = self.fields("out", "all")
        self.assertEqual((mean["step"], mean["samples"]), (seen, seen - 10))
        self.assert_status(self.run_bed("--restart", "latest"), DONE)
        self.assertEqual(self.fields("out")["samples"].sum(), 60)
        self.assertEqual(self.fields("out", "all")["samples"].sum(), 50)

    def test_a_killed_run_says_when_its_mean_began(self):
        self.bed_with_fields()
        process = self.start(*ENDLESS)
        self.wait_for_rows(37)
        process.kill()
        process.communicate(timeout=PATIENCE)
        whole = [path for path in self.checkpoints() if path.suffix == ".h5"]  # a kill may leave one that is not
        at = int(whole[-1].stem.split("_")[1])
        done = self.run_bed("--restart", "latest")
        self.assert_status(done, DONE)
        self.assert_says(done, f"output.fields.all: a mean begins at {at * STEP:g} s, where the run goes on")
        rows = self.fields("out")
        self.assertEqual(list(rows["step"]), list(range(10, 61, 10)))
        mean = self.fields("out", "all")
        self.assertEqual(mean["step"], 60)
        self.assertAlmostEqual(float(mean["from"]), at * STEP, delta=1e-9)
        images = [path.name for path in sorted((self.folder / "out" / "fields").glob("box_*.hdf"))]
        self.assertEqual(images, [f"box_{step:08}.hdf" for step in range(10, 61, 10)])


if __name__ == "__main__":
    unittest.main()
