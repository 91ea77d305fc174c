"""Processor seconds by size: Figure 5. Ten iterations of the iterative methods, or fewer where they end before, and the
whole solve of the pivoting ones.

The paper's fluid problems have 8 to 1000 variables, its contact problems 60 to 300. Told is the least of --repeats solves on
one rank, without reading the problem. The slope is that of the logarithms from the size before; below some 1 ms it is that of
the set-up.
"""
import math

from lcp_solves import end_of, panels, pivot, solve

TITLE = "Processor seconds of ten iterations, or of pivoting to the solution"
ITERATIVE = {"fluid": ("fischer", "fischer:strategy=approximation", "minmap", "pgs", "psor", "amgs"),
             "contact": ("fischer", "fischer:strategy=approximation", "minmap")}
PIVOTING = {"fluid": {"lemke": 1000, "baraff": 2000}, "contact": {"lemke": 1000}}  # and the rows they take
SIZES = {"fluid": (8, 64, 216, 512, 1000, 1728, 8000, 64000), "contact": (60, 120, 180, 240, 300, 600, 996)}
IN_THE_PAPER = {"fluid": 1000, "contact": 300}


def timed(path, method):
    """The report of ten iterations of a method, or of all pivots, and its seconds."""
    report = pivot(path, method) if method in ("lemke", "baraff") else solve(path, method, 1e-300, 0, 10)
    return report, report["processor_seconds"]


def measure(study):
    figure, axes = panels(len(SIZES))
    rows = []
    for place, (kind, sizes) in zip(axes[0], SIZES.items()):
        curves = {}
        for size in (size for size in sizes if size <= study.args.largest):
            path = study.problem(kind, 0, size)
            methods = [*study.chosen(ITERATIVE[kind]), *(name for name, most in PIVOTING[kind].items() if size <= most)]
            for method in methods:
                report, seconds = min((timed(path, method) for _ in range(study.args.repeats)), key=lambda one: one[1])
                curve = curves.setdefault(method, [])
                slope = math.log(seconds / curve[-1][1]) / math.log(size / curve[-1][0]) if curve else ""
                curve.append((size, seconds))
                rows.append({"problem": kind, "variables": size, "method": method, "iterations": report["iterations"],
                             "end": end_of(report), "seconds": f"{seconds:.2e}",
                             "slope": f"{slope:.1f}" if curve[:-1] else "",
                             "paper": "measured" if size <= IN_THE_PAPER[kind] else ""})
        for method, curve in curves.items():
            place.loglog(*zip(*curve), marker=".", label=method)
        place.set(title=f"Figure 5, {kind}", xlabel="variables", ylabel="processor seconds")
        place.legend(fontsize="small")
    study.write(rows, figure=figure)
