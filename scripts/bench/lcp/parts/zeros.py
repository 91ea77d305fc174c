"""How methods end as a dense semidefinite matrix has more zero eigenvalues: the last experiment of section 7.

Relative tolerance 1e-4, absolute 1e-2, at most 100 iterations, fischer by differences, as in the paper, which prints no
numbers: with many zero eigenvalues its Newton methods end in a local minimum or without descent, its sweeps always at their
limit. The published right-hand side need not leave such a problem a solution: lemke, which ends with one, or as infeasible with
a ray that says that there is none, tells. With a complementary right-hand side all have one.
"""
import statistics

import lcp_problems
from lcp_solves import counts_of, ends_of, pivot, spread

TITLE = "Ends by the share of zero eigenvalues"
SIDES = {"published": lcp_problems.published, "complementary": lcp_problems.complementary}
METHODS = ("fischer:strategy=approximation", "fischer", "minmap", "minmap:gradient=true", "pgs", "psor")


def measure(study):
    rows = []
    for side, function in SIDES.items():
        for share in study.args.shares:
            paths = [study.problem("singular", seed, side=function, share=share) for seed in range(study.args.problems)]
            lemke = ends_of([pivot(path, "lemke") for path in paths])
            for method in study.chosen(METHODS):
                reports = study.solve_all(paths, method, 1e-2, 1e-4)
                rows.append({"right-hand side": side, "zero eigenvalues": share, "lemke": lemke, "method": method,
                             "ends": ends_of(reports), "iterations: mean least most deviation": spread(counts_of(method, reports)),
                             "median residual": f"{statistics.median(r['measures']['residual'] for r in reports):.0e}"})
    study.write(rows)
