"""The surface of spheres in a turning drum, nearly half full, over the Froude number Fr = w^2 R / g.

The drum's rate w goes up in stages of 1.8 rad, of which the first 0.8 are left out; the heights of surface.heights in
snapshots of the rest are averaged where the bed is two diameters thick. The angle is that of a line through this surface,
S the angle of its middle third less the mean of the other two. After the slowest stage the drum stops, and the angle of
what comes to rest is taken. The drum is periodic along its axis; its wall is smooth but has friction. Figures are means
over beds of other seeds.
"""
import math

import numpy

import surface
from lab import mean_and_error

TITLE = "Surface in a rotating drum"
SOURCE = ("flat, above the angle of repose and steeper with the rate in the rolling regime, S-shaped beyond: GDR MiDi, "
          "Eur. Phys. J. E 14, 341 (2004); N. Taberlet, P. Richard, E. J. Hinch, Phys. Rev. E 73, 050301 (2006); the "
          "angle grows with the square of the rate: J. Rajchenbach, Phys. Rev. Lett. 65, 2221 (1990)")

GRAVITY, D = 9.81, 5e-3  # mean diameter; from 0.9 to 1.1 of it
WIDTH = 4.4 * D
DT = 2e-3
ROLLING = 1e-2  # the largest Fr of the rolling regime
TURN, SKIPPED = 1.8, 0.8  # rad of each stage
REST = 0.4  # s


def schedule(froude, radius):
    """Rates of the stages, and the table of the drum's motion: (times, angles), with the stop after the first stage."""
    rates = [math.sqrt(fr * GRAVITY / radius) for fr in froude]
    settled = math.ceil(2 * math.sqrt(radius / GRAVITY) / DT) * DT
    times, angles = [settled], [0.0]
    for rate in rates:
        times.append(times[-1] + TURN / rate)
        angles.append(angles[-1] + TURN)
        if len(angles) == 2:
            times.append(times[-1] + REST)
            angles.append(angles[-1])
    return rates, times, angles


def turning(lab, froude, radius, seed):
    """Rates, [(time from, time to) of each], when the drum stops, and the states of the run."""
    rates, times, angles = schedule(froude, radius)
    volume = math.pi / 6 * D**3 * 1.01  # of a grain, mean
    motion = {"type": "table", "times": times, "displacements": [[0, 0, 0]] * len(times),
              "rotations": [[0, angle, 0] for angle in angles]}
    config = {
        "time": {"dt": DT, "end": math.ceil(times[-1] / DT) * DT},
        "gravity": [0, 0, -GRAVITY],
        "periodic": {"y": [0, WIDTH]},
        "materials": {"grain": {"density": 2500}, "wall": {"density": 2500}},
        "friction": [{"between": ["grain", "grain"], "mu": 0.5}, {"between": ["grain", "wall"], "mu": 1}],
        "bodies": {
            "bed": {"material": "grain", "radii": {"type": "uniform", "min": 0.45 * D, "max": 0.55 * D},
                    "place": {"type": "box", "low": [-0.7 * radius, 0, -0.7 * radius],
                              "high": [0.7 * radius, WIDTH, 0.7 * radius], "arrangement": "dense",
                              "count": round(0.8 * radius**2 * WIDTH / volume), "seed": seed}}},
        "tools": {"drum": {"material": "wall", "shape": {"type": "hollow_cylinder", "radius": radius},
                           "orientation": {"axis": [1, 0, 0], "angle": 0.5 * math.pi}, "motion": motion}},
        "solver": {"tolerance": 1e-3},
        "output": {"snapshots": {"every": 0.04, "start": False}, "checkpoints": {"end": False}}}
    states = list(surface.snapshots(lab.run(f"radius{radius / D:g}-seed{seed}", config)))
    first, *rest = times[1], *times[3:]
    ends = [first, *rest]
    return rates, [(end - (TURN - SKIPPED) / rate, end) for rate, end in zip(rates, ends)], times[2], states


def shape(states, radius):
    """Of the mean surface, in degrees: angle, those of its thirds and S; and its deviation from a line in diameters."""
    profiles = [surface.heights(state, -radius, radius, WIDTH, D, -radius) for state in states]
    x, z = profiles[0][0], numpy.mean([heights for _, heights in profiles], axis=0)
    thick = (numpy.abs(x) < radius) & (z > 2 * D - numpy.sqrt(numpy.maximum(radius**2 - x**2, 0)))
    x, z = x[thick][1:-1], z[thick][1:-1]  # not the cells at the wall
    upper, middle, lower = (angle(*part) for part in zip(numpy.array_split(x, 3), numpy.array_split(z, 3)))
    line = numpy.polynomial.Polynomial.fit(x, z, 1)
    return {"angle": angle(x, z), "upper": upper, "middle": middle, "lower": lower, "S": middle - 0.5 * (upper + lower),
            "deviation": numpy.std(z - line(x)) / D}


def angle(x, z):
    """Of a surface that falls along x, in degrees."""
    return math.degrees(math.atan(-numpy.polyfit(x, z, 1)[0]))


def grip(states, radius, rate):
    """Speed of the grains at the wall below, over that of the wall."""
    speeds = []
    for state in states:
        x, z = state.position[:, 0], state.position[:, 2]
        away = numpy.hypot(x, z)
        at_wall = (away + state.radius > radius - 0.3 * D) & (z < -0.5 * radius)
        vx, vz = state.velocity[at_wall, 0], state.velocity[at_wall, 2]
        speeds.append(numpy.mean((vx * z[at_wall] - vz * x[at_wall]) / away[at_wall]))
    return numpy.mean(speeds) / (rate * radius)


def study(lab, seed, froude, radius):
    """Of the drum at rest (Fr = 0), then of each stage: a dict of numbers."""
    rates, windows, stopped, states = turning(lab, froude, radius, seed)
    at_rest = min(states, key=lambda state: abs(state.time - stopped))
    stages = [{"Fr": 0.0, "rate": 0.0, "snapshots": 1, **shape([at_rest], radius), "grip": 1.0}]
    for fr, rate, (start, end) in zip(froude, rates, windows):
        chosen = [state for state in states if start < state.time <= end]
        stages.append({"Fr": fr, "rate": rate, "snapshots": len(chosen), **shape(chosen, radius),
                       "grip": grip(chosen, radius, rate)})
    return stages


def line_fits(stages):
    """Largest distance of the angle from a line over the rate, in degrees."""
    rates, angles = numpy.array([(stage["rate"], stage["angle"]) for stage in stages]).T
    return numpy.abs(angles - numpy.polyval(numpy.polyfit(rates, angles, 1), rates)).max()


def figures(stages):
    """Figures of one bed that the checks ask for, from its stages."""
    rest, *turning, fast = stages
    rolling = [stage for stage in turning if stage["Fr"] <= ROLLING]
    mean = {key: numpy.mean([stage[key] for stage in rolling]) for key in ("angle", "S", "deviation")}
    return {"rest": rest["angle"], "rolling rise": rolling[-1]["angle"] - rolling[0]["angle"],
            "above rest": mean["angle"] - rest["angle"], "deviation": mean["deviation"], "rise": fast["angle"] - mean["angle"],
            "fast deviation": fast["deviation"] / mean["deviation"], "S": fast["S"] - mean["S"]}


def measure(lab):
    froude, radius = ((5e-3, 0.1), 8 * D) if lab.short else ((2e-3, 5e-3, 1e-2, 3e-2, 0.1), 12 * D)
    beds = [study(lab, seed, froude, radius) for seed in lab.seeds]
    stages = [mean_and_error(of_stage) for of_stage in zip(*beds)]
    means, errors = mean_and_error([figures(bed) for bed in beds])
    # In a drum of 16 diameters with five snapshots the angle of one seed scatters by three degrees.
    least = -6 if lab.short else 0.5
    checks = [("rest", "angle at rest, degrees", 17, 32),
              ("above rest", "angle in the rolling regime less that at rest, degrees", 0, 16),
              ("deviation", "deviation from a line in the rolling regime/d", 0, 0.35),
              ("rise", "angle at Fr = 0.1 less that in the rolling regime, degrees", least, 15),
              ("fast deviation", "deviation from a line, Fr = 0.1 over the rolling regime", 1.5, 8),
              ("S", "S at Fr = 0.1 less that in the rolling regime, degrees", 1, 30)]
    if not lab.short:
        checks += [("rolling rise", "angle at Fr = 0.01 less that at 0.002, degrees", 0, 6)]
        lab.check("largest distance of the angle from a line over the rate, degrees",
                  line_fits([mean for mean, _ in stages[1:]]), 0, 1)
    for key, what, low, high in checks:
        lab.check(what, means[key], low, high, errors[key])
    lab.check("steps that are not converged", lab.unsolved, 0, 0)
    draw(lab.axes, stages)
    return [{"Fr": f"{r['Fr']:g}", "rate, rad/s": f"{r['rate']:.3f}", "beds": len(beds), "snapshots": f"{r['snapshots']:.0f}",
             **{f"{key}, degrees": f"{r[key]:.1f}" for key in ("angle", "upper", "middle", "lower", "S")},
             "standard error of angle, degrees": f"{error['angle']:.1f}", "standard error of S, degrees": f"{error['S']:.1f}",
             "deviation from a line/d": f"{r['deviation']:.2f}",
             "speed of grains over that of the wall": f"{r['grip']:.2f}"}
            for r, error in stages]


def draw(axes, stages):
    (rest, rest_error), *turning = stages
    rates, angles, errors = numpy.array([(r["rate"], r["angle"], error["angle"]) for r, error in turning]).T
    axes.errorbar([0], [rest["angle"]], [rest_error["angle"]], fmt="ko", markerfacecolor="none", capsize=3, label="at rest")
    axes.errorbar(rates, angles, errors, fmt="o", capsize=3, label="turning, standard error over beds")
    middles = [(r["middle"], error["middle"]) for r, error in turning]
    axes.errorbar(rates, *zip(*middles), fmt="^", markersize=4, capsize=3, label="turning, its middle third")
    x = numpy.linspace(0, rates.max(), 100)
    for power, style, name in ((1, "k--", "linear"), (2, "k:", "quadratic (Rajchenbach)")):
        slope, start = numpy.polyfit(rates**power, angles, 1)
        axes.plot(x, start + slope * x**power, style, linewidth=0.8, label=f"{name}, fitted")
    axes.set(xlabel="rate, rad/s", ylabel="angle, degrees")
    axes.legend(fontsize="small")
