"""How each method ends, and after how many iterations: Tables 1 and 2 of the paper beside ours.

Relative tolerance 1e-6, absolute 1e-3, at most 100 iterations, by each method's own merit function. Without scaling the
matrix of minmap's step is singular on contact problems: a slack is active while its friction is not, and its row is zero.
"""
from lcp_solves import counts_of, ends_of, spread

TITLE = "Ends and iterations on random LCPs, beside Erleben (2013), Tables 1 and 2"
METHODS = {"fluid": ("fischer", "minmap", "pgs", "psor", "amgs"),
           "contact": ("fischer", "fischer:gradient=true", "minmap", "minmap:scaled=true",
                       "minmap:scaled=true,gradient=true")}
PAPER = {("fluid", "fischer"): ("100 absolute", "5.00 5 5 0.00"), ("fluid", "minmap"): ("100 absolute", "4.07 3 5 0.29"),
         ("fluid", "pgs"): ("100 absolute", "49.38 9 83 17.48"), ("fluid", "psor"): ("100 absolute", "25.29 16 35 3.77"),
         ("contact", "fischer"): ("100 absolute", "14.54 9 26 2.79"), ("contact", "minmap"): ("100 no descent", "")}


def measure(study):
    rows = []
    for kind, methods in METHODS.items():
        paths = [study.problem(kind, seed) for seed in range(study.args.problems)]
        for method in study.chosen(methods):
            reports = study.solve_all(paths, method)
            ends, counts = PAPER.get((kind, method), ("", ""))
            rows.append({"problems": kind, "method": method, "ends": ends_of(reports), "ends in the paper": ends,
                         "iterations: mean least most deviation": spread(counts_of(method, reports)), "in the paper": counts})
    study.write(rows)
