"""A layer of spheres flows down an incline, steadily: profiles over its depth and mu(I), from coarse-grained fields.

The cell is periodic along the flow and across, and gravity is inclined by theta. Its floor is of fixed grains twice as large as
those that flow, which sink between them: over grains like themselves, nearly as high as each other, the lowest layers shear
three times as fast as the middle (at 22 degrees), and the profile is not Bagnold's (bases: T. Weinhart, A. R. Thornton,
S. Luding, O. Bokhove, Granular Matter 14, 531 (2012)). Nothing but weight acts along the floor, so that shear over normal
stress is tan theta at every depth, the inertial number I = dv/dz d / sqrt(p / rho_s) comes to where mu(I) = tan theta, the
packing fraction is the same at all depths, and v(z) - v(0) = A (h^(3/2) - (h - z)^(3/2)) (Bagnold's profile), h being the
layer's height; A and the exponent are fitted to the velocities. I is the mean over the middle of the depth, from a quarter
to three quarters of it.
"""
import math

import numpy
import scipy.optimize

import beds
import common

TITLE = "mu(I) of a layer that flows down an incline"
SOURCE = ("mu = tan 20.9 + (tan 32.76 - tan 20.9)/(1 + 0.279/I), glass beads: P. Jop, Y. Forterre, O. Pouliquen, J. Fluid "
          "Mech. 541, 167 (2005); incline, packing and profile: GDR MiDi, Eur. Phys. J. E 14, 341 (2004); L. E. Silbert, D. "
          "Ertas, G. S. Grest, T. C. Halsey, D. Levine, S. J. Plimpton, Phys. Rev. E 64, 051302 (2001)")

GRAVITY, DENSITY = 9.81, 2500
D = 5e-3  # mean diameter; from 0.9 to 1.1 of it
TIME = math.sqrt(D / GRAVITY)
DT = 0.04 * TIME
LENGTH, ACROSS = 10 * D, 7 * D
LOWEST, HIGHEST, SCALE = math.tan(math.radians(20.9)), math.tan(math.radians(32.76)), 0.279


def law(inertial):
    return LOWEST + (HIGHEST - LOWEST) / (1 + SCALE / inertial)


def configuration(degrees, depth, duration, seed, dt):
    """@p depth in diameters, @p duration in sqrt(d/g), @p dt in s."""
    theta, tall = math.radians(degrees), depth * D
    radii = {"type": "uniform", "min": 0.45 * D, "max": 0.55 * D}
    coarse = {"type": "uniform", "min": 0.9 * D, "max": 1.1 * D}
    count = round(0.58 * LENGTH * ACROSS * tall / (math.pi / 6 * D**3 * 1.01))
    grid = {"lower": [0, 0, -D], "upper": [LENGTH, ACROSS, 1.5 * tall - D], "cells": [1, 1, 3 * depth]}
    means = {name: {"grid": grid, "width": D, "stride": 5, "from": start * duration * TIME, "to": end * duration * TIME}
             for name, start, end in (("before", 0.6, 0.8), ("late", 0.8, 1))}
    return {
        "time": {"dt": dt, "end": duration * TIME},
        "gravity": [GRAVITY * math.sin(theta), 0, -GRAVITY * math.cos(theta)],
        "periodic": {"x": [0, LENGTH], "y": [0, ACROSS]},
        "materials": {"grain": {"density": DENSITY}},
        "friction": [{"between": ["grain", "grain"], "mu": 0.5, "restitution": 0.5}],
        "bodies": {
            "floor": beds.rough_floor(coarse, [0, 0, -2.2 * D], [LENGTH, ACROSS, 0], seed),
            "layer": {"material": "grain", "radii": radii,
                      "place": {"type": "box", "low": [0, 0, 0], "high": [LENGTH, ACROSS, 2 * tall], "arrangement": "dense",
                                "count": count, "seed": seed}}},
        "tools": {"base": {"material": "grain", "shape": {"type": "plane"}, "position": [0, 0, -2.2 * D], "normal": [0, 0, 1]}},
        "solver": {"tolerance": 1e-4},
        "output": {"snapshots": {"start": False}, "checkpoints": {"end": False}, "fields": means}}


def profile(folder, name):
    """Heights, velocities along the flow, packing fractions, shear and normal stress of the cells of a mean."""
    rows = common.table(folder, f"fields/{name}")
    column = {key: numpy.array([row[key] for row in rows]) for key in rows[0]}
    stress = {axes: -column[f"contact_stress_{axes}"] - column[f"kinetic_stress_{axes}"] for axes in ("xz", "zz")}
    return column["z"], column["velocity_x"], column["packing_fraction"], -stress["xz"], stress["zz"]


def exponent_of(z, v, tall):
    """The exponent of Bagnold's profile of a layer of that height, fitted between two diameters above the floor and below the surface."""
    def bagnold(height, offset, amplitude, exponent):
        return offset + amplitude * (1 - (1 - height / tall)**exponent)
    fitted = (z > 2 * D) & (z < tall - 2 * D)
    found, _ = scipy.optimize.curve_fit(bagnold, z[fitted], v[fitted], p0=[0, v[fitted].max(), 1.5],
                                        bounds=([-numpy.inf, 0, 0.5], [numpy.inf, numpy.inf, 5]))
    return found[-1]


def flow(lab, degrees, depth, duration, seed, dt=DT):
    """Figures of one run."""
    folder = lab.run(f"theta{degrees:g}-seed{seed}-dt{dt / TIME:g}", configuration(degrees, depth, duration, seed, dt))
    z, v, packing, shear, normal = profile(folder, "late")
    _, v_before, *_ = profile(folder, "before")
    tall = z[packing > 0.25].max()
    bulk = (z > 0.25 * tall) & (z < 0.75 * tall)
    inertial = (numpy.gradient(v, z) * D / numpy.sqrt(normal / DENSITY))[bulk]
    return {"theta": degrees, "seed": seed, "dt": dt / TIME, "I": inertial.mean(), "I_scatter": inertial.std(),
            "ratio": (shear[bulk] / normal[bulk]).mean(), "packing": packing[bulk].mean(), "packing_scatter": packing[bulk].std(),
            "exponent": exponent_of(z, v, tall), "surface": v[z < tall].max() / math.sqrt(GRAVITY * D), "depth": tall / D,
            "change": v[bulk].mean() / v_before[bulk].mean() - 1}


def checks_of(lab, degrees, flows):
    """Flows of one angle, of other beds."""
    tangent = math.tan(math.radians(degrees))
    inertial = numpy.mean([one["I"] for one in flows])
    lab.check(f"{degrees} degrees: tan theta less mu(I) of glass beads", tangent - law(inertial), -0.06, 0.06)
    worst = max(abs(one["ratio"] - tangent) for one in flows)
    lab.check(f"{degrees} degrees: largest |shear over normal stress - tan theta|", worst, 0, 0.15 if lab.short else 0.01)
    if lab.short:
        return
    for key, what, low, high in (("exponent", "exponent of the profile, Bagnold's 3/2", 1.2, 1.8),
                                 ("packing_scatter", "deviation of the packing fraction over the depth", 0, 0.01),
                                 ("change", "change of the velocity from the fourth fifth of the time to the last", -0.05, 0.05)):
        lab.check(f"{degrees} degrees: {what}", numpy.mean([one[key] for one in flows]), low, high)


def measure(lab):
    depth, durations = (8, {25: 60}) if lab.short else (20, {22: 450, 24: 300, 26: 300, 28: 300})
    flows = {degrees: [flow(lab, degrees, depth, duration, seed) for seed in lab.seeds] for degrees, duration in durations.items()}
    for degrees, of_angle in flows.items():
        checks_of(lab, degrees, of_angle)
    if not lab.short:
        flows["half the step"] = [flow(lab, 24, depth, durations[24], seed, 0.5 * DT) for seed in lab.seeds]
        halved, whole = (numpy.mean([one["I"] for one in flows[which]]) for which in ("half the step", 24))
        lab.check("24 degrees: I with half the step over that with the whole", halved / whole, 0.9, 1.1)
    measured = [one for of_angle in flows.values() for one in of_angle]
    lab.check("steps that are not converged", lab.unsolved, 0, 0)
    draw(lab.axes, measured)
    return [row_of(one) for one in measured]


def row_of(one):
    return {"theta_degrees": one["theta"], "seed": one["seed"], "dt_over_sqrt_d_g": f"{one['dt']:g}",
            "tan_theta": f"{math.tan(math.radians(one['theta'])):.4f}", "shear_over_normal": f"{one['ratio']:.4f}",
            "I": f"{one['I']:.4f}", "I_over_depth_sd": f"{one['I_scatter']:.4f}", "mu_of_I_glass_beads": f"{law(one['I']):.4f}",
            "packing": f"{one['packing']:.4f}", "packing_over_depth_sd": f"{one['packing_scatter']:.4f}",
            "exponent": f"{one['exponent']:.2f}", "surface_speed": f"{one['surface']:.2f}", "depth_d": f"{one['depth']:.1f}",
            "change": f"{one['change']:+.3f}"}


def draw(axes, flows):
    inertial = numpy.geomspace(0.005, 1, 100)
    axes.semilogx(inertial, law(inertial), "k-", linewidth=0.8, label="glass beads, Jop et al. 2005")
    axes.plot([one["I"] for one in flows], [one["ratio"] for one in flows], "o", label="fields, a mark a bed")
    axes.set(xlabel="inertial number I", ylabel="shear over normal stress")
    axes.legend()
