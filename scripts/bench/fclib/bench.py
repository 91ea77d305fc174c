"""Every solver on every FCLIB problem of a folder, with both friction laws.

Runs `scree solve` one problem after another and writes a table, NAME.csv: status, iterations, factorisations, residual
by scree, residual by an independent judge where one is given, seconds of the clock, and those of the processor that the
first rank had.

  scripts/bench/run fclib build/scree ../shared/fclib --judge ../shared/check/fc_error.py
  scripts/bench/run fclib build/scree ../shared/fclib --judge ../shared/check/fc_error.py --solvers auto --friction coulomb \
      --tol 1e-8 --ranks 1 2 --table exact
"""
import argparse
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

import h5py

import common

NOTE = "Without fallback. For `auto` the solver is the one that gave the impulses. `judged` is the residual by the judge."
LAWS = ("coulomb", "associated")
COLUMNS = ("problem", "contacts", "friction", "ranks", "solver", "status", "iterations", "inner_iterations",
           "factorisations", "residual", "judged", "velocity_error", "seconds", "processor_seconds")


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scree", help="the executable")
    parser.add_argument("problems", type=pathlib.Path, help="a folder of .hdf5 files")
    parser.add_argument("--solvers", nargs="+", default=["nsgs", "apgd", "ipm"])
    parser.add_argument("--friction", nargs="+", choices=LAWS, default=LAWS)
    parser.add_argument("--tol", type=float, default=1e-4)
    parser.add_argument("--max-seconds", type=float, default=60.0, help="of each solve")
    parser.add_argument("--skip", nargs="*", default=["rolling"], help="beginnings of names to leave out")
    parser.add_argument("--judge", type=pathlib.Path, help="a program that measures a solution: fc_error.py")
    parser.add_argument("--ranks", type=int, nargs="+", default=[1])
    common.declare_results(parser, "fclib")
    return parser.parse_args()


def solve(args, problem, law, ranks, solver, folder):
    """One row of the table."""
    solved = folder / "solved.hdf5" if args.judge else None
    result = common.solve(problem, solver, law, args.tol, args.max_seconds, ranks, solved, args.scree)
    row = dict(problem=problem.stem, friction=law, ranks=ranks, solver=solver, status=result["status"])
    if "measures" not in result:
        return row
    row["solver"] = result["solver"] if solver == "auto" else solver
    row.update({key: result[key] for key in ("contacts", "iterations", "inner_iterations", "factorisations", "seconds",
                                           "processor_seconds")})
    row.update(residual=result["measures"]["residual"], velocity_error=result["measures"]["velocity_error"])
    if args.judge:
        judged = subprocess.run(["/usr/bin/python3", args.judge, solved, "--friction", law], capture_output=True, text=True,
                                check=True)
        row["judged"] = json.loads(judged.stdout)["residual"]
        with h5py.File(solved) as file:
            row["speed"] = float(abs(file["solution/u"][:]).max())
    return row


def disagree(row):
    """Both know velocities to some units in the last place of the largest one only, row["speed"]. Where bodies slide
    far faster than gaps close, impulses are small beside it, and that counts in the residual."""
    if "judged" not in row:
        return False
    rounding = 16 * sys.float_info.epsilon * row["speed"]
    if row["velocity_error"] > 0:
        rounding *= row["residual"] / row["velocity_error"]
    return abs(row["residual"] - row["judged"]) > 1e-8 * row["judged"] + 1e-12 + rounding


def text(value):
    return f"{value:.3e}" if isinstance(value, float) else str(value)


def command(args):
    judge = f" --judge {args.judge.name}" if args.judge else ""
    return (f"scripts/bench/run fclib build/scree FCLIB_FOLDER{judge} --solvers {' '.join(args.solvers)} "
            f"--friction {' '.join(args.friction)} --tol {args.tol:g} --ranks {' '.join(map(str, args.ranks))} "
            f"--max-seconds {args.max_seconds:g} --table {args.table}")


def main():
    args = parse()
    files = [f for f in sorted(args.problems.glob("*.hdf5")) if not f.name.startswith(tuple(args.skip))]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for problem in files:
            for law in args.friction:
                for ranks, solver in itertools.product(args.ranks, args.solvers):
                    rows.append(solve(args, problem, law, ranks, solver, pathlib.Path(folder)))
                    print(" ".join(text(rows[-1].get(c, "-")) for c in COLUMNS), flush=True)
    wrong = [row for row in rows if disagree(row)]
    common.write_results(args.results / args.table, "Solvers on FCLIB problems", command(args),
                         [{c: row.get(c, "") for c in COLUMNS} for row in rows], NOTE)
    done = sum(row["status"] == "converged" for row in rows)
    print(f"{done} of {len(rows)} converged; {len(wrong)} where the judge disagrees")
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
