"""Weight that the floor of a tall silo bears: it comes to a limit, since the walls carry what is added.

Cylinders of diameter D = 7 d are filled to heights of 0.5 D to 8 D, from grains that lie close already. The wall rises
slowly (0.02 m/s: a tenth of sqrt(g d) and less), so that its friction is mobilised everywhere and points up, as the
law supposes (Bertho et al. 2003); before, walls may bear anything between nothing and that. F is the mean force on
the floor over the last half of the run, in which the wall rises by 0.8 d, and over beds of other seeds. With m the mass
of the grains,

    F = M g (1 - exp(-m / M)),    M = rho lambda pi D^2 / 4,    lambda = D / (4 mu K)

has the one free number M. Height and bulk density are not needed for it, only for K, the ratio of horizontal to
vertical stress; rho is that of all of the highest silo. M and K are fitted for each seed.
"""
import numpy
import scipy.optimize

import beds
import common
from lab import mean_and_error

TITLE = "Force on the floor of a silo beside Janssen's law"
SOURCE = ("H. A. Janssen, Versuche ueber Getreidedruck in Silozellen, Z. Ver. Dtsch. Ing. 39 (1895) 1045-1049; with walls "
          "that move: Y. Bertho, F. Giorgiutti-Dauphine, J.-P. Hulin, Dynamical Janssen effect on granular packing with "
          "moving walls, Phys. Rev. Lett. 90 (2003) 144301")

GRAVITY, DENSITY = 9.81, 2500.0
GRAIN, MU, SPEED = 0.01, 0.5, 0.02  # mean diameter, m; of the wall
END, DT = 0.8, 4e-3
FULL, SHORT = (7, (0.5, 1, 1.5, 2, 3, 4, 6, 8)), (6, (0.5, 1, 2, 3.5))  # D / d, and heights / D


def configuration(diameter, height, seed=1, fields=None):
    """A silo filled to about so many diameters."""
    count = round(0.58 * height * diameter**3 * 1.5 / GRAIN**3)
    return {
        "time": {"dt": DT, "end": END}, "gravity": [0, 0, -GRAVITY],
        "materials": {"glass": {"density": DENSITY}, "wall": {"density": DENSITY}},
        "friction": [{"between": ["glass", other], "mu": MU} for other in ("glass", "wall")],
        "bodies": {"bed": {"material": "glass",
                           "radii": {"type": "uniform", "min": 0.45 * GRAIN, "max": 0.55 * GRAIN},
                           "place": {"type": "cylinder", "base": [0, 0, 0], "radius": diameter / 2,
                                     "height": 2 * height * diameter, "arrangement": "dense", "count": count, "seed": seed}}},
        "tools": {"wall": {"material": "wall", "shape": {"type": "hollow_cylinder", "radius": diameter / 2},
                           "motion": {"type": "velocity", "velocity": [0, 0, SPEED]}},
                  "floor": {"material": "wall", "shape": {"type": "plane"}}},
        "solver": {"tolerance": 1e-4},
        "output": {"checkpoints": {"end": False}, "snapshots": {"start": False}, **({"fields": fields} if fields else {})}}


def silo(lab, diameter, height, seed):
    """Figures of a silo filled to about so many diameters: mass, force on the floor, what floor and wall bear together
    over the weight, height of the grains and their bulk density.
    """
    folder = lab.run(f"height{height:g}-seed{seed}", configuration(diameter, height, seed))
    rows = [row for row in common.table(folder, "tools") if row["time"] > END / 2]
    floor, wall = (numpy.array([-row["force_z"] for row in rows if row["tool"] == tool]) for tool in ("floor", "wall"))
    centres, radii = beds.grains(folder)
    mass = DENSITY * (4 / 3 * numpy.pi * radii**3).sum()
    top = numpy.quantile(centres[:, 2] + radii, 0.98)
    return {"mass": mass, "force": floor.mean(), "share": floor.mean() / (mass * GRAVITY),
            "balance": (floor.mean() + wall.mean()) / (mass * GRAVITY), "height": top,
            "density": mass / (numpy.pi / 4 * diameter**2 * top)}


def law(mass, most):
    return most * (1 - numpy.exp(-mass / most))


def fit(silos, diameter):
    """M, R^2 of the law with it, K, and the highest silo's force over the limit, of silos of one seed."""
    mass, apparent = (numpy.array([s[key] for s in silos]) / of for key, of in (("mass", 1), ("force", GRAVITY)))
    (most,), _ = scipy.optimize.curve_fit(law, mass, apparent, p0=[apparent[-1]])
    r_square = 1 - ((apparent - law(mass, most))**2).sum() / ((apparent - apparent.mean())**2).sum()
    length = most / (silos[-1]["density"] * numpy.pi / 4 * diameter**2)
    return {"most": most, "r_square": r_square, "ratio": diameter / (4 * MU * length), "limit": apparent[-1] / most}


def measure(lab):
    grains, heights = SHORT if lab.short else FULL
    diameter = grains * GRAIN
    beds_of = [[silo(lab, diameter, height, seed) for height in heights] for seed in lab.seeds]
    silos = [mean_and_error(of_height) for of_height in zip(*beds_of)]
    fitted, error = mean_and_error([fit(of_seed, diameter) for of_seed in beds_of])
    near = 0.2 if lab.short else 0.15
    lab.check("R^2 of the law with the one fitted number", fitted["r_square"], 0.9, 1, error["r_square"])
    lab.check(f"force on the floor at {heights[-1]} D over the limit M g", fitted["limit"], 1 - near, 1 + near, error["limit"])
    highest, scatter = silos[-1]
    lab.check(f"over the weight, at {heights[-1]} D", highest["share"], 0, 0.4 if lab.short else 0.2, scatter["share"])
    lab.check("K, between active and passive states (Rankine 1857, 30 degrees)", fitted["ratio"], 1 / 3, 3, error["ratio"])
    each = [one for of_seed in beds_of for one in of_seed]
    lab.check("worst |borne / weight - 1|", max(abs(one["balance"] - 1) for one in each), 0, 0.02)
    lab.check("steps that are not converged", lab.unsolved, 0, 0)
    draw(lab.axes, silos, fitted["most"], f"M = {fitted['most']:.3f} kg: K = {fitted['ratio']:.2f}, R$^2$ = {fitted['r_square']:.3f}")
    return [{"height/D": f"{s['height'] / diameter:.2f}", "beds": len(lab.seeds), "mass_kg": f"{s['mass']:.3f}",
             "force_N": f"{s['force']:.2f}", "standard_error_N": f"{error['force']:.2f}",
             "law_N": f"{GRAVITY * law(s['mass'], fitted['most']):.2f}", "force/weight": f"{s['share']:.3f}",
             "borne/weight": f"{s['balance']:.4f}", "rho_kg_m3": f"{s['density']:.0f}"} for s, error in silos]


def draw(axes, silos, most, fitted):
    mass, force, error = numpy.array([(s["mass"], s["force"], error["force"]) for s, error in silos]).T
    fine = numpy.linspace(0, 1.05 * mass.max(), 200)
    axes.errorbar(mass, force, error, fmt="o", capsize=3, label="scree, standard error over beds")
    axes.plot(fine, GRAVITY * law(fine, most), "k-", linewidth=0.8, label=f"Janssen, {fitted}")
    axes.plot(fine, GRAVITY * fine, "k:", linewidth=0.8, label="weight")
    axes.set(xlabel="mass of the grains, kg", ylabel="force on the floor, N", ylim=(0, 1.8 * GRAVITY * most))
    axes.legend()
