"""Contact problems that are hard for sweeps, from zero impulses: sweeps and processor seconds to 1e-4, 1e-6 and 1e-8.

  scripts/bench/run late FOLDER [--shared SHARED] [--max-seconds 30] [--problems NAME ...] [--results FOLDER]

FOLDER gets the problems; those that are there are kept:

settle-0.4s, settle-1.0s        steps of configs/settle.yaml: grains on the move, and grains at rest
settle-1e8                      at 1.0 s, of gravel of 1e8 Pa
trench-rigid, trench-1e8        configs/trench.yaml while the blade cuts, at 1.2 s; gravel rigid, or of 1e8 Pa
tower-rest-1, tower-tilt-13     towers of planks (block_problems.py)
bed5k, bed20k                   of the folder SHARED, where they are there

Each law has its methods. One solve with the tolerance 1e-8 gives all columns of a method: the first point of its history
at or below each bound, with the iterations and the processor seconds up to there. `auto` is solved with each tolerance by
itself, since it chooses by it: iterations are those of the method that it ended with, named behind them, and seconds
those of all that it tried. Iterations of apgd, pac and ipm are no sweeps. `-`: not reached within --max-seconds of wall
clock. Solves are kept in FOLDER/solves/: a bench that was cut off goes on there.
"""
import argparse
import pathlib
import shutil
import tempfile

import block_problems
import common

BOUNDS = (1e-4, 1e-6, 1e-8)
METHODS = {"coulomb": ("nsgs", "pac", "auto"), "associated": ("psor", "apgd", "ipm", "auto"), "box": ("amgs", "psor", "auto")}
NEWTON = ("pac", "ipm")  # with their own limits; else time alone ends a solve
UNLIMITED = 10**8  # iterations
RUNS = {  # configuration, step of each problem, settings
    "settle": ("settle", {"settle-0.4s": 200, "settle-1.0s": 500}, []),
    "settle-1e8": ("settle", {"settle-1e8": 500}, ["materials.gravel.young_modulus=1e8"]),
    "trench-rigid": ("trench", {"trench-rigid": 600}, [common.RIGID]),
    "trench-1e8": ("trench", {"trench-1e8": 600}, ["materials.gravel.young_modulus=1e8"])}
TOWERS = {"tower-rest-1": 1, "tower-tilt-13": 13}  # seeds
BEDS = ("bed5k", "bed20k")
NAMES = [*(name for _, steps, _ in RUNS.values() for name in steps), *TOWERS, *BEDS]
DT = 2e-3  # s, of both configurations


def write_steps(run, folder):
    """The problems of one run of scree."""
    config, steps, settings = RUNS[run]
    spacing = min(steps.values()) if len(steps) == 1 else 100
    with tempfile.TemporaryDirectory() as output:
        common.run(common.ROOT / "configs" / f"{config}.yaml", output,
                   overrides=[*settings, f"time.dt={DT}", f"time.end={DT * max(steps.values()):g}",
                              f"debug.fclib.every={spacing}", "output.snapshots.every=0"])
        for name, step in steps.items():
            shutil.move(pathlib.Path(output) / "problems" / f"step_{step:08d}.hdf5", folder / f"{name}.hdf5")


def problem_files(args):
    """Those that were asked for, made where they are missing, by name."""
    args.folder.mkdir(parents=True, exist_ok=True)
    files = {name: args.folder / f"{name}.hdf5" for name in args.problems if name not in BEDS}
    for run, (_, steps, _) in RUNS.items():
        if any(name in files and not files[name].exists() for name in steps):
            write_steps(run, args.folder)
    for name, seed in TOWERS.items():
        if name in files and not files[name].exists():
            block_problems.write(files[name], block_problems.make("tower", seed)[1])
    beds = {name: args.shared / f"{name}.hdf5" for name in BEDS if args.shared and name in args.problems}
    return files | {name: file for name, file in beds.items() if file.exists()}


def solve(args, file, method, friction, tolerance):
    iterations = 0 if method in ("auto", *NEWTON) else UNLIMITED
    return common.solve_once(args.results / "solves", file, method, friction, tolerance, args.max_seconds,
                             max_iterations=iterations)


def columns(bound, iterations="-", seconds=None):
    return {f"iterations_{bound:g}": iterations, f"cpu_s_{bound:g}": "-" if seconds is None else f"{seconds:.3g}"}


def by_history(report):
    """The columns of a method that was solved once."""
    row = {}
    for bound in BOUNDS:
        point = common.reaches(report, "residual", bound)
        row |= columns(bound, point["iteration"], point["processor_seconds"]) if point else columns(bound)
    return row


def by_solves(reports):
    """The columns of `auto`, solved for each bound."""
    row = {}
    for bound, report in zip(BOUNDS, reports):
        reached = report["status"] == "converged"
        row |= columns(bound, f"{report['iterations']} {report['solver']}", report["processor_seconds"]) \
            if reached else columns(bound)
    return row


def row_of(args, name, file, friction, method):
    bounds = BOUNDS if method == "auto" else BOUNDS[-1:]
    reports = [solve(args, file, method, friction, bound) for bound in bounds]
    last = reports[-1]
    row = {"problem": name, "contacts": last.get("contacts", ""), "friction": friction, "method": method}
    if any("measures" not in report for report in reports):
        return row | {key: "-" for bound in BOUNDS for key in columns(bound)} | {"residual": "", "status": last["status"]}
    row |= by_solves(reports) if method == "auto" else by_history(last)
    return row | {"residual": f"{last['measures']['residual']:.1e}", "status": last["status"]}


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="of the problems")
    parser.add_argument("--shared", type=pathlib.Path, help="a folder with bed5k.hdf5 and bed20k.hdf5")
    parser.add_argument("--max-seconds", type=float, default=30.0, help="wall clock of each solve")
    parser.add_argument("--problems", nargs="+", choices=NAMES, default=NAMES)
    parser.add_argument("--note", default="", help="what the tables say of the machine")
    common.declare_results(parser)
    return parser.parse_args()


def main():
    args = parse()
    rows = [row_of(args, name, file, friction, method) for name, file in problem_files(args).items()
            for friction, methods in METHODS.items() for method in methods]
    command = "scripts/bench/run late FOLDER" + (" --shared SHARED" if args.shared else "") + \
        f" --max-seconds {args.max_seconds:g}"
    if args.problems != NAMES:
        command += f" --problems {' '.join(args.problems)}"
    note = ("From zero impulses, one core; residual and status are those of the solve to 1e-8. " + args.note).strip()
    common.write_results(args.results / "late", "Hard contact problems: iterations and processor seconds", command, rows, note)


if __name__ == "__main__":
    main()
