#!/usr/bin/python3
"""Files and values that are meant to break a run: each is refused by name, soon, and before anything is written."""
import os
import resource
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.dont_write_bytecode = True
from cli import DONE, FAILED, GOOD, PROGRAM, WRONG_INPUT, Cli
from restarts import Restarts, rows


class Bounds(Cli):
    """What costs time or memory before the first step has a bound with a message."""

    SECONDS = 20  # each is refused within one on a free machine
    BYTES = 4 << 30

    def limit_memory(self):
        """For the new process. The address sanitizer's shadow needs terabytes of addresses."""
        if b"__asan_init" not in Path(PROGRAM).read_bytes():
            resource.setrlimit(resource.RLIMIT_AS, (self.BYTES, self.BYTES))

    def refused(self, *arguments):
        done = subprocess.run([PROGRAM, *arguments], cwd=self.folder, capture_output=True, text=True,
                              timeout=self.SECONDS, preexec_fn=self.limit_memory)
        self.assert_status(done, WRONG_INPUT)
        return done

    def test_places_in_regions_beyond_all_measure(self):
        place = "{type: points, positions: [[0, 0, 0.05], [0, 0, 0.15]]}"
        for region in ("{type: box, low: [0, 0, 0], high: [1e300, 1e300, 1e300], count: 5}",
                       "{type: box, low: [0, 0, 0], high: [1, 1, 1e9]}",
                       "{type: cylinder, base: [0, 0, 0], axis: [1, 1, 1], radius: 1e-1, height: 1e12}"):
            self.write(GOOD.replace(place, region))
            for command in ("check", "run"):
                with self.subTest(region=region, command=command):
                    done = self.refused(command, "run.yaml")
                    self.assert_says(done, "bodies.stones.place: the region is",
                                     "diameters wide; allowed: up to 1e+07")
        self.assert_untouched("run.yaml")

    def test_pipes(self):
        os.mkfifo(self.folder / "pipe")
        self.write()
        for arguments in (["run", "run.yaml", "--restart", "pipe"], ["info", "pipe"],
                          ["solve", "pipe"]):
            with self.subTest(arguments=arguments):
                self.assert_says(self.refused(*arguments), "pipe: is a device or a pipe")
        self.assert_untouched("pipe", "run.yaml")

    def test_texts_of_a_hundred_megabytes(self):
        self.write(GOOD.replace("two_stones", "x" * 100_000_000))
        self.assert_says(self.refused("check", "run.yaml"), "run.yaml:1: is longer than 67108864 bytes")

    def test_aliases_that_multiply_bytes(self):
        text = "a: &a " + "x" * 1_000_000 + "\nb: &b [" + ", ".join(["*a"] * 8000) + "]\n"
        self.write(text)
        self.assert_says(self.refused("check", "run.yaml"), "values of more than 67108864 bytes in all")

    def test_a_hundred_thousand_materials(self):
        more = "".join(f"  m{k}: {{density: 1}}\n" for k in range(100_000))
        self.write(GOOD.replace("friction:\n", more + "friction:\n", 1))
        self.assert_says(self.refused("check", "run.yaml"), "materials: are 100001; allowed: up to 1000")

    def test_an_lcp_that_claims_two_billion_rows(self):
        with h5py.File(self.folder / "lcp.hdf5", "w") as file:
            matrix = file.create_group("lcp/A")
            for key, value in [("m", 2**31 - 1), ("n", 2**31 - 1), ("nz", 1), ("nzmax", 1)]:
                matrix[key] = np.array([value], np.int32)
            matrix["i"], matrix["p"] = np.zeros(1, np.int32), np.zeros(1, np.int32)
            matrix["x"], file["lcp/vectors/b"] = np.ones(1), np.ones(1)
        self.assert_says(self.refused("solve", "lcp.hdf5"), "lcp/vectors/b has 1 numbers instead of")

    def test_names_that_are_too_long(self):
        self.write(GOOD.replace("two_stones", "x" * 300))
        self.assert_says(self.refused("run", "run.yaml"), "run.yaml:1: name: ", "up to 200")
        self.assert_untouched("run.yaml")

    def test_methods_that_do_not_take_the_law(self):
        self.write()
        for method in ("lemke", "minmap", "fischer"):
            done = self.refused("run", "run.yaml", "--set", f"solver.method={method}")
            self.assert_says(done, "solver: [stone, stone] has friction", method)
        self.assert_untouched("run.yaml")

    def test_a_signal_before_the_first_step_ends_the_program(self):
        """Fifty million grains take some seconds to place."""
        place = "{type: box, low: [0, 0, 0], high: [1e4, 1e4, 1e4], count: 50000000}"
        self.write(GOOD.replace("{type: points, positions: [[0, 0, 0.05], [0, 0, 0.15]]}", place))
        with subprocess.Popen([PROGRAM, "run", "run.yaml"], cwd=self.folder, stderr=subprocess.DEVNULL,
                              preexec_fn=self.limit_memory) as process:
            for _ in range(2000):  # the lock is taken before grains are placed
                if list(self.folder.rglob("run.lock")):
                    break
                time.sleep(0.01)
            else:
                self.fail("no run.lock in a long time")
            self.assertIsNone(process.poll(), "the run ended before the signal")
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(timeout=self.SECONDS), -signal.SIGTERM)
        left = [file.name for file in self.folder.rglob("*") if file.is_file()]
        self.assertLessEqual(set(left), {"run.yaml", "run.lock"})  # which keeps nobody out


class Damage(Cli):
    """Files of HDF5 that were changed: status 2, the file's name and what to do, whoever reads it."""

    def setUp(self):
        super().setUp()
        self.write()
        self.assert_status(self.scree("run", "run.yaml", "--output", "out", "--set", "debug.fclib.every=1",
                                      "--set", "time.end=1e-3"), DONE)
        self.names = {"problem": self.folder / "out/problems/step_00000001.hdf5",
                      "snapshot": self.folder / "out/snapshots/snapshot_00000001.hdf"}
        place = "{type: points, positions: [[0, 0, 0.05], [0, 0, 0.15]]}"
        self.write(GOOD.replace("    radii: {type: list, values: [0.05]}\n", "").replace(
            place, "{type: hdf5, file: damaged.h5}"), "again.yaml")

    def refuse(self, *arguments, ranks=1):
        done = self.scree(*arguments, ranks=ranks)
        self.assert_status(done, WRONG_INPUT)
        self.assert_says(done, "damaged.h5: ", "is damaged", "copy it again, or make it anew")
        for internal in (".cpp", "H5D", "H5L", "H5O", "H5F"):
            self.assertNotIn(internal, done.stderr)

    def test_structure(self):
        """The names of groups stand in heaps, those of objects in nodes of a tree."""
        for kind, readers in (("problem", [["solve", "damaged.h5"], ["solve", "damaged.h5", "--replay"]]),
                              ("snapshot", [["check", "again.yaml"]])):
            whole, info = self.names[kind].read_bytes(), ["info", "damaged.h5"]
            for mark, commands in ((b"HEAP", [info, *readers]), (b"TREE", [info, readers[0]]), (b"SNOD", [info, readers[0]])):
                self.assertIn(mark, whole)
                (self.folder / "damaged.h5").write_bytes(whole.replace(mark, b"XXXX"))
                for words in commands:
                    with self.subTest(kind=kind, mark=mark, words=words):
                        self.refuse(*words)
            self.refuse(*readers[0], ranks=2)
            (self.folder / "damaged.h5").write_bytes(whole[:len(whole) // 2])
            self.refuse(*info)
            self.refuse(*readers[0])

    def test_values(self):
        """Numbers that cannot be, in files that are sound else."""
        for kind, name, value, said in [
                ("problem", "fclib_global/vectors/mu", -0.5, "friction is at least 0"),
                ("problem", "fclib_global/vectors/mu", 1e17, "at most 1e+08"),
                ("problem", "fclib_global/vectors/w", np.nan, "not finite"),
                ("problem", "fclib_global/H/x", np.inf, "not finite"),
                ("problem", "fclib_global/H/i", 10**6, "outside"),
                ("problem", "fclib_global/M/m", -7, "fclib_global"),
                ("problem", "fclib_global/M/nz", -9, "triplets"),
                ("problem", "fclib_global/M/x", 0.0, "singular"),
                ("problem", "fclib_global/spacedim", 4, "2 and 3 are allowed"),
                ("snapshot", "VTKHDF/PointData/radius", -1.0, "no radius"),
                ("snapshot", "VTKHDF/PointData/radius", np.nan, "grain 0"),
                ("snapshot", "VTKHDF/Points", np.inf, "not finite"),
                ("snapshot", "VTKHDF/PointData/id", -3, "below 0"),
                ("snapshot", "VTKHDF/PointData/id", 5, "twice"),
                ("snapshot", "VTKHDF/PointData/orientation", 0.0, "no orientation"),
                ("snapshot", "VTKHDF/PointData/shape", 77, "do not determine its shape")]:
            with self.subTest(name=name, value=value):
                (self.folder / "damaged.h5").write_bytes(self.names[kind].read_bytes())
                with h5py.File(self.folder / "damaged.h5", "r+") as file:
                    file[name][...] = value
                words = ["solve"] if kind == "problem" else ["check", "again.yaml"]
                done = self.scree(*words, *(["damaged.h5"] if kind == "problem" else []))
                self.assert_status(done, WRONG_INPUT)
                self.assert_says(done, "damaged.h5", said)


class DamagedTables(Restarts, Cli):
    def setUp(self):
        super().setUp()
        self.bed()
        self.assert_status(self.run_bed("--set", "time.end=0.04"), DONE)

    def test_rows_that_are_none_are_refused_before_anything_is_written(self):
        for name, damage in [("steps.csv", lambda text: text.replace("converged", "conver,ged", 1)),
                             ("tools.csv", lambda text: text.replace(",floor,", ",fl", 1)),
                             ("steps.csv", lambda text: text.replace("\n0.004,2,", "\n0.004,2x,", 1)),
                             ("tools.csv", lambda text: text.replace("time,step", "tame,step", 1))]:
            path = self.folder / "out" / name
            whole = path.read_text()
            path.write_text(damage(whole))
            self.assertNotEqual(path.read_text(), whole)
            before = {file: file.read_bytes() for file in (self.folder / "out").glob("*.*")}
            for ranks in (1, 2):
                done = self.run_bed("--restart", "latest", ranks=ranks)
                self.assert_status(done, WRONG_INPUT)
                self.assert_says(done, f"out/{name}:")
            for file, content in before.items():
                self.assertEqual(file.read_bytes(), content, file)
            path.write_text(whole)

    def test_damaged_fields_are_refused_before_anything_is_written(self):
        fields = "output.fields.all={grid: {lower: [-2, -2, -2], upper: [2, 2, 2], cells: [1, 1, 1]}, every: 0.02}"
        more = ("--set", fields, "--set", "output.overwrite=true")
        self.assert_status(self.run_bed("--set", "time.end=0.04", *more), DONE)
        out = self.folder / "out"
        image = out / "fields/all_00000010.hdf"

        def spoil_extent(path):
            with h5py.File(path, "r+") as file:
                file["VTKHDF"].attrs["WholeExtent"] = np.array([0, 1], np.int64)

        for path, spoil in [(image, spoil_extent), (image, lambda path: os.truncate(path, 1000)),
                            (out / "fields/all.csv", lambda path: path.write_text(
                                path.read_text().replace("0.02,10,", "0.02,1x0,")))]:
            whole = path.read_bytes()
            spoil(path)
            self.assertNotEqual(path.read_bytes(), whole)
            before = {file: file.read_bytes() for file in out.rglob("*.*") if file.is_file()}
            done = self.run_bed("--restart", "latest", "--set", fields)
            self.assert_status(done, WRONG_INPUT)
            self.assert_says(done, path.name)
            self.assertNotIn("vector::", done.stderr)
            self.assertEqual({file: file.read_bytes() for file in out.rglob("*.*") if file.is_file()}, before)
            path.write_bytes(whole)

    def test_rows_that_are_missing_are_told(self):
        path = self.folder / "out/steps.csv"
        lines = path.read_text().splitlines(keepends=True)
        path.write_text("".join(lines[:5] + lines[7:]))
        (self.folder / "out/tools.csv").unlink()
        done = self.run_bed("--restart", "latest")
        self.assert_status(done, DONE)
        self.assert_says(done, "steps.csv: rows are missing, of 2 of the 20 steps until 20",
                         "the first is step 5", "tools.csv: rows are missing, of 20 of the 20 steps")
        self.assertEqual(int(rows(path)[-1]["step"]), 60)

    def test_whole_tables_are_not_talked_about(self):
        done = self.run_bed("--restart", "latest")
        self.assert_status(done, DONE)
        self.assertNotIn("missing", done.stdout + done.stderr)

    def test_rows_of_another_rhythm_are_not_missing(self):
        rare = ("--set", "output.csv.every=7", "--set", "output.overwrite=true")
        self.assert_status(self.run_bed("--set", "time.end=0.04", *rare), DONE)
        done = self.run_bed("--restart", "latest")
        self.assert_status(done, DONE)
        self.assertNotIn("missing", done.stdout + done.stderr)


class Endless(Cli):
    """Numbers that are none, and results that nobody gets, are failures."""

    def test_energies_beyond_numbers(self):
        self.write()
        for keys in ("fluid={viscosity: 1e-3, density: 1e308}",
                     'forces={push: {force: ["rint(1e300)", 0, 0], per: body}}'):
            done = self.scree("run", "run.yaml", "--output", "out", "--set", keys, "--set",
                              "output.overwrite=true")
            with self.subTest(keys=keys):
                self.assert_status(done, FAILED)
                self.assertNotIn("inf", (self.folder / "out/steps.csv").read_text().replace(
                    "infeasible", ""))

    def test_a_standard_output_that_is_full(self):
        self.write()
        self.assert_status(self.scree("run", "run.yaml", "--output", "out", "--set", "time.end=1e-3",
                                      "--set", "debug.fclib.every=1"), DONE)
        problem = "out/problems/step_00000001.hdf5"
        for words in (["check", "run.yaml"], ["solve", problem], ["info", problem]):
            with self.subTest(words=words), open("/dev/full", "w") as full:
                done = subprocess.run([PROGRAM, *words], cwd=self.folder, stdout=full, timeout=60,
                                      stderr=subprocess.PIPE, text=True)
                self.assertEqual(done.returncode, FAILED)
                self.assertIn("the standard output cannot be written: No space left on device",
                              done.stderr)

    def test_solutions_that_are_not_finite_are_not_written(self):
        """Bodies of 1e-300 kg that get a momentum of 1e20: no number holds their velocity. Whoever does not look writes
        v of inf and u of NaN, and ends with status 1, too, since no solver takes such a problem."""
        self.write()
        self.assert_status(self.scree("run", "run.yaml", "--output", "out", "--set", "time.end=1e-3",
                                      "--set", "debug.fclib.every=1"), DONE)
        with h5py.File(self.folder / "out/problems/step_00000001.hdf5", "r+") as file:
            file["fclib_global/M/x"][...] = 1e-300
            file["fclib_global/vectors/f"][...] = 1e20
        done = self.scree("solve", "out/problems/step_00000001.hdf5", "--output", "solved.hdf5")
        self.assert_status(done, FAILED)
        self.assert_says(done, "the solution has numbers that are not finite, which no reader of FCLIB files takes")
        self.assertEqual([file.name for file in self.folder.glob("solved*")], [])

    def write_problem(self, w, q, mu=0.5):
        """A problem of contacts in space in the file p.hdf5: u = W r + q."""
        n = len(q)
        i, p = np.nonzero(w)
        with h5py.File(self.folder / "p.hdf5", "w") as file:
            local = file.create_group("fclib_local")
            local["spacedim"] = np.array([3], np.int32)
            matrix = local.create_group("W")
            for key, value in [("m", n), ("n", n), ("nz", len(i)), ("nzmax", len(i))]:
                matrix[key] = np.array([value], np.int32)
            matrix["i"], matrix["p"], matrix["x"] = i.astype(np.int32), p.astype(np.int32), w[i, p]
            vectors = local.create_group("vectors")
            vectors["q"], vectors["mu"] = np.array(q, float), np.full(n // 3, mu)

    def test_squares_that_are_no_numbers(self):
        """W of 1e200, and of 1e200 beside 1, are solved: each contact approaches, and is brought to rest. With W of 1e-200,
        or velocities of 1e-170, the methods' own squares are none: that they find nothing is told.
        """
        for diagonal, q, status in [([1e200] * 3, [-1, 0.1, 0], DONE),
                                    ([1e200] * 3 + [1.0] * 3, [-1, 0.1, 0] * 2, DONE),
                                    ([1e-200] * 3, [-1e-5, 1e-5, 0], FAILED),
                                    ([1.0] * 3, [-1e-170, 1e-170, 0], FAILED)]:
            self.write_problem(np.diag(diagonal), q)
            done = self.scree("solve", "p.hdf5", "--output", "solved.hdf5")
            with self.subTest(diagonal=diagonal, q=q):
                self.assert_status(done, status)
                if status == FAILED:
                    self.assert_says(done, "status           stagnated")
                    continue
                with h5py.File(self.folder / "solved.hdf5") as file:
                    u, r = file["solution/u"][:], file["solution/r"][:]
                self.assertTrue((r[::3] > 0).all(), r)
                self.assertLess(np.abs(u[::3]).max(), 1e-3 * np.abs(q).max())

    def test_what_is_not_solved_is_not_converged(self):
        """Masses that differ by 1e8 to 1e24, where the heavy contact's solution alone has a small residual: two grains on
        floors of their own, and a light one on a heavy one. All stick, at velocity zero, which gives the impulses. Each
        contact's own error is at most 1e-2, the root of the tolerance, of velocities that are up to 4 times its own.
        """
        for ratio in (1e8, 1e16, 1e24):
            floors = np.diag([1.0] * 3 + [ratio] * 3), [-1, 0.1, 0, -1, 0.1, 0]
            stack = np.kron([[1.0, -1.0], [-1.0, 1.0 + ratio]], np.eye(3)), [-1, 0.1, 0, -0.5, 0.2, 0]
            for w, q in (floors, stack):
                self.write_problem(w, q)
                light = -np.array(q[3:]) / ratio if w[0, 3] == 0.0 else -(np.array(q[:3]) + q[3:]) / ratio
                heavy = -np.array(q[:3]) - w[0, 3] * light
                for keys in (["--friction", "coulomb"], ["--friction", "associated"],
                             ["--friction", "associated", "--solver", "ipm"]):
                    done = self.scree("solve", "p.hdf5", "--output", "solved.hdf5", *keys)
                    with self.subTest(ratio=ratio, q=q, keys=keys):
                        self.assert_status(done, DONE)
                        with h5py.File(self.folder / "solved.hdf5") as file:
                            r = file["solution/r"][:].reshape(2, 3)
                        for found, exact in zip(r, (heavy, light)):
                            self.assertLess(np.abs(found - exact).max(), 4e-2 * np.abs(exact).max())

    def test_messages_are_not_cut_off_by_a_nul(self):
        self.write(GOOD + '"ab\\0cd": 3\n')
        done = self.scree("check", "run.yaml")
        self.assert_status(done, WRONG_INPUT)
        self.assert_says(done, "run.yaml:15: ab?cd: unknown key")
        (self.folder / "grains.csv").write_bytes(b"x,y\0z\n1,2\n")
        place = "{type: points, positions: [[0, 0, 0.05], [0, 0, 0.15]]}"
        text = GOOD.replace(place, "{type: csv, file: grains.csv}").replace(
            "    radii: {type: list, values: [0.05]}\n", "")
        self.write(text)
        done = self.scree("check", "run.yaml")
        self.assert_status(done, WRONG_INPUT)
        self.assert_says(done, 'grains.csv:1: unknown column "y?z"')
        (self.folder / "grains.csv").write_bytes(b"")
        self.assert_says(self.scree("check", "run.yaml"), "grains.csv:1: the header")


class FewGrains(Cli):
    """More ranks than grains, and grains exactly where the regions of ranks meet."""

    def last(self, out):
        with h5py.File(sorted((self.folder / out / "snapshots").iterdir())[-1]) as file:
            order = np.argsort(file["VTKHDF/PointData/id"][:])
            return {name: file[f"VTKHDF/{name}"][:][order]
                    for name in ("Points", "PointData/velocity", "PointData/angular_velocity")}

    def assert_ranks_agree(self, text, *ranks):
        self.write(text)
        for n in (1, *ranks):
            self.assert_status(self.scree("run", "run.yaml", "--output", f"out{n}", ranks=n), DONE)
        one = self.last("out1")
        for n in ranks:
            for name, values in self.last(f"out{n}").items():
                with self.subTest(ranks=n, name=name):
                    self.assertEqual(values.shape, one[name].shape)
                    # Sums over ranks are of other orders: the solver's tolerance bounds what comes of it.
                    self.assertLess(np.abs(values - one[name]).max(), 1e-6)

    def test_seven_ranks_with_three_grains(self):
        positions = "[[0, 0, 0.05], [0.02, 0, 0.15], [0.3, 0, 0.2]]"
        text = GOOD.replace("[[0, 0, 0.05], [0, 0, 0.15]]", positions)
        self.assert_ranks_agree(text + "solver: {tolerance: 1e-10}\n", 7)

    def test_grains_on_the_planes_between_ranks(self):
        """All centres have the same x, and pairs the same y or z: cuts go through centres, which stay on them."""
        positions = [[0, y, z] for y in (-0.1, 0, 0.1) for z in (0.05, 0.15, 0.25)]
        text = GOOD.replace("[[0, 0, 0.05], [0, 0, 0.15]]", str(positions))
        self.assert_ranks_agree(text + "solver: {tolerance: 1e-10}\n", 2, 3)


if __name__ == "__main__":
    unittest.main()
