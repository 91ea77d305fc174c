"""Exact friction to high accuracy on hard problems of some hundred contacts: blocks, rocks and capsules.

  scripts/bench/run blocks FOLDER [--families tower wall column rocks capsules rocks-skew] [--seeds 0 1 2 ...]
      [--max-seconds 20] [--tolerance 1e-8] [--ranks 1 2] [--note TEXT] [--results FOLDER]

FOLDER gets the problems of block_problems.py, where the families are described; those that are there are kept. Each is
solved by `scree solve PROBLEM --friction coulomb` from zero impulses, without fallback, and its impulses are judged by
judge.py, which shares no code with scree. Tables: problems.csv, a row a solve; families.csv, a row
a family. Solved is what scree calls converged and the judge does, too. Solves are kept in FOLDER/solves/: a bench that was
cut off goes on there. Ends with status 1 where the judge finds another residual than scree.

rank/rows is that of W, with 1e-10 of its largest entry as zero. Iterations and factorisations are those of the method
that gave the impulses (Newton steps of pac, sweeps of nsgs); seconds are those of the clock, processor seconds those of
the first rank, of the whole solve.
"""
import argparse
import itertools
import pathlib
import statistics
import sys

import h5py
import numpy

import block_problems
import common
import judge

SLACK = 1.01  # scree measures anew when a method has ended, and allows for as much
ROUNDING = 1e-11  # of the two residuals, which are relative
DISAGREED = "judged otherwise"
COLUMNS = ("problem", "family", "contacts", "rows", "rank/rows", "mu", "symmetric", "ranks", "method", "solved", "status",
           "iterations", "factorisations", "residual", "judged", "seconds", "processor_seconds")


def problem_file(folder, family, seed):
    """The problem's file, made where it is missing."""
    file = folder / f"{block_problems.name_of(family, seed)}.hdf5"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        part = file.with_suffix(".part")
        block_problems.write(part, block_problems.make(family, seed)[1])
        part.replace(file)
    return file


def is_symmetric(W):
    return abs(W - W.T).max() == 0


def rank_share(W):
    """Rank over rows."""
    dense = W.toarray()
    sizes = abs(numpy.linalg.eigvalsh(dense)) if is_symmetric(W) else numpy.linalg.svd(dense, compute_uv=False)
    return (sizes > 1e-10 * abs(W).max()).mean()


def rows_of(args, family, seed):
    """A row of the table for each number of ranks."""
    file = problem_file(args.folder, family, seed)
    problem = block_problems.read(file)
    head = {"problem": file.stem, "family": family, "contacts": len(problem.mu), "rows": problem.W.shape[0],
            "rank/rows": f"{rank_share(problem.W):.2f}", "mu": problem.mu[0],
            "symmetric": "yes" if is_symmetric(problem.W) else "no"}
    for ranks in args.ranks:
        report = common.solve_once(args.results / "solves", file, "auto", "coulomb", args.tolerance, args.max_seconds, ranks,
                                   with_solution=True)
        row = dict.fromkeys(COLUMNS, "") | head | {"ranks": ranks, "status": report["status"], "solved": "no"}
        if "measures" in report:
            with h5py.File(report["solution"]) as solved:
                row |= result_of(report, judge.residual(*problem, solved["solution/r"][:]), args.tolerance)
        yield row


def result_of(report, judged, tolerance):
    own = report["measures"]["residual"]
    agreed = abs(judged - own) <= 1e-6 * judged + ROUNDING
    solved = agreed and report["status"] == "converged" and judged <= SLACK * tolerance
    return {"method": report["solver"], "solved": "yes" if solved else "no" if agreed else DISAGREED,
            "iterations": report["iterations"], "factorisations": report["factorisations"], "residual": f"{own:.2e}",
            "judged": f"{judged:.2e}", "seconds": f"{report['seconds']:.3g}",
            "processor_seconds": f"{report['processor_seconds']:.3g}"}


def span(rows, column):
    values = [row[column] for row in rows]
    return f"{min(values)} to {max(values)}"


def family_row(family, ranks, rows):
    """Counts, medians and the largest of a family, solved or not."""
    def values(column):
        return [float(row[column]) if row[column] != "" else float("inf") for row in rows]
    row = {"family": family, "ranks": ranks, "problems": len(rows), "solved": sum(row["solved"] == "yes" for row in rows),
           "contacts": span(rows, "contacts"), "rank/rows": span(rows, "rank/rows"),
           "mu": " ".join(sorted({str(row["mu"]) for row in rows})),
           "symmetric": " ".join(sorted({row["symmetric"] for row in rows})), "largest residual": max(values("judged"))}
    for column in ("factorisations", "seconds", "processor_seconds"):
        row |= {f"median {column}": f"{statistics.median(values(column)):.3g}", f"largest {column}": f"{max(values(column)):.4g}"}
    return row


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="of the problems")
    parser.add_argument("--families", nargs="+", choices=block_problems.FAMILIES, default=list(block_problems.FAMILIES))
    parser.add_argument("--seeds", nargs="+", type=int, help="of each family; default: 16 of each, 20 of rocks-skew")
    parser.add_argument("--max-seconds", type=float, default=20.0, help="of each solve")
    parser.add_argument("--tolerance", type=float, default=1e-8)
    parser.add_argument("--ranks", type=int, nargs="+", default=[1])
    parser.add_argument("--note", default="", help="what the tables say of the machine")
    common.declare_results(parser)
    return parser.parse_args()


def main():
    args = parse()
    rows = [row for family in args.families for seed in args.seeds or range(block_problems.FAMILIES[family].seeds)
            for row in rows_of(args, family, seed)]
    families = [family_row(family, ranks, [row for row in rows if (row["family"], row["ranks"]) == (family, ranks)])
                for family, ranks in itertools.product(args.families, args.ranks)]
    seeds = f" --seeds {' '.join(map(str, args.seeds))}" if args.seeds else ""
    command = (f"scripts/bench/run blocks FOLDER --families {' '.join(args.families)}{seeds} --max-seconds {args.max_seconds:g} "
               f"--tolerance {args.tolerance:g} --ranks {' '.join(map(str, args.ranks))}")
    title = "Exact friction on blocks, rocks and capsules"
    common.write_results(args.results / "problems", title, command, rows, args.note)
    common.write_results(args.results / "families", f"{title}, by family", command, families, args.note)
    wrong = sum(row["solved"] == DISAGREED for row in rows)
    print(f"{sum(row['solved'] for row in families)} of {len(rows)} solved; {wrong} where the judge disagrees")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
