"""Ellipsoids come together from a wide cloud (paper 001, section 4.2, Fig. 4): what ReLCP and balls take as the bed becomes dense."""
import math
import statistics

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt

import common
import smooth_compaction as compaction
import smooth_scenes as scenes

FRACTION = 0.0025  # of the cube that they fill at the start, as the paper's
DT = 0.1
WINDOW = 100  # steps, as the paper's rolling means have
PRESSED = 20.0  # time for which they are pressed together after the last one has come
BALLS = (3, 7, 13)
COUNT, SHORT = 300, 12
TITLE = "Ellipsoids come together: what ReLCP and balls take as their bed becomes dense (Fig. 4)"
NOTE = ("Spheroids of aspect 2, semi-axes 1, 0.5, 0.5, overdamped by their length, come together in the paper's field from 0.25 % of a "
        f"cube, as the paper's 10,000 do, in steps of {DT:g}. Each method follows its own bed; of each {WINDOW} steps, up to `time`, the means, "
        "the largest `overlap` of the ellipsoids, over the minor radius, and the steps that are `unsolved`. All are solved by `apgd` to a "
        "residual of 1e-6, as in the table compaction. `updates`: constraints times iterations in a step; `seconds`: wall clock of its "
        "stages, on one core.")


def scene(count, contact):
    half, grains = compaction.bodies(count, FRACTION)
    last_comes = 3**0.5 * half / compaction.SPEED
    end = DT * WINDOW * math.ceil((last_comes + PRESSED) / (DT * WINDOW))
    config = scenes.config("gather", DT, end, grains, scenes.radial_field(-1), contact)
    return config | {"solver": {"method": "apgd", "tolerance": 1e-6},
                     "output": {"snapshots": {"every": 0, "start": False, "end": False}}}


def means(output):
    """What a run took in each WINDOW steps: means, the largest overlap, unsolved steps; time is that of the last of them."""
    steps = common.table(output)
    for last in range(WINDOW, len(steps) + 1, WINDOW):
        some = steps[last - WINDOW:last]
        yield {"time": some[-1]["time"], "constraints": statistics.mean(s["contacts"] for s in some),
               "updates": statistics.mean(s["contacts"] * s["iterations"] for s in some), "seconds": compaction.seconds_of(some),
               "recursions": statistics.mean(s["recursions"] for s in some), "overlap": max(s["overlap"] for s in some),
               "unsolved": sum(s["status"] != "converged" for s in some)}


def row(label, of_method, of_relcp):
    return {"time": f"{of_method['time']:g}", "method": label, "constraints": round(of_method["constraints"]),
            "updates": f"{of_method['updates']:.1e}", "seconds": f"{of_method['seconds']:.4f}",
            "seconds_over_relcp": f"{of_method['seconds'] / of_relcp['seconds']:.1f}",
            "recursions": f"{of_method['recursions']:.1f}", "overlap": f"{of_method['overlap']:.1e}", "unsolved": of_method["unsolved"]}


def plot(runs, path):
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4))
    for label, windows in runs.items():
        times = [w["time"] for w in windows]
        left.plot(times, [w["seconds"] / of_relcp["seconds"] for w, of_relcp in zip(windows, runs["ReLCP"])], label=label)
        right.plot(times, [w["constraints"] for w in windows], label=label)
    left.set_ylabel("seconds of a step over those of ReLCP")
    right.set_ylabel("constraints")
    for axes in (left, right):
        axes.set_yscale("log")
        axes.set_xlabel("time")
    left.legend()
    figure.savefig(path, dpi=120, bbox_inches="tight")
    plt.close(figure)


def measure(folder, path, args):
    count = args.count or (SHORT if args.short else COUNT)
    runs = {}
    for contact in ("relcp", *((3,) if args.short else BALLS)):
        output, _ = scenes.run(folder, f"{contact}-{count}", scene(count, contact))
        runs["ReLCP" if contact == "relcp" else f"{contact} balls"] = list(means(output))
    rows = [row(label, window, of_relcp) for label, windows in runs.items() for window, of_relcp in zip(windows, runs["ReLCP"])]
    picture = path.with_suffix(".png")
    plot(runs, picture)
    return TITLE, rows, NOTE, [], picture.name
