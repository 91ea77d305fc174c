#!/usr/bin/python3
"""Life in a batch system: runs that end amid a step, folders that others use, ranks started wrongly, long paths."""
import itertools
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import unittest
from pathlib import Path

import h5py

sys.dont_write_bytecode = True
from cli import DONE, GOOD, MPIRUN, PATIENCE, PROGRAM, WRONG_INPUT, Cli
from restarts import ENDLESS, STEPS, STOPPED, Restarts, rows

# A solve that does not end by itself: no residual is as small, and the iterations do not run out.
STUCK = ("--set", "solver={method: nsgs, tolerance: 1e-300, max_iterations: 1000000000000, "
                  "on_not_converged: warn}")
# Seconds in which such a program must have started and given the step up, on a machine that is busy; unsolved it takes years.
PROMPT = 100


def limit_amid_the_first_step(start):
    """A --wall-limit in seconds that comes after a start that took @p start a moment ago, also on a busy machine. One that
    is over before the first step would leave that step alone (test_jobs_follow_each_other_until_the_end), and a step that
    is stuck would not end.
    """
    return str(round(3 + 10 * start, 1))


# Two stones that slide, whose residual never is quite zero, and some that come in.
RAIN = GOOD.replace("gravity: [0, 0, -9.81]", "gravity: [7, 2, -9.81]") + """\
insertions:
  rain:
    populations:
      rain: {material: stone, share: 1, radii: {type: list, values: [0.05]}}
    region: {type: box, low: [0.3, 0.3, 0.1], high: [1.3, 1.3, 0.9]}
    rate: 4e3
"""


class GivenUp(Restarts, Cli):
    def assert_stops_promptly(self, process, reason):
        start = time.monotonic()
        text = process.communicate(timeout=PATIENCE)[0]
        self.assertLess(time.monotonic() - start, PROMPT)
        self.assertEqual(process.returncode, STOPPED, text)
        self.assertEqual(text.count(f"stopped by {reason}"), 1, text)
        self.assertIn("was not taken: it", text)

    def wait_for_step(self, out="out"):
        """Until the run has written its first words, and is at a step that does not end. Gives the seconds it took."""
        log = self.folder / out / "run.log"
        start = time.monotonic()
        for _ in range(3000):
            if log.is_file() and "writing to" in log.read_text():
                seconds = time.monotonic() - start
                time.sleep(0.5)
                return seconds
            time.sleep(0.01)
        self.fail("no step in a long time")

    def test_a_step_that_does_not_end_is_given_up_and_taken_again(self):
        self.bed()
        self.assert_status(self.run_bed(out="whole"), DONE)
        self.assert_status(self.run_bed("--set", "time.end=0.06"), DONE)
        before = self.checkpoints()
        log = self.folder / "out/run.log"
        for reason in ("SIGUSR1", "SIGTERM"):
            with self.subTest(reason=reason):
                log.unlink()
                process = self.start("--restart", "latest", *STUCK)
                seconds = self.wait_for_step()
                process.send_signal(signal.Signals[reason])
                self.assert_stops_promptly(process, reason)
                self.assertEqual(self.checkpoints(), before)
                self.assert_whole(steps=30)
        limit = ("--wall-limit", limit_amid_the_first_step(seconds))
        self.assert_stops_promptly(self.start("--restart", "latest", *STUCK, *limit), "--wall-limit")
        self.assertEqual(self.checkpoints(), before)
        self.assert_status(self.run_bed("--restart", "latest"), DONE)
        self.assert_whole()
        self.assert_same("whole", "out")

    def test_one_rank_gives_up_for_all(self):
        self.bed()
        self.assert_status(self.run_bed("--set", "time.end=0.04"), DONE)
        (self.folder / "out/run.log").unlink()
        process = self.start("--restart", "latest", *STUCK, ranks=2)
        self.wait_for_step()
        children = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True,
                                  text=True).stdout.split()
        os.kill(int(children[-1]), signal.SIGTERM)
        self.assert_stops_promptly(process, "SIGTERM")
        self.assert_whole(steps=20)
        self.assert_status(self.run_bed("--restart", "latest"), DONE)
        self.assert_whole()

    def test_grains_that_came_in_for_a_step_that_was_given_up_come_in_again(self):
        self.write(RAIN, "bed.yaml")
        self.assert_status(self.run_bed(out="whole"), DONE)
        inserted = [int(row["inserted"]) for row in rows(self.folder / "whole/steps.csv")]
        self.assertGreater(inserted[0], 0, "none came in at the first step")
        process = self.start(*STUCK)
        self.wait_for_step()
        process.send_signal(signal.SIGUSR1)
        self.assert_stops_promptly(process, "SIGUSR1")
        self.assertEqual([f.name for f in self.checkpoints()], ["checkpoint_00000000.h5"])
        with h5py.File(self.checkpoints()[0]) as checkpoint:
            self.assertEqual(list(checkpoint["grains/id"]), [0, 1])
            self.assertEqual(list(checkpoint["insertions/count"]), [0])
        self.assertEqual(rows(self.folder / "out/steps.csv"), [])
        self.assert_status(self.run_bed("--restart", "latest"), DONE)
        self.assert_same("whole", "out")


class Locked(Restarts, Cli):
    def test_the_second_run_is_refused_by_the_name_of_the_first(self):
        self.bed()
        first = self.start(*ENDLESS)
        self.wait_for_rows(3)
        before = sorted(f.name for f in (self.folder / "out").iterdir())
        self.assertIn("run.lock", before)
        for words in (("--restart", "latest"), ("--set", "output.overwrite=true"), ()):
            for ranks in (1, 2):
                with self.subTest(words=words, ranks=ranks):
                    done = self.run_bed(*words, ranks=ranks)
                    self.assert_status(done, WRONG_INPUT)
                    self.assert_says(done, "another run works there",
                                     f"process {first.pid} on {socket.gethostname()}, since 20")
        first.send_signal(signal.SIGUSR1)
        self.assertEqual(first.wait(timeout=PATIENCE), STOPPED)
        self.assertFalse((self.folder / "out/run.lock").exists())
        end = len(rows(self.folder / "out/steps.csv")) + 3
        self.assert_status(self.run_bed("--restart", "latest", "--set", f"time.end={end * 2e-3}"), DONE)
        self.assert_whole(steps=end)

    def test_the_folder_by_another_name_is_the_same_folder(self):
        self.bed()
        first = self.start(*ENDLESS)
        self.wait_for_rows(3)
        (self.folder / "link").symlink_to("out")
        done = self.run_bed("--restart", "latest", out="link")
        self.assert_status(done, WRONG_INPUT)
        self.assert_says(done, "another run works there")
        first.send_signal(signal.SIGUSR1)
        first.wait(timeout=PATIENCE)

    def test_a_lock_that_was_left_over_locks_nothing(self):
        self.bed()
        first = self.start(*ENDLESS, "--set", "output.checkpoints.every=2e-3")
        self.wait_for_rows(5)
        first.kill()
        first.wait(timeout=PATIENCE)
        lock = self.folder / "out/run.lock"
        self.assertIn(f"process {first.pid} on ", lock.read_text())
        end = len(rows(self.folder / "out/steps.csv")) + 3
        words = ("--restart", "latest", "--set", f"time.end={end * 2e-3}")
        done = self.run_bed(*words)
        self.assert_status(done, DONE)
        self.assert_says(done, f"left behind by process {first.pid} on", "no longer has the folder")
        self.assertFalse(lock.exists())
        # One that another machine has left, too: it holds no lock, whatever it says.
        lock.write_text("process 1 on elsewhere, since 2026-01-01 00:00:00\n")
        done = self.run_bed(*words)
        self.assert_status(done, DONE)
        self.assert_says(done, "left behind by process 1 on elsewhere", "if it still runs")

    @unittest.skipUnless(os.environ.get("SCREE_NO_FLOCK"), "no library that takes locks away")
    def test_without_locks_the_run_warns(self):
        self.bed()
        done = subprocess.run([PROGRAM, "run", "bed.yaml", "--output", "out"], cwd=self.folder, timeout=PATIENCE,
                              env={**os.environ, "LD_PRELOAD": os.environ["SCREE_NO_FLOCK"]},
                              capture_output=True, text=True)
        self.assert_status(done, DONE)
        self.assert_says(done, "run.lock: cannot be locked", "a second run in this folder would not be noticed")
        self.assert_whole()

    def test_two_at_once_are_one_run(self):
        """However they meet, one has the folder and the other is refused."""
        self.bed()
        pair = [self.start("--restart", "latest") for _ in range(2)]
        texts = [process.communicate(timeout=PATIENCE)[0] for process in pair]
        statuses = sorted(process.returncode for process in pair)
        self.assertIn(statuses, ([DONE, WRONG_INPUT], [DONE, DONE]), texts)
        if statuses == [DONE, DONE]:  # the second came when the first had ended
            self.assertIn("nothing is left to do", texts[0] + texts[1])
        self.assert_whole(steps=STEPS)


class Mislaunched(Cli):
    """Environments as launchers make them, around a single process."""

    def scree_in(self, *words, **variables):
        clean = {name: value for name, value in os.environ.items()
                 if not name.startswith(("OMPI_COMM_", "OMPI_MCA_orte_", "PMIX_", "PMI_", "SLURM_"))}
        return subprocess.run([PROGRAM, *(words or ("run", "run.yaml"))], cwd=self.folder, env={**clean, **variables},
                              capture_output=True, text=True, timeout=PATIENCE)

    def test_tasks_of_srun_without_pmix_are_refused(self):
        self.write()
        step = {"SLURM_NTASKS": "4", "SLURM_STEP_NUM_TASKS": "4", "SLURM_STEPID": "0",
                "SLURM_STEP_ID": "0", "SLURM_NODEID": "0", "SLURM_JOBID": "7", "SLURM_JOB_ID": "7"}
        done = self.scree_in(SLURM_PROCID="0", **step)
        self.assert_status(done, WRONG_INPUT)
        self.assert_says(done, "srun has started 4 processes", "srun --mpi=pmix", "mpirun")
        done = self.scree_in(SLURM_PROCID="3", **step)
        self.assert_status(done, WRONG_INPUT)
        self.assertEqual(done.stdout + done.stderr, "")
        self.assert_untouched("run.yaml")

    def test_what_writes_nothing_is_not_refused(self):
        """In a shell that srun has started the variables are those of its tasks."""
        self.write()
        shell = {"SLURM_STEP_NUM_TASKS": "16", "SLURM_PROCID": "0"}
        for words in (("--help", ), ("run", "--help"), ("schema", ), ("check", "run.yaml")):
            with self.subTest(words=words):
                self.assert_status(self.scree_in(*words, **shell), DONE)
        for words in (("run", "run.yaml"), ("solve", "p.hdf5", "--output", "q.hdf5")):
            done = self.scree_in(*words, **shell)
            self.assert_status(done, WRONG_INPUT)
            self.assert_says(done, "env -u SLURM_STEP_NUM_TASKS scree")

    def test_ranks_of_another_mpi_are_refused(self):
        self.write()
        done = self.scree_in(PMI_SIZE="2", PMI_RANK="0", PMI_FD="9")
        self.assert_status(done, WRONG_INPUT)
        self.assert_says(done, "2 processes (PMI_SIZE)", "the MPI that scree was built with")
        self.assert_untouched("run.yaml")

    def test_a_process_alone_makes_no_temporary_files(self):
        """Folders of Open MPI's there are common to all such processes, and one that ends takes them from others that start."""
        self.write()
        (self.folder / "file").touch()
        self.assert_status(self.scree_in("check", "run.yaml", TMPDIR=str(self.folder / "file")), DONE)

    def test_one_rank_in_a_large_allocation_runs(self):
        self.write()
        self.assert_status(self.scree_in(SLURM_NTASKS="64", SLURM_JOB_ID="7"), DONE)

    def test_ranks_of_mpirun_in_an_allocation_run(self):
        self.write()
        job = {**os.environ, "SLURM_NTASKS": "2"}
        done = subprocess.run([*MPIRUN, "-n", "2", "-x", "SLURM_NTASKS", PROGRAM, "run", "run.yaml"],
                              cwd=self.folder, env=job, capture_output=True, text=True, timeout=PATIENCE)
        self.assert_status(done, DONE)


class SlurmScript(Restarts, Cli):
    """The batch script of docs/restart.md, with commands in place of Slurm's that do on this machine what Slurm does."""

    def setUp(self):
        super().setUp()
        page = (Path(__file__).parents[2] / "docs/restart.md").read_text()
        lines = page[page.index("    #!/bin/bash"):].splitlines()
        block = itertools.takewhile(lambda line: not line or line.startswith("    "), lines)
        self.script = "".join(line[4:] + "\n" for line in block)
        self.commands = self.folder / "commands"
        self.commands.mkdir()
        (self.commands / "scree").symlink_to(PROGRAM)
        self.command("srun", f'[ "$1 $2" = "--mpi=pmix --kill-on-bad-exit=0" ] && shift 2 && exec {" ".join(MPIRUN)} -n 2 "$@"')
        self.command("scontrol", 'echo "$@" >> requeued')

    def command(self, name, text):
        file = self.commands / name
        file.write_text(f"#!/bin/sh\n{text}\n")
        file.chmod(0o755)

    def job(self, wall_limit):
        self.assertIn("--wall-limit 23:50:00", self.script)
        (self.folder / "job.sh").write_text(self.script.replace("23:50:00", wall_limit))
        path = f"{self.commands}:{os.environ['PATH']}"
        return subprocess.run(["bash", "job.sh"], cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE,
                              env={**os.environ, "PATH": path, "SLURM_JOB_ID": "7", "SLURM_NTASKS": "64"})

    def requeued(self):
        file = self.folder / "requeued"
        return file.read_text().splitlines() if file.is_file() else []

    def test_it_is_one_for_bash_and_for_sbatch(self):
        self.write(self.script, "job.sh")
        self.assertEqual(subprocess.run(["bash", "-n", "job.sh"], cwd=self.folder).returncode, 0)
        options = [line for line in self.script.splitlines() if line.startswith("#SBATCH ")]
        self.assertEqual([line for line in options if not re.fullmatch("#SBATCH --[a-z-]+(=\\S+)?", line)], [])
        for option in ("--time=24:00:00", "--signal=USR1@300", "--requeue", "--open-mode=append"):
            self.assertIn(f"#SBATCH {option}", options)
        # sbatch heeds no option after the first command.
        self.assertLess(self.script.rindex("#SBATCH"), self.script.index("newest()"))

    def test_jobs_follow_each_other_until_the_end(self):
        """Also where rows are too rare to tell of each job's."""
        for every, steps in ((1, 3), (100, 2)):
            self.bed(**{"end: 0.12": f"end: {2e-3 * steps}", "output:\n": f"output:\n  csv: {{every: {every}}}\n"})
            for job in range(1, steps):  # a limit that is over at once: one step a job
                done = self.job("1e-6")
                self.assert_status(done, DONE)
                self.assertEqual(self.requeued(), job * ["requeue 7"])
            done = self.job("1e-6")
            self.assert_status(done, DONE)
            self.assertEqual(len(self.requeued()), steps - 1)
            if every == 1:
                self.assert_whole("output/bed", steps=steps)
            self.assertEqual(self.checkpoints("output/bed")[-1].name, f"checkpoint_{steps:08}.h5")
            shutil.rmtree(self.folder / "output")
            (self.folder / "requeued").unlink()

    def test_a_chain_that_does_not_get_on_ends(self):
        self.bed()
        stuck = "solver: " + STUCK[1].removeprefix("solver=")
        start = time.monotonic()
        self.assert_status(self.scree("run", "bed.yaml", "--set", "time.end=0.04", "--output", "output/bed"), DONE)
        limit = limit_amid_the_first_step(time.monotonic() - start)
        self.bed(**{"name: bed": f"name: bed\n{stuck}"})
        done = self.job(limit)
        self.assert_status(done, 1)
        self.assert_says(done, "stopped by --wall-limit", "no step was taken")
        self.assertEqual(self.requeued(), [])

    def test_what_wants_a_person_ends_the_chain(self):
        self.bed(**{"density: 2600": "density: -1"})
        done = self.job("10")
        self.assert_status(done, WRONG_INPUT)
        self.assertEqual(self.requeued(), [])


class LongPaths(Cli):
    def test_paths_of_any_length_that_the_system_takes(self):
        """Open MPI's components for shared file pointers abort from some 230 characters."""
        self.write()
        for parts in (1, 8):
            for ranks in (1, 2):
                with self.subTest(parts=parts, ranks=ranks):
                    out = Path(f"ranks{ranks}", *parts * ["a" * 240])
                    words = ("run", "run.yaml", "--output", str(out))
                    self.assert_status(self.scree(*words, ranks=ranks), DONE)
                    longer = ("--restart", "latest", "--set", "time.end=0.012")
                    self.assert_status(self.scree(*words, *longer, ranks=ranks), DONE)
                    snapshot = max((self.folder / out / "snapshots").iterdir())
                    self.assert_says(self.scree("info", str(snapshot)), "kind: snapshot")

    def test_longer_ones_are_refused_before_anything_is_written(self):
        self.write()
        for out, text in (("a" * 256, "a name of 256 bytes; the system takes 255"),
                          ("/".join(16 * ["a" * 240] + ["b" * 180]), "a path of ")):
            with self.subTest(length=len(out)):
                done = self.scree("run", "run.yaml", "--output", f"out/{out}")
                self.assert_status(done, WRONG_INPUT)
                self.assert_says(done, text, "--output DIR")
        self.assert_untouched("run.yaml")


class Guarded(Cli):
    """Runs are not replaced unasked, and nothing is written where others' files would be changed."""

    def run_in(self, out, *words):
        return self.scree("run", "run.yaml", "--output", str(out), *words)

    def test_any_file_of_a_run_is_a_run(self):
        self.write()
        self.assert_status(self.run_in("whole"), DONE)
        files = [f.relative_to(self.folder / "whole") for f in (self.folder / "whole").rglob("*")
                 if f.is_file()]
        self.assertGreater(len(files), 6)
        # One of each kind.
        files = list({(file.parent, file.suffix, file.suffix == ".csv" and file.stem): file for file in files}.values())
        for number, file in enumerate([*files, Path("run.yaml.part"), Path("problems/step_00000001.hdf5"),
                                       Path("snapshots/snapshot_00000001.hdf.part")]):
            with self.subTest(file=str(file)):
                out = self.folder / f"out{number}"
                (out / file).parent.mkdir(parents=True)
                (out / file).write_text("precious")
                for words in ((), ("--restart", "latest")) if file.suffix in (".h5", ".yaml") else ((), ):
                    done = self.run_in(out, *words)
                    self.assert_status(done, WRONG_INPUT)
                    what = "no checkpoint can be used" if words and file.suffix == ".h5" else "holds a run already"
                    self.assert_says(done, what, file.name, "output.overwrite=true")
                    self.assertEqual((out / file).read_text(), "precious")
                    self.assertEqual([f for f in out.rglob("*") if f.is_file()], [out / file])
                if file.suffix in (".h5", ".part"):
                    self.assert_status(self.run_in(out, "--set", "output.overwrite=true"), DONE)

    def test_links_are_not_written_through(self):
        self.write()
        self.assert_status(self.run_in("out"), DONE)
        out, precious = self.folder / "out", self.folder / "precious"
        folder = self.folder / "folder"
        folder.mkdir()
        names = ("run.yaml", "run.log", "steps.csv", "tools.csv", "run.xdmf", "run.yaml.part", "snapshots", "checkpoints",
                 "problems")
        for name, words in zip(names, itertools.cycle((("--restart", "latest"), ("--set", "output.overwrite=true"), ()))):
            target = precious if "." in name else folder
            with self.subTest(name=name, words=words):
                precious.write_text("precious")
                kept = self.folder / "kept"
                if (out / name).exists():
                    (out / name).rename(kept)
                (out / name).symlink_to(target)
                done = self.run_in(out, *words)
                self.assert_status(done, WRONG_INPUT)
                self.assert_says(done, f"{name} is a link to {target}")
                self.assertEqual(precious.read_text(), "precious")
                self.assertEqual(list(folder.iterdir()), [])
                (out / name).unlink()
                if kept.exists():
                    kept.rename(out / name)

    def test_parts_that_are_links_are_replaced(self):
        self.write()
        self.assert_status(self.run_in("out"), DONE)
        precious = self.folder / "precious"
        precious.write_text("precious")
        parts = [self.folder / "out" / name for name in ("snapshots/snapshot_00000012.hdf.part",
                                                         "checkpoints/checkpoint_00000012.h5.part")]
        for part in parts:
            part.symlink_to(precious)
        self.assert_status(self.run_in("out", "--restart", "latest", "--set", "time.end=0.012"), DONE)
        self.assertEqual(precious.read_text(), "precious")
        for part in parts:
            self.assertTrue(part.with_suffix("").is_file())
            self.assertFalse(part.is_symlink())

    def test_folders_of_others_are_refused(self):
        self.write()
        home = self.folder / "home"
        home.mkdir()
        (home / "thesis.tex").write_text("precious")
        overwrite = ("--set", "output.overwrite=true")
        for out, foreign, words in ((home, "thesis.tex", ()), (home, "thesis.tex", overwrite),
                                    (home, "thesis.tex", ("--restart", "latest")), (Path("/"), "", overwrite)):
            with self.subTest(out=str(out), words=words):
                done = self.run_in(out, *words)
                self.assert_status(done, WRONG_INPUT)
                self.assert_says(done, f"holds {foreign}", "and no run", "output.directory")
        self.assertEqual([f.name for f in home.iterdir()], ["thesis.tex"])
        self.assertFalse(Path("/run.yaml").exists() or Path("/run.lock").exists())

    def test_empty_folders_and_links_to_folders_are_taken(self):
        self.write()
        (self.folder / "disk").mkdir()
        (self.folder / "out").symlink_to("disk")
        self.assert_status(self.run_in("out"), DONE)
        self.assertTrue((self.folder / "disk/steps.csv").is_file())

    def test_what_others_put_into_a_run_stays(self):
        self.write()
        self.assert_status(self.run_in("out"), DONE)
        notes = [self.folder / "out" / name for name in ("notes.txt", "snapshots/mine.hdf",
                                                         "checkpoints/mine.h5")]
        for note in notes:
            note.write_text("mine")
        self.assert_status(self.run_in("out", "--set", "output.overwrite=true"), DONE)
        for note in notes:
            self.assertEqual(note.read_text(), "mine")

    def test_what_is_refused_leaves_no_folder(self):
        self.write(GOOD.replace("type: points, positions: [[0, 0, 0.05], [0, 0, 0.15]]",
                                "type: hdf5, file: none.h5"))
        done = self.scree("run", "run.yaml", "--output", "a/b/c")
        self.assert_status(done, WRONG_INPUT)
        self.assert_untouched("run.yaml")


if __name__ == "__main__":
    unittest.main()
