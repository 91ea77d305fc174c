"""Memory of the solvers: peak resident bytes a contact of one rank, beyond those of the program without a problem.

  scripts/bench/run memory [PROBLEM ...] [--beds FOLDER] [--grains 100000 1000000] [--steps short long ipm]
                       [--results FOLDER]

A method may name keys of its own: `ipm:matrix_free=true`. Each does a few iterations, after which it holds all that
it ever will. What all have in common is the problem itself, and the reading of its file. Without a PROBLEM, piles of
scripts/bench/piles are made.

With --beds instead those of whole steps of `scree run`, in which sweeps do not reach their tolerance: peak resident bytes
a grain of all that the process has, with 2.7 potential contacts a grain (short) and 4.3 (long), and the latter by eight iterations
of the interior point method without a stored matrix (ipm), which do not reach theirs. FOLDER gets the beds (tiles.py), and those
that are there are kept.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import tempfile

import h5py

import bed_steps
import common
import tiles

PILES = ["box2048r-seed1", "box5040t-seed1"]
METHODS = ["nsgs", "pgj", "apgd", "ipm", "ipm:matrix_free=true", "ipm:linear_solver=mumps", "pac"]
ITERATIONS = 8


def peak(problem, method, friction):
    """Bytes of `scree solve`."""
    name, _, keys = method.partition(":")
    command = [common.PROGRAM, "solve", problem, "--solver", name, "--friction", friction, "--tol", "1e-14",
               "--max-iterations", ITERATIONS, "--no-fallback", "--quiet"]
    for key in filter(None, keys.split(",")):
        command += ["--set", f"solver.{name}.{key}"]
    process = subprocess.Popen([str(word) for word in command], env=common.environment(), stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        raise SystemExit(f"{' '.join(map(str, command))}: status {os.waitstatus_to_exitcode(status)}")
    return usage.ru_maxrss * 1024


def contacts(problem):
    with h5py.File(problem) as file:
        return len(file["fclib_global/vectors/mu"])


def bed_row(folder, grains, name, steps=4):
    """Peak bytes of some steps of a bed, and what a step of those after the first takes."""
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        used, table = bed_steps.run(bed_steps.config(folder, grains, name, steps), scratch)
    contacts = int(table[-1]["contacts"])
    return {"steps": name, "grains": grains, "contacts_per_grain": f"{contacts / grains:.2f}", "peak_GB": f"{used.peak / 1e9:.2f}",
            "kB_per_grain": f"{used.peak / 1e3 / grains:.2f}", "page_faults": used.page_faults, "processor_s": f"{used.cpu:.1f}",
            "step_s": f"{statistics.median(step['seconds_step'] for step in table[1:]):.3g}"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("problems", nargs="*")
    parser.add_argument("--beds", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--grains", type=int, nargs="+", choices=tiles.LAYOUT, default=[100_000])
    parser.add_argument("--steps", nargs="+", choices=bed_steps.KINDS, default=bed_steps.SWEEPS)
    common.declare_results(parser)
    args = parser.parse_args()
    if args.beds:
        args.beds.mkdir(parents=True, exist_ok=True)
        rows = [bed_row(args.beds, grains, name) for name in args.steps for grains in args.grains]
        words = [f"--grains {' '.join(map(str, args.grains))}", f"--steps {' '.join(args.steps)}" if tuple(args.steps) != bed_steps.SWEEPS else ""]
        name = "beds" if tuple(args.steps) == bed_steps.SWEEPS else f"beds-{'-'.join(args.steps)}"
        common.write_results(args.results / name, "Memory of steps of large beds, one core",
                             " ".join(["scripts/bench/run memory --beds FOLDER", *filter(None, words)]), rows)
        return
    with tempfile.TemporaryDirectory() as folder:
        names = ["box8t-seed1"] + ([] if args.problems else PILES)
        subprocess.run([common.BENCH, "piles", folder, *names], check=True, stdout=subprocess.DEVNULL)
        empty = peak(f"{folder}/box8t-seed1.hdf5", "pgj", "associated")
        rows = []
        for problem in args.problems or [f"{folder}/{name}.hdf5" for name in PILES]:
            n = contacts(problem)
            for method in METHODS:
                friction = "associated" if method.startswith("ipm") else "coulomb"
                rows.append({"problem": pathlib.Path(problem).stem, "contacts": n, "method": method,
                             "bytes_a_contact": round((peak(problem, method, friction) - empty) / n)})
    common.write_results(args.results / "memory", "Memory of the solvers", "scripts/bench/run memory", rows)


if __name__ == "__main__":
    main()
