"""All methods side by side on given FCLIB files, local or global.

  scripts/bench/run solvers piles/box2048t-seed1.hdf5 ... [--methods nsgs ipm] [--friction associated]
      [--tolerances 1e-2 1e-4 1e-6] [--ranks 1 2] [--max-seconds 60] [--measure residual] [--results FOLDER] [--table NAME]
  scripts/bench/run solvers ../shared/fclib/*.hdf5 --friction coulomb --max-seconds 4 --ranks 1 2

Each method solves each problem from zero impulses, alone, to the tightest tolerance or its limits; it is kept in the
folder FOLDER/solves, from which a run that was cut off goes on. A table (NAME.csv) with a row a solve:
iterations and seconds to each residual, then how it ended, Krylov iterations, factorisations and products with N of the
whole. Problems that a method does not take are left out. A plot (NAME.png) of a measure over iterations, over Krylov
iterations and over seconds, where there are at most 12 problems. Seconds mean something on an idle machine only.

box-settle-5k-step400.hdf5 of docs/results/solvers is from `scree run configs/settle.yaml` with time.dt=1e-3, the grains
of ../shared/scenes/box-settle-5k.csv (radii: {type: file}, place: {type: csv, file: ...}) and debug.fclib.every=100.

A method may name keys of its own. Figures 9 to 11 of Kleinert, Simeon and Obermayr are these, with path following
and potential reduction, exact and Krylov steps, and projected Gauss-Jacobi, by cost, feasibility or error:

  scripts/bench/run solvers PILES --friction associated --tolerances 1e-8 --measure error --methods pgj
      kleinert kleinert:beta=potential_reduction
      kleinert:linear_solver=bicgstab,preconditioner=ic,max_krylov=500,compliance=0.053
"""
import argparse
import itertools
import pathlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import common

COUNTS = ("iterations", "inner_iterations", "factorisations", "products")
LAWS = ("coulomb", "associated", "box")
MOST_PLOTS = 12
MEASURES = ("residual", "cost", "feasibility", "error")


def row_of(report, tolerances, **case):
    row = dict(case, contacts=report["contacts"])
    for tolerance in sorted(tolerances, reverse=True):
        at_start = report["status"] == "converged" and report["iterations"] == 0
        point = report["history"][0] if at_start else common.reaches(report, "residual", tolerance)
        row[f"{tolerance:g}: iterations"] = point["iteration"] if point else ""
        row[f"{tolerance:g}: s"] = f"{point['seconds']:.3g}" if point else ""
    measures = report["measures"]
    return dict(row, status=report["status"], **{key: report[key] for key in COUNTS},
                seconds=f"{report['seconds']:.3g}", residual=f"{measures['residual']:.2e}",
                velocity_error=f"{measures['velocity_error']:.1e}", error=f"{measures['error']:.1e}")


def solve_all(args):
    """The rows of the table, and of each problem and law the histories by method and ranks."""
    rows, curves = [], {}
    for problem, law, method, ranks in itertools.product(args.problems, args.friction, args.methods, args.ranks):
        report = common.solve_once(args.results / "solves", problem, method, law, min(args.tolerances),
                                   args.max_seconds, ranks)
        if "measures" not in report:
            continue
        rows.append(row_of(report, args.tolerances, problem=problem.stem, friction=law, method=method, ranks=ranks))
        curves.setdefault((problem.stem, law), {})[method, ranks] = report["history"]
    return rows, curves


def plot(curves, measure, path):
    figure, axes = plt.subplots(len(curves), 3, figsize=(15, 3.6 * len(curves)), squeeze=False, sharey="row")
    for (left, middle, right), ((problem, law), histories) in zip(axes, curves.items()):
        for (method, ranks), history in histories.items():
            values = [point[measure] for point in history]
            label = method if ranks == 1 else f"{method}, {ranks} ranks"
            left.loglog([point["iteration"] + 1 for point in history], values, label=label, linewidth=1)
            middle.loglog([point["inner"] + 1 for point in history], values, label=label, linewidth=1)
            right.loglog([max(point["seconds"], 1e-4) for point in history], values, label=label, linewidth=1)
        left.set_title(f"{problem}, {law}", fontsize=9)
        left.set_ylabel(measure)
        left.set_xlabel("iterations + 1")
        middle.set_xlabel("Krylov iterations + 1")
        right.set_xlabel("seconds")
        right.legend(fontsize=6)
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("problems", nargs="+", type=pathlib.Path, metavar="PROBLEM")
    parser.add_argument("--methods", nargs="+", default=common.methods())
    parser.add_argument("--friction", nargs="+", choices=LAWS, default=LAWS[:2])
    parser.add_argument("--tolerances", type=float, nargs="+", default=[1e-2, 1e-4, 1e-6])
    parser.add_argument("--ranks", type=int, nargs="+", default=[1])
    parser.add_argument("--max-seconds", type=float, default=60.0, help="of each solve")
    parser.add_argument("--measure", choices=MEASURES, default="residual", help="of the plot")
    common.declare_results(parser, "solvers")
    args = parser.parse_args()
    rows, curves = solve_all(args)
    if not rows:
        raise SystemExit("no method takes any of the problems")
    common.write_results(args.results / args.table, "Methods side by side",
                         f"scripts/bench/run solvers {' '.join(problem.name for problem in args.problems)} --friction "
                         f"{' '.join(args.friction)} --ranks {' '.join(map(str, args.ranks))} --max-seconds {args.max_seconds:g} "
                         f"--table {args.table}",
                         rows, picture=f"{args.table}.png" if len(curves) <= MOST_PLOTS else None)
    if len(curves) <= MOST_PLOTS:
        plot(curves, args.measure, args.results / f"{args.table}.png")


if __name__ == "__main__":
    main()
