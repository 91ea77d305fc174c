"""Discharge of a flat-bottomed silo through a round hole: W = C rho_b sqrt(g) (D - k d)^(5/2).

A bed of spheres of mean diameter d (radii spread by 10 %) fills a cylinder; the same settled bed is let out through
holes of D = 5 d to 9 d. W is the slope of the discharged mass over time, from 0.25 s on and as long as the bed is
higher than 0.4 of the silo's width, where the law does not know the height. rho_b is that of the settled bed, k = 1.4
that of spheres in the literature. The silo is 18 d wide, twice the largest hole. W and C are means over beds of other
seeds.
"""
import numpy

import beds
import common
from lab import mean_and_error

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
FULL = {"width": 18, "grains": 4000, "arrangement": "loose", "settles": 0.5, "starts": 0.25,
        "holes": {5: 1.05, 6: 0.75, 7: 0.75, 8: 0.75, 9: 0.6}, "within": 0.15}
SHORT = {"width": 15, "grains": 1900, "arrangement": "dense", "settles": 0.2, "starts": 0.15,
         "holes": {5.5: 0.65, 8: 0.42}, "within": 0.45}


def scene(tools, end, dt, place):
    return {"time": {"dt": dt, "end": end}, "gravity": [0, 0, -GRAVITY],
            "materials": {"glass": {"density": DENSITY}, "wall": {"density": DENSITY}},
            "friction": [{"between": ["glass", other], "mu": 0.5} for other in ("glass", "wall")],
            "bodies": {"bed": {"material": "glass", **place}},
            "tools": {name: {"material": "wall", "shape": shape} for name, shape in tools.items()},
            "solver": {"tolerance": 1e-3},
            "output": {"checkpoints": {"end": False}, "snapshots": {"start": False}}}


def fill(lab, size, seed):
    """The folder of the run in which the bed settles."""
    radius = size["width"] / 2 * GRAIN
    place = {"type": "cylinder", "base": [0, 0, 0], "radius": radius, "count": size["grains"], "seed": seed,
             "height": 0.011 * size["grains"] * (GRAIN / radius)**2}
    if size["arrangement"] != "loose":
        place["arrangement"] = size["arrangement"]
    return lab.run(f"fill-seed{seed}", scene(
        {"silo": {"type": "hollow_cylinder", "radius": radius}, "floor": {"type": "plane"}}, size["settles"], DT,
        {"radii": {"type": "uniform", "min": 0.45 * GRAIN, "max": 0.55 * GRAIN}, "place": place}))


def discharge(lab, size, filled, hole, end, dt):
    """Time, discharged mass and grains that are left in each step; the hole in diameters of a grain."""
    radius = size["width"] / 2 * GRAIN
    config = scene({"silo": {"type": "hollow_cylinder", "radius": radius},
                          "bottom": {"type": "orifice", "radius": 0.5 * hole * GRAIN, "thickness": 0.005}}, end, dt,
                   {"place": {"type": "hdf5", "file": str(beds.last_snapshot(filled).resolve())}})
    config["removal_boxes"] = {"below": {"low": [-radius, -radius, -0.2], "high": [radius, radius, -0.03]}}
    rows = common.table(lab.run(f"hole{hole:g}-dt{dt:g}-{filled.name}", config))
    return numpy.array([(row["time"], row["discharged_mass"], row["bodies"]) for row in rows]).T


def law(hole, bulk_density):
    return C * bulk_density * GRAVITY**0.5 * ((hole - K) * GRAIN)**2.5


def bed(lab, size, seed):
    """The folder in which a bed settles, its bulk density, and how many grains are as high as the law asks."""
    radius, filled = size["width"] / 2 * GRAIN, fill(lab, size, seed)
    centres, radii = beds.grains(filled)
    top = numpy.quantile(centres[:, 2], 0.95)
    slab = (3 * GRAIN, top - 2 * GRAIN)
    solid = beds.solid_volume(centres[:, 2], radii, *slab) / (numpy.pi * radius**2 * (slab[1] - slab[0]))
    return filled, DENSITY * solid, size["grains"] * LEAST_HEIGHT * 2 * radius / top


def flows(lab, size, cases, seed):
    """Figures of each case (hole, end, dt) of one bed."""
    filled, density, least = bed(lab, size, seed)
    found = []
    for hole, end, dt in cases:
        time, mass, grains = discharge(lab, size, filled, hole, end, dt)
        steady = (time > size["starts"]) & (grains > least)
        if steady.sum() < 50:
            raise SystemExit(f"beverloo: at D = {hole} d only {steady.sum()} steps are steady: a larger bed is needed")
        flow = numpy.polyfit(time[steady], mass[steady], 1)[0]
        found.append({"hole": hole, "dt": dt, "flow": flow, "law": law(hole, density), "C": C * flow / law(hole, density),
                      "discharged": grains[0] - grains[-1]})
    return found


def exponent_of(found):
    """That of D - k d in the flows of one bed."""
    holes, flow = numpy.array([(one["hole"], one["flow"]) for one in found if one["dt"] == DT]).T
    return numpy.polyfit(numpy.log(holes - K), numpy.log(flow), 1)[0]


def measure(lab):
    size = SHORT if lab.short else FULL
    cases = [(hole, end, DT) for hole, end in size["holes"].items()]
    cases += [] if lab.short else [(7, 0.6, DT / 2)]
    beds_of = [flows(lab, size, cases, seed) for seed in lab.seeds]
    found = [mean_and_error(of_case) for of_case in zip(*beds_of)]
    alike = [mean for mean, _ in found if mean["dt"] == DT]
    exponent, error = mean_and_error([{"exponent": exponent_of(of_seed)} for of_seed in beds_of])
    constant, scatter = mean_and_error([{"C": numpy.mean([one["C"] for one in of_seed if one["dt"] == DT])} for of_seed in beds_of])
    shares = numpy.array([mean["C"] for mean in alike]) / constant["C"]
    within = size["within"]
    lab.check(f"exponent of D - {K} d, 5/2 within {within:.0%}", exponent["exponent"], (1 - within) * 2.5, (1 + within) * 2.5,
              error["exponent"])
    lab.check(f"mean C, {C} within {within:.0%}", constant["C"], (1 - within) * C, (1 + within) * C, scatter["C"])
    lab.check("largest W / (D - k d)^(5/2) over the mean of all D", shares.max(), 1, 1 + within)
    lab.check("smallest", shares.min(), 1 - within, 1)
    lab.check("steps that are not converged", lab.unsolved, 0, 0)
    draw(lab.axes, [both for both in found if both[0]["dt"] == DT], constant["C"], exponent["exponent"])
    return [{"D/d": mean["hole"], "dt_s": mean["dt"], "beds": len(beds_of), "W_kg_s": f"{mean['flow']:.4f}",
             "standard_error_kg_s": f"{deviation['flow']:.4f}", "law_kg_s": f"{mean['law']:.4f}", "C": f"{mean['C']:.4f}",
             "grains discharged": f"{mean['discharged']:.0f}"} for mean, deviation in found]


def draw(axes, found, constant, exponent):
    holes, flow, error, wanted = numpy.array([(mean["hole"], mean["flow"], deviation["flow"], mean["law"])
                                              for mean, deviation in found]).T
    fine = numpy.linspace(0.9 * holes.min(), 1.1 * holes.max(), 50)
    curve = (fine - K)**2.5 * numpy.mean(wanted / (holes - K)**2.5)
    axes.errorbar(holes - K, flow, error, fmt="o", capsize=3,
                  label=f"scree, standard error over beds; fitted exponent {exponent:.2f}")
    axes.loglog(fine - K, curve, "k-", linewidth=0.8, label=f"Beverloo, C = {C}")
    axes.loglog(fine - K, constant / C * curve, "k--", linewidth=0.8, label=f"Beverloo, C = {constant:.3f}")
    axes.set(xlabel=f"D/d - {K}", ylabel="W, kg/s")
    axes.legend()
