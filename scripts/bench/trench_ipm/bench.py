"""The trench by exact friction, and with the relaxed law by the interior point method and rivals.

  scripts/bench/run trench_ipm [--parts runs steps starts] [--seeds 1 2 3] [--dt S] [--end S]
      [--max-seconds S] [--repeats 3] [--every STEPS] [--from-time S] [--results FOLDER]

Exact friction is configs/trench.yaml, the relaxed law and paper 004's choice
configs/trench-ipm.yaml; the rivals are projected Gauss-Jacobi and over-relaxed sweeps, both by
block rows.

runs.csv: the runs, four a seed, on one core: processor seconds, steps by each method, iterations a
step, residuals, the mean force on the floor in the last 0.1 s and on the blade in the second half
of the run.

steps.csv: two steps a seed, one before the blade comes and one while it is drawn, each from zero
impulses to some tolerances by the three methods, the fastest of --repeats solves. krylov_a_solve
are BiCGstab's iterations of one linear system in the mean; over_ipm is processor_s over that of
ipm; ms_an_iteration and ms_a_krylov_iteration are processor time, by least squares over the points
of the solve's history.

starts.csv: sweeps to 1e-4 in every --every-th step from --from-time on, from zero and from the
impulses that the step before ended with: medians and quartiles, and ms a sweep, set-up included.

Rows that the tables hold are kept.
"""
import argparse
import csv
import itertools
import pathlib
import resource
import statistics
import tempfile

import numpy

import common

RUNS = {"trench": ("trench", []), "trench-ipm": ("trench-ipm", []),
        **{f"trench-ipm by {method}": ("trench-ipm", [f"solver.method={method}", "solver.matrices=blocks"])
           for method in ("pgj", "psor")}}
LAST = 0.1  # s
TOLERANCE = 1e-4  # of both configurations
TOLERANCES = (1e-4, 1e-6, 1e-8)  # of single steps
ITERATIONS = 20000
STRICT = "ipm:linear_solver=bicgstab,preconditioner=ic,strict=true"
SWEEPS = {"nsgs": "coulomb", "psor": "associated"}
LINEAR_SOLVES = 2  # of each iteration: predictor and corrector


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(config, seed, args, folder, *settings):
    """Processor seconds of a run in @p folder."""
    before = processor_seconds()
    common.run(common.ROOT / "configs" / f"{config}.yaml", folder, 1, [
        f"bodies.bed.place.seed={seed}", f"time.dt={args.dt}", f"time.end={args.end}", "output.snapshots.every=0",
        "debug.fclib.not_converged=0", *settings])
    return processor_seconds() - before


def run_row(name, seed, args):
    """A row of the first table."""
    config, settings = RUNS[name]
    with tempfile.TemporaryDirectory() as folder:
        seconds = run(config, seed, args, folder, *settings)
        steps, tools = common.table(folder), common.table(folder, "tools")
    end = steps[-1]["time"]
    floor = [-r["force_z"] for r in tools if r["tool"] == "floor" and r["time"] > end - LAST]
    blade = [-r["force_x"] for r in tools if r["tool"] == "blade" and r["time"] > 0.5 * end]
    methods = sorted({s["solver"] for s in steps})
    return {"run": name, "seed": seed, "processor_s": f"{seconds:.3g}", "steps": len(steps),
            "by": ", ".join(f"{m} {sum(s['solver'] == m for s in steps)}" for m in methods),
            "iterations_median": f"{statistics.median(s['iterations'] for s in steps):g}",
            "reached_tolerance": sum(s["residual"] <= TOLERANCE for s in steps),
            "residual_median": f"{statistics.median(s['residual'] for s in steps):.1e}",
            "residual_worst": f"{max(s['residual'] for s in steps):.1e}",
            "dilation_mm_s": f"{1e3 * statistics.fmean(s['dilation'] for s in steps):.2g}",
            "floor_N": f"{statistics.fmean(floor):.1f}", "draft_N": f"{statistics.fmean(blade):.1f}"}


def costs(report):
    """Milliseconds of the processor of an iteration and of a Krylov iteration, by a solve's history
    after its set-up.
    """
    points = report["history"][1:]
    if len(points) < 3:
        return "", ""
    counts = numpy.array([(p["iteration"], p["inner"]) for p in points], dtype=float)
    seconds = numpy.array([p["processor_seconds"] for p in points])
    used = counts.any(axis=0)
    found = numpy.zeros(2)
    steps = numpy.diff(counts[:, used], axis=0)
    found[used] = numpy.linalg.lstsq(steps, numpy.diff(seconds), rcond=None)[0]
    return tuple(f"{1e3 * cost:.2g}" if is_used else "" for cost, is_used in zip(found, used))


def step_of(problem):
    return int(problem.stem.split("_")[1])


def step_rows(seed, args):
    """Rows of the second table: the first and the last of some steps of a run with the relaxed law."""
    every = max(1, round(args.end / args.dt / 4))
    with tempfile.TemporaryDirectory() as folder:
        run("trench", seed, args, folder, "solver.friction=associated", f"debug.fclib.every={every}")
        problems = sorted((pathlib.Path(folder) / "problems").glob("step_*.hdf5"))
        by_ipm = None  # of the problem and the tolerance
        for problem, tolerance, method in itertools.product((problems[0], problems[-1]), TOLERANCES,
                                                            (STRICT, "pgj", "psor")):
            report = min((common.solve(problem, method, "associated", tolerance, args.max_seconds,
                                       max_iterations=ITERATIONS) for _ in range(args.repeats)),
                         key=lambda report: report["history"][-1]["processor_seconds"])
            krylov_a_solve = report["inner_iterations"] / (LINEAR_SOLVES * max(1, report["iterations"]))
            iteration, krylov = costs(report)
            seconds = report["history"][-1]["processor_seconds"]
            by_ipm = seconds if method == STRICT else by_ipm
            yield {"seed": seed, "step": step_of(problem), "contacts": report["contacts"],
                   "tolerance": tolerance, "method": method.partition(":")[0],
                   "status": report["status"], "residual": f"{report['measures']['residual']:.1e}",
                   "iterations": report["iterations"],
                   "krylov_a_solve": f"{krylov_a_solve:.0f}" if krylov_a_solve else "",
                   "processor_s": f"{seconds:.3g}", "over_ipm": f"{seconds / by_ipm:.2g}",
                   "ms_an_iteration": iteration, "ms_a_krylov_iteration": krylov}


def start_rows(seed, args):
    """Rows of the third table."""
    for method, friction in SWEEPS.items():
        with tempfile.TemporaryDirectory() as folder:
            run("trench", seed, args, folder, f"solver.friction={friction}", f"debug.fclib.every={args.every}")
            problems = sorted((pathlib.Path(folder) / "problems").glob("step_*.hdf5"))
            problems = [p for p in problems if step_of(p) * args.dt >= args.from_time]
            for start in ("zero", "last"):
                reports = [common.solve(problem, method, friction, TOLERANCE, args.max_seconds,
                                        replay=start == "last") for problem in problems]
                sweeps = [report["iterations"] for report in reports]
                low, median, high = numpy.percentile(sweeps, (25, 50, 75))
                seconds = sum(report["history"][-1]["processor_seconds"] for report in reports)
                yield {"seed": seed, "method": method, "friction": friction, "start": start,
                       "steps": len(reports),
                       "converged": sum(report["status"] == "converged" for report in reports),
                       "sweeps_quarter": f"{low:g}", "sweeps_median": f"{median:g}",
                       "sweeps_three_quarters": f"{high:g}",
                       "ms_a_sweep": f"{1e3 * seconds / sum(sweeps):.2g}"}


def kept_rows(file):
    if not file.exists():
        return []
    with open(file, newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def command(part, args, *more):
    settings = f"--seeds {' '.join(map(str, args.seeds))} --dt {args.dt:g} --end {args.end:g}"
    return " ".join([f"scripts/bench/run trench_ipm --parts {part} {settings}", *more])


def runs(args):
    file = args.results / "runs.csv"
    rows = kept_rows(file)
    for seed, name in itertools.product(args.seeds, RUNS):
        if not any(r["run"] == name and r["seed"] == str(seed) for r in rows):
            rows.append(run_row(name, seed, args))
            rows.sort(key=lambda row: (list(RUNS).index(row["run"]), int(row["seed"])))
            common.write_results(file.with_suffix(""), "The trench, by exact friction and relaxed",
                                 command("runs", args), rows)


def by_seed(part, title, rows_of, args, *more):
    """A table whose rows are made a seed at a time."""
    file = args.results / f"{part}.csv"
    rows = kept_rows(file)
    for seed in args.seeds:
        if not any(r["seed"] == str(seed) for r in rows):
            rows += rows_of(seed, args)
            common.write_results(file.with_suffix(""), title, command(part, args, *more), rows)


def steps(args):
    by_seed("steps", "Steps of the trench with the relaxed law, by three methods", step_rows, args,
            f"--max-seconds {args.max_seconds:g} --repeats {args.repeats}")


def starts(args):
    by_seed("starts", "Sweeps from zero and from the last impulses", start_rows, args,
            f"--every {args.every} --from-time {args.from_time:g}")


PARTS = {"runs": runs, "steps": steps, "starts": starts}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", nargs="+", default=list(PARTS), choices=PARTS)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--dt", type=float, default=2e-3)
    parser.add_argument("--end", type=float, default=1.4)
    parser.add_argument("--max-seconds", type=float, default=120.0, help="of one solve")
    parser.add_argument("--repeats", type=int, default=3, help="of the solves of the part steps")
    parser.add_argument("--every", type=int, default=5, help="steps of the part starts")
    parser.add_argument("--from-time", type=float, default=0.3, help="of the part starts, s")
    common.declare_results(parser)
    args = parser.parse_args()
    for part in args.parts:
        PARTS[part](args)


if __name__ == "__main__":
    main()
