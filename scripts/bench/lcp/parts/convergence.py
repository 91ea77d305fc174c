"""On one problem of each kind, merit over iterations, and the order at which it falls at last: Figure 2.

Of merits a, b, c in a row the order is log(c/b) / log(b/a): 2 is quadratic, 1 linear, whose factor a step is told.
"""
import math

from lcp_solves import NEWTON, end_of, panels, plot_merits, solve

TITLE = "The order at which merit falls"
METHODS = {"fluid": ("fischer", "minmap", "pgs", "psor", "amgs"), "contact": ("fischer", "minmap")}
MERIT_OF_ROUNDING = 1e-24


def order(report):
    """The order at which the merit falls at last, and the factor of the last iteration."""
    merits = [point["merit"] for point in report["history"] if point.get("merit", 0) > MERIT_OF_ROUNDING]
    if len(merits) < 3 or not merits[-1] < merits[-2] < merits[-3]:
        return "", ""
    a, b, c = merits[-3:]
    return f"{math.log(c / b) / math.log(b / a):.2f}", f"{c / b:.1e}"


def in_the_paper(kind, method):
    if (kind, method) == ("contact", "minmap"):
        return "no descent"
    return "" if method == "amgs" else "quadratic" if method in NEWTON else "linear"


def measure(study):
    figure, axes = panels(len(METHODS))
    rows = []
    for place, (kind, methods) in zip(axes[0], METHODS.items()):
        path = study.problem(kind, 0)
        curves = [(method, solve(path, method, 1e-22, 0, 50)) for method in study.chosen(methods)]
        plot_merits(place, curves, f"Figure 2, {kind}")
        for method, report in curves:
            exponent, factor = order(report)
            rows.append({"problem": kind, "method": method, "iterations": report["iterations"], "end": end_of(report),
                         "order": exponent, "last factor": factor, "paper": in_the_paper(kind, method)})
    study.write(rows, figure=figure)
