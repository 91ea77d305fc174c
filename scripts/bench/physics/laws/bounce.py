"""A ball that falls on a floor comes back to e^2 of the height from which it fell, e being the restitution.

Heights are the highest of a step between two impacts. An impact acts as if at the start of its step, up to v dt above
the floor, v = sqrt(2 g h) being its speed: of the ratio of heights, that is an error of sqrt(2 g / h) dt, and as much
may come of a free flight whose positions are off by g t dt / 2. Both must vanish with dt.
"""
import numpy

import common

TITLE = "Heights of a bouncing ball"
SOURCE = "I. Newton, Principia, 1687, scholium to the laws of motion (parting speed e times that of approach)"

GRAVITY = 9.81
FALL, RADIUS, DENSITY = 1.0, 0.05, 2600.0
MASS = DENSITY * 4 / 3 * numpy.pi * RADIUS**3
BOUNCES = 3


def apexes(folder):
    """Heights above the place of rest, from which the ball begins and to which it comes back."""
    height = numpy.array([row["potential_energy"] for row in common.table(folder)]) / (MASS * GRAVITY) - RADIUS
    top = numpy.flatnonzero((height[1:-1] > height[:-2]) & (height[1:-1] >= height[2:])) + 1
    return numpy.array([FALL, *height[top][:BOUNCES]])


def bounce(lab, e, dt):
    time_of_fall = (2 * FALL / GRAVITY)**0.5
    time = time_of_fall * (1 + 2 * sum(e**n for n in range(1, BOUNCES + 1)))
    config = {"time": {"dt": dt, "end": round(time / dt) * dt}, "gravity": [0, 0, -GRAVITY],
              "materials": {"stone": {"density": DENSITY}},
              "friction": [{"between": ["stone", "stone"], "mu": 0.3, "restitution": e}],
              "bodies": {"ball": {"material": "stone", "radii": {"type": "list", "values": [RADIUS]},
                                  "place": {"type": "points", "positions": [[0, 0, RADIUS + FALL]]}}},
              "tools": {"floor": {"material": "stone", "shape": {"type": "plane"}}},
              "solver": {"tolerance": 1e-10},
              "output": {"checkpoints": {"end": False}, "snapshots": {"start": False, "end": False}}}
    heights = apexes(lab.run(f"e{e:g}-dt{dt:g}", config))
    if len(heights) != BOUNCES + 1:
        raise SystemExit(f"bounce: {len(heights) - 1} of {BOUNCES} bounces at e {e}, dt {dt}")
    return heights


def measure(lab):
    steps = (2e-3, 1e-3, 5e-4) if lab.short else (4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4)
    rows, worst, mean = [], 0.0, numpy.zeros(len(steps))
    for e in (0.5, 0.9) if lab.short else (0.5, 0.7, 0.8, 0.9):
        errors = []
        for dt in steps:
            heights = bounce(lab, e, dt)
            ratios = heights[1:] / heights[:-1]
            error = numpy.abs(ratios - e * e)
            errors.append(error.max())
            worst = max(worst, (error / (dt * numpy.sqrt(2 * GRAVITY / heights[:-1]))).max())
            rows.append({"e": e, "dt_s": dt, **{f"ratio {n}": f"{ratio:.5f}" for n, ratio in enumerate(ratios, 1)},
                         "e^2": f"{e * e:.4f}", "largest error": f"{errors[-1]:.1e}"})
        mean += numpy.square(errors)
        lab.axes.loglog(steps, errors, "o-", label=f"e = {e:g}")
    lab.axes.loglog(steps, numpy.array(steps) * 10, "k--", linewidth=0.8, label="first order")
    lab.check("largest error of a ratio over sqrt(2 g / h) dt", worst, 0, 2)
    order = numpy.polyfit(numpy.log(steps), numpy.log(mean) / 2, 1)[0]
    lab.check("order of the error in dt, mean of all e", order, 0.7, 1.3)
    lab.axes.set(xlabel="time step, s", ylabel="largest |height / height before - e$^2$|")
    lab.axes.legend()
    return rows
