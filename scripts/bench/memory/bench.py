"""Memory of the solvers: peak resident bytes a contact of one rank, beyond those of the program without a problem.

  scripts/bench/run memory [PROBLEM ...] [--results FOLDER]

A method may name keys of its own: `ipm:matrix_free=true`. Each does a few iterations, after which it holds all that
it ever will. What all have in common is the problem itself, and the reading of its file. Without a PROBLEM, piles of
scripts/bench/piles are made.
"""
import argparse
import os
import pathlib
import subprocess
import tempfile

import h5py

import common

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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("problems", nargs="*")
    common.declare_results(parser)
    args = parser.parse_args()
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
