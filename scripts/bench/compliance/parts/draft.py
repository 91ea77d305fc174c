"""Force on the blade of configs/trench.yaml over the stiffness of the grains, for three beds of the same kind.

The blade is drawn from 0.6 s on; its force against the way (draft) is taken from 0.7 s to 1.4 s: its mean, median and
peak. Every run solves to 1e-4 and ends at the scene's end, after `wall_limit` seconds of the clock (`end_s` tells), or
because a grain is wedged between the blade and what does not yield (`ends`).
"""
import statistics

import common
import softness_runs as runs

TITLE = "Draft force of the trench over Young's modulus"
TOLERANCE = 1e-4
MODULI = (1e6, 1e7, 1e8, 1e9, 1e10, None)
SEEDS = (1, 2, 3)
DRAWN = 0.7  # s
WALL_LIMIT = 360  # s


def row_of(young, seed, folder, short):
    overrides = [f"solver.tolerance={TOLERANCE}", f"bodies.bed.place.seed={seed}", "output.snapshots.every=0",
                 "debug.fclib.not_converged=0"]
    overrides.append(f"materials.gravel.young_modulus={young}" if young else common.RIGID)
    if short:
        overrides.append("time.end=0.05")
    drawn = 0.0 if short else DRAWN
    seconds, failure = runs.run(runs.TRENCH, folder, overrides, WALL_LIMIT, may_fail=True)
    steps = common.table(folder)
    draft = [-row["force_x"] for row in common.table(folder, "tools") if row["tool"] == "blade" and row["time"] > drawn]
    figures = [f"{f(draft):.1f}" if draft else "" for f in (statistics.fmean, statistics.median, max)]
    full = 0.05 if short else 1.4
    return {
        "E_Pa": runs.name_of(young), "seed": seed, "end_s": f"{steps[-1]['time']:.3f}",
        "ends": "wedged" if "wedged" in failure else failure or
                ("done" if steps[-1]["time"] > full - 1e-6 else "wall limit"),
        "draft_mean_N": figures[0], "draft_median_N": figures[1], "draft_peak_N": figures[2],
        "unsolved": runs.unsolved(steps), "updates_M": f"{runs.updates(steps) / 1e6:.1f}",
        "late_sweeps": statistics.median(s["iterations"] for s in steps if s["time"] > drawn) if draft else "",
        "compression_worst": f"{max(s['compression'] for s in steps):.2g}",
        "penetration_worst": f"{max(s['penetration'] for s in steps):.2g}", "cpu_s": f"{seconds:.1f}"}


def measure(study):
    for young in (1e8, None) if study.short else MODULI:
        for seed in SEEDS[:1] if study.short else SEEDS:
            folder = study.folder / f"{runs.name_of(young)}-{seed}"
            study.add(row_of(young, seed, folder, study.short))
