"""Settling in a box: cost on one and more ranks, and agreement between them.

  scripts/bench/run settle [--scene CSV] [--ranks 1 2] [--end 1.0] [--results FOLDER]

CSV (columns id,x,y,z,r) replaces the grains that configs/settle.yaml generates. Two tables, with dt = 1e-3:
cost: the whole run at tolerance 1e-4; agreement: the first 20 steps at 1e-10 on 1, 2 and 4
ranks beside those on one.
"""
import argparse
import statistics
import tempfile

import common

CONFIG = common.ROOT / "configs" / "settle.yaml"
DT = 1e-3


def scene(args):
    if not args.scene:
        return []
    return ["bodies.grains.radii={type: file}",
            f"bodies.grains.place={{type: csv, file: {args.scene}}}"]


def cost(args, folder):
    rows = []
    for ranks in args.ranks:
        seconds, megabytes = common.run(CONFIG, folder, ranks, [f"time.end={args.end}", f"time.dt={DT}", *scene(args)])
        steps = common.table(folder)
        late = steps[-max(1, len(steps) // 5):]
        rows.append({
            "ranks": ranks, "steps": len(steps), "wall_s": f"{seconds:.1f}",
            "peak_MB_per_rank": f"{megabytes:.0f}",
            "contacts_end": int(steps[-1]["contacts"]),
            "sweeps_median": statistics.median(s["iterations"] for s in steps),
            "sweeps_median_late": statistics.median(s["iterations"] for s in late),
            "solve_share": f"{sum(s['seconds_solve'] for s in steps) / sum(s['seconds_step'] for s in steps):.2f}",
            "not_converged": sum(s["status"] != "converged" for s in steps),
            "worst_residual": f"{max(s['residual'] for s in steps):.1e}",
            "worst_penetration": f"{max(s['penetration'] for s in steps):.1e}"})
    return rows


def agreement(args, folder):
    settings = [f"time.end={20 * DT}", f"time.dt={DT}", "solver.tolerance=1e-10", *scene(args)]
    rows, reference = [], None
    for ranks in (1, 2, 4):
        common.run(CONFIG, folder, ranks, settings)
        steps = common.table(folder)
        reference = reference or steps
        rows.append({
            "ranks": ranks, "steps": len(steps), "contacts_end": int(steps[-1]["contacts"]),
            "steps_with_other_contacts": sum(a["contacts"] != b["contacts"] for a, b in zip(steps, reference)),
            "kinetic_energy_difference": "{:.1e}".format(
                max(abs(a["kinetic_energy"] / b["kinetic_energy"] - 1) for a, b in zip(steps, reference))),
            "worst_residual": f"{max(s['residual'] for s in steps):.1e}"})
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scene")
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--end", type=float, default=1.0)
    common.declare_results(parser)
    args = parser.parse_args()
    command = "scripts/bench/run settle" + (" --scene box-settle-5k.csv" if args.scene else "")
    with tempfile.TemporaryDirectory() as folder:
        common.write_results(args.results / "agreement", "Settling: agreement between ranks", command,
                             agreement(args, folder))
        common.write_results(args.results / "cost", "Settling: cost", command, cost(args, folder))


if __name__ == "__main__":
    main()
