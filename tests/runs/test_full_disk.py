#!/usr/bin/python3
"""A disk that is full: what was complete stays whole, the message names the file and the reason."""
import csv
import os
import shutil
import subprocess
import sys
import unittest
import xml.etree.ElementTree as xml

import h5py
import numpy as np

sys.dont_write_bytecode = True
from cli import DONE, FAILED, GOOD, WRONG_INPUT, Cli

FULL = "No space left on device"


class FullDisk(Cli):
    """`disk` is a file system of a megabyte, in memory."""

    def setUp(self):
        super().setUp()
        self.disk = self.folder / "disk"
        self.disk.mkdir()
        if os.geteuid() != 0:
            self.skipTest("to mount a small file system needs root")
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", self.disk],
                              capture_output=True, text=True)
        if done.returncode != 0:
            self.skipTest(f"a small file system cannot be mounted here: {done.stderr.strip()}")
        self.addCleanup(subprocess.run, ["umount", self.disk], check=True)

    def fill(self, leave=0):
        """Leaves so many bytes free."""
        free = os.statvfs(self.disk)
        with open(self.disk / "filler", "wb") as file:
            file.write(bytes(free.f_bavail * free.f_frsize - leave))

    def assert_failed_by(self, done, *names):
        self.assert_status(done, FAILED)
        self.assert_says(done, FULL, *names)
        self.assertEqual(done.stderr.count("scree:"), 1, done.stderr)
        self.assertEqual(list(self.disk.rglob("*.part")), [])

    def test_snapshots(self):
        self.write()
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                out = self.disk / f"out{ranks}"
                done = self.scree("run", "run.yaml", "--output", str(out), "--set", "time.end=0.1",
                                  "--set", "output.snapshots.every=1e-3", ranks=ranks)
                self.assert_failed_by(done, f"{out}/snapshots/snapshot_", "was not written")
                snapshots = sorted((out / "snapshots").iterdir())
                self.assertGreater(len(snapshots), 1)
                self.assertLess(len(snapshots), 100)
                for snapshot in snapshots:
                    with h5py.File(snapshot) as file:
                        self.assertEqual(file["VTKHDF/Points"].shape, (2, 3))
                        self.assertTrue(np.isfinite(file["VTKHDF/PointData/velocity"][:]).all())
                named = {item.text.split(":")[0].strip()
                         for item in xml.parse(out / "run.xdmf").iter("DataItem")
                         if item.get("Format") == "HDF"}
                self.assertEqual(named, {f"snapshots/{s.name}" for s in snapshots})
                for file in (out / "snapshots").iterdir():
                    file.unlink()

    def test_checkpoints(self):
        """What was written before the disk was full is whole, and the run goes on from it."""
        self.write()
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                out = self.disk / f"out{ranks}"
                words = ["run", "run.yaml", "--output", str(out), "--set", "time.end=0.1"]
                done = self.scree(*words, "--set", "output.checkpoints={every: 1e-3, keep: 100}",
                                  ranks=ranks)
                self.assert_failed_by(done, f"{out}/checkpoints/checkpoint_", "was not written")
                checkpoints = sorted((out / "checkpoints").iterdir())
                self.assertGreater(len(checkpoints), 1)
                for checkpoint in (checkpoints[0], checkpoints[-1]):
                    self.assert_says(self.scree("info", str(checkpoint)), "whole: yes")
                for checkpoint in checkpoints[:-1]:
                    checkpoint.unlink()
                done = self.scree(*words, "--restart", "latest", ranks=3 - ranks)
                self.assert_status(done, DONE)
                self.assert_says(done, f"going on from {checkpoints[-1]}")
                with open(out / "steps.csv", newline="") as file:
                    self.assertEqual([int(row["step"]) for row in csv.DictReader(file)],
                                     list(range(1, 101)))
                shutil.rmtree(out)

    def test_tables(self):
        """A row that does not fit ends the run; the rows before it stand."""
        self.write()
        self.fill(leave=48 << 10)
        out = self.disk / "out"
        done = self.scree("run", "run.yaml", "--output", str(out), "--set", "time.end=1", "--set",
                          "output.snapshots.every=0", "--set", "output.snapshots.start=false", "--set",
                          "output.snapshots.end=false")
        self.assert_failed_by(done, f"{out}/", ".csv: cannot be written")
        with open(out / "steps.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertGreater(len(rows), 10)
        self.assertEqual([int(row["step"]) for row in rows[:-1]], list(range(1, len(rows))))

    def test_problems(self):
        self.write()
        done = self.scree("run", "run.yaml", "--output", str(self.disk / "out"), "--set",
                          "time.end=0.1", "--set", "output.snapshots.start=false", "--set",
                          "debug.fclib.every=1")
        self.assert_failed_by(done, f"{self.disk}/out/problems/step_")
        problems = sorted((self.disk / "out/problems").iterdir())
        self.assertGreater(len(problems), 1)
        for problem in problems:
            with h5py.File(problem) as file:
                self.assertEqual(file["fclib_global/vectors/mu"].shape, (2,))

    def test_folder_of_a_run(self):
        self.write()
        self.fill()
        done = self.scree("run", "run.yaml", "--output", str(self.disk / "out"))
        self.assert_status(done, WRONG_INPUT)
        self.assert_says(done, f"{self.disk}/out", FULL, "--output")

    def test_solution_and_report(self):
        self.write()
        self.assert_status(self.scree("run", "run.yaml", "--output", "out", "--set", "time.end=1e-3",
                                      "--set", "debug.fclib.every=1"), DONE)
        problem = "out/problems/step_00000001.hdf5"
        names = {"--output": self.disk / "solved.hdf5", "--report": self.disk / "report.json"}
        words = [str(word) for pair in names.items() for word in pair]
        self.assert_status(self.scree("solve", problem, *words), DONE)
        before = {option: file.read_bytes() for option, file in names.items()}
        self.fill()
        for option, file in names.items():
            with self.subTest(option=option):
                self.assert_failed_by(self.scree("solve", problem, option, str(file)), str(file))
                self.assertEqual(file.read_bytes(), before[option])


if __name__ == "__main__":
    unittest.main()
