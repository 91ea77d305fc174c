"""The interior point method on piles of spheres with the relaxed law, beside projected gradients.

  scripts/bench/run ipm PILES [--piles box5040t ...] [--seeds 1 2 3 4 5] [--more heap5040t-seed1 ...]
      [--ranks 1 2 4] [--max-seconds 60] [--results FOLDER] [--table NAME]

PILES is a folder of scripts/bench/piles; what is missing there is made. Each method solves each pile once, from zero,
on one core; the counts are those of the first iterate that reaches an accuracy. Tables: NAME.csv, a row a
solve; NAME-bars.csv, medians over the seeds of each of --piles, beside what is asked of box5040t; a plot of
error and residual over products and seconds, NAME.png. --more: piles solved too, not in the medians. With --ranks more
than 1, the interior point method again with preconditioners that know of ranks, a rank being a subdomain.

A product is one with K or N (the preconditioner is not counted: `ssor` costs about another). Seconds are those of the
processor, not of the clock, so that other work on the machine counts less; of PGJ that does not reach
the accuracy in its time, the time is a lower bound, marked >. Solves are kept in FOLDER/solves/: a bench that was cut off
goes on there.
"""
import argparse
import pathlib
import statistics

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import common

# keys, tolerance, iterations allowed (0: the method's own limit)
METHODS = {
    "ipm auto": ("ipm", 1e-12, 0),
    "ipm cg": ("ipm:linear_solver=cg,preconditioner=ssor,max_krylov=20000", 1e-6, 0),
    "apgd": ("apgd", 1e-6, 100000),
    "pgj": ("pgj", 1e-5, 1000000),
}
SUBDOMAINS = ("point_jacobi", "ssor", "ic", "block_jacobi", "schwarz", "multigrid")
FIRST_ORDER = ("apgd", "pgj")
# of box5040t: what is counted, of which method, and the most that is asked for
BARS = (
    ("products to residual 1e-3", "ipm cg", 1500),
    ("products to residual 1e-6", "ipm cg", 12000),
    ("factorisations to residual 1e-8", "ipm auto", 32),
    ("time to error 1e-3, over that of pgj", "ipm auto", 1 / 20),
    ("time to error 1e-3, over that of apgd", "ipm auto", 1 / 4),
    ("smallest error", "ipm auto", 1e-10),
)


def count(report, measure, bound, key, method):
    """What a solve needed to reach an accuracy; none if it did not."""
    point = common.reaches(report, measure, bound)
    if point is None:
        return None
    if key == "products" and method in FIRST_ORDER:
        return point["iteration"]
    return point["inner" if key == "products" else key]


def row_of(pile, method, ranks, report):
    def cell(measure, bound, *keys):
        values = [count(report, measure, bound, key, method) for key in keys]
        return " / ".join(f"{v:.3g}" if isinstance(v, float) else str(v) for v in values) if None not in values else "-"
    history = report.get("history", [])
    errors = [p["error"] for p in history[1:] if p["error"] is not None]
    return {"pile": pile, "contacts": report.get("contacts", ""), "method": method, "ranks": ranks,
            "status": report["status"],
            "residual 1e-3: products": cell("residual", 1e-3, "products"),
            "residual 1e-6: iterations / products / factorisations":
                cell("residual", 1e-6, "iteration", "products", "factorisations"),
            "residual 1e-8": cell("residual", 1e-8, "iteration", "products", "factorisations"),
            "error 1e-3: products / s": cell("error", 1e-3, "products", "processor_seconds"),
            "smallest residual": f"{min(p['residual'] for p in history):.1e}" if history else "-",
            "smallest error": f"{min(errors):.1e}" if errors else "-",
            "s": f"{history[-1]['processor_seconds']:.3g}" if history else "-"}


def time_to_error(report):
    """Seconds to paper 004's error 1e-3, and whether it was reached."""
    point = common.reaches(report, "error", 1e-3)
    last = report["history"][-1] if report.get("history") else {"processor_seconds": float("nan")}
    return (point or last)["processor_seconds"], point is not None


def bar_values(solves, pile, what, method):
    """One value a seed; infinite where it was not reached, and for ratios whether they are only bounds."""
    values, bounded = [], False
    for (kind, _), reports in solves.items():
        if kind != pile:
            continue
        report = reports[method]
        if what.startswith("time"):
            own, done = time_to_error(report)
            other, other_done = time_to_error(reports[what.rsplit(" ", 1)[1]])
            bounded = bounded or not other_done
            values.append(own / other if done and other > 0 else float("inf"))
        elif what == "smallest error":
            values.append(min(p["error"] for p in report["history"][1:] if p["error"] is not None))
        else:
            key, _, measure, bound = what.split()
            found = count(report, measure, float(bound), key, method)
            values.append(float("inf") if found is None else found)
    return values, bounded


def bar_rows(solves, piles):
    rows = []
    for pile in piles:
        for what, method, bar in BARS:
            values, bounded = bar_values(solves, pile, what, method)
            median = statistics.median(values)
            asked = pile == "box5040t"
            rows.append({"pile": pile, "what": what, "method": method, "seeds": len(values),
                         "median": ("< " if bounded else "") + f"{median:.3g}", "smallest": f"{min(values):.3g}",
                         "largest": f"{max(values):.3g}", "at most": f"{bar:.3g}" if asked else "",
                         "met": ("yes" if median <= bar else "no") if asked else ""})
    return rows


def plot(solves, path):
    pile, seed = next(iter(solves))
    figure, axes = plt.subplots(2, 2, figsize=(11, 8), sharex="col", sharey="row")
    for method, report in solves[pile, seed].items():
        points = report.get("history", [])[1:]
        work = [max(1, p["iteration"] if method in FIRST_ORDER else p["inner"]) for p in points]
        seconds = [max(1e-3, p["processor_seconds"]) for p in points]
        for axis, measure in zip(axes, ("residual", "error")):
            values = [p[measure] for p in points]
            axis[0].loglog(work, values, label=method, linewidth=1)
            axis[1].loglog(seconds, values, label=method, linewidth=1)
            axis[0].set_ylabel(measure)
    axes[1][0].set_xlabel("products (of ipm auto: those before it factorises)")
    axes[1][1].set_xlabel("processor seconds")
    axes[0][0].set_title(f"{pile}-seed{seed}", fontsize=9)
    axes[0][0].legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(path, dpi=100)
    plt.close(figure)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, metavar="PILES")
    parser.add_argument("--piles", nargs="+", default=["box5040t"], help="names without their seed")
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2, 3, 4, 5])
    parser.add_argument("--more", nargs="*", default=[], help="names with their seed")
    parser.add_argument("--ranks", type=int, nargs="+", default=[1])
    parser.add_argument("--max-seconds", type=float, default=60.0, help="of each solve")
    parser.add_argument("--note", default="", help="what the tables say of the machine")
    common.declare_results(parser, "piles")
    args = parser.parse_args()

    rows, solves = [], {}
    names = [*(f"{pile}-seed{seed}" for seed in args.seeds for pile in args.piles), *args.more]
    for name, file in zip(names, common.make_piles(args.folder, names)):
        pile, _, seed = name.rpartition("-seed")
        of_pile = {}
        for label, (method, tolerance, iterations) in METHODS.items():
            of_pile[label] = common.solve_once(args.results / "solves", file, method, "associated", tolerance,
                                               args.max_seconds, max_iterations=iterations)
            rows.append(row_of(name, label, 1, of_pile[label]))
        if name not in args.more:
            solves[pile, int(seed)] = of_pile
        for ranks in (r for r in args.ranks if r > 1):
            for preconditioner in SUBDOMAINS:
                method = f"ipm:linear_solver=cg,preconditioner={preconditioner}"
                report = common.solve_once(args.results / "solves", file, method, "associated", 1e-3,
                                           args.max_seconds, ranks)
                rows.append(row_of(name, f"ipm {preconditioner}", ranks, report))
    command = f"scripts/bench/run ipm PILES --piles {' '.join(args.piles)} --seeds {' '.join(map(str, args.seeds))}"
    if args.more:
        command += f" --more {' '.join(args.more)}"
    command += f" --ranks {' '.join(map(str, args.ranks))} --max-seconds {args.max_seconds:g} --table {args.table}"
    common.write_results(args.results / args.table, "Interior point method on piles, relaxed law", command, rows, args.note,
                         picture=f"{args.table}.png")
    common.write_results(args.results / f"{args.table}-bars", "Interior point method on piles: medians over seeds", command,
                         bar_rows(solves, args.piles), args.note)
    plot(solves, args.results / f"{args.table}.png")


if __name__ == "__main__":
    main()
