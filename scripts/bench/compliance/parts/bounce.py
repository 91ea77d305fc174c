"""Restitution of a compliant contact over damping and time step, against the closed form of contact/restitution.hpp.

Balls hit a floor at 0.5 m/s, without weight, from ten gaps between none and the way of a step; e is the speed at which
they part over that. zeta: the key `damping`; dt/T: time step over how long a ball touches without damping,
q = pi dt/T. The closed form holds where the gap is none and the contact lasts whole steps; in between, velocities may
differ by q^2/8 of it (`bound`), where theta, the phase of a step, is small (dt/T up to 0.2).
"""
import cmath
import json
import math

import h5py
import numpy

import beds
import softness_runs as runs

TITLE = "Restitution of a compliant contact"
RADIUS, DENSITY, STIFFNESS, SPEED = 0.05, 2600.0, 1e5, 0.5
MASS = DENSITY * 4 / 3 * math.pi * RADIUS**3
DURATION = math.pi * math.sqrt(MASS / STIFFNESS)
GAPS = 10
DAMPING = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 2.0)
STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.83)


def closed_form(zeta, q):
    """(1 + 2 zeta q + q^2)^(-acos(zeta)/theta); for zeta > 1 both angles are imaginary, for 1 their ratio has a limit."""
    if zeta == 1:
        half = (1 + q) / q
    else:
        root = cmath.sqrt(1 - zeta**2)
        half = (cmath.acos(zeta) / cmath.atan(q * root / (1 + zeta * q))).real
    return math.exp(-abs(half) * math.log1p(q * (2 * zeta + q)))


def bounce(name, material, pair, steps, folder, speed=SPEED, duration=DURATION):
    """Restitutions of the balls."""
    dt = steps * duration
    centres = [[4 * RADIUS * i, 0, RADIUS + i / GAPS * dt * speed] for i in range(GAPS)]
    config = {"time": {"dt": dt, "end": dt * math.ceil(4 * duration / dt + 12)}, "gravity": [0, 0, 0],
              "materials": {"stone": {"density": DENSITY} | material},
              "friction": [{"between": ["stone", "stone"], "mu": 0.3} | pair],
              "bodies": {"balls": {"material": "stone", "radii": {"type": "list", "values": [RADIUS]},
                                   "velocity": [0, 0, -speed], "place": {"type": "points", "positions": centres}}},
              "tools": {"floor": {"material": "stone", "shape": {"type": "plane"}}},
              "solver": {"tolerance": 1e-10},
              "output": {"overwrite": True, "checkpoints": {"end": False}, "snapshots": {"start": False}}}
    file = folder / f"{name}-steps{steps:g}.yaml"
    file.write_text(json.dumps(config), encoding="utf-8")
    runs.run(file, file.with_suffix(""))
    with h5py.File(beds.last_snapshot(file.with_suffix(""))) as snapshot:
        return snapshot["VTKHDF/PointData/velocity"][:][:, 2] / speed


def measure(study):
    for steps in STEPS[2:3] if study.short else STEPS:
        for zeta in DAMPING[::4] if study.short else DAMPING:
            q = math.pi * steps
            e = closed_form(zeta, q)
            measured = bounce(f"zeta{zeta:g}", {}, {"stiffness": STIFFNESS, "damping": zeta}, steps, study.folder)
            study.rows.append({
                "dt/T": steps, "q": f"{q:.4f}", "zeta": zeta, "e_closed_form": f"{e:.5f}",
                "e_mean": f"{numpy.mean(measured):.5f}", "e_least": f"{measured.min():.5f}",
                "e_most": f"{measured.max():.5f}", "largest_error": f"{abs(measured - e).max():.1e}",
                "bound": f"{e * q * q / 8:.1e}"})
    study.write()
