"""A dam of balls breaks: a gate lifts, and the column behind it runs out along a box.

The box is 2 m long and 0.4 m wide, of plane walls; the column is 0.6 m long, from the wall at x = 0 to the gate, which lifts
at 1 m/s. Balls of 10 mm (from 0.9 to 1.1 of it, so that they do not lie in rows) fill 0.2 m of height if a share of 0.66 of
the room is theirs. Beds that settle with friction do not reach that (0.6): the balls settle without friction, and have it,
walls and gate alike, from when the gate lifts. Contacts yield by Hertz's law at 1e7 Pa and do not bounce. Rolling friction of
0.3 is read as a largest moment of 0.3 r f_n with r the mean radius; the runs with r/2, the reduced radius of a pair, and
without any are there to compare. Each is the mean over three beds, with its standard error.

Heights are those of surface.heights, the mean over two diameters to each side of a place; the front is as in collapse.
"""
import dataclasses
import math

import numpy

import beds
import surface
from lab import mean_and_error

TITLE = "A dam of balls breaks"
SOURCE = ("height 0.2 m at x = 0.4 m and 0.025 m at x = 0.8 m, of sand: S. Evangelista's dam break, as it is "
          "quoted with balls of 10 mm; neither the paper nor the instant of these heights was found")

GRAVITY, DENSITY, YOUNG, MU = 9.81, 2560, 1e7, 0.5
BOX, LENGTH, TALL, PACKING = 2.0, 0.6, 0.2, 0.654
LIFT = 1.0  # m/s
FILL_DT, FILLED = 4e-3, 0.4  # s
PUBLISHED = {0.4: 0.2, 0.8: 0.025}  # heights at places, m


@dataclasses.dataclass
class Size:
    diameter: float = 0.01  # mean, of the balls
    width: float = 0.4
    end: float = 1.4  # s from when the gate lifts


def wall(position, normal):
    return {"material": "wall", "shape": {"type": "plane"}, "position": position, "normal": normal}


def fill(size, seed):
    """The configuration in which the column settles behind the gate, without friction but well damped."""
    radius, count = size.diameter / 2, round(PACKING * LENGTH * TALL * size.width / (math.pi / 6 * size.diameter**3))
    return {
        "time": {"dt": FILL_DT, "end": FILLED},
        "gravity": [0, 0, -GRAVITY],
        "materials": {name: {"density": DENSITY, "young_modulus": YOUNG} for name in ("ball", "wall")},
        "friction": [{"between": ["ball", other], "mu": 0, "damping": 1} for other in ("ball", "wall")],
        "bodies": {"dam": {"material": "ball", "radii": {"type": "uniform", "min": 0.9 * radius, "max": 1.1 * radius},
                           "place": {"type": "box", "low": [0, 0, 0], "high": [LENGTH, size.width, 2 * TALL],
                                     "arrangement": "dense", "count": count, "seed": seed}}},
        "tools": {"floor": wall([0, 0, 0], [0, 0, 1]), "back": wall([0, 0, 0], [1, 0, 0]), "end": wall([BOX, 0, 0], [-1, 0, 0]),
                  "left": wall([0, 0, 0], [0, 1, 0]), "right": wall([0, size.width, 0], [0, -1, 0]),
                  "gate": {"material": "wall", "position": [LENGTH + size.diameter, 0.5 * size.width, 2 * TALL],
                           "shape": {"type": "box", "size": [2 * size.diameter, 2 * size.width, 4 * TALL]}}},
        "solver": {"tolerance": 1e-4},
        "output": {"snapshots": {"start": False}, "checkpoints": {"end": False}}}


def broken(filled, size, snapshot, rolling, dt):
    """The configuration in which the gate lifts, from the settled state that a snapshot holds; @p rolling in radii."""
    friction = {"mu": MU, "rolling": rolling * size.diameter / 2}
    return {**filled, "time": {"dt": dt, "end": size.end},
            "friction": [{"between": ["ball", other], **friction} for other in ("ball", "wall")],
            "bodies": {"dam": {"material": "ball", "place": {"type": "hdf5", "file": str(snapshot)}}},
            "tools": {**filled["tools"],
                      "gate": {**filled["tools"]["gate"], "motion": {"type": "velocity", "velocity": [0, 0, LIFT]}}},
            "output": {"snapshots": {"every": 0.1}, "checkpoints": {"end": False}}}


def profiles(lab, size, rolling, dt, seed):
    """[(time, places, heights, median speed)] of a dam that breaks."""
    filled, name = fill(size, seed), f"width{size.width:g}-d{size.diameter:g}-seed{seed}"
    snapshot = beds.last_snapshot(lab.run(f"{name}-filled", filled)).relative_to(lab.folder)
    folder = lab.run(f"{name}-rolling{rolling:g}-dt{dt:g}", broken(filled, size, snapshot, rolling, dt))
    return [(state.time, *surface.heights(state, 0, BOX, size.width, size.diameter),
             numpy.median(numpy.linalg.norm(state.velocity, axis=1))) for state in surface.snapshots(folder)]


def height_at(place, x, z, diameter):
    return z[numpy.abs(x - place) < 2.1 * diameter].mean()


def row_of(size, rolling, dt, seed, profile):
    time, x, z, _ = profile
    return {"rolling_over_r": rolling, "dt_s": dt, "width_m": size.width, "seed": seed, "time_s": f"{time:.1f}",
            **{f"height_at_{place:g}_m": f"{height_at(place, x, z, size.diameter):.4f}" for place in (0.2, 0.4, 0.6, 0.8, 1.0)},
            "front_m": f"{surface.front(z, size.diameter):.3f}"}


def in_the_end(profiles, diameter):
    """Of a dam that has broken: height of its column before over TALL, heights at the published places, median speed."""
    (_, x, before, _), *_, (_, _, after, speed) = profiles
    return {"column": before[x < LENGTH - diameter].mean() / TALL, "speed": speed,
            **{place: height_at(place, x, after, diameter) for place in PUBLISHED}}


def measure(lab):
    size = Size(diameter=0.02, width=0.1, end=0.8) if lab.short else Size()
    cases = [(0.0, 1e-3)] if lab.short else [(0.3, 1e-3), (0.15, 1e-3), (0.0, 1e-3)]
    runs = {case: {seed: profiles(lab, size, *case, seed) for seed in lab.seeds} for case in cases}
    ends = {case: [in_the_end(one, size.diameter) for one in of_case.values()] for case, of_case in runs.items()}
    means = {case: mean_and_error(of_case) for case, of_case in ends.items()}
    mean, error = means[cases[0]]
    near = 0.15 if lab.short else 0.1
    lab.check("height of the column over 0.2 m", mean["column"], 1 - near, 1 + near, error["column"])
    for place, wanted in PUBLISHED.items():
        lab.check(f"height at {place:g} m less the published, in the end, m", mean[place] - wanted, -2 * size.diameter,
                  2 * size.diameter, error[place])
    for (rolling, _), (mean, error) in list(means.items())[1:]:
        for place, wanted in PUBLISHED.items():
            lab.check(f"the same at {place:g} m, rolling friction of {rolling:g} r, m", mean[place] - wanted, -4 * size.diameter,
                      4 * size.diameter, error[place])
    lab.check("median speed in the end, largest of all, m/s", max(one["speed"] for of_case in ends.values() for one in of_case), 0, 0.02)
    lab.check("steps that are not converged", lab.unsolved, 0, 0)
    draw(lab.axes, runs, cases[0])
    return [row_of(size, *case, seed, profile) for case, of_case in runs.items() for seed, found in of_case.items() for profile in found]


def draw(axes, runs, chosen):
    first = next(iter(runs[chosen].values()))
    for k, (time, x, z, _) in enumerate(first):
        axes.plot(x, z, color=str(0.8 * (1 - k / len(first))), linewidth=0.8,
                  label=f"first bed, every 0.1 s to {first[-1][0]:g} s" if k == 0 else None)
    for k, (case, of_case) in enumerate(runs.items()):
        for bed, found in enumerate(of_case.values()):
            axes.plot(*found[-1][1:3], f"C{k}", linewidth=1.2, label=None if bed else f"in the end, rolling {case[0]:g} r, each bed")
    axes.plot(list(PUBLISHED), list(PUBLISHED.values()), "kx", label="published")
    axes.set(xlabel="x, m", ylabel="height, m", xlim=(0, 1.6))
    axes.legend(fontsize="small")
