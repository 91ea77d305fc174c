"""A blade through a million grains, as a chain of batch jobs on one core: draft force, and what a step costs.

  scripts/bench/run trench1m FOLDER [cut rigid files kleinert] [--end 1.7] [--job 7200] [--results FOLDER] [--note TEXT]

cut: configs/cell.yaml, then configs/trench-1m.yaml, by `--wall-limit` of --job seconds and `--restart latest` until the time
--end; FOLDER keeps both runs, and what is there is taken, so that a call that was stopped goes on. Made of them:

  draft     the force on the blade in tenths of a second of the cut; standard errors from means over blocks of 0.02 s.
            The last row leaves out the first tenth, in which the blade starts
  steps     medians over the steps of each phase: the bed relaxes, the blade is lowered, the blade is drawn; of seconds the first
            decile, since others use the machine, too. `outside_share` is all that is no solve; us_per_grain of a step
  budgets   single figures beside what was asked. LIGGGHTS's seconds are those of bench compliance's bed of 5,000 grains at
            1e8 Pa, scaled by grains and time

rigid: the same with grains that do not yield; its tables are those of cut, with rigid- before their names.

files: some steps of configs/trench-1m.yaml, which end with a checkpoint, and some that go on from it, each with a snapshot.
Medians of snapshots and of `dd`, which writes as much to new files until it is on the disk, some seconds after one another.

kleinert: configs/trench-kleinert.yaml, which FOLDER keeps as well: draft force and cost of a step by quarters of a second of the
cut; standard errors from means over blocks of 0.05 s. The last row leaves out the first quarter.
"""
import argparse
import csv
import pathlib
import statistics

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy

import beds
import common
import draft
import files
import job_chain
import kleinert
import picture
from files import figure

CONFIGS = common.ROOT / "configs"
CELL = {"side": 0.7, "grains": 20000, "snapshot": "snapshots/snapshot_00001000.hdf"}  # of configs/cell.yaml
DT = files.DT
LIGGGHTS = {"code": "LIGGGHTS, Hertz", "E_Pa": "1e8"}  # the row of docs/results/compliance/packing.csv
LIGGGHTS_GRAINS, LIGGGHTS_TIME = 5000, 1.0  # of that bed; s
# Parts that are runs: folder, what stands before the names of their tables, settings.
RUNS = {"cut": ("trench", "", []), "rigid": ("trench-rigid", "rigid-", ["materials.gravel.young_modulus=0"])}
PARTS = (*RUNS, "files", "kleinert")
VIEW = picture.View(middle=1.75, blade=(0.03, 0.5, 0.5), along=(1.4, 3.4), top=1.1)  # of configs/trench-1m.yaml
PHASES = {"relaxes": (0.0, draft.BEGIN), "lowered": (draft.BEGIN, draft.CUT), "drawn": (draft.CUT, float("inf"))}


def settled_cell(args):
    """The grains of the cell, settled."""
    job_chain.chain(CONFIGS / "cell.yaml", args.folder / "cell", args.job)
    return (args.folder / "cell" / CELL["snapshot"]).resolve()


def step_row(name, steps):
    def median(of):
        return statistics.median(of(step) for step in steps)

    def seconds(part):
        return float(numpy.quantile([step[f"seconds_{part}"] for step in steps], 0.1))

    grains = steps[-1]["bodies"]
    return {"phase": name, "steps": len(steps), "unsolved": sum(s["status"] != "converged" for s in steps),
            "worst_residual": f"{max(s['residual'] for s in steps):.1e}",
            "largest_compression": f"{max(s['compression'] for s in steps):.3f}",
            "contacts_per_grain": f"{median(lambda s: s['contacts']) / grains:.2f}",
            "loaded_per_grain": f"{median(lambda s: s['active_contacts']) / grains:.2f}",
            "sweeps": round(median(lambda s: s["iterations"])), "most_sweeps": round(max(s["iterations"] for s in steps)),
            **{f"{part}_s": f"{seconds(part):.3g}" for part in ("domain", "contacts", "assemble", "solve", "advance", "step")},
            "us_per_grain": f"{1e6 * seconds('step') / grains:.3g}",
            "outside_share": f"{median(lambda s: 1 - s['seconds_solve'] / s['seconds_step']):.2f}"}


def step_rows(steps):
    for name, (low, high) in PHASES.items():
        chosen = [step for step in steps if low + 0.5 * DT < step["time"] < high + 0.5 * DT]
        if chosen:
            yield step_row(name, chosen)


def cell_figures(cell):
    """Packing fraction between 35 mm and 0.8 of the 95th percentile of heights, and loaded contacts a grain, both ends counted."""
    centre, radius = beds.grains(cell)
    low, high = 0.035, 0.8 * sorted(centre[:, 2])[int(0.95 * len(centre))]
    packing = beds.solid_volume(centre[:, 2], radius.astype(float), low, high) / (CELL["side"]**2 * (high - low))
    return packing, 2 * common.table(cell)[-1]["active_contacts"] / CELL["grains"]


def liggghts_seconds(grains):
    """Processor seconds of a simulated second of so many grains, and microseconds a grain and step."""
    with open(common.ROOT / "docs/results/compliance/packing.csv", newline="", encoding="utf-8") as file:
        row = next(row for row in csv.DictReader(file) if all(row[key] == value for key, value in LIGGGHTS.items()))
    second = float(row["cpu_s"]) / LIGGGHTS_TIME / LIGGGHTS_GRAINS
    return second * grains, 1e6 * second * float(row["dt_s"])


def budget_rows(args, run, jobs, steps, tools):
    grains = steps[-1]["bodies"]
    radius = beds.grains(run)[1]
    packing, coordination = cell_figures(args.folder / "cell")
    share, deviation = draft.floor_over_weight(tools, radius)
    drawn = [step for step in steps if step["time"] > draft.CUT + 0.5 * DT]
    per_step = sum(job.processor_s for job in jobs) / len(steps)
    liggghts, liggghts_step = liggghts_seconds(grains)
    return [
        figure("packing fraction of the cell", packing),
        figure("loaded contacts a grain of the cell, both ends counted", coordination),
        figure("floor's force over the weight, mean over 0.1 s before the blade comes", share, "0.99 to 1.01"),
        figure("its standard deviation there", deviation, "at most 0.01"),
        figure("steps of cutting", len(drawn), "at least 300"),
        figure("steps that were not solved", sum(step["status"] != "converged" for step in steps), "0"),
        figure("jobs", len(jobs)),
        figure("peak of the first job, kB a grain", jobs[0].peak_bytes / 1e3 / grains),
        figure("peak of the last job, kB a grain", jobs[-1].peak_bytes / 1e3 / grains, "as the first"),
        figure("wall seconds of all jobs", sum(job.wall_s for job in jobs)),
        figure("processor seconds a step of all jobs, starts and files included", per_step),
        figure("processor seconds a simulated second", per_step / DT),
        figure("processor seconds a simulated second, LIGGGHTS, scaled", liggghts),
        figure("us a grain and step", 1e6 * per_step / grains),
        figure("us a grain and step, LIGGGHTS", liggghts_step)]


def cut(args, part, bed):
    """The jobs of a trench, and their tables."""
    folder, prefix, settings = RUNS[part]
    run = args.folder / folder
    jobs = job_chain.chain(CONFIGS / "trench-1m.yaml", run, args.job,
                           [f"bodies.bed.place.file={bed}", f"time.end={args.end}", *settings])
    steps, tools = (common.table(run, name) for name in ("steps", "tools"))
    grains = "rigid grains" if part == "rigid" else "grains"

    def write(name, title, rows, **more):
        command = f"scripts/bench/run trench1m FOLDER {part} --end {args.end:g} --job {args.job}"
        common.write_results(args.results / f"{prefix}{name}", title, command, rows, args.note, **more)

    write("draft", f"Draft force of a blade in a bed of a million {grains}", draft.rows(tools, DT), picture=f"{prefix}draft.png")
    figure_, axes = plt.subplots(figsize=(8, 4.5))
    draft.plot(axes, tools, DT)
    figure_.tight_layout()
    figure_.savefig(args.results / f"{prefix}draft.png", dpi=110)
    figure_ = plt.figure(figsize=(9, 9), layout="constrained")
    picture.draw(run, figure_, tools, VIEW)
    figure_.savefig(args.results / f"{prefix}bed.png", dpi=70)
    write("steps", f"Steps of a million {grains}, one core", list(step_rows(steps)))
    write("budgets", f"The run of a million {grains} beside what was asked of it", budget_rows(args, run, jobs, steps, tools),
          picture=f"{prefix}bed.png")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("parts", nargs="*", metavar="PART")
    parser.add_argument("--end", type=float, default=1.7, help="s, of simulated time")
    parser.add_argument("--job", type=int, default=7200, help="s of wall clock that a job may take")
    parser.add_argument("--note", default="", help="what the tables say of the machine")
    common.declare_results(parser)
    args = common.parse(parser, PARTS)
    args.folder.mkdir(parents=True, exist_ok=True)
    if "kleinert" in args.parts:
        kleinert.measure(args)
    if not {*RUNS, "files"} & set(args.parts):
        return
    bed = settled_cell(args)
    for part in RUNS:
        if part in args.parts:
            cut(args, part, bed)
    if "files" in args.parts:
        common.write_results(args.results / "files", "Memory, starts and snapshots of a million grains, one core",
                             "scripts/bench/run trench1m FOLDER files", files.rows(args.folder, bed), args.note)


if __name__ == "__main__":
    main()
