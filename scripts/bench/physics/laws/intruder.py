"""The force on a ball that is pushed down into grains, over the time step, and what makes its error.

Grains of 3.5 to 4.5 mm in a box 80 mm wide yield by Hertz's law at 5e7 Pa; a ball of 24 mm goes down at 0.15 m/s. The force is
the mean while its lowest point goes from 94 to 55 mm above the floor, some 50 to 90 mm below the bed's surface. T, for which two
grains touch after the highest fall (as `scree check` has it), is 0.34 ms. Each bed settles once, and each run begins with it,
the ball at rest for 0.1 s. Changes are taken bed by bed, so that what a bed has of its own drops out.

One thing at a time is varied. A spring's implicit step of dt damps a closed contact as a dashpot of k dt would: damping 2.4,
c = k 0.75 ms for two grains at 1 N, gives a step of 0.25 ms that of one of 1 ms. A change is that against steps of 0.25 ms where
nothing is varied, `by_step` against those with the same thing varied, `beyond_damping` against those with that damping, which
stands in the place of the restitution. With linear springs, of the stiffness of Hertz's at 1 N, that dashpot is the step's damping
at every load, and there is no secant.
"""
import dataclasses

import numpy

import beds
import common
from lab import mean_and_error

TITLE = "Force on a ball that is pushed into grains, over the time step"
SOURCE = "none: the force of a step is held against that of a shorter one, on the same beds"

GRAVITY, RADIUS, REST = 9.81, 0.012, 0.1
LOW, HIGH = 0.055, 0.094  # m, of the ball's lowest point, between which the force is taken
LONG, CHOSEN, SHORTEST = 1e-3, 2.5e-4, 1.25e-4  # s, steps


@dataclasses.dataclass
class Size:
    width: float = 0.08  # m, of the box
    grains: int = 1800
    settled: float = 1.0  # s
    settle_dt: float = 2.5e-4


@dataclasses.dataclass
class Push:
    """A run: all that is varied of it."""
    name: str = "nothing"
    speed: float = 0.15  # m/s
    mu: float = 0.5
    damps: tuple = ("restitution", 0.3)
    young: float = 5e7  # Pa
    law: str = "hertz"


DAMPING = ("damping", 2.4)
ALONE, DAMPED, SLOW = Push(), Push("damping 2.4", damps=DAMPING), Push("half the speed", speed=0.075)
SMOOTH, SMOOTH_DAMPED = Push("no friction", mu=0.0), Push("no friction but damping 2.4", mu=0.0, damps=DAMPING)
SOFT = Push("5e6 Pa", young=5e6)


def linear(push, name):
    """That with springs whose stiffness is Hertz's at 1 N, whatever bears on them."""
    return dataclasses.replace(push, name=name, law="linear")


LINEAR, LINEAR_DAMPED = linear(ALONE, "linear"), linear(DAMPED, "linear and damping 2.4")
LINEAR_SMOOTH = linear(SMOOTH, "linear and no friction")
LINEAR_SMOOTH_DAMPED = linear(SMOOTH_DAMPED, "linear and no friction but damping 2.4")
BEYOND = {ALONE.name: DAMPED.name, SMOOTH.name: SMOOTH_DAMPED.name, LINEAR.name: LINEAR_DAMPED.name,
          LINEAR_SMOOTH.name: LINEAR_SMOOTH_DAMPED.name}  # varied, and that with the damping
# What is varied, and the step; the first is what others are held against.
CASES = ((ALONE, CHOSEN), (ALONE, LONG), (DAMPED, CHOSEN), (ALONE, SHORTEST), (SLOW, CHOSEN), (SLOW, LONG), (ALONE, 2 * CHOSEN),
         (SMOOTH, CHOSEN), (SMOOTH, LONG), (SMOOTH_DAMPED, CHOSEN), (SOFT, CHOSEN), (SOFT, LONG),
         (LINEAR, CHOSEN), (LINEAR, LONG), (LINEAR_DAMPED, CHOSEN), (LINEAR_SMOOTH, CHOSEN), (LINEAR_SMOOTH, LONG),
         (LINEAR_SMOOTH_DAMPED, CHOSEN))
BEDS = 20
TOUCH = 3.4e-4  # T, s


def configuration(width, dt, end, push, place):
    def wall(position, normal):
        return {"material": "stone", "shape": {"type": "plane"}, "position": position, "normal": normal}
    motion = {"type": "velocity", "velocity": [0, 0, -push.speed], "start": REST}
    contact = {} if push.law == "hertz" else {"contact": {"law": push.law, "reference_force": 1.0}}
    return {
        **contact,
        "time": {"dt": dt, "end": end}, "gravity": [0, 0, -GRAVITY],
        "materials": {"stone": {"density": 2500, "young_modulus": push.young, "poisson_ratio": 0.3}},
        "friction": [{"between": ["stone", "stone"], "mu": push.mu, push.damps[0]: push.damps[1]}],
        "bodies": {"bed": {"material": "stone", **place}},
        "tools": {"floor": wall([0, 0, 0], [0, 0, 1]), "left": wall([0, 0, 0], [1, 0, 0]), "right": wall([width, 0, 0], [-1, 0, 0]),
                  "front": wall([0, 0, 0], [0, 1, 0]), "back": wall([0, width, 0], [0, -1, 0]),
                  "ball": {"material": "stone", "shape": {"type": "sphere", "radius": RADIUS},
                           "position": [width / 2, width / 2, 0.16], "motion": motion}},
        "solver": {"tolerance": 1e-4},
        "output": {"snapshots": {"start": False, "precision": "double"}, "checkpoints": {"end": False}}}


def bed(lab, size, seed):
    """The snapshot of a bed that has settled."""
    place = {"radii": {"type": "uniform", "min": 0.0035, "max": 0.0045},
             "place": {"type": "box", "low": [0, 0, 0], "high": [size.width, size.width, 0.35], "count": size.grains, "seed": seed}}
    still = dataclasses.replace(ALONE, speed=0.0)
    return beds.last_snapshot(lab.run(f"bed-{seed}", configuration(size.width, size.settle_dt, size.settled, still, place)))


def force(lab, size, push, dt, seed):
    """Mean force on the ball, N, in a run of one bed."""
    place = {"place": {"type": "hdf5", "file": str(bed(lab, size, seed).relative_to(lab.folder))}}
    end = REST + (0.16 - RADIUS - LOW) / push.speed
    folder = lab.run(f"{push.name}-{dt:g}-{seed}".replace(" ", "-"),
                     configuration(size.width, dt, end, push, place))
    ball = [row for row in common.table(folder, "tools") if row["tool"] == "ball"]
    return numpy.mean([row["force_z"] for row in ball if LOW < row["position_z"] - RADIUS < HIGH])


def change(forces, alone):
    """Change against others on the same beds, in percent: mean and standard error."""
    mean, error = mean_and_error([{"change": 100 * (one / other - 1)} for one, other in zip(forces, alone)])
    return mean["change"], error["change"]


def limit_of(forces):
    """The force in the limit of short steps, N, and its growth in a step of T in percent of that, by a line through the
    steps of each bed: means and standard errors.
    """
    steps = [dt for name, dt in forces if name == ALONE.name]
    lines = [numpy.polyfit(steps, of_bed, 1) for of_bed in zip(*(forces[ALONE.name, dt] for dt in steps))]
    mean, error = mean_and_error([{"limit": start, "slope": slope} for slope, start in lines])
    growth = 100 * TOUCH / mean["limit"]
    return {"limit": mean["limit"], "growth": growth * mean["slope"]}, {"limit": error["limit"], "growth": growth * error["slope"]}


def measure(lab):
    size = Size(0.05, 500, 0.3, 1e-3) if lab.short else Size()
    cases, seeds = (((ALONE, LONG), (ALONE, 2 * LONG)), range(1, 3)) if lab.short else (CASES, range(1, BEDS + 1))
    forces = {(push.name, dt): numpy.array([force(lab, size, push, dt, seed) for seed in seeds]) for push, dt in cases}
    if not lab.short:
        found, error = limit_of(forces)
        lab.check("force in the limit of short steps, by a line through those of each bed, N", found["limit"], 5, 50, error["limit"])
        lab.check("error of a step of T by that line, percent of the limit", found["growth"], -5, 5, error["growth"])
        short, error = change(forces[ALONE.name, SHORTEST], forces[ALONE.name, CHOSEN])
        lab.check("change from steps of 0.25 ms, 0.7 T, to 0.125 ms, percent", short, -5, 5, error)
    lab.check("least force, N", min(values.min() for values in forces.values()), 0.1, 100)
    lab.check("steps that are not converged", lab.unsolved, 0, 0)
    draw(lab.axes, forces)
    return [row_of(name, dt, forces) for name, dt in forces]


def percent(mean, error):
    return f"{mean:+.1f} +- {error:.1f}"


def row_of(name, dt, forces):
    values, first = forces[name, dt], next(iter(forces.values()))
    alone, same, damped = (forces.get((other, CHOSEN), first) for other in (ALONE.name, name, BEYOND.get(name)))
    mean, error = mean_and_error([{"force": value} for value in values])
    return {"varied": name, "dt_s": f"{dt:g}", "beds": len(values), "force_N": f"{mean['force']:.2f}",
            "standard_error_N": f"{error['force']:.2f}", "scatter_N": f"{values.std(ddof=1):.2f}",
            "change_percent": percent(*change(values, alone)),
            "change_by_step_percent": percent(*change(values, same)),
            "change_beyond_damping_percent": percent(*change(values, damped)) if name in BEYOND else ""}


def draw(axes, forces):
    """Changes against steps of 0.25 ms, of what was run in several."""
    chosen = min((dt for _, dt in forces), key=lambda dt: abs(dt - CHOSEN))
    for k, name in enumerate(dict.fromkeys(name for name, _ in forces)):
        steps = sorted(dt for of, dt in forces if of == name)
        changes, errors = zip(*(change(forces[name, dt], forces[name, chosen]) for dt in steps))
        if len(steps) > 1:
            axes.errorbar(1e3 * numpy.array(steps) * 1.01**k, changes, errors, fmt="o-", linewidth=0.8, capsize=3, label=f"varied: {name}")
    for k, (name, damped) in enumerate(BEYOND.items()):
        if (damped, CHOSEN) in forces:
            more, error = change(forces[damped, CHOSEN], forces[name, CHOSEN])
            axes.errorbar(1.05 * 1e3 * LONG * 1.03**k, more, error, fmt="x", capsize=3, label=f"{damped}, in steps of 0.25 ms")
    axes.axhline(0, linewidth=0.8, color="grey")
    axes.set(xlabel="time step, ms", ylabel="change of the force, percent", xscale="log")
    axes.legend(fontsize="x-small", loc="upper center", bbox_to_anchor=(0.5, -0.18), ncols=2)
