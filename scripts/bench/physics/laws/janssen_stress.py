"""Vertical stress in a tall silo, from coarse-grained fields: it comes to a limit with depth, within one silo.

The silo of `janssen`, whose wall rises slowly, with fields along its axis averaged over the cross section A and the last
half of the time. At a height z, F = -sigma_zz A is what grains bear, m the mass above,

    F(z) = M g (1 - exp(-m(z) / M)),    M = rho lambda A,    lambda = D / (4 mu K)

with the one free number M. Two things are known without a law: F, and what the wall has taken above z, are the weight
above z; and the law's K, which supposes that friction is mobilised in full, is at most the ratio of horizontal to
vertical stress that the fields have, the mean of the horizontal stress over a cross section being the wall's pressure.
"""
import numpy
import scipy.optimize

import common
from laws import janssen

TITLE = "Stress in a silo, from coarse-grained fields, beside Janssen's law"
SOURCE = janssen.SOURCE
FULL, SHORT = (7, 6.0), (5, 3.0)  # D / d, height / D
WIDTH = janssen.GRAIN / 2


def profile(lab, grains, height):
    """The silo's heights, mass above each, force that grains bear there and that the wall has taken above, and the
    ratio of horizontal to vertical stress.
    """
    diameter = grains * janssen.GRAIN
    half, top = diameter / 2, 2 * height * diameter
    cells = round((top + 0.04) / (0.25 * janssen.GRAIN))
    fields = {"axis": {"grid": {"lower": [-half, -half, -0.02], "upper": [half, half, top + 0.02], "cells": [1, 1, cells]},
                       "width": WIDTH, "from": janssen.END / 2}}
    folder = lab.run(f"stress{grains}", janssen.configuration(diameter, height, fields=fields))
    rows = common.table(folder, "fields/axis")
    z, density, wall = (numpy.array([row[key] for row in rows]) for key in ("z", "density", "wall_force_z"))
    stress = {axis: numpy.array([-row[f"contact_stress_{axis}"] - row[f"kinetic_stress_{axis}"] for row in rows])
              for axis in ("xx", "yy", "zz")}
    box = diameter**2
    cell = box * (z[1] - z[0])
    above = lambda values: cell * (values[::-1].cumsum()[::-1] - values / 2)  # all from the middle of a cell on
    inside = z > 2 * 3.5 * WIDTH  # where no force of the floor is
    sides = (stress["xx"] + stress["yy"]) / 2
    bulk = inside & (above(density) > 0.3 * above(density)[0])
    return {"z": z[inside], "mass": above(density)[inside], "force": stress["zz"][inside] * box,
            "taken": above(wall)[inside], "ratio": sides[bulk].sum() / stress["zz"][bulk].sum(), "diameter": diameter}


def measure(lab):
    silo = profile(lab, *(SHORT if lab.short else FULL))
    mass, force = silo["mass"], silo["force"]
    apparent = force / janssen.GRAVITY
    (most,), _ = scipy.optimize.curve_fit(janssen.law, mass, apparent, p0=[apparent.max()])
    r_square = 1 - ((apparent - janssen.law(mass, most))**2).sum() / ((apparent - apparent.mean())**2).sum()
    bulk = mass > 0.1 * mass[0]
    slope = numpy.polyfit(silo["z"][bulk], mass[bulk], 1)[0]  # rho A: all of the silo's mass below a height
    ratio = -slope * silo["diameter"] / (4 * janssen.MU * most)
    weight = janssen.GRAVITY * mass
    lab.check("R^2 of the law with the one fitted number", r_square, 0.7 if lab.short else 0.85, 1)
    lab.check("worst |borne + taken by the wall - weight above| over all weight",
              (abs(force + silo["taken"] - weight) / weight[0]).max(), 0, 0.02)
    lab.check("largest force over the weight", force.max() / weight[0], 0, 0.6 if lab.short else 0.35)
    lab.check("K, between active and passive states (Rankine 1857, 30 degrees)", ratio, 1 / 3, 3)
    lab.check("friction of the wall over mu times its pressure: K over the fields' ratio", ratio / silo["ratio"], 0, 1)
    draw(lab.axes, silo, most, f"M = {most:.3f} kg: K = {ratio:.2f}, R$^2$ = {r_square:.3f}")
    filled = numpy.flatnonzero(mass > 1e-3 * mass[0])
    chosen = filled[::-max(1, len(filled) // 20)]
    return [{"z/D": f"{silo['z'][i] / silo['diameter']:.2f}", "mass_above_kg": f"{mass[i]:.4f}", "force_N": f"{force[i]:.3f}",
             "law_N": f"{janssen.GRAVITY * janssen.law(mass[i], most):.3f}", "taken_N": f"{silo['taken'][i]:.3f}",
             "weight_N": f"{weight[i]:.3f}"} for i in chosen]


def draw(axes, silo, most, fitted):
    mass = silo["mass"]
    axes.plot(mass, silo["force"], ".", label="fields: stress times cross section")
    axes.plot(mass, janssen.GRAVITY * janssen.law(mass, most), "k-", linewidth=0.8, label=f"Janssen, {fitted}")
    axes.plot(mass, janssen.GRAVITY * mass, "k:", linewidth=0.8, label="weight above")
    axes.set(xlabel="mass above, kg", ylabel="vertical force that grains bear, N", ylim=(0, 2 * silo["force"].max()))
    axes.legend()
