"""The draft force of configs/trench.yaml with an error bar: what beds, dt, tolerance, stiffness and size of grains contribute.

  scripts/bench/run trench [--seeds 5] [--short] [--results FOLDER] [--runs FOLDER]

The draft force is the mean of -force_x of the blade from 0.7 s, when it moves at constant speed, to 1.4 s. Each variant
changes one thing of the configuration, for the same seeds of beds. --runs keeps the runs, and takes those that it holds.
"""
import argparse
import json
import pathlib
import tempfile

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy

import common
import softness_runs as runs

DRAWN = 0.7  # s
RADII, COUNT = (0.010, 0.014), 2000  # of the configuration
ALONE = "configs/trench.yaml"
# A test's scene: fewer grains, and a blade that is drawn through them at once.
SHORT = ["time.end=0.2", "bodies.bed.place.count=300", "tools.blade.position=[0.05, 0.15, 0.085]", "tools.blade.motion.times=[0, 0.05, 0.2]",
         "tools.blade.motion.displacements=[[0, 0, 0], [0, 0, 0], [0.2, 0, 0]]"]
NOTE = ("`draft_N`: mean over beds of other seeds, `standard_error_N` that of this mean, `scatter_N` the standard deviation of one bed. "
        "`change_percent`: of the draft force against that of the configuration, bed by bed, with the standard error of its mean. `in_time_N`: "
        "standard deviation over the steps of a run, of which `median_N` and `peak_N` are, too. `unsolved`: steps "
        "that are not converged; those of grains that yield are nearly all `too soft`: a spring is compressed by more than half a radius.")


def size(scale):
    """Grains so many times as large, as many as fill the trench alike."""
    low, high = (scale * radius for radius in RADII)
    return [f"bodies.bed.radii={{type: uniform, min: {low}, max: {high}}}", f"bodies.bed.place.count={round(COUNT / scale**3)}"]


def of_gravel(**keys):
    return [f"friction[gravel,gravel].{key}={value}" for key, value in keys.items()]


def variants():
    """(What is varied, its value, settings)."""
    yield ALONE, "dt 2 ms, 1e-4, 1e8 Pa", []
    for dt in (4e-3, 1e-3, 5e-4, 2.5e-4):
        yield "dt", f"{1e3 * dt:g} ms", [f"time.dt={dt}"]
    for tolerance in (1e-3, 1e-5, 1e-6):
        yield "tolerance", f"{tolerance:g}", [f"solver.tolerance={tolerance}"]
    for modulus in (1e7, 1e9, 1e10):
        yield "young_modulus", runs.name_of(modulus), [f"materials.gravel.young_modulus={modulus}"]
    yield "young_modulus", "rigid", [common.RIGID]
    for scale in (1.5, 0.75, 0.6):
        yield "size of grains", f"{scale:g} times", size(scale)
    for share in (0.05, 0.1, 0.2):
        yield "rolling friction", f"{share:g} of the radius", of_gravel(rolling=share * sum(RADII) / 2)
    for mu in (0.1, 0.2, 0.3, 0.5):
        yield "grains that do not turn", f"mu {mu:g}", ["bodies.bed.fix=[rotation]", *of_gravel(mu=mu)]


def run(folder, settings, seed, short):
    """Figures of one run."""
    output, kept = folder / str(seed), folder / f"{seed}.json"
    if not kept.exists():
        overrides = [f"bodies.bed.place.seed={seed}", "output.snapshots.every=0", "output.overwrite=true", *settings]
        seconds, _ = runs.run(runs.TRENCH, output, [*overrides, *(SHORT if short else [])])
        kept.write_text(json.dumps(seconds), encoding="utf-8")
    steps = common.table(output)
    blade = [row for row in common.table(output, "tools") if row["tool"] == "blade"]
    draft = [-row["force_x"] for row in blade if row["time"] > (0.1 if short else DRAWN)]
    return {"draft": numpy.mean(draft), "median": numpy.median(draft), "in_time": numpy.std(draft), "peak": max(draft),
            "unsolved": runs.unsolved(steps), "iterations": numpy.median([step["iterations"] for step in steps]),
            "cpu_s": json.loads(kept.read_text(encoding="utf-8"))}


def error(values):
    """Standard error of the mean."""
    return numpy.std(values, ddof=1) / numpy.sqrt(len(values))


def change(beds, alone, key):
    """Change of a figure against the configuration's, in percent, bed by bed."""
    return 100 * (numpy.array([bed[key] for bed in beds]) / numpy.array([bed[key] for bed in alone]) - 1)


def row_of(what, value, beds, alone):
    draft = numpy.array([bed["draft"] for bed in beds])
    mean = {key: numpy.mean([bed[key] for bed in beds]) for key in beds[0]}
    changes = {key: change(beds, alone, key) for key in ("draft", "median")}
    return {"varied": what, "value": value, "beds": len(beds), "draft_N": f"{draft.mean():.1f}",
            "standard_error_N": f"{error(draft):.1f}", "scatter_N": f"{numpy.std(draft, ddof=1):.1f}",
            "change_percent": f"{changes['draft'].mean():+.1f} +- {error(changes['draft']):.1f}",
            "median_N": f"{mean['median']:.1f}",
            "change_of_median_percent": f"{changes['median'].mean():+.1f} +- {error(changes['median']):.1f}",
            "in_time_N": f"{mean['in_time']:.0f}", "peak_N": f"{mean['peak']:.0f}", "iterations_median": f"{mean['iterations']:.0f}",
            "unsolved": sum(bed["unsolved"] for bed in beds), "cpu_s": f"{mean['cpu_s']:.1f}"}


def plot(path, measured):
    """Changes against the configuration, with their standard errors."""
    figure, axes = plt.subplots(figsize=(8, 0.3 * len(measured) + 1.2), layout="constrained")
    alone = measured[0][2]
    for key, mark, shift in (("draft", "o", 0.0), ("median", "x", 0.25)):
        for k, (_, _, beds) in enumerate(measured[1:]):
            changes = change(beds, alone, key)
            axes.errorbar(changes.mean(), -k - shift, xerr=error(changes), fmt=mark, color="black", capsize=3,
                          label=f"{'mean' if key == 'draft' else key} over time" if k == 0 else None)
    axes.set_yticks([-k for k in range(len(measured) - 1)], [f"{what}: {value}" for what, value, _ in measured[1:]])
    axes.axvline(0, linewidth=0.8, color="grey")
    axes.set_xscale("symlog", linthresh=20)
    axes.set(xlabel="change of the draft force, percent; linear up to 20")
    axes.legend()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=90)
    plt.close(figure)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--short", action="store_true", help="two variants of a small scene, for a test")
    common.declare_results(parser)
    parser.add_argument("--runs", type=pathlib.Path)
    args = parser.parse_args()
    measured, rows = [], []
    with tempfile.TemporaryDirectory() as temporary:
        for what, value, settings in list(variants())[:2] if args.short else variants():
            folder = (args.runs or pathlib.Path(temporary)) / f"{what}-{value}{'-short' * args.short}".replace("/", "-").replace(" ", "-")
            folder.mkdir(parents=True, exist_ok=True)
            measured.append((what, value, [run(folder, settings, seed, args.short) for seed in range(1, args.seeds + 1)]))
            rows.append(row_of(*measured[-1], measured[0][2]))
            common.write_results(args.results / "trench", "Draft force of a blade in a trench, and what it depends on",
                                 f"scripts/bench/run trench --seeds {args.seeds}", rows, NOTE, picture="trench.png")
    plot(args.results / "trench.png", measured)


if __name__ == "__main__":
    main()
