#!/usr/bin/python3
"""Runs that are killed, and checkpoints that are spoilt: what is whole is used, what is not is named."""
import os
import random
import shutil
import sys
import time
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
from cli import DONE, PATIENCE, WRONG_INPUT, Cli
from restarts import Restarts


class Damaged(Restarts, Cli):
    """The newest checkpoint is spoilt in turn; the one before it is used, and the message names both."""

    def setUp(self):
        super().setUp()
        self.bed()
        self.assert_status(self.run_bed(out="whole"), DONE)

    def spoilt(self, spoil):
        shutil.rmtree(self.folder / "out", ignore_errors=True)
        shutil.copytree(self.folder / "whole", self.folder / "out")
        newest = self.checkpoints()[-1]
        spoil(newest)
        return newest

    def test_the_one_before_is_used(self):
        def flip(at, bit):
            def spoil(path):
                content = bytearray(path.read_bytes())
                content[at % len(content)] ^= 1 << bit
                path.write_bytes(content)
            return spoil

        def truncate(part):
            return lambda path: os.truncate(path, int(part * path.stat().st_size))

        def tear(path):
            with open(path, "r+b") as file:
                file.seek(path.stat().st_size // 2)
                file.write(bytes(4096))

        def foreign(path):
            shutil.copy(self.folder / "whole/snapshots/snapshot_00000060.hdf", path)

        def text(path):
            path.write_text("no checkpoint\n")

        for name, spoil, words in [
            ("empty", truncate(0), "no checkpoint of scree"), ("half", truncate(0.5), "cut off"),
            ("nearly all", truncate(0.999), "cut off"), ("torn", tear, "damaged"),
            ("snapshot", foreign, "no checkpoint of scree"), ("text", text, "no checkpoint of scree"),
            *[(f"bit {at}", flip(at, at % 8), "") for at in (3, 40, 400, 520, 4000, 30000, -9)],
        ]:
            for ranks in (1, 2) if name in ("half", "torn") else (1,):
                with self.subTest(spoilt=name, ranks=ranks):
                    newest = self.spoilt(spoil)
                    done = self.run_bed("--restart", "latest", ranks=ranks)
                    self.assert_status(done, DONE)
                    self.assert_says(done, f"{newest.name}: ", words, "not used", "going on from",
                                     "checkpoint_00000050.h5")
                    self.assert_whole()
                    if ranks == 1:
                        self.assert_same("whole", "out")

    def test_by_its_name_it_is_refused(self):
        newest = self.spoilt(lambda path: os.truncate(path, 5000))
        before = (self.folder / "out/steps.csv").read_bytes()
        for ranks in (1, 2):
            done = self.run_bed("--restart", str(newest), ranks=ranks)
            self.assert_status(done, WRONG_INPUT)
            self.assert_says(done, newest.name, "cut off", "--restart latest")
            self.assertEqual((done.stdout + done.stderr).count(newest.name), 1)
        self.assertEqual((self.folder / "out/steps.csv").read_bytes(), before)
        done = self.run_bed("--restart", "absent.h5")
        self.assert_status(done, WRONG_INPUT)
        self.assert_says(done, "absent.h5")

    def test_where_none_is_whole_each_is_named(self):
        self.spoilt(lambda path: None)
        for path in self.checkpoints():
            os.truncate(path, 700)
        done = self.run_bed("--restart", "latest")
        self.assert_status(done, WRONG_INPUT)
        self.assert_says(done, "no checkpoint can be used", *[f.name for f in self.checkpoints()])

    def test_a_row_that_was_not_finished_is_cut_off(self):
        self.spoilt(Path.unlink)
        for name in ("steps.csv", "tools.csv"):
            path = self.folder / "out" / name
            os.truncate(path, path.stat().st_size - 5)
        self.assert_status(self.run_bed("--restart", "latest"), DONE)
        self.assert_whole()
        self.assert_same("whole", "out")


class Killed(Restarts, Cli):
    def test_kill_at_random_moments(self):
        """SIGKILL a few times; scripts/bench/kill does so as often as asked."""
        self.bed()
        self.assert_status(self.run_bed(out="whole"), DONE)
        moments = random.Random(5)
        for kill in range(4):
            process = self.start("--restart", "latest")
            time.sleep(moments.uniform(0.05, 0.6))
            process.kill()
            process.wait(timeout=PATIENCE)
        self.assert_status(self.run_bed("--restart", "latest"), DONE)
        self.assert_whole()
        self.assert_same("whole", "out")


if __name__ == "__main__":
    unittest.main()
