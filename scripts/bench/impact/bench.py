"""Impacts that always end (paper 000): operators on its examples, random problems and beds, and runs of scree.

  scripts/bench/run impact [PART ...] [--problems 10000] [--results FOLDER] [--runs FOLDER] [--short]

PART: cases, wedge, random, beds, zones (by bench_impacts: configure with -DSCREE_BENCHMARKS=ON), cradle, pool, bounce, gas, hit (runs); all where
none is named. Tables and plots are FOLDER/PART. --runs keeps the runs, --short takes small ones, for a test.
"""
import argparse
import csv
import os
import pathlib
import subprocess
import tempfile

import common
import impact_runs

PROGRAM = pathlib.Path(os.environ.get("SCREE_BENCH_IMPACTS", common.ROOT / "build" / "scripts" / "bench" / "bench_impacts"))
PLOTTED = ("wedge", "gas", "hit")
PAPER = "The paper's text gives no numbers of iterations."
TABLES = {  # of bench_impacts: title, note
    "cases": ("Examples of elastic impacts, with and without a look for implicit equalities",
              f"Without it a run is cut off after 100,000 applications. {PAPER}"),
    "wedge": ("A ball in a wedge (Fig. 3 of the paper): applications until the impact ends",
              f"`bound` is 180/degrees rounded up, the walls that the unfolded line can cross. {PAPER}"),
    "random": ("Random problems of 2 to 200 contacts, one to twelve a body, a tenth exactly degenerate",
               f"Errors are relative: of the energy, and of the velocities against their impulses, in the energy norm. {PAPER} "
               "It allows two linear programs a contact, and one where there is no equality."),
    "zones": ("The same beds with restitution 0.8 and friction 0.4, whole impacts by worst_first",
              "Approaches below 2 cm/s are left. Seconds of wall clock on one core. `exponent`: of the seconds over the contacts, "
              "from one row to the next."),
    "beds": ("A heavy ball falls on a bed of balls in a box, which is one zone",
             "`program_s` is the look for implicit equalities, `operator_s` the rest of the wall-clock time, on one core."),
}


def rows_of(table, problems):
    arguments = [table, str(problems)] if table == "random" else [table]
    output = subprocess.run([PROGRAM, *arguments], check=True, capture_output=True, text=True).stdout
    return list(csv.DictReader(output.splitlines()))


def plot_wedge(rows, path):
    plt = impact_runs.plt
    figure, axes = plt.subplots(figsize=(6, 4))
    degrees = [float(row["degrees"]) for row in rows]
    for column, style in (("bound", "k--"), ("reflections", "o-"), ("gauss_seidel lexicographic", "x-")):
        axes.loglog(degrees, [float(row[column]) for row in rows], style, label=column)
    axes.set_xlabel("angle of the wedge (degrees)")
    axes.set_ylabel("applications")
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=100)


def main():
    parts = [*TABLES, *impact_runs.PARTS]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(parts))
    parser.add_argument("--problems", type=int, default=10000, help="random ones")
    common.declare_results(parser)
    parser.add_argument("--runs", type=pathlib.Path)
    parser.add_argument("--short", action="store_true")
    args = parser.parse_args()
    for part in args.parts:
        if part not in parts:
            parser.error(f"{part} is none of {', '.join(parts)}")
    args.results.mkdir(parents=True, exist_ok=True)
    for part in args.parts or parts:
        path = args.results / part
        command = f"scripts/bench/run impact {part}" + " --short" * args.short
        if part in TABLES:
            title, note = TABLES[part]
            rows = rows_of(part, args.problems)
            if part == "random":
                command += f" --problems {args.problems}"
        else:
            title, note, _ = impact_runs.PARTS[part]
            with tempfile.TemporaryDirectory() as temporary:
                rows = impact_runs.measure(part, args.runs or temporary, path, args.short)
        common.write_results(path, title, command, rows, note, picture=f"{part}.png" if part in PLOTTED else None)
        if part == "wedge":
            plot_wedge(rows, path.with_suffix(".png"))


if __name__ == "__main__":
    main()
