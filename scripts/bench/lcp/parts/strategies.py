"""The four strategies of fischer, where they can differ: Figure 3.

They differ where x_i = y_i = 0, or for `approximation` everywhere. From x = 0 the published right-hand sides have a
quarter of the rows there in the first step, those with `zeros=0.75` three quarters; the degenerate problems, whose
solution has x_i = y_i = 0 in a quarter of the rows, never but at their end. Each solve runs for 30 iterations whatever its
merit, as the figure's; told are

- the evaluations to a merit of 1e-3, of the problems on which all strategies get there;
- the problems on which a strategy takes fewer than each of the others, and others than `perturbation`, the default;
- the median of the least merits.
"""
import functools
import statistics

import lcp_problems
from lcp_solves import evaluations, iterations_to, panels, plot_merits, spread

TITLE = "The four strategies of fischer"
SIDES = {"published": {},
         "zeros 0.75": {"side": functools.partial(lcp_problems.published, zeros=0.75)},
         "degenerate": {"side": lcp_problems.degenerate}}
ITERATIONS = 30


def counts_to(reports, merit):
    return [None if n is None else evaluations("fischer", n) for n in (iterations_to(r, merit) for r in reports)]


def least_merit(report):
    return min(point["merit"] for point in report["history"])


def rows_of(kind, side, reports):
    """@p reports: those of each strategy, problem after problem."""
    counts = {name: counts_to(some, 1e-3) for name, some in reports.items()}
    solved = [k for k, of_one in enumerate(zip(*counts.values())) if None not in of_one]
    for name, own in counts.items():
        others = [count for other, count in counts.items() if other != name]
        yield {"problems": f"{kind}, {side}", "strategy": name, "solved": sum(n is not None for n in own),
               "iterations: mean least most deviation": spread([own[k] for k in solved]),
               "fewest alone": sum(all(own[k] < other[k] for other in others) for k in solved),
               "other count than perturbation": sum(own[k] != counts["perturbation"][k] for k in solved), "of": len(solved),
               "least merit": f"{statistics.median(map(least_merit, reports[name])):.0e}"}


def measure(study):
    figure, axes = panels(2)
    rows = []
    for place, kind in zip(axes[0], ("fluid", "contact")):
        for side, more in SIDES.items():
            paths = [study.problem(kind, seed, **more) for seed in range(study.args.problems)]
            reports = {name: study.solve_all(paths, f"fischer:strategy={name}", 1e-300, 0, ITERATIONS)
                       for name in study.args.strategies}
            rows += rows_of(kind, side, reports)
            if side == "published":
                plot_merits(place, [(name, some[0]) for name, some in reports.items()], f"Figure 3, fischer on {kind}")
    study.write(rows, figure=figure)
