"""What a step costs: settling of 5,000 spheres on one core, rigid and compliant, against another build of scree.

  scripts/bench/run step [--before PROGRAM] [--end 1.0] [--repeats 5] [--results FOLDER]

Each case is run --repeats times, the program of --before (rigid to 1e-4, the only case that every version knows) and
this one by turns, so that a busy machine slows both. The table has medians: processor seconds of the process, contact
updates (sweeps x contacts of steps.csv, in millions), the share of the solver, nanoseconds an update, seconds a
step and potential contact outside the solver over the last fifth of the steps, peak memory, largest overlap and
compression; and the ratio of the processor seconds of --before to each.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import tempfile

import common

CONFIG = common.ROOT / "configs" / "settle.yaml"
CASES = [  # name, Young's modulus or none, tolerance
    ("rigid 1e-4", None, 1e-4),
    ("1e10 Pa 1e-4", 1e10, 1e-4),
    ("1e8 Pa 1e-4", 1e8, 1e-4),
    ("1e8 Pa 1e-8", 1e8, 1e-8),
    ("1e7 Pa 1e-4", 1e7, 1e-4),
]
BEFORE = "before, rigid 1e-4"


def measure(program, young, tolerance, end):
    """One run: its figures, by name."""
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "run"
        command = [program, "run", CONFIG, "--output", output, "--quiet", "--set", f"time.end={end}",
                   "--set", f"solver.tolerance={tolerance}", "--set", "output.snapshots.every=0"]
        if young:
            command += ["--set", f"materials.gravel.young_modulus={young}"]
        process = subprocess.Popen([str(word) for word in command], env=common.environment())
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise SystemExit(f"{program} ended with status {process.returncode}")
        steps = common.table(output)
        late = steps[-max(1, len(steps) // 5):]
        updates = sum(s["iterations"] * s["contacts"] for s in steps)
        solve = sum(s["seconds_solve"] for s in steps)
        return {
            "cpu_s": usage.ru_utime + usage.ru_stime,
            "updates_M": updates / 1e6,
            "solve_share": solve / sum(s["seconds_step"] for s in steps),
            "ns_per_update": 1e9 * solve / updates,
            "us_per_contact_outside": statistics.median(
                1e6 * (s["seconds_step"] - s["seconds_solve"]) / s["contacts"] for s in late),
            "late_sweeps": statistics.median(s["iterations"] for s in late),
            "not_converged": sum(s["status"] != "converged" for s in steps),
            "peak_MB": usage.ru_maxrss / 1024,
            "penetration_late": max(s["penetration"] for s in late),
            "compression_late": max(s.get("compression", 0.0) for s in late),
        }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", help="another build, to compare with")
    parser.add_argument("--end", type=float, default=1.0, help="seconds simulated")
    parser.add_argument("--repeats", type=int, default=5)
    common.declare_results(parser)
    args = parser.parse_args()
    cases = [(name, common.PROGRAM, young, tolerance) for name, young, tolerance in CASES]
    if args.before:
        cases.insert(0, (BEFORE, args.before, None, 1e-4))
    runs = {name: [] for name, *_ in cases}
    for _ in range(args.repeats):
        for name, program, young, tolerance in cases:
            runs[name].append(measure(program, young, tolerance, args.end))
            print(f"{name}: {runs[name][-1]['cpu_s']:.1f} s", flush=True)
    rows = []
    for name, figures in runs.items():
        median = {key: statistics.median(run[key] for run in figures) for key in figures[0]}
        seconds = [run["cpu_s"] for run in figures]
        row = {"case": name, "runs": len(figures)} | {key: f"{value:.3g}" for key, value in median.items()}
        row["cpu_s_spread"] = f"{min(seconds):.1f}-{max(seconds):.1f}"
        if args.before:
            ratios = [b["cpu_s"] / run["cpu_s"] for b, run in zip(runs[BEFORE], figures)]
            row["before_over_this"] = f"{statistics.median(ratios):.1f}"
        rows.append(row)
    command = "scripts/bench/run step" + (" --before PROGRAM" if args.before else "") + \
        f" --end {args.end:g} --repeats {args.repeats}"
    common.write_results(args.results / "step", "What a step costs: settling of 5,000 spheres on one core", command, rows)


if __name__ == "__main__":
    main()
