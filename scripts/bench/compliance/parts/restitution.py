"""Whether compliant pairs part with the restitution of their pair, over it and over the time step.

Balls hit a floor without weight, from ten gaps between none and the way of a step; e is the speed at which they part over
that of their approach. linear: of a given stiffness, at 0.5 m/s; hertz: of a Young's modulus, at three speeds, whose T
is the duration of that impact, 2.94 times its deepest overlap over the speed. e_step_alone: of a step of this dt
without dashpot or restitution, by the closed form of contact/restitution.hpp.
"""
import math

import numpy

from parts import bounce

TITLE = "Restitution that compliant pairs are given"
MODULUS, POISSON = 1e8, 0.3
SPEEDS = (0.05, 0.5, 5.0)  # m/s
GIVEN = (0.3, 0.6, 0.8, 0.9, 1.0)
STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.4)


def hertz_duration(speed):
    """Of a ball on a floor of the same material, s."""
    effective = MODULUS / (1 - POISSON**2) / 2
    overlap = (15 / 16 * bounce.MASS * speed**2 / (effective * math.sqrt(bounce.RADIUS)))**0.4
    return 2.94 * overlap / speed


def cases():
    """Law, keys of the material, keys of the pair, speed in m/s, duration in s."""
    yield "linear", {}, {"stiffness": bounce.STIFFNESS}, bounce.SPEED, bounce.DURATION
    for speed in SPEEDS:
        yield "hertz", {"young_modulus": MODULUS, "poisson_ratio": POISSON}, {}, speed, hertz_duration(speed)


def measure(study):
    for law, material, pair, speed, duration in list(cases())[:2] if study.short else cases():
        for given in GIVEN[2:3] if study.short else GIVEN:
            for steps in STEPS[2:3] if study.short else STEPS:
                measured = bounce.bounce(f"{law}-{speed:g}-{given:g}", material, pair | {"restitution": given}, steps,
                                         study.folder, speed, duration)
                study.add({"law": law, "speed_m_s": speed, "restitution": given, "dt/T": steps,
                           "e_mean": f"{numpy.mean(measured):.4f}", "e_least": f"{measured.min():.4f}",
                           "e_most": f"{measured.max():.4f}",
                           "e_step_alone": f"{bounce.closed_form(0.0, math.pi * steps):.4f}"})
