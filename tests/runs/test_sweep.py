#!/usr/bin/python3
"""Parameter studies: `scree sweep` as a user starts, stops and goes on with one."""
import csv
import json
import os
import re
import signal
import subprocess
import sys
import unittest
import xml.etree.ElementTree as ET
from pathlib import Path

import h5py

sys.dont_write_bytecode = True
from cli import DONE, FAILED, GOOD, MPIRUN, PROGRAM, WRONG_INPUT
from sweeps import PATIENCE, STOPPED, SweepCli

SIX = """\
base: run.yaml
table: design.csv
observables:
  energy: {column: kinetic_energy, of: last}
  load: {tool: floor, column: force_z, of: mean, from: 0.005}
"""
# One iteration is not enough, and the run is told to give up then.
DESIGN = """\
time.dt,"friction[stone,stone].mu",solver.max_iterations
1e-3,0.2,1000
1e-3,0.4,1000
1e-3,0.6,1
1e-3,0.8,1000
2e-3,0.2,1000
2e-3,0.4,1000
"""
ABORTS = GOOD + "solver: {method: pgj, tolerance: 1e-10, on_not_converged: abort}\noutput: {snapshots: {start: false}}\n"

# Many steps of next to no work, so that there is a middle to be killed in.
END = 6  # s
LONG = """\
base: run.yaml
parameters:
  time.dt: [1.0e-3, 1.1e-3]
  friction[stone,stone].mu: {linear: [0.2, 0.6, 3]}
observables: {energy: {column: kinetic_energy}}
"""


class SweepOfSixCli(SweepCli):
    """Six cases, of which one fails."""

    def setUp(self):
        super().setUp()
        self.write(ABORTS)
        self.write(DESIGN, "design.csv")
        self.write(SIX, "six.yaml")

    def test_cases_are_run_and_put_into_a_table(self):
        done = self.scree("sweep", "six.yaml", "--jobs", "2", "--output", "out")
        self.assert_status(done, FAILED)
        self.assert_says(done, "6 cases, 6 to run, 2 at once", "5 of 6 done, 1 failed",
                         "dt_0.001-mu_0.6-max_iterations_1: failed: step 1")
        rows = self.results()
        self.assertEqual([row["case"] for row in rows],
                         ["dt_0.001-mu_0.2-max_iterations_1000", "dt_0.001-mu_0.4-max_iterations_1000",
                          "dt_0.001-mu_0.6-max_iterations_1", "dt_0.001-mu_0.8-max_iterations_1000",
                          "dt_0.002-mu_0.2-max_iterations_1000", "dt_0.002-mu_0.4-max_iterations_1000"])
        for row in rows:
            with self.subTest(row["case"]):
                if row["solver.max_iterations"] == "1":
                    self.assertEqual(row["status"], "failed")
                    self.assertEqual(row["energy"], "nan")
                    self.assertIn("step 1", row["error"])
                    continue
                self.assertEqual((row["status"], row["error"]), ("done", ""))
                steps = self.steps_of(row["case"])
                self.assertEqual(float(row["energy"]), float(steps[-1]["kinetic_energy"]))
                self.assertEqual(len(steps), round(0.01 / float(row["time.dt"])))
                with open(self.folder / "out" / row["run"] / "tools.csv") as file:
                    loads = [(float(t["force_z"]), float(t["dt"])) for t in csv.DictReader(file)
                             if t["tool"] == "floor" and float(t["time"]) > 0.005 * (1 + 1e-9)]
                self.assertAlmostEqual(float(row["load"]), sum(f * dt for f, dt in loads) / sum(dt for _, dt in loads),
                                       delta=1e-9 * abs(float(row["load"])))
                self.assertEqual(row["ranks"], "1")
                self.assertGreater(float(row["seconds"]), 0.0)

    def test_the_table_as_hdf5_has_provenance(self):
        self.scree("sweep", "six.yaml", "--jobs", "2", "--output", "out", "--quiet")
        rows = self.results()
        with h5py.File(self.folder / "out/results.h5") as file:
            self.assertEqual(list(file["parameters/time.dt"][:]), [float(row["time.dt"]) for row in rows])
            self.assertEqual(file["observables/energy"].attrs["unit"], b"J")
            self.assertEqual([t.decode() for t in file["cases/status"][:]], [row["status"] for row in rows])
            self.assertEqual(file["observables/load"][0], float(rows[0]["load"]))
            configuration = file["provenance/configuration"][1].decode()
            self.assertEqual(configuration, (self.folder / "out" / rows[1]["run"] / "run.yaml").read_text())
            version = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True).stdout.strip()
            self.assertEqual(file["provenance/version"][0].decode(), version)
            self.assertEqual(file["provenance/commit"][0].decode(), file.attrs["git_hash"].decode())
            self.assertIn("base:", file["configuration"][()].decode())

    def test_what_is_done_is_not_run_again_and_what_failed_only_when_asked(self):
        self.scree("sweep", "six.yaml", "--output", "out", "--quiet")
        before = {path: path.stat().st_mtime_ns for path in (self.folder / "out/runs").rglob("steps.csv")}
        again = self.scree("sweep", "six.yaml", "--output", "out")
        self.assert_status(again, FAILED)
        self.assert_says(again, "6 cases, 5 done before, 1 failed before (--retry runs them again), 0 to run")
        retried = self.scree("sweep", "six.yaml", "--output", "out", "--retry")
        self.assert_status(retried, FAILED)
        self.assert_says(retried, "5 done before, 1 to run", "max_iterations_1: failed")
        for path, modified in before.items():
            self.assertEqual(path.stat().st_mtime_ns == modified, "max_iterations_1/" not in str(path), path)

    def test_a_table_on_a_page(self):
        self.scree("sweep", "six.yaml", "--output", "out", "--quiet")
        done = self.scree("report", "out")
        self.assert_status(done, DONE)
        self.assertEqual(done.stdout, "out/report.html\n")
        page = (self.folder / "out/report.html").read_text()
        ET.fromstring(re.sub(r"<(meta[^>]*)>", r"<\1/>", page.split("\n", 1)[1]))  # every element is closed
        for words in ["<h1>six</h1>", "6 cases: 5 done, 1 failed", "<h2>energy</h2>", "energy, J", "load, N",
                      "friction[stone,stone].mu", "dt_0.002-mu_0.4-max_iterations_1000"]:
            self.assertIn(words, page)
        # Two observables over the two parameters that vary among what is done, and over the one that does not: a dot for
        # each of five cases in each of the three.
        self.assertEqual(page.count("<svg"), 6)
        self.assertEqual(page.count("<circle"), 30)

    def test_cases_are_listed(self):
        listed = self.scree("check", "six.yaml", ranks=2)
        self.assert_status(listed, DONE)
        self.assertEqual(listed.stdout.count("to run"), 6)
        self.assert_says(listed, "six.yaml: valid, 6 cases of", "  to run     dt_0.001-mu_0.6-max_iterations_1\n")
        self.assert_untouched("design.csv", "run.yaml", "six.yaml")

    def test_the_example_is_valid(self):
        example = Path(__file__).resolve().parents[2] / "configs/sweep-settle.yaml"
        listed = self.scree("check", str(example))
        self.assert_status(listed, DONE)
        self.assertEqual(listed.stdout.count("  to run     mu_0."), 12)

    def test_an_observable_of_a_damaged_run_is_told(self):
        self.scree("sweep", "six.yaml", "--output", "out", "--quiet")
        name = "dt_0.002-mu_0.4-max_iterations_1000"
        (self.folder / "out/runs" / name / "tools.csv").unlink()
        self.assert_status(self.scree("sweep", "six.yaml", "--output", "out", "--collect"), FAILED)
        row = self.results()[-1]
        self.assertEqual((row["status"], row["load"]), ("done", "nan"))
        self.assertIn("observables.load: ", row["error"])
        self.assertNotEqual(row["energy"], "nan")


class SweepStopsCli(SweepCli):
    """A sweep that is stopped, killed, and met by another one."""

    def setUp(self):
        super().setUp()
        self.write(GOOD.replace("end: 0.01", f"end: {END}"))
        self.write(LONG, "long.yaml")
        self.names = [f"dt_{dt}-mu_{mu}" for dt in ("0.001", "0.0011") for mu in ("0.2", "0.4", "0.6")]

    def begin_and_reach_the_middle(self):
        child = self.begin("long.yaml", "--output", "out", "--jobs", "2")
        # One is done, and another well before its end.
        self.wait_until(lambda: "done" in self.statuses_now() and any(
            self.statuses_now_of(name) == "running" and 5 < self.rows(name) < END / 4e-3 for name in self.names), "the middle")
        return child

    def statuses_now(self):
        return [self.statuses_now_of(name) for name in self.names]

    def statuses_now_of(self, name):
        return self.record(name)["status"]

    def finish(self):
        """Goes on, and finds every case whole, as if nothing had happened."""
        done_before = {name: (self.folder / "out/runs" / name / "steps.csv").stat().st_mtime_ns
                       for name in self.names if self.statuses_now_of(name) == "done"}
        self.assertGreater(len(done_before), 0)
        self.assertLess(len(done_before), 6)
        done = self.scree("sweep", "long.yaml", "--output", "out", "--jobs", "2")
        self.assert_status(done, DONE)
        self.assert_says(done, f"{len(done_before)} done before, {6 - len(done_before)} to run", "6 of 6 done, 0 failed")
        for name, modified in done_before.items():
            self.assertEqual((self.folder / "out/runs" / name / "steps.csv").stat().st_mtime_ns, modified)
        for row in self.results():
            steps = [int(step["step"]) for step in self.steps_of(row["case"])]
            self.assertEqual(steps, list(range(1, len(steps) + 1)))
            self.assertGreaterEqual(len(steps) * float(row["time.dt"]), END - 1e-9)
            self.assertEqual(float(row["energy"]), float(self.steps_of(row["case"])[-1]["kinetic_energy"]))

    def test_a_signal_stops_cases_with_their_checkpoints(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(number.name):
                child = self.begin_and_reach_the_middle()
                child.send_signal(number)
                said = child.stdout.read()
                self.assertEqual(child.wait(PATIENCE), STOPPED, said)
                self.assertIn(f"stopped by {number.name}; the same command goes on", said)
                self.assertNotIn("running", self.statuses_now())
                stopped = [name for name in self.names if self.statuses_now_of(name) == "stopped"]
                self.assertGreater(len(stopped), 0)
                self.assertEqual({row["case"] for row in self.results() if row["status"] == "stopped"}, set(stopped))
                # One that was just being started had nothing to keep.
                kept = [name for name in stopped if any((self.folder / "out/runs" / name).glob("checkpoints/*.h5"))]
                self.assertGreater(len(kept), 0)
                self.finish()
                for name in kept:
                    self.assertIn("going on from", (self.folder / "out/runs" / name / "run.log").read_text())
                subprocess.run(["rm", "-r", self.folder / "out"], check=True)

    def test_a_killed_sweep_is_taken_up(self):
        child = self.begin_and_reach_the_middle()
        child.kill()
        child.wait(PATIENCE)
        self.assertIn("running", self.statuses_now())  # nobody was left to say otherwise
        self.finish()

    def test_two_sweeps_in_one_folder(self):
        first = self.begin("long.yaml", "--output", "out", "--jobs", "2")
        self.wait_until(lambda: "running" in self.statuses_now(), "a case runs")
        second = self.scree("sweep", "long.yaml", "--output", "out")
        self.assert_status(second, WRONG_INPUT)
        self.assert_says(second, f"another sweep works there: process {first.pid} on {os.uname().nodename}, since 2")
        self.assertEqual(first.wait(PATIENCE), DONE)
        self.assertEqual(self.statuses_now(), ["done"] * 6)


class SweepChangesCli(SweepCli):
    """Cases that are no longer what they were."""

    def setUp(self):
        super().setUp()
        self.write(GOOD.replace("radii: {type: list, values: [0.05]}", "radii: {type: file}").replace(
            "place: {type: points, positions: [[0, 0, 0.05], [0, 0, 0.15]]}", "place: {type: csv, file: low.csv}"))
        self.write("x,y,z,r\n0,0,0.05,0.05\n", "low.csv")
        self.write("x,y,z,r\n0,0,0.25,0.05\n", "high.csv")
        self.write("base: run.yaml\nparameters: {bodies.stones.place.file: [low.csv, high.csv]}\n"
                   "observables: {height: {column: potential_energy}}\n", "drop.yaml")

    def run_again(self, to_run):
        done = self.scree("sweep", "drop.yaml", "--output", "out", "--jobs", "2")
        self.assert_status(done, DONE)
        self.assert_says(done, f", {to_run} to run")
        return {row["case"]: float(row["height"]) for row in self.results()}

    def test_only_what_changed_is_run(self):
        first = self.run_again(2)
        self.assertEqual(list(first), ["file_low.csv", "file_high.csv"])
        self.assertGreater(first["file_high.csv"], 4 * first["file_low.csv"])
        self.assertEqual(self.run_again(0), first)
        self.write("x,y,z,r\n0,0,0.5,0.05\n", "high.csv")  # what a configuration names has changed
        second = self.run_again(1)
        self.assertEqual(second["file_low.csv"], first["file_low.csv"])
        self.assertAlmostEqual(second["file_high.csv"] - first["file_high.csv"],
                               0.25 * 9.81 * 2600 * 4 / 3 * 3.141592653589793 * 0.05**3, delta=1e-6)
        self.write((self.folder / "run.yaml").read_text() + "\n# a remark\n")
        self.run_again(0)
        self.write((self.folder / "run.yaml").read_text().replace("end: 0.01", "end: 0.02"))
        self.run_again(2)
        self.assertEqual(len(self.steps_of("file_low.csv")), 20)

    def test_a_new_observable_runs_nothing(self):
        self.run_again(2)
        text = (self.folder / "drop.yaml").read_text()
        self.write(text.replace("{height:", "{grains: {column: bodies}, height:"), "drop.yaml")
        self.run_again(0)
        self.assertEqual([row["grains"] for row in self.results()], ["1", "1"])

    def test_the_folder_may_be_moved(self):
        first = self.run_again(2)
        (self.folder / "out").rename(self.folder / "elsewhere")
        done = self.scree("sweep", "drop.yaml", "--output", "elsewhere")
        self.assert_status(done, DONE)
        self.assert_says(done, "2 done before, 0 to run")
        self.assertEqual({row["case"]: float(row["height"]) for row in self.results("elsewhere")}, first)


class SweepElsewhereCli(SweepCli):
    """On several ranks, under Slurm, and what is refused."""

    def setUp(self):
        super().setUp()
        self.write()
        self.sweep = "base: run.yaml\nparameters: {'friction[stone,stone].mu': [0.2, 0.4, 0.6]}\n"

    def test_cases_on_two_ranks(self):
        self.write(self.sweep + f"ranks: 2\nlauncher: {json.dumps(MPIRUN)}\n", "s.yaml")
        self.assert_status(self.scree("sweep", "s.yaml", "--jobs", "2", "--output", "out"), DONE)
        self.assertEqual([row["ranks"] for row in self.results()], ["2"] * 3)
        snapshot = sorted((self.folder / "out/runs/mu_0.4/snapshots").iterdir())[-1]
        with h5py.File(snapshot) as file:
            self.assertEqual(int(file.attrs["ranks"]), 2)

    def test_a_batch_script_runs_what_is_left(self):
        srun = self.folder / "srun of this test"
        srun.write_text("#!/bin/sh\nprintf '%s\\n' \"$*\" >> started\nshift 2\nexec \"$@\"\n")  # drops -n 2
        srun.chmod(0o755)
        self.write(self.sweep + f"ranks: 2\nslurm: {{at_once: 4, launcher: [{json.dumps(str(srun))}], options: [--time=00:10:00]}}\n",
                   "a sweep's.yaml")
        self.assert_status(self.scree("sweep", "a sweep's.yaml", "--output", "the out", "--slurm"), DONE)
        script = (self.folder / "the out/sweep.slurm").read_text()
        for line in ["#SBATCH --array=0-2%4", "#SBATCH --ntasks=2", "#SBATCH --time=00:10:00", "#SBATCH --job-name=a_sweep_s"]:
            self.assertIn(line + "\n", script)
        for task in (0, 2):
            done = subprocess.run(["/bin/sh", self.folder / "the out/sweep.slurm"], cwd=self.folder, capture_output=True,
                                  text=True, env={**os.environ, "SLURM_ARRAY_TASK_ID": str(task)}, timeout=PATIENCE)
            self.assert_status(done, DONE)
        self.assertEqual(self.statuses("the out"), {"mu_0.2": "done", "mu_0.6": "done"})
        self.assertTrue((self.folder / "started").read_text().startswith("-n 2 "))
        # What is left stands in the next script, and the table is made of what there is.
        self.assert_says(self.scree("sweep", "a sweep's.yaml", "--output", "the out", "--slurm"), "1 case: sbatch")
        self.assertIn("--array=0-0%4", (self.folder / "the out/sweep.slurm").read_text())
        self.assert_status(self.scree("sweep", "a sweep's.yaml", "--output", "the out", "--collect"), FAILED)
        self.assertEqual([row["status"] for row in self.results("the out")], ["done", "waiting", "done"])

    def test_what_is_wrong_is_refused_before_anything_is_written(self):
        self.write("base: run.yaml\nparameters:\n  time.dtt: [1]\n  friction[stone,sand].mu: [0.1]\nobservable: {}\n", "s.yaml")
        done = self.scree("sweep", "s.yaml", "--output", "out")
        self.assert_status(done, WRONG_INPUT)
        self.assert_says(done, "s.yaml:5: observable: unknown key; did you mean \"observables\"?")
        self.write("base: run.yaml\nparameters:\n  time.dtt: [1]\n  friction[stone,sand].mu: [0.1]\n", "s.yaml")
        done = self.scree("sweep", "s.yaml", "--output", "out")
        self.assert_status(done, WRONG_INPUT)
        self.assertEqual(done.stderr.count("\n"), 2)
        self.assert_says(done, "s.yaml:3: time.dtt: unknown key; did you mean \"dt\"? allowed: dt, min, max, end\n",
                         "s.yaml:4: [stone,sand] is held by no entries of the list")
        self.assert_untouched("run.yaml", "s.yaml")

    def test_a_folder_of_something_else_is_left_alone(self):
        self.write(self.sweep, "s.yaml")
        (self.folder / "out").mkdir()
        (self.folder / "out/mine.txt").write_text("mine")
        done = self.scree("sweep", "s.yaml", "--output", "out")
        self.assert_status(done, WRONG_INPUT)
        self.assert_says(done, "holds mine.txt, and no sweep")
        self.assertEqual([path.name for path in (self.folder / "out").iterdir()], ["mine.txt"])

    def test_ranks_are_the_cases_own(self):
        self.write(self.sweep, "s.yaml")
        done = self.scree("sweep", "s.yaml", ranks=2)
        self.assert_status(done, WRONG_INPUT)
        self.assert_says(done, "sweep: was started by mpirun or srun")
        self.assert_untouched("run.yaml", "s.yaml")

    def test_a_case_that_is_none(self):
        self.write(self.sweep, "s.yaml")
        done = self.scree("sweep", "s.yaml", "--case", "mu_0.3")
        self.assert_status(done, WRONG_INPUT)
        self.assert_says(done, "--case: \"mu_0.3\" is no case of the sweep; did you mean \"mu_0.2\"?")

    def test_the_schema_is_json(self):
        schema = json.loads(self.scree("schema", "--sweep").stdout)
        self.assertEqual(schema["required"], ["base"])
        self.assertIn("observables", schema["properties"])
        self.assertIn("| `repeat.keys` |", self.scree("schema", "--sweep", "--markdown").stdout)

    def test_entries_of_lists_by_name_on_the_command_line(self):
        done = self.scree("check", "run.yaml", "--set", "friction[stone,stone].mu=0.75")
        self.assert_status(done, DONE)
        self.assert_says(done, "stone-stone 0.75")


if __name__ == "__main__":
    unittest.main()
