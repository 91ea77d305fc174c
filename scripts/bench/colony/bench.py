"""A colony of cells that grow and divide (paper 001, section 4.3, Table 3), by ReLCP and by clusters of balls.

  scripts/bench/run colony [--cells 8192] [--beside 512] [--balls 5 7] [--ranks 1 2] [--shared 64]
                       [--dt 0.005] [--minutes M] [--results FOLDER] [--runs FOLDER]

configs/colony.yaml until it has --beside cells, by ReLCP and with clusters of so many balls in the cells' place
(contact.constraints: multisphere) on the first number of ranks, and by ReLCP until it has --shared cells on each;
then by ReLCP until it has --cells, or for --minutes of the clock, on each number of ranks. Tables: constraints.csv (of the
methods), alignment.csv (of their cells) and growth.csv (of the large colony, by its size); colony.png: its cells by orientation.
--runs keeps the runs, and goes on with those there are.
"""
import argparse
import collections
import math
import pathlib
import statistics
import tempfile

import yaml

import colony_cells as cells_of
import common
import smooth_scenes as scenes

CONFIG = common.ROOT / "configs" / "colony.yaml"
PAPER = {"relcp": ("1.00", "341 +- 1010"), 5: ("8.77 +- 2.47", "82 +- 251"), 7: ("17.0 +- 5.1", "46 +- 101")}
NOTE = ("`ratio`: constraints over those of ReLCP at the same times, mean over all steps and standard "
        "deviation. scree keeps what a step can close, and so few of the pairs of balls that are merely near; the paper does not say "
        "which it keeps. `ratio_within_...`: what the ratio is where a code keeps all pairs, of balls or of cells, that are nearer "
        "than that share of a cell's diameter, counted in the cells of the ReLCP run's snapshots. `us_a_constraint`: by the clock, mean "
        "over steps and standard deviation; `us_of_processor`: of the whole run, all ranks, over all its constraints, which other work on "
        "the machine does not lengthen (ranks that wait for each other use the processor, too). The paper's are of a colony of "
        "131,072 cells on 64 cores.")
DIAMETER = 0.5  # of a cell, which is four to eight of them long
DISTANCES = (1, 2, 3, 4, 6, 8, 12, 16)  # between centres, in diameters
ALIGNED = ("The mean of cos 2(a - b) over pairs of cells, a and b the angles of their axes, by the distance of their centres, at the end of "
           "the runs of [constraints](#constraints): 1 where all are parallel, 0 where directions know nothing of each other. The paper shows a "
           "picture.")
REACHES = (0.5, 0.9)  # of a cell's diameter; at a whole one next neighbours but one begin to count


def end_of(cells, dt):
    """The time at which a colony of one cell has so many: all divide each ln 2, and grow for some steps after the last."""
    return math.log(2) * math.log2(cells) + 4 * dt


def run(folder, name, cells, args, ranks=1, balls=None, wall_limit=None):
    """The folder of the run, and its wall-clock seconds."""
    scene = yaml.safe_load(CONFIG.read_text(encoding="utf-8"))
    scene["time"] = {"dt": args.dt, "end": round(end_of(cells, args.dt), 6)}
    scene["output"] = {"snapshots": {"every": 0.1, "arrays": ["orientation", "shape", "semi_axes"]}, "log_interval": 60.0}
    if balls:
        scene["contact"] |= {"constraints": "multisphere", "balls": balls}
    return scenes.run(folder, name, scene, ranks, wall_limit)


def mean(values, form=".2f"):
    """Mean and standard deviation."""
    values = list(values)
    return f"{statistics.mean(values):{form}} +- {statistics.stdev(values):{form}}"


def whole_steps(rows):
    """The steps of a table in which each part of a step that was cut has its row: `contacts` of the part with most."""
    steps = collections.defaultdict(list)
    for row in rows:
        steps[row["step"]].append(row)
    sums = ("seconds_step", "seconds_solve", "recursions")
    return [parts[-1] | {name: sum(part[name] for part in parts) for name in sums}
            | {"contacts": max(part["contacts"] for part in parts), "parts": len(parts)} for parts in steps.values()]


def per_constraint(steps):
    """Microseconds a constraint of the whole steps that have any."""
    return mean((1e6 * s["seconds_step"] / s["contacts"] for s in whole_steps(steps) if s["contacts"] > 0), ".0f")


def ratio(steps, reference):
    """Constraints over those of ReLCP at the same times."""
    return mean(a["contacts"] / b["contacts"] for a, b in zip(whole_steps(steps), whole_steps(reference)) if b["contacts"] > 0)


def within(output, balls, reach):
    """Pairs of balls over pairs of cells that are nearer than @p reach of a diameter, in each snapshot of a run."""
    counted = (cells_of.pairs_within(grains, balls, reach) for grains in cells_of.snapshots(output))
    return mean(of_balls / of_cells for of_cells, of_balls in counted if of_cells > 0)


def row(method, ranks, output, seconds, reference, balls=None):
    steps, processor = common.table(output), scenes.processor_seconds(output.parent, output.name)
    paper = PAPER.get(balls or "relcp", ("", ""))
    return {"method": method, "ranks": ranks, "cells": int(steps[-1]["bodies"]), "constraints_end": int(steps[-1]["contacts"]),
            "ratio": ratio(steps, common.table(reference)),
            **{f"ratio_within_{reach}": within(reference, balls, reach) if balls else "1.00" for reach in REACHES},
            "paper_ratio": paper[0], "us_a_constraint": per_constraint(steps), "paper_us": paper[1],
            "us_of_processor": f"{1e6 * processor / sum(s['contacts'] for s in whole_steps(steps)):.0f}", "wall_s": f"{seconds:.0f}",
            "largest_overlap": f"{max(s['overlap'] for s in steps):.1e}", "not_converged": sum(s["status"] != "converged" for s in steps)}


def beside(args, folder):
    """The methods until there are --beside cells, and ReLCP on other numbers of ranks: rows, and the folders of the methods' runs."""
    one = args.ranks[0]
    reference, seconds = run(folder, f"relcp-{one}", args.beside, args, one)
    rows, outputs = [row("relcp", one, reference, seconds, reference)], {"relcp": reference}
    for balls in args.balls:
        output, seconds = run(folder, f"balls{balls}", args.beside, args, one, balls)
        rows.append(row(f"{balls} balls", one, output, seconds, reference, balls))
        outputs[f"{balls}_balls"] = output
    for ranks in args.ranks if len(args.ranks) > 1 else []:
        output, seconds = run(folder, f"shared-{ranks}", args.shared, args, ranks)
        rows.append(row("relcp", ranks, output, seconds, reference))
    return rows, outputs


def alignments(outputs):
    """How cells are aligned over distance at the end of the methods' runs (the paper's Fig. 5a)."""
    rows = [{"from_diameters": low, "to_diameters": high} for low, high in zip(DISTANCES, DISTANCES[1:])]
    for method, output in outputs.items():
        grains = list(cells_of.snapshots(output))[-1]
        for line, value in zip(rows, cells_of.alignment(grains, [DIAMETER * distance for distance in DISTANCES])):
            line[method] = f"{value:.2f}"
    return rows


def growth(steps, ranks):
    """The steps in which the colony had so many cells, size by size: means over whole steps. `cut`: the share of their seconds that
    went to steps that were taken in parts; `wall_s_before`: of all steps with fewer cells.
    """
    rows = []
    for cells in sorted({int(s["bodies"]) for s in steps if s["bodies"] >= 16}):
        of_size = [s for s in steps if s["bodies"] == cells]
        whole = whole_steps(of_size)
        seconds = sum(s["seconds_step"] for s in whole)
        rows.append({
            "ranks": ranks, "cells": cells, "steps": len(whole), "constraints": int(of_size[-1]["contacts"]),
            "recursions": f"{statistics.mean(s['recursions'] for s in whole):.1f}",
            "ms_a_step": f"{1e3 * seconds / len(whole):.1f}",
            "us_a_constraint": per_constraint(of_size),
            "share_of_solves": f"{sum(s['seconds_solve'] for s in of_size) / seconds:.2f}",
            "cut": f"{sum(s['seconds_step'] for s in whole if s['parts'] > 1) / seconds:.2f}",
            "largest_overlap": f"{max(s['overlap'] for s in of_size):.1e}",
            "not_converged": sum(s["status"] != "converged" for s in of_size),
            "wall_s_before": f"{sum(s['seconds_step'] for s in steps if s['bodies'] < cells):.0f}"})
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cells", type=int, default=8192)
    parser.add_argument("--beside", type=int, default=512)
    parser.add_argument("--balls", type=int, nargs="*", default=[5, 7])
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--shared", type=int, default=64)
    parser.add_argument("--dt", type=float, default=0.005)
    parser.add_argument("--minutes", type=float)
    common.declare_results(parser)
    parser.add_argument("--runs", help="keeps the runs in this folder")
    args = parser.parse_args()
    balls, ranks = (" ".join(map(str, numbers)) for numbers in (args.balls, args.ranks))
    command = f"scripts/bench/run colony --cells {args.cells} --beside {args.beside} --balls {balls} --ranks {ranks}"
    command += f" --shared {args.shared} --dt {args.dt:g}"
    command += f" --minutes {args.minutes:g}" if args.minutes else ""
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(args.runs or temporary)
        methods, outputs = beside(args, folder)
        common.write_results(args.results / "constraints", "A growing colony: constraints", command, methods,
                             f"dt = {args.dt:g} s. {NOTE}")
        common.write_results(args.results / "alignment", "A growing colony: how cells are aligned (Fig. 5a)", command,
                             alignments(outputs), ALIGNED)
        rows, took = [], []
        for ranks in args.ranks:
            large, seconds = run(folder, f"cells{args.cells}-{ranks}", args.cells, args, ranks, wall_limit=60 * args.minutes if args.minutes else None)
            rows += growth(common.table(large), ranks)
            took.append(f"{seconds:.0f}")
        common.write_results(args.results / "growth", "A growing colony: cost by its size", command, rows,
                             f"dt = {args.dt:g} s, seconds by the clock; `cut`: the share that went to steps taken in parts; `wall_s_before`: until "
                             f"there were so many cells. The whole runs took {' and '.join(took)} s; one of {args.cells:,} cells that the "
                             "minutes end is shorter, and its last row is of the steps that it came to. [The colony](colony.png) in its "
                             "last snapshot, coloured by the cells' directions.")
        cells_of.draw(large, args.results / "colony.png")


if __name__ == "__main__":
    main()
