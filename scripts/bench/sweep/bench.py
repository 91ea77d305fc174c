"""A study of 48 cases that is killed in the middle and goes on, and the same one that is never killed.

    scripts/bench/run sweep [--jobs 2] [--kill-after 16] [--out FOLDER] [--results FOLDER]

Three rows of a design (time step, iterations), four coefficients of friction and four beds; the last row's solver is
allowed a single iteration, so that failed cases stand among the others. SIGKILL goes to the sweep itself as
soon as so many cases are done. What each command said is in the page of the results, and whether both
tables hold the same numbers. --out keeps the runs.
"""
import argparse
import csv
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import common

CONFIG = """\
time: {dt: 2.0e-3, end: 0.5}
materials: {gravel: {density: 2600}}
friction: [{between: [gravel, gravel], mu: 0.4}]
bodies:
  bed:
    material: gravel
    radii: {type: uniform, min: 0.01, max: 0.02}
    place: {type: box, low: [0, 0, 0], high: [0.24, 0.24, 0.4], count: 300, seed: 1}
tools:
  floor: {material: gravel, shape: {type: plane}}
  left: {material: gravel, shape: {type: plane}, normal: [1, 0, 0]}
  right: {material: gravel, shape: {type: plane}, position: [0.24, 0, 0], normal: [-1, 0, 0]}
  front: {material: gravel, shape: {type: plane}, normal: [0, 1, 0]}
  back: {material: gravel, shape: {type: plane}, position: [0, 0.24, 0], normal: [0, -1, 0]}
solver: {tolerance: 1.0e-4, on_not_converged: abort}
output: {snapshots: {every: 0.5}, checkpoints: {every: 0.02}}
"""
SWEEP = """\
base: bed.yaml
parameters:
  friction[gravel,gravel].mu: {linear: [0.1, 0.7, 4]}
table: steps.csv
repeat: {times: 4, keys: [bodies.bed.place.seed]}
observables:
  packing: {type: packing_fraction, low: [0.04, 0.04, 0.02], high: [0.2, 0.2, 0.08]}
  load: {tool: floor, column: force_z, of: mean, from: 0.4}
  energy: {column: kinetic_energy, of: last}
"""
# The last gives the solver a single iteration, which does not do.
STEPS = """\
time.dt,solver.max_iterations
1.0e-3,100000
2.0e-3,100000
4.0e-3,1
"""
CASES = 48
OWN = ("seconds", "run")  # columns that two sweeps need not share


def command(jobs, name):
    return ["scree", "sweep", "study.yaml", "--jobs", str(jobs), "--output", name]


def start(folder, words):
    return subprocess.Popen([str(common.PROGRAM), *words[1:]], cwd=folder, env=common.environment(),
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def results(folder):
    """The table without what two sweeps need not share: seconds, and the names of their folders."""
    text = (folder / "results.csv").read_text().replace(str(folder), "")
    return [{key: entry for key, entry in row.items() if key not in OWN} for row in csv.DictReader(text.splitlines())]


def cases_done(folder):
    try:
        return sum(row["status"] == "done" for row in results(folder))
    except FileNotFoundError:
        return 0


def told(words, text, most=8):
    """A command with what it said, of which the middle is left out."""
    lines = text.splitlines()
    if len(lines) > 2 * most:
        lines = [*lines[:most], f"... ({len(lines) - 2 * most} lines)", *lines[-most:]]
    return ["    $ " + " ".join(words), *("    " + line for line in lines), ""]


def sweep_killed(folder, jobs, kill_after):
    words = command(jobs, "killed")
    first = start(folder, words)
    while first.poll() is None and cases_done(folder / "killed") < kill_after:
        time.sleep(0.05)
    if first.poll() is not None:
        sys.exit(f"the sweep ended before it was killed:\n{first.stdout.read()}")
    first.send_signal(signal.SIGKILL)
    lines = told(words, first.communicate()[0])
    done = cases_done(folder / "killed")
    lines += [f"SIGKILL after {done} cases that are done. The same command again:", ""]
    again = start(folder, words)
    lines += told(words, again.communicate()[0])
    return lines, again.returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--kill-after", type=int, default=16)
    parser.add_argument("--out", type=pathlib.Path)
    common.declare_results(parser)
    arguments = parser.parse_args()
    out = arguments.out or pathlib.Path(tempfile.mkdtemp(prefix="scree-sweep-"))
    out.mkdir(parents=True, exist_ok=True)
    for name, text in (("bed.yaml", CONFIG), ("study.yaml", SWEEP), ("steps.csv", STEPS)):
        (out / name).write_text(text)
    for name in ("killed", "whole"):
        shutil.rmtree(out / name, ignore_errors=True)
    lines, status = sweep_killed(out, arguments.jobs, arguments.kill_after)
    third = start(out, command(arguments.jobs, "killed"))
    lines += ["Once more, where nothing is left to be done:", ""]
    lines += told(command(arguments.jobs, "killed"), third.communicate()[0])
    whole = start(out, command(arguments.jobs, "whole"))
    whole.communicate()
    rows, expected = results(out / "killed"), results(out / "whole")
    failed = [row["case"] for row in rows if row["status"] == "failed"]
    same = rows == expected
    lines += [f"{len(rows)} cases, {len(failed)} of them failed as they must (status {status}); the table "
              f"{'is' if same else 'is NOT'} number for number that of a sweep that was never killed."]
    text = "\n".join(lines).replace(str(out), "FOLDER")
    arguments.results.mkdir(parents=True, exist_ok=True)
    common.write_section(arguments.results, "sweep", [*common.made_by("scripts/bench/run sweep"), "", text])
    print(text)
    sys.exit(0 if same and len(rows) == CASES else 1)


if __name__ == "__main__":
    main()
