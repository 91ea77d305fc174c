#!/usr/bin/python3
"""Runs that are stopped and go on: exit statuses, messages, files without gap or repeat."""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py

sys.dont_write_bytecode = True
from cli import DONE, PATIENCE, PROGRAM, WRONG_INPUT, Cli
from restarts import BED, ENDLESS, STEP, STEPS, STOPPED, Restarts, rows


class Stopped(Restarts, Cli):
    def go_on(self, out="out", ranks=1):
        """Continues a stopped run by ten more steps; returns how many it then has and its end time."""
        steps = int(rows(self.folder / out / "steps.csv")[-1]["step"]) + 10
        end = f"time.end={steps * STEP:.3f}"
        done = self.run_bed("--restart", "latest", "--set", end, out=out, ranks=ranks)
        self.assert_status(done, DONE)
        self.assert_whole(out, steps)
        return end

    def test_each_signal_ends_with_a_checkpoint_and_the_run_goes_on(self):
        self.bed()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1):
            with self.subTest(signal=number.name):
                out = number.name
                process = self.start(*ENDLESS, out=out)
                self.wait_for_rows(7, out)
                process.send_signal(number)
                text = process.communicate(timeout=60)[0]
                self.assertEqual(process.returncode, STOPPED, text)
                self.assertIn(f"stopped by {number.name}", text)
                last = int(rows(self.folder / out / "steps.csv")[-1]["step"])
                self.assertIn(f"checkpoint_{last:08}.h5", text)
                end = self.go_on(out)
                whole = f"whole_{out}"
                self.assert_status(self.run_bed("--set", end, out=whole), DONE)
                self.assert_same(whole, out)

    def test_a_signal_to_one_rank_stops_all(self):
        self.bed()
        process = self.start(*ENDLESS, ranks=3)
        self.wait_for_rows(5)
        children = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True,
                                  text=True).stdout.split()
        os.kill(int(children[-1]), signal.SIGTERM)
        text = process.communicate(timeout=60)[0]
        self.assertEqual(process.returncode, STOPPED, text)
        self.assertEqual(text.count("stopped by SIGTERM"), 1, text)
        self.go_on(ranks=2)

    def test_mpirun_passes_a_signal_on(self):
        self.bed()
        process = self.start(*ENDLESS, ranks=2)
        self.wait_for_rows(5)
        process.send_signal(signal.SIGUSR1)
        text = process.communicate(timeout=60)[0]
        self.assertEqual(process.returncode, STOPPED, text)
        self.assertIn("stopped by SIGUSR1", text)

    def test_wall_limit(self):
        steps = 5
        self.bed()
        shorter = ("--set", f"time.end={steps * STEP:.3f}")
        self.assert_status(self.run_bed(*shorter, out="whole"), DONE)
        at_once = (*shorter, "--wall-limit", "1e-6")  # passed after every single step
        done = self.run_bed(*at_once)
        self.assert_says(done, "stopped by --wall-limit", "--restart latest goes on")
        for _ in range(steps - 1):
            self.assert_status(done, STOPPED)
            done = self.run_bed("--restart", "latest", *at_once)
        self.assert_status(done, DONE)
        self.assert_whole(steps=steps)
        self.assert_same("whole", "out")

    def test_wrong_wall_limits(self):
        self.bed()
        for limit in ("0", "1:99:00", "nan"):
            with self.subTest(limit=limit):
                done = self.run_bed("--wall-limit", limit)
                self.assert_status(done, WRONG_INPUT)
                self.assert_says(done, "hh:mm:ss")
        self.assert_untouched("bed.yaml")

    def test_a_clock_is_a_wall_limit(self):
        self.bed()
        self.assert_status(self.run_bed("--wall-limit", "01:00:00"), DONE)


FAST = """\
name: fast
time: {dt: 2e-3, end: 0.01}
materials:
  stone: {density: 2600}
friction:
  - {between: [stone, stone], mu: 0.3, restitution: 0.9}
bodies:
  balls:
    material: stone
    radii: {type: list, values: [0.01]}
    velocity: [0, 0, -20]
    place: {type: points, positions: [[0, 0, 0.1], [0.05, 0, 0.13]]}
tools:
  floor: {material: stone, shape: {type: plane}}
output:
  snapshots: {every: 2e-3}
debug:
  fclib: {every: 1}
"""


class AmidAStep(Restarts, Cli):
    """Balls so fast that the step in which they meet the floor is cut into parts."""

    def run_fast(self, *arguments, out="out"):
        return self.scree("run", "fast.yaml", "--output", out, *arguments)

    def told(self, out):
        """The rows of steps.csv and tools.csv, without wall-clock times."""
        return [[{key: value for key, value in row.items() if not key.startswith("seconds")}
                 for row in rows(self.folder / out / name)] for name in ("steps.csv", "tools.csv")]

    def test_a_run_stopped_after_each_part_loses_none(self):
        self.write(FAST, "fast.yaml")
        self.assert_status(self.run_fast(out="whole"), DONE)
        steps = [int(row["step"]) for row in rows(self.folder / "whole/steps.csv")]
        self.assertGreater(len(steps), len(set(steps)), "no step was cut")
        at_once = ("--wall-limit", "1e-6")  # passed after every single part
        done = self.run_fast(*at_once)
        for _ in range(len(steps) - 1):
            self.assert_status(done, STOPPED)
            done = self.run_fast("--restart", "latest", *at_once)
        self.assert_status(done, DONE)
        self.assertEqual(self.told("out"), self.told("whole"))
        for folder in ("snapshots", "problems"):
            names = [sorted(f.name for f in (self.folder / out / folder).iterdir())
                     for out in ("out", "whole")]
            self.assertEqual(*names)

    def test_the_problem_of_a_part_has_it_in_its_name(self):
        self.write(FAST, "fast.yaml")
        self.assert_status(self.run_fast(), DONE)
        names = [f.name for f in (self.folder / "out/problems").iterdir()]
        self.assertEqual(len(names), 5)
        part = [name for name in names if "_part_" in name]
        self.assertEqual(part, ["step_00000003_part_4_of_4.hdf5"])
        self.assert_status(self.scree("solve", f"out/problems/{part[0]}", "--replay"), DONE)


class Continued(Restarts, Cli):
    @classmethod
    def setUpClass(cls):
        """The whole run, of which tests take copies."""
        made = tempfile.TemporaryDirectory()
        cls.addClassCleanup(made.cleanup)
        cls.made = Path(made.name)
        (cls.made / "bed.yaml").write_text(BED)
        subprocess.run([PROGRAM, "run", "bed.yaml", "--output", "out", "--quiet"], cwd=cls.made, check=True, timeout=PATIENCE)

    def copy(self, out):
        shutil.copytree(self.made / "out", self.folder / out)

    def test_checkpoints_are_kept_as_asked(self):
        """And at the end there is nothing to do."""
        self.bed()
        self.copy("out")
        files = self.checkpoints()
        self.assertEqual([f.name for f in files], [f"checkpoint_{step:08}.h5" for step in (40, 50, 60)])
        self.assert_says(self.scree("info", str(files[-1])), "kind: checkpoint", "whole: yes", "step: 60")
        with h5py.File(files[-1]) as checkpoint:
            self.assertEqual(len(checkpoint["grains/id"]), len(checkpoint["grains/position"]))
        before = (self.folder / "out/steps.csv").read_bytes()
        done = self.run_bed("--restart", "latest")
        self.assert_status(done, DONE)
        self.assert_says(done, "nothing is left to do")
        self.assertEqual((self.folder / "out/steps.csv").read_bytes(), before)
        self.assert_whole()

    def test_none_but_at_the_end(self):
        self.bed()
        self.assert_status(self.run_bed("--set", "output.checkpoints.every=0"), DONE)
        self.assertEqual([f.name for f in self.checkpoints()], ["checkpoint_00000060.h5"])
        self.assert_status(self.run_bed("--set", "output.checkpoints={end: false, wall_every: 0}",
                                        out="none"), DONE)
        self.assertEqual(self.checkpoints("none"), [])

    def test_a_run_that_ended_can_be_made_longer(self):
        self.bed()
        self.assert_status(self.run_bed("--set", "time.end=0.08"), DONE)
        done = self.run_bed("--restart", "latest", ranks=2)
        self.assert_status(done, DONE)
        self.assert_says(done, "going on from", "changed: time.end was 0.08 and is 0.12")
        self.assert_whole()
        self.assertIn("end: 0.12", (self.folder / "out/run.yaml").read_text())

    def test_an_earlier_checkpoint_cuts_off_what_came_later(self):
        self.bed()
        self.copy("whole")
        self.copy("out")
        done = self.run_bed("--restart", "out/checkpoints/checkpoint_00000040.h5", "--wall-limit",
                            "0.001")
        self.assert_status(done, STOPPED)
        self.assertEqual(len(rows(self.folder / "out/steps.csv")), 41)
        self.assertEqual([f.name for f in self.checkpoints()],
                         ["checkpoint_00000040.h5", "checkpoint_00000041.h5"])
        self.assert_status(self.run_bed("--restart", "latest"), DONE)
        self.assert_whole()
        self.assert_same("whole", "out")

    def test_a_checkpoint_of_another_folder_begins_a_new_one(self):
        self.bed()
        self.copy("whole")
        file = "whole/checkpoints/checkpoint_00000050.h5"
        before = sorted(f.name for f in (self.folder / "whole").rglob("*"))
        self.assert_status(self.run_bed("--restart", file, out="branch"), DONE)
        self.assertEqual([int(row["step"]) for row in rows(self.folder / "branch/steps.csv")],
                         list(range(51, 61)))
        self.assertEqual(sorted(f.name for f in (self.folder / "whole").rglob("*")), before)
        done = self.run_bed("--restart", file, out="branch")
        self.assert_status(done, WRONG_INPUT)
        self.assert_says(done, "holds a run already")

    def test_changed_physics_of_the_bodies_is_refused(self):
        self.bed()
        self.assert_status(self.run_bed("--set", "time.end=0.04"), DONE)
        before = (self.folder / "out/steps.csv").read_bytes()
        for override, ranks, key in [("time.dt=1e-3", 1, "time.dt"),
                                     ("materials.stone.density=2700", 1, "materials.stone.density"),
                                     ("bodies.bed.place.seed=4", 2, "bodies.bed.place.seed"),
                                     ("tools.blade.shape.size=[0.02, 0.1, 0.2]", 1, "tools.blade.shape.size"),
                                     ("tools.blade.motion.velocity=[0.5, 0, 0]", 2, "tools.blade")]:
            with self.subTest(override=override, ranks=ranks):
                done = self.run_bed("--restart", "latest", "--set", override, ranks=ranks)
                self.assert_status(done, WRONG_INPUT)
                self.assert_says(done, key)
                self.assertEqual((self.folder / "out/steps.csv").read_bytes(), before)
        allowed = ("solver.tolerance=1e-5", "friction.0.mu=0.5", "gravity=[0, 0, -1]", "tools.blade.motion.stop=0.1")
        self.assert_status(self.run_bed("--restart", "latest", *(word for key in allowed for word in ("--set", key))), DONE)

    def test_without_a_checkpoint_latest_is_the_beginning(self):
        self.bed()
        done = self.run_bed("--restart", "latest")
        self.assert_status(done, DONE)
        self.assert_says(done, "begins anew")
        for file in self.checkpoints():
            file.unlink()
        done = self.run_bed("--restart", "latest", "--set", "output.overwrite=true")
        self.assert_status(done, DONE)
        self.assert_says(done, "begins anew")
        self.assert_whole()
        for file in self.checkpoints():
            file.unlink()
        done = self.run_bed("--restart", "latest", "--set", "bodies.bed.place.seed=4")
        self.assert_status(done, WRONG_INPUT)
        self.assert_says(done, "is of another run")
        self.assert_whole()

    def test_no_more_than_a_start_is_removed_unasked(self):
        """A run of 60 steps whose first checkpoint is due after 10, and what stands of it where its files are cut."""
        self.bed()
        lines = (self.made / "out/steps.csv").read_text().splitlines(keepends=True)

        def latest(steps, *words, keep_snapshots=False, yaml=True):
            shutil.rmtree(self.folder / "out", ignore_errors=True)
            self.copy("out")
            for file in [*self.checkpoints(), *([] if yaml else [self.folder / "out/run.yaml"])]:
                file.unlink()
            for file in (self.folder / "out/snapshots").iterdir():
                if not keep_snapshots:
                    file.unlink()
            (self.folder / "out/steps.csv").write_text("".join(lines[:steps + 1]))
            return self.run_bed("--restart", "latest", *words)

        for steps, words, kept, why in [
                (60, (), {}, "it is at its end, step 60"), (11, (), {}, "it has 11 steps, and had a checkpoint"),
                (0, (), {"keep_snapshots": True}, "it is at its end, step 60"),
                (5, (), {"yaml": False}, "holds a run already"),
                (5, ("--set", "output.checkpoints.every=1"), {}, "run.yaml is of another configuration")]:
            with self.subTest(steps=steps, why=why):
                done = latest(steps, *words, **kept)
                self.assert_status(done, WRONG_INPUT)
                self.assert_says(done, "holds a run already", why, "output.overwrite=true")
                self.assertEqual((self.folder / "out/steps.csv").read_text(), "".join(lines[:steps + 1]))
                self.assertTrue((self.folder / "out/tools.csv").is_file())
        done = latest(10)  # the row of a step may be there before its checkpoint is
        self.assert_status(done, DONE)
        self.assert_says(done, "begins anew")
        self.assert_whole()

    def test_a_run_that_was_to_keep_no_checkpoint_is_not_removed_unasked(self):
        never = ("--set", "output.checkpoints={end: false, wall_every: 0}")
        self.bed()
        self.assert_status(self.run_bed(*never), DONE)
        for words in ((), ("--set", "time.end=0.2")):
            done = self.run_bed("--restart", "latest", *never, *words)
            self.assert_status(done, WRONG_INPUT)
            self.assert_says(done, "holds a run already", "output.overwrite=true")
            self.assert_whole()


if __name__ == "__main__":
    unittest.main()
