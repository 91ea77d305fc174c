"""Draft force of the blade in configs/trench.yaml for two time steps and two tolerances.

  scripts/bench/run trench [--ranks 2] [--jobs 1] [--results FOLDER]

A table (mean and standard deviation of the draft force in the second half of the run, in which the blade
is drawn at constant speed) and a plot of the draft force over time.
"""
import argparse
import concurrent.futures
import statistics
import tempfile

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import common

CONFIG = common.ROOT / "configs" / "trench.yaml"
CASES = [(dt, tolerance) for dt in (2e-3, 4e-3) for tolerance in (1e-3, 1e-4)]
WINDOW = 0.02  # s, of the moving mean in the plot


def blade(rows):
    chosen = [r for r in rows if r["tool"] == "blade"]
    return [r["time"] for r in chosen], [r["force_x"] for r in chosen]


def run_case(ranks, dt, tolerance):
    with tempfile.TemporaryDirectory() as folder:
        seconds, _ = common.run(CONFIG, folder, ranks, [
            f"time.dt={dt}", f"solver.tolerance={tolerance}", "output.snapshots.every=0", common.RIGID])
        return seconds, common.table(folder), blade(common.table(folder, "tools"))


def moving_mean(values, width):
    return [statistics.fmean(values[max(0, i - width):i + width + 1]) for i in range(len(values))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time")
    common.declare_results(parser)
    args = parser.parse_args()
    figure, axes = plt.subplots(figsize=(8, 4.5))
    rows = []
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        results = list(pool.map(lambda case: run_case(args.ranks, *case), CASES))
    for (dt, tolerance), (seconds, steps, (times, forces)) in zip(CASES, results):
        drawn = [-f for t, f in zip(times, forces) if t > 0.5 * times[-1]]
        rows.append({
            "dt_s": dt, "tolerance": tolerance, "wall_s": f"{seconds:.0f}",
            "draft_mean_N": f"{statistics.fmean(drawn):.2f}", "draft_deviation_N": f"{statistics.stdev(drawn):.2f}",
            "sweeps_median": statistics.median(s["iterations"] for s in steps),
            "not_converged": sum(s["status"] != "converged" for s in steps),
            "worst_penetration": f"{max(s['penetration'] for s in steps):.1e}"})
        axes.plot(times, moving_mean([-f for f in forces], round(0.5 * WINDOW / dt)), linewidth=0.8,
                  label=f"dt {dt:g} s, tolerance {tolerance:g}")
    axes.set_xlabel("time, s")
    axes.set_ylabel(f"draft force, N (mean over {WINDOW:g} s)")
    axes.legend()
    figure.tight_layout()
    common.write_results(args.results / "trench", "Draft force of a blade in a trench", "scripts/bench/run trench", rows,
                         picture="trench.png")
    figure.savefig(args.results / "trench.png", dpi=120)


if __name__ == "__main__":
    main()
