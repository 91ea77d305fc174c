"""A column of grains collapses in a channel, from a wall at one end, over a floor of fixed grains.

Of length L0 and height H0 = a L0, it comes to rest over the length L and with the height H. The channel is periodic
across, wall and gate are smooth. The column settles behind the gate in a run of its own; the collapse starts from
there, without the gate. Heights are those of surface.heights, above the highest points of the fixed grains; the front
is where they fall below half a diameter, which is where half of the width is bare: what rolled ahead alone is left
out. H is the largest height of the deposit. The columns are 4.4 d wide and hold as many grains, L0 H0 = 200 d^2; but
none is shorter than L0 = 5 d.
"""
import math

import numpy

import beds
import surface

TITLE = "Collapse of a column"
SOURCE = ("(L - L0)/L0 ~ a, then a^(2/3) above a = 2 to 3; H/L0 = a, then a^(1/3) above a = 0.7: E. Lajeunesse, "
          "J. B. Monnier, G. M. Homsy, Phys. Fluids 17, 103302 (2005); runout 1.2 a, then 1.9 a^(2/3): G. Lube, "
          "H. E. Huppert, R. S. J. Sparks, A. Freundt, Phys. Rev. E 72, 041301 (2005)")

GRAVITY, D = 9.81, 5e-3  # mean diameter; from 0.9 to 1.1 of it
WIDTH = 4.4 * D
AREA, SHORTEST = 200 * D**2, 5 * D  # L0 H0, as long as L0 is not below
DT, FILL_DT = 1.5e-3, 5e-3
PACKING = 0.58


def lube_runout(a):
    """(L - L0)/L0 of Lube et al.: for a below 1.8, and above 2.8."""
    return numpy.where(a < 2.3, 1.2 * a, 1.9 * a**(2 / 3))


def between_laws(a):
    return (a > 1.8) & (a < 2.8)


def fill(length, tall, end, seed):
    """The configuration in which the column settles behind the gate, on a floor as far as `end`."""
    radii = {"type": "uniform", "min": 0.45 * D, "max": 0.55 * D}
    volume = math.pi / 6 * D**3 * 1.01  # of a grain, mean
    return {
        "time": {"dt": FILL_DT, "end": math.ceil(2 * math.sqrt(tall / GRAVITY) / FILL_DT) * FILL_DT},
        "gravity": [0, 0, -GRAVITY],
        "periodic": {"y": [0, WIDTH]},
        "materials": {"grain": {"density": 2500}, "smooth": {"density": 2500}},
        "friction": [{"between": ["grain", "grain"], "mu": 0.5}, {"between": ["grain", "smooth"], "mu": 0}],
        "bodies": {
            "floor": beds.rough_floor(radii, [-D, 0, -1.1 * D], [end, WIDTH, 0], seed),
            "column": {"material": "grain", "radii": radii,
                       "place": {"type": "box", "low": [0, 0, 0], "high": [length, WIDTH, 3 * tall],
                                 "arrangement": "dense", "count": round(PACKING * length * tall * WIDTH / volume),
                                 "seed": seed}}},
        "tools": {
            "base": {"material": "grain", "shape": {"type": "plane"}, "position": [0, 0, -1.1 * D]},
            "wall": {"material": "smooth", "shape": {"type": "plane"}, "normal": [1, 0, 0]},
            "gate": {"material": "smooth", "shape": {"type": "plane"}, "position": [length, 0, 0], "normal": [-1, 0, 0]}},
        "contact": {"recovery_speed": 0.02},
        "solver": {"tolerance": 1e-3},
        "output": {"snapshots": {"start": False}, "checkpoints": {"end": False}}}


def without_gate(filled, tall, snapshot):
    """The configuration of the collapse, from the settled state that a snapshot holds."""
    config = {**filled, "time": {"dt": DT, "end": math.ceil(5 * math.sqrt(tall / GRAVITY) / DT) * DT},
              "tools": {name: tool for name, tool in filled["tools"].items() if name != "gate"},
              "solver": {"tolerance": 1e-3}, "output": {"checkpoints": {"end": False}}}
    config["bodies"] = {name: {"material": "grain", "fix": group.get("fix", []),
                               "place": {"type": "hdf5", "file": str(snapshot), "population": name}}
                        for name, group in filled["bodies"].items()}
    return config


def column(lab, a, area, seed):
    """Lengths and heights before and after in diameters, and the grains' median speed before and after in m/s."""
    length, tall = math.sqrt(area / a), math.sqrt(area * a)
    end = length * (1 + 1.5 * float(lube_runout(a))) + 5 * D
    name = f"a{a:g}-area{area / D**2:g}-seed{seed}"
    filled = fill(length, tall, end, seed)
    *_, settled = sorted((lab.run(f"{name}-filled", filled) / "snapshots").glob("*.hdf"))
    first, *_, last = surface.snapshots(lab.run(name, without_gate(filled, tall, settled.relative_to(lab.folder))))
    before, after = (surface.heights(state, 0, end, WIDTH, D)[1] for state in (first, last))
    return {"grains": len(last.radius), "L0": length / D, "H0": before[:int(length / D)].mean() / D,
            "L": surface.front(after, D) / D, "H": after.max() / D,
            "speeds": [numpy.median(numpy.linalg.norm(state.velocity, axis=1)) for state in (first, last)]}


def measure(lab):
    columns = []
    for seed in (1,) if lab.short else (1, 2, 3):
        for a in (0.7, 2.3, 8) if lab.short else (0.5, 1, 2, 3.5, 6, 10):
            area = 100 * D**2 if lab.short else max(AREA, a * SHORTEST**2)
            columns.append({"seed": seed, **column(lab, a, area, seed)})
    a, runout, tall = (numpy.array([c[key] / c["L0"] - less for c in columns])
                       for key, less in (("H0", 0), ("L", 1), ("H", 0)))
    # Short: three columns alone, whose exponents scatter by 0.06 to 0.08 (standard deviation over three seeds).
    off = 0.3 if lab.short else 0.15
    for what, values, wanted, part in (("(L - L0)/L0, a below 2.5", runout, 1, a < 2.5),
                                       ("(L - L0)/L0, a above 2.3", runout, 2 / 3, a > 2.3),
                                       ("H/L0, a above 0.9", tall, 1 / 3, a > 0.9)):
        found = numpy.polyfit(numpy.log(a[part]), numpy.log(values[part]), 1)[0]
        lab.check(f"exponent of {what}", found, wanted - off, wanted + off)
    outside = ~between_laws(a)
    lab.check("mean of (L - L0)/L0 over that of Lube et al.", numpy.mean((runout / lube_runout(a))[outside]),
              *((0.65, 1.15) if lab.short else (0.8, 1.2)))
    lab.check("smallest H/H0, a below 0.75", (tall / a)[a < 0.75].min(), 0.8, 1.1)
    lab.check("median speed before, largest of all, m/s", max(c["speeds"][0] for c in columns), 0, 0.1)
    lab.check("median speed after, largest of all, m/s", max(c["speeds"][1] for c in columns), 0, 0.02)
    draw(lab.axes, a, runout, tall)
    return [{"seed": c["seed"], "grains": c["grains"],
             **{f"{key}/d": f"{c[key]:.1f}" for key in ("L0", "H0", "L", "H")},
             "a": f"{x:.3f}", "(L - L0)/L0": f"{y:.3f}", "H/L0": f"{z:.3f}"}
            for c, x, y, z in zip(columns, a, runout, tall)]


def draw(axes, a, runout, tall):
    x = numpy.geomspace(a.min(), a.max(), 200)
    axes.loglog(a, runout, "o", label="(L - L$_0$)/L$_0$")
    axes.loglog(a, tall, "s", label="H/L$_0$")
    axes.loglog(x, numpy.where(between_laws(x), numpy.nan, lube_runout(x)), "C0-", linewidth=0.8,
                label="Lube et al.: 1.2 a, 1.9 a$^{2/3}$")
    factor = numpy.exp(numpy.mean(numpy.log(tall / a**(1 / 3))[a > 0.9]))
    axes.loglog(x, numpy.minimum(x, factor * x**(1 / 3)), "C1-", linewidth=0.8,
                label=f"Lajeunesse et al.: a, a$^{{1/3}}$, here times {factor:.2f}")
    axes.set(xlabel="aspect ratio a = H$_0$/L$_0$")
    axes.legend(fontsize="small")
