"""Runs of scree that scripts/bench/impact measures: a cradle, a break, bounces, a granular gas, a bed that is hit.

Each part is measure(folder, results, short) -> rows; plots go beside the tables.
"""
import math
import pathlib

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import h5py
import numpy
import yaml

import common
import softness_runs as runs

RADIUS = 0.01  # of a grain of the gas, m
DENSITY = 2500
GAS_FRACTION = 0.1  # volume of the grains of the gas over that of the cell


def write_config(path, config):
    path.write_text(yaml.safe_dump(config, sort_keys=False), encoding="utf-8")
    return path


def steel(mu, e):
    return {"materials": {"steel": {"density": DENSITY}},
            "friction": [{"between": ["steel", "steel"], "mu": mu, "restitution": e}]}


def after_one_step(folder, name, grains, e, impact, ranks=1):
    """Velocities of balls, each (position, radius, velocity), after one step of 1 ms without weight; in their order."""
    group = {f"ball{i}": {"material": "steel", "radii": {"type": "list", "values": [float(r)]},
                          "place": {"type": "points", "positions": [[float(c) for c in x]]}, "velocity": [float(c) for c in v]}
             for i, (x, r, v) in enumerate(grains)}
    config = {"name": name, "time": {"dt": 1e-3, "end": 1e-3}, "gravity": [0, 0, 0], "impact": impact, **steel(0, e),
              "bodies": group, "solver": {"tolerance": 1e-10},
              "output": {"snapshots": {"every": 1, "precision": "double"}}}
    output = folder / name
    common.run(write_config(folder / f"{name}.yaml", config), output, ranks)
    with h5py.File(sorted((output / "snapshots").glob("*.hdf"))[-1]) as file:
        order = numpy.argsort(file["VTKHDF/PointData/id"][:])
        return file["VTKHDF/PointData/velocity"][:][order], common.table(output)[-1]


def measure_cradle(folder, results, short):
    """Five balls in a row that touch."""
    rows = []
    ratios = {"1": [1] * 5, "1 to 100": [1, 100, 3, 60, 2]}
    for masses, law in ((m, law) for m in ratios for law in ("newton", "energetic")):
        for n, e in ((n, e) for n in (1, 2) for e in (0, 0.5, 1)):
            radii = 0.05 * numpy.cbrt(ratios[masses])
            x = numpy.concatenate([[0], numpy.cumsum(radii[1:] + radii[:-1])])
            grains = [((x[i], 0, 0), radii[i], (1.0 if i < n else 0.0, 0, 0)) for i in range(5)]
            for ranks in (1, 2):
                velocity, step = after_one_step(folder, f"cradle-{law}-{n}-{e}-{masses.replace(' ', '-')}-{ranks}", grains, e,
                                                {"law": law}, ranks)
                m = numpy.array(ratios[masses])
                rows.append({"law": law, "masses": masses, "in": n, "e": e, "ranks": ranks,
                             "speeds_out": " ".join(f"{v + 0.0:.4f}" for v in velocity[:, 0].round(9)),
                             "energy_over_before": f"{(m * velocity[:, 0] ** 2).sum() / m[:n].sum():.12f}",
                             "applications": int(step["impact_applications"])})
    return rows


def measure_pool(folder, results, short):
    """A break of 15 balls: what is left of the mirror symmetry about the cue ball's way."""
    radius, rack = 0.0286, []
    for row in range(5):
        rack += [(row, i) for i in range(row + 1)]
    grains = [((math.sqrt(3) * radius * row, radius * (2 * i - row), 0), radius, (0, 0, 0)) for row, i in rack]
    grains.append(((-2 * radius, 0, 0), radius, (1, 0, 0)))
    mirror = [rack.index((row, row - i)) for row, i in rack] + [15]
    rows = []
    for impact in ({"operator": "reflections"}, {"order": "worst_first"}, {"order": "lexicographic"}):
        for ranks in (1, 2):
            name = "pool-" + "-".join([*impact.values(), str(ranks)])
            velocity, step = after_one_step(folder, name, grains, 1, {"law": "energetic", **impact}, ranks)
            difference = velocity - velocity[mirror] * [1, -1, 1]
            rows.append({"operator": " ".join(impact.values()), "ranks": ranks, "applications": int(step["impact_applications"]),
                         "asymmetry_m_s": f"{abs(difference).max():.1e}",
                         "energy_over_before": f"{(velocity ** 2).sum():.12f}", "cue_ball_m_s": f"{velocity[15][0]:.4f}"})
    return rows


def bounces(folder, e, law, dt):
    """Heights of a ball's bounces over those before, and the processor seconds."""
    config = {"name": "bounce", "time": {"dt": dt, "end": 3.0}, "gravity": [0, 0, -9.81], "impact": {"law": law},
              **steel(0.3, e),
              "bodies": {"ball": {"material": "steel", "radii": {"type": "list", "values": [0.01]},
                                  "place": {"type": "points", "positions": [[0, 0, 0.51]]}}},
              "tools": {"floor": {"material": "steel", "shape": {"type": "plane"}}},
              "output": {"snapshots": {"every": 100}}}
    output = folder / f"bounce-{law}-{e}-{dt}"
    seconds, _ = runs.run(write_config(folder / "bounce.yaml", config), output)
    mass = DENSITY * 4 / 3 * math.pi * 0.01 ** 3
    height = [s["potential_energy"] / (mass * 9.81) - 0.01 for s in common.table(output)]
    tops = [0.5] + [b for a, b, c in zip(height, height[1:], height[2:]) if a < b >= c][:3]  # before it rests
    return [b / a for a, b in zip(tops, tops[1:])], seconds


def measure_bounce(folder, results, short):
    rows = []
    for law in ("newton", "energetic"):
        for e in (0.5, 0.8, 0.95, 1.0):
            for dt in (1e-3,) if short else (1e-3, 1e-4):
                ratios, seconds = bounces(folder, e, law, dt)
                rows.append({"law": law, "e": e, "dt_s": f"{dt:g}", "e_squared": f"{e * e:.4f}",
                             "height_ratios": " ".join(f"{r:.4f}" for r in ratios),
                             "worst_error": f"{max(abs(r - e * e) for r in ratios):.1e}", "processor_s": f"{seconds:.2f}"})
    return rows


def write_gas(folder, n, seed=1):
    """Grains on a cubic lattice in a periodic cube, with velocities by Maxwell of 1 m/s along each axis and no momentum."""
    a = (4 / 3 * math.pi * RADIUS ** 3 * n / GAS_FRACTION) ** (1 / 3)
    side = math.ceil(n ** (1 / 3))
    random = numpy.random.default_rng(seed)
    cells = numpy.array([(i, j, k) for i in range(side) for j in range(side) for k in range(side)], float)
    cells = cells[numpy.sort(random.choice(len(cells), n, replace=False))]
    room = a / side - 2 * RADIUS
    x = (cells + 0.5) * a / side + random.uniform(-0.45, 0.45, (n, 3)) * room
    v = random.standard_normal((n, 3))
    v -= v.mean(axis=0)
    path = folder / f"gas-{n}.csv"
    numpy.savetxt(path, numpy.column_stack([x, numpy.full(n, RADIUS), v]), delimiter=",", header="x,y,z,r,vx,vy,vz",
                  comments="", fmt="%.17g")
    return path, a


def gas(folder, n, e, ranks, steps, dt):
    grains, a = write_gas(folder, n)
    config = {"name": "gas", "time": {"dt": dt, "end": dt * steps}, "gravity": [0, 0, 0], "impact": {"law": "energetic"},
              "periodic": {axis: [0, a] for axis in "xyz"}, **steel(0, e),
              "bodies": {"grains": {"material": "steel", "place": {"type": "csv", "file": str(grains)}}},
              "output": {"snapshots": {"every": 1e9}, "checkpoints": {"every": 1e9}}}
    output = folder / f"gas-{n}-{e}-{ranks}"
    wall, _ = common.run(write_config(folder / f"gas-{n}-{e}.yaml", config), output, ranks)
    return common.table(output), wall


def haff_fit(time, energy):
    """(exponent, tau, largest deviation of ln E) of E = E_0 (1 + t/tau)^exponent, by least squares of ln E."""
    t, y = numpy.array(time), numpy.log(energy)

    def error(tau):
        design = numpy.column_stack([numpy.ones_like(t), numpy.log1p(t / tau)])
        solution, *_ = numpy.linalg.lstsq(design, y, rcond=None)
        return numpy.abs(design @ solution - y), solution[1]
    taus = numpy.geomspace(1e-3 * t[-1], t[-1], 2000)
    best = min(taus, key=lambda tau: (error(tau)[0] ** 2).sum())
    deviation, exponent = error(best)
    return exponent, best, deviation.max()


def measure_gas(folder, results, short):
    n, steps, dt = (1000, 500, 1e-4) if short else (10000, 10000, 2e-4)
    rows, cooling = [], {}
    for e in (1.0, 0.9):
        for ranks in (1, 2):
            table, wall = gas(folder, n, e, ranks, steps, dt)
            energy = [s["kinetic_energy"] for s in table]
            impacts = sum(s["impact_zones"] for s in table)
            row = {"e": e, "ranks": ranks, "grains": n, "steps": len(table), "impacts": int(impacts),
                   "impacts_a_grain": f"{2 * impacts / n:.0f}", "largest_zone": int(max(s["impact_contacts"] for s in table)),
                   "applications": int(sum(s["impact_applications"] for s in table)),
                   "programs": int(sum(s["impact_programs"] for s in table)),
                   "energy_drift": f"{max(abs(x / energy[0] - 1) for x in energy):.1e}" if e == 1 else "",
                   "cooled_to": "" if e == 1 else f"{energy[-1] / energy[0]:.2e}", "haff_exponent": "", "fit_worst": "",
                   "wall_s": f"{wall:.0f}"}
            if e < 1:
                exponent, tau, worst = haff_fit([s["time"] for s in table], energy)
                row |= {"haff_exponent": f"{exponent:.3f}", "fit_worst": f"{worst:.3f}"}
                cooling[ranks] = (table, exponent, tau)
            rows.append(row)
    plot_gas(cooling[1], results.with_name("gas.png"))
    return rows


def plot_gas(cooling, path):
    table, exponent, tau = cooling
    time = numpy.array([s["time"] for s in table])
    energy = numpy.array([s["kinetic_energy"] for s in table])
    figure, axes = plt.subplots(figsize=(6, 4))
    axes.loglog(1 + time / tau, energy / energy[0], label="run, restitution 0.9")
    axes.loglog(1 + time / tau, (1 + time / tau) ** -2.0 * (1 + time[0] / tau) ** 2, "--", label="Haff: exponent -2")
    axes.set_xlabel("1 + t/tau")
    axes.set_ylabel("kinetic energy over that at the start")
    axes.set_title(f"granular gas: fitted exponent {exponent:.3f}, tau {tau:.3g} s")
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=100)


def hit(folder, law, n, end):
    """A bed that has settled, hit by a heavy ball."""
    wall = {"material": "steel", "shape": {"type": "plane"}}
    width = 0.2
    config = {"name": "hit", "time": {"dt": 1e-3, "end": end}, "gravity": [0, 0, -9.81], "impact": {"law": law},
              "materials": {"steel": {"density": DENSITY}, "lead": {"density": 11000}},
              "friction": [{"between": [a, "steel"], "mu": 0.4, "restitution": 0.8} for a in ("steel", "lead")]
              + [{"between": ["lead", "lead"], "mu": 0}],
              "bodies": {"bed": {"material": "steel", "radii": {"type": "uniform", "min": 0.008, "max": 0.012},
                                 "place": {"type": "box", "low": [0, 0, 0], "high": [width, width, 2.0],
                                           "arrangement": "dense", "count": n, "seed": 1}},
                         "ball": {"material": "lead", "radii": {"type": "list", "values": [0.04]}, "velocity": [0, 0, -3],
                                  "place": {"type": "points", "positions": [[width / 2, width / 2, 3.2]]}}},
              "tools": {"floor": wall, "left": wall | {"normal": [1, 0, 0]}, "front": wall | {"normal": [0, 1, 0]},
                        "right": wall | {"normal": [-1, 0, 0], "position": [width, 0, 0]},
                        "back": wall | {"normal": [0, -1, 0], "position": [0, width, 0]}},
              "solver": {"tolerance": 1e-4}, "output": {"snapshots": {"every": 0.1}}}
    output = folder / f"hit-{law}-{n}"
    seconds, _ = runs.run(write_config(folder / f"hit-{law}-{n}.yaml", config), output)
    return common.table(output), seconds


def measure_hit(folder, results, short):
    rows, curves = [], {}
    sizes, end = ([200], 0.9) if short else ([1000, 2000], 1.2)
    for n, law in ((n, law) for n in sizes for law in ("newton", "energetic")):
        table, seconds = hit(folder, law, n, end)
        potential = [s["potential_energy"] for s in table]
        energy = [s["kinetic_energy"] + (a + b) / 2 for s, a, b in zip(table[1:], potential, potential[1:])]
        sums = [s["kinetic_energy"] + s["potential_energy"] for s in table]
        growth = [b - a for a, b in zip(energy, energy[1:])]
        growth_of_sum = [b - a for a, b in zip(sums, sums[1:])]
        lost = energy[0] - energy[-1]
        curves[law] = ([s["time"] for s in table], sums)
        impacts = [s for s in table if s["impact_zones"] > 0]
        rows.append({"law": law, "grains": n + 1, "steps": len(table), "steps_that_gain": sum(g > 0 for g in growth),
                     "largest_gain_over_lost": f"{max(0, *growth) / lost:.1e}",
                     "steps_where_the_sum_gains": sum(g > 0 for g in growth_of_sum),
                     "unsolved": sum(s["status"] != "converged" for s in table), "steps_with_impacts": len(impacts),
                     "largest_zone": int(max(s["impact_contacts"] for s in table)),
                     "most_applications": int(max(s["impact_applications"] for s in table)),
                     "programs": int(sum(s["impact_programs"] for s in table)),
                     "program_s": f"{sum(s['impact_program_seconds'] for s in table):.1f}", "processor_s": f"{seconds:.0f}"})
    figure, axes = plt.subplots(figsize=(6, 4))
    for law, (time, energy) in curves.items():
        axes.plot(time, energy, label=f"{law}, {sizes[-1]:,} grains")
    axes.set_xlabel("time (s)")
    axes.set_ylabel("kinetic and potential energy (J)")
    axes.legend()
    figure.tight_layout()
    figure.savefig(results.with_name("hit.png"), dpi=100)
    return rows


PARTS = {  # name: title, note, measure
    "cradle": ("Newton's cradle: five balls that touch, after one step",
               "The first balls come in at 1 m/s. Newton's law, contact by contact, sets all in motion together.", measure_cradle),
    "pool": ("A break of 15 pool balls, after one step", "The cue ball comes along the axis at 1 m/s; no friction.", measure_pool),
    "bounce": ("A ball bounces: heights of the first three bounces over those before",
               "The ideal is e squared; the bounce takes place up to a step's way above the floor. Peaks are those of the steps.",
               measure_bounce),
    "gas": ("A granular gas in a periodic cube",
            "Packing fraction 0.1, radius 1 cm, Maxwell's velocities of 1 m/s along each axis, no friction. `haff_exponent`: least "
            "squares of ln E over ln (1 + t/tau); `fit_worst`: largest deviation of ln E from it.", measure_gas),
    "hit": ("A bed of restitution 0.8 falls in and settles, and a heavy ball hits it",
            "Energy: kinetic, and the mean of the potential in gravity at both ends of the step. `largest_gain_over_lost`: of one step, "
            "over what the whole run loses. The sum: kinetic and potential at the step's end.",
            measure_hit),
}


def measure(part, folder, results, short):
    folder = pathlib.Path(folder) / part
    folder.mkdir(parents=True, exist_ok=True)
    return PARTS[part][2](folder, pathlib.Path(results), short)
