"""Steps of Newton's methods on dense positive definite problems to an absolute tolerance of 1e-2, from zero and after 10
sweeps of pgs: Figure 6.
"""
import statistics

from lcp_solves import NEWTON, counts_of, ends_of, evaluations, spread

TITLE = "Newton's methods after sweeps, on dense problems"


def measure(study):
    paths = [study.problem("dense", seed) for seed in range(study.args.problems)]
    rows = []
    for method in NEWTON:
        means = []
        for sweeps in (0, 10):
            reports = study.solve_all(paths, f"{method}:sweeps={sweeps}", 1e-2, iterations=30)
            means.append(statistics.mean(evaluations(method, report["iterations"]) for report in reports))
            rows.append({"method": method, "sweeps before": sweeps, "problems": "dense", "ends": ends_of(reports),
                         "iterations: mean least most deviation": spread(counts_of(method, reports)),
                         "of those without": f"{means[-1] / means[0]:.2f}",
                         "in the paper": "at most 1/2" if sweeps else ""})
    study.write(rows)
