"""What it costs to take J and M^-1 as distributed PETSc matrices in place of block rows.

  scripts/bench/run matrices [PROBLEM ...] [--ranks 1 2] [--repeats 3] [--max-seconds S] [--results FOLDER]

Each method solves each problem from zero impulses by block rows and by matrices, the relaxed law,
to 1e-4; pgj does 200 steps. `paper` is the interior point method with BiCGstab and incomplete
Cholesky. processor_s are the fewest seconds of the processor of --repeats solves, of rank 0, set-up
included; over_blocks is their ratio. Without a PROBLEM, piles of scripts/bench/piles are made.
"""
import argparse
import itertools
import pathlib
import tempfile

import common

PILES = ["box500r-seed1", "box2048r-seed1"]
METHODS = {"ipm": ("ipm", 0), "paper": ("ipm:linear_solver=bicgstab,preconditioner=ic,strict=true", 0),
           "pgj": ("pgj", 200)}
TOLERANCE = 1e-4


def solves(problem, ranks, args):
    """Rows of one problem on so many ranks."""
    for (name, (method, steps)), form in itertools.product(METHODS.items(), ("blocks", "petsc")):
        report = min((common.solve(problem, method, "associated", TOLERANCE, args.max_seconds, ranks=ranks,
                                   max_iterations=steps, overrides=[f"solver.matrices={form}"])
                      for _ in range(args.repeats)), key=lambda report: report["processor_seconds"])
        seconds = report["processor_seconds"]
        blocks = seconds if form == "blocks" else blocks
        yield {"problem": problem.stem, "contacts": report["contacts"], "ranks": ranks, "method": name,
               "matrices": form, "status": report["status"], "iterations": report["iterations"],
               "krylov": report["inner_iterations"], "processor_s": f"{seconds:.3g}",
               "over_blocks": f"{seconds / blocks:.2f}"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("problems", nargs="*", type=pathlib.Path)
    parser.add_argument("--ranks", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--max-seconds", type=float, default=60.0)
    common.declare_results(parser)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        problems = args.problems or common.make_piles(folder, PILES)
        rows = [row for problem, ranks in itertools.product(problems, args.ranks) for row in solves(problem, ranks, args)]
    command = " ".join(["scripts/bench/run matrices", *map(str, args.problems), "--ranks", *map(str, args.ranks)])
    common.write_results(args.results / "matrices", "Matrices in place of block rows", command, rows)


if __name__ == "__main__":
    main()
