"""Discharge of a flat-bottomed silo through a round hole: W = C rho_b sqrt(g) (D - k d)^(5/2).

A bed of spheres of mean diameter d (radii spread by 10 %) fills a cylinder; the same settled bed is let out through
holes of D = 5 d to 9 d. W is the slope of the discharged mass over time, from 0.25 s on and as long as the bed is
higher than 0.4 of the silo's width, where the law does not know the height. rho_b is that of the settled bed, k = 1.4
that of spheres in the literature. The silo is 18 d wide, twice the largest hole.
"""
import h5py
import numpy

import beds
import common

TITLE = "Discharge of a silo beside Beverloo's law"
SOURCE = ("W. A. Beverloo, H. A. Leniger, J. van de Velde, The flow of granular solids through orifices, Chem. Eng. Sci. 15 "
          "(1961) 260-269; C = 0.58, k = 1.4 for spheres: R. M. Nedderman, Statics and kinematics of granular materials, 1992")

GRAVITY, DENSITY = 9.81, 2500.0
GRAIN = 0.01  # mean diameter, m
C, K = 0.58, 1.4
DT = 2e-3
LEAST_HEIGHT = 0.4  # of the bed, in widths of the silo
# Width of the silo and holes in diameters of a grain; of each hole the time of the run: the smaller, the fewer grains.
# Below 5 d, arches stop the flow. `starts`: when the flow is steady. `within`: what the law must hold within; a short run
# counts 300 grains of the smaller hole, and its exponents scatter by 0.3 (four beds: 2.30 to 2.91).
FULL = {"width": 18, "grains": 4000, "arrangement": "loose", "settles": 0.5, "sweeps": 100, "starts": 0.25,
        "holes": {5: 1.05, 6: 0.75, 7: 0.75, 8: 0.75, 9: 0.6}, "within": 0.15}
SHORT = {"width": 15, "grains": 1900, "arrangement": "dense", "settles": 0.2, "sweeps": 40, "starts": 0.15,
         "holes": {5.5: 0.65, 8: 0.42}, "within": 0.45}


def scene(size, tools, end, dt, place):
    return {"time": {"dt": dt, "end": end}, "gravity": [0, 0, -GRAVITY],
            "materials": {"glass": {"density": DENSITY}, "wall": {"density": DENSITY}},
            "friction": [{"between": ["glass", other], "mu": 0.5} for other in ("glass", "wall")],
            "bodies": {"bed": {"material": "glass", **place}},
            "tools": {name: {"material": "wall", "shape": shape} for name, shape in tools.items()},
            "solver": {"method": "nsgs", "tolerance": 1e-3, "max_iterations": size["sweeps"],
                       "on_not_converged": "continue"},
            "output": {"checkpoints": {"end": False}, "snapshots": {"start": False}}}


def fill(lab, size):
    """The folder of the run in which the bed settles."""
    radius = size["width"] / 2 * GRAIN
    place = {"type": "cylinder", "base": [0, 0, 0], "radius": radius, "count": size["grains"],
             "height": 0.011 * size["grains"] * (GRAIN / radius)**2}
    if size["arrangement"] != "loose":
        place["arrangement"] = size["arrangement"]
    return lab.run("fill", scene(
        size, {"silo": {"type": "hollow_cylinder", "radius": radius}, "floor": {"type": "plane"}}, size["settles"], DT,
        {"radii": {"type": "uniform", "min": 0.45 * GRAIN, "max": 0.55 * GRAIN}, "place": place}))


def discharge(lab, size, filled, hole, end, dt):
    """Of each step, time, discharged mass, grains that are left and residual; the hole in diameters of a grain."""
    radius = size["width"] / 2 * GRAIN
    config = scene(size, {"silo": {"type": "hollow_cylinder", "radius": radius},
                          "bottom": {"type": "orifice", "radius": 0.5 * hole * GRAIN, "thickness": 0.005}}, end, dt,
                   {"place": {"type": "hdf5", "file": str(beds.last_snapshot(filled).resolve())}})
    config["removal_boxes"] = {"below": {"low": [-radius, -radius, -0.2], "high": [radius, radius, -0.03]}}
    rows = common.table(lab.run(f"hole{hole:g}-dt{dt:g}", config))
    return numpy.array([(row["time"], row["discharged_mass"], row["bodies"], row["residual"]) for row in rows]).T


def law(hole, bulk_density):
    return C * bulk_density * GRAVITY**0.5 * ((hole - K) * GRAIN)**2.5


def rate(time, mass):
    """Slope, and its uncertainty: the scatter of the slopes of its fifths, over sqrt 5."""
    parts = [numpy.polyfit(t, m, 1)[0] for t, m in zip(numpy.array_split(time, 5), numpy.array_split(mass, 5))]
    return numpy.polyfit(time, mass, 1)[0], numpy.std(parts, ddof=1) / 5**0.5


def measure(lab):
    size = SHORT if lab.short else FULL
    radius, count = size["width"] / 2 * GRAIN, size["grains"]
    cases = [(hole, end, DT) for hole, end in size["holes"].items()]
    cases += [] if lab.short else [(7, 0.6, DT / 2)]
    filled = fill(lab, size)
    centres, radii = beds.grains(filled)
    top = numpy.quantile(centres[:, 2], 0.95)
    slab = (3 * GRAIN, top - 2 * GRAIN)
    solid = beds.solid_volume(centres[:, 2], radii, *slab) / (numpy.pi * radius**2 * (slab[1] - slab[0]))
    bulk_density = DENSITY * solid
    least = count * LEAST_HEIGHT * 2 * radius / top
    rows = []
    for hole, end, dt in cases:
        time, mass, grains, residual = discharge(lab, size, filled, hole, end, dt)
        steady = (time > size["starts"]) & (grains > least)
        if steady.sum() < 50:
            raise SystemExit(f"beverloo: at D = {hole} d only {steady.sum()} steps are steady: a larger bed is needed")
        flow, scatter = rate(time[steady], mass[steady])
        rows.append({"D/d": hole, "dt_s": dt, "W_kg_s": f"{flow:.4f}", "scatter_kg_s": f"{scatter:.4f}",
                     "law_kg_s": f"{law(hole, bulk_density):.4f}", "C": f"{C * flow / law(hole, bulk_density):.4f}",
                     "grains discharged": int(grains[0] - grains[-1]), "residual": f"{numpy.median(residual):.1e}"})
    holes = numpy.array([row["D/d"] for row in rows if row["dt_s"] == DT])
    flows = numpy.array([float(row["W_kg_s"]) for row in rows if row["dt_s"] == DT])
    shares = flows / law(holes, bulk_density)
    exponent = numpy.polyfit(numpy.log(holes - K), numpy.log(flows), 1)[0]
    within = size["within"]
    lab.check(f"exponent of D - {K} d, 5/2 within {within:.0%}", exponent, (1 - within) * 2.5, (1 + within) * 2.5)
    lab.check(f"mean C, {C} within {within:.0%}", C * shares.mean(), (1 - within) * C, (1 + within) * C)
    lab.check("largest W / (D - k d)^(5/2) over the mean of all D", (shares / shares.mean()).max(), 1, 1 + within)
    lab.check("smallest", (shares / shares.mean()).min(), 1 - within, 1)
    draw(lab.axes, holes, flows, shares.mean(), exponent, bulk_density)
    return rows


def draw(axes, holes, flows, share, exponent, bulk_density):
    fine = numpy.linspace(0.9 * holes.min(), 1.1 * holes.max(), 50)
    axes.loglog(holes - K, flows, "o", label=f"scree, fitted exponent {exponent:.2f}")
    axes.loglog(fine - K, law(fine, bulk_density), "k-", linewidth=0.8, label=f"Beverloo, C = {C}")
    axes.loglog(fine - K, share * law(fine, bulk_density), "k--", linewidth=0.8, label=f"Beverloo, C = {C * share:.3f}")
    axes.set(xlabel=f"D/d - {K}", ylabel="W, kg/s")
    axes.legend()
