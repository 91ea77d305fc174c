"""What steps of chosen lengths save: a bed falls in and rests, a ball of steel strikes it, and both rest.

500 grains of 4 to 6 mm fall 0.1 m into a box; a ball of 15 mm comes from 1.8 m at 0.6 s. fixed: dt of all steps; auto: from
min to max. Means over beds of other seeds, and their standard deviations (_sd). deepest_mm and rebound_m_s: of the ball in
the bed. Pairs of grains of 1e8 Pa touch for some 0.5 ms.
"""
import json

import numpy

import common
import softness_runs as runs

TITLE = "An impact and a bed at rest, by fixed steps and by chosen ones"
LONGEST, SHORTEST = 2e-3, 6.25e-5
SEEDS = range(1, 4)
LENGTHS = {"fixed, short": {"dt": SHORTEST}, "auto": {"dt": "auto", "min": SHORTEST, "max": LONGEST}, "fixed, long": {"dt": LONGEST}}


def plane(position, normal):
    return {"material": "stone", "shape": {"type": "plane"}, "position": position, "normal": normal}


def config_of(time, count, seed):
    bed = {"material": "stone", "radii": {"type": "uniform", "min": 0.004, "max": 0.006},
           "place": {"type": "box", "low": [0, 0, 0], "high": [0.1, 0.1, 0.12], "count": count, "seed": seed}}
    ball = {"material": "steel", "radii": {"type": "list", "values": [0.015]},
            "place": {"type": "points", "positions": [[0.05, 0.05, 1.8]]}}
    return {"time": time, "materials": {"stone": {"density": 2600, "young_modulus": 1e8}, "steel": {"density": 7800}},
            "friction": [{"between": ["stone", "stone"], "mu": 0.4, "restitution": 0.5},
                         {"between": ["stone", "steel"], "mu": 0.3, "restitution": 0.5},
                         {"between": ["steel", "steel"], "mu": 0.3}],
            "contact": {"law": "linear"}, "bodies": {"bed": bed, "ball": ball},
            "tools": {"floor": plane([0, 0, 0], [0, 0, 1]), "left": plane([0, 0, 0], [1, 0, 0]),
                      "right": plane([0.1, 0, 0], [-1, 0, 0]), "front": plane([0, 0, 0], [0, 1, 0]),
                      "back": plane([0, 0.1, 0], [0, -1, 0])},
            "solver": {"tolerance": 1e-6},
            "output": {"overwrite": True, "checkpoints": {"end": False}, "snapshots": {"start": False}, "follow": ["ball"]}}


def outcome(folder, name, config):
    """Figures of one run."""
    file = folder / f"{name}.yaml"
    file.write_text(json.dumps(config), encoding="utf-8")
    seconds, _ = runs.run(file, file.with_suffix(""))
    steps = common.table(file.with_suffix(""))
    ball = common.table(file.with_suffix(""), "followed")
    struck = next((i for i, row in enumerate(ball) if row["loaded_contacts"] > 0), -1)
    return {"n_steps": len(steps), "deepest_mm": 1e3 * min(row["position_z"] for row in ball),
            "rebound_m_s": max(row["velocity_z"] for row in ball[struck:]), "kinetic_energy_J": steps[-1]["kinetic_energy"],
            "unsolved": runs.unsolved(steps), "cpu_s": seconds}


def measure(study):
    end, count, seeds = (0.1, 60, SEEDS[:1]) if study.short else (2.0, 500, SEEDS)
    for name, lengths in LENGTHS.items():
        all_of = [outcome(study.folder, f"{name.replace(', ', '-')}-{seed}", config_of(lengths | {"end": end}, count, seed))
                  for seed in seeds]
        mean = {key: numpy.mean([one[key] for one in all_of]) for key in all_of[0]}
        scatter = {key: numpy.std([one[key] for one in all_of]) for key in all_of[0]}
        study.add({"steps": name, "dt_s": lengths.get("min", lengths["dt"]), "max_s": lengths.get("max", lengths["dt"]),
                   "runs": len(all_of), "n_steps": f"{mean['n_steps']:.0f}", "deepest_mm": f"{mean['deepest_mm']:.1f}",
                   "deepest_mm_sd": f"{scatter['deepest_mm']:.1f}", "rebound_m_s": f"{mean['rebound_m_s']:.3f}",
                   "rebound_m_s_sd": f"{scatter['rebound_m_s']:.3f}", "kinetic_energy_J": f"{mean['kinetic_energy_J']:.1e}",
                   "unsolved": sum(one["unsolved"] for one in all_of), "cpu_s": f"{mean['cpu_s']:.1f}"})
