#!/usr/bin/python3
"""Grains from the outside: those that come in during a run, those taken out, and HDF5 files of grains."""
import csv
import sys
import unittest
from pathlib import Path

import h5py
import numpy

sys.dont_write_bytecode = True
from cli import DONE, GOOD, WRONG_INPUT, Cli

CONFIGS = Path(__file__).resolve().parents[2] / "configs"
POINTS = "radii: {type: list, values: [0.05]}\n    place: {type: points, positions: [[0, 0, 0.05], [0, 0, 0.15]]}"


def from_file(file, more=""):
    """Two stones whose places are those of an HDF5 file."""
    return GOOD.replace(POINTS, f"place: {{type: hdf5, file: {file}{more}}}")


class Pour(Cli):
    def test_example(self):
        """The first tenth of a second: the mass follows the rate, and goes on so after a restart."""
        pour = str(CONFIGS / "pour.yaml")
        done = self.scree("check", pour)
        self.assert_status(done, DONE)
        self.assert_says(done, "rain: 3 kg/s of gravel and sand from 0 s until a bed of 0.1 m")
        self.assert_status(self.scree("run", pour, "--output", "out", "--set", "time.end=0.05", ranks=2), DONE)
        done = self.scree("run", pour, "--output", "out", "--set", "time.end=0.1", "--restart", "latest")
        self.assert_status(done, DONE)
        with open(self.folder / "out/steps.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([int(row["step"]) for row in rows], list(range(1, 101)))
        for row in rows:
            came, waits = float(row["inserted_mass"]), float(row["waiting_mass"])
            self.assertAlmostEqual(came + waits, 3 * float(row["time"]), places=9)
            self.assertLess(waits, 0.02)  # the heaviest grain has 19 g
            self.assertEqual(row["bodies"], row["inserted"])
        self.assert_says(done, "grains came in: 0.")

    def test_too_much_for_the_region(self):
        done = self.scree("run", str(CONFIGS / "pour.yaml"), "--output", "out", "--set", "time.end=0.02",
                          "--set", "insertions.rain.rate=500")
        self.assert_status(done, DONE)
        self.assert_says(done, "due to come in found no room")

    def test_faults(self):
        text = (CONFIGS / "pour.yaml").read_text()
        for old, new, part in [
            ("rate: 3 ", "rate: 0 ", "insertions.rain.rate: 0 is out of range"),
            ("height: 0.1  ", "height: 0.24  ", "insertions.rain.height: is not 0.024 m"),
            ("radius: 0.09", "radius: 0.01", "insertions.rain.region: has no room for a grain"),
            ("  rain:", "  floor:", 'tools: "floor" is also the name'),
            ("between: default,", "between: [gravel, gravel],", '"sand" with "sand"'),
            ("material: sand", "material: snad", '"snad"'),
            ("solver:", "gravity: [0, 0, 0]\nsolver:", "nothing rests without gravity"),
            ("solver:", "fluid: {viscosity: 1, density: 1e5}\nsolver:", "fluid that is not lighter than the grains"),
        ]:
            with self.subTest(new=new):
                self.assertIn(old, text)
                done = self.scree("check", self.write(text.replace(old, new, 1)))
                self.assert_status(done, WRONG_INPUT)
                self.assert_says(done, part)

    def test_insertions_stay_as_they_are_at_a_restart(self):
        pour = str(CONFIGS / "pour.yaml")
        self.assert_status(self.scree("run", pour, "--output", "out", "--set", "time.end=0.01"), DONE)
        done = self.scree("run", pour, "--output", "out", "--set", "time.end=0.02", "--restart", "latest",
                          "--set", "insertions.rain.rate=4")
        self.assert_status(done, WRONG_INPUT)
        self.assert_says(done, "insertions.rain.rate was 3 and is 4")


class GrainFile(Cli):
    def test_a_run_goes_on_from_the_snapshot_of_another(self):
        exact = ["--set", "output.snapshots.precision=double", "--set",
                 "output.snapshots.arrays=[velocity, angular_velocity, orientation, shape, semi_axes, mass]"]
        self.assert_status(self.scree("run", self.write(), "--output", "a", *exact), DONE)
        snapshot = "a/snapshots/snapshot_00000010.hdf"
        for ranks in (1, 2):
            text = from_file(snapshot)
            done = self.scree("run", self.write(text, "b.yaml"), "--output", f"b{ranks}", *exact,
                              ranks=ranks)
            self.assert_status(done, DONE)
            first = self.folder / f"b{ranks}/snapshots/snapshot_00000000.hdf"
            with h5py.File(self.folder / snapshot) as a, h5py.File(first) as b:
                old, new = (f["VTKHDF/PointData"] for f in (a, b))
                order = [numpy.argsort(data["id"][:]) for data in (old, new)]
                for name in ("id", "radius", "velocity", "angular_velocity", "orientation", "mass"):
                    numpy.testing.assert_array_equal(old[name][:][order[0]], new[name][:][order[1]])
                numpy.testing.assert_array_equal(a["VTKHDF/Points"][:][order[0]],
                                                 b["VTKHDF/Points"][:][order[1]])

    def test_a_file_of_another_program(self):
        with h5py.File(self.folder / "grains.h5", "w") as file:
            file["position"] = numpy.array([[0, 0, 0.05], [1, 0, 0.05], [2, 0, 0.3]])
            file["radius"] = numpy.array([0.05, 0.05, 0.1])
        done = self.scree("check", self.write(from_file("grains.h5")), ranks=2)
        self.assert_status(done, DONE)
        self.assert_says(done, "stones: 3 grains, radii 0.05 to 0.1 m")

    def test_copies_of_a_file_side_by_side(self):
        with h5py.File(self.folder / "grains.h5", "w") as file:
            file["position"] = numpy.array([[0, 0, 0.08], [0.3, 0, 0.08]])
            file["radius"] = numpy.array([0.05, 0.06])
            file["id"] = numpy.array([7, 2])
        for ranks in (1, 3):
            text = from_file("grains.h5", ", repeat: [2, 3, 1], period: [1, 2, 0]")
            self.assert_status(self.scree("run", self.write(text), "--output", f"b{ranks}", "--set", "time.end=0.01",
                                          "--set", "output.snapshots.precision=double", ranks=ranks), DONE)
            with h5py.File(self.folder / f"b{ranks}/snapshots/snapshot_00000000.hdf") as snapshot:
                ids = snapshot["VTKHDF/PointData/id"][:]
                order = numpy.argsort(ids)
                places = snapshot["VTKHDF/Points"][:][order]
            self.assertEqual(list(ids[order]), [8 * tile + own for tile in range(6) for own in (2, 7)])
            for tile in range(6):
                shift = numpy.array([tile % 2, 2 * (tile // 2), 0])
                numpy.testing.assert_array_equal(places[2 * tile:2 * tile + 2], shift + [[0.3, 0, 0.08], [0, 0, 0.08]])

    def test_wrong_files(self):
        (self.folder / "text.h5").write_text("no HDF5")
        with h5py.File(self.folder / "half.h5", "w") as file:
            file["position"] = numpy.zeros((3, 3))
        self.assert_status(self.scree("run", self.write(), "--output", "a"), DONE)
        snapshot = "a/snapshots/snapshot_00000010.hdf"
        for file, more, part in [("absent.h5", "", "there is no file"),
                                 ("text.h5", "", "text.h5"),
                                 ("half.h5", "", "has no dataset radius"),
                                 (snapshot, ", population: stone", 'did you mean "stones"?'),
                                 (snapshot, ", repeat: [2, 1, 1]", "place.period: is not above 0 along x"),
                                 (snapshot, ", repeat: [2, 1]", "place.repeat"),
                                 (snapshot, ", repeat: [100000, 100000, 1], period: [1, 1, 0]",
                                  "place.repeat: makes more copies than can be numbered"),
                                 (snapshot, ", repeat: [300000000, 1, 1], period: [1, 1, 0]",
                                  "300000000 copies of 2 grains are more than can be numbered")]:
            for ranks in (1, 2):
                with self.subTest(file=file, ranks=ranks):
                    done = self.scree("check", self.write(from_file(file, more)), ranks=ranks)
                    self.assert_status(done, WRONG_INPUT)
                    self.assertEqual(done.stderr.count(part), 1, done.stderr)


if __name__ == "__main__":
    unittest.main()
