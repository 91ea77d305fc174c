"""Grains that fall into a heap without side walls: how densely they pack, whom they touch, what a step costs."""
import math
import statistics
import sys

import numpy

import common
import smooth_scenes as scenes

sys.path[:0] = [str(common.ROOT / "scripts"), str(common.ROOT / "scripts" / "lib")]
import scree_results  # noqa: E402  (its folder is known only now)
from picture_shapes import turn  # noqa: E402

GRAVITY = 10.0
CELL = 5.0  # edge of the periodic cell; the diameter of the ball of a grain's volume is 1
DT, SETTLING = 0.01, 8.0
STEPS = 300  # whose cost is measured
LATE = 300  # steps at the end, of which overlap and constraints are told
MU = 0.5
FLOOR, TOP = 2.0, 2.5  # what is not bulk: so far above the floor, and so far below the height of most centres
COUNT = 400
GRAINS = {  # name: shape, friction, packing and coordination of the literature
    "spheres": ({"type": "sphere"}, 0.0, "0.64", "6"),
    "ellipsoids 1.25:1:0.8": ({"type": "ellipsoid", "semi_axes": [1.25, 1.0, 0.8]}, 0.0, "0.735", "at most 12"),
    "capsules 1.45": ({"type": "capsule", "radius": 1, "length": 0.9}, 0.0, "0.721", "10"),
    "capsules 1 (spheres)": ({"type": "sphere"}, MU, "0.55 to 0.64", "4 to 6"),
    "capsules 2": ({"type": "capsule", "radius": 1, "length": 2}, MU, "", "4 to 10"),
    "capsules 4": ({"type": "capsule", "radius": 1, "length": 6}, MU, "", "4 to 10")}
TITLE = "Packings of smooth grains under gravity"
NOTE = (f"ReLCP, overlap below 1e-3 of the inscribed radius, steps of {DT} in units of a ball's diameter and its free fall (g = {GRAVITY:g}); "
        f"a cell of {CELL:g} x {CELL:g}, periodic, over a flat floor; grains fall as they are placed, without restitution, and settle "
        f"for {SETTLING:g}. `packing` (`earlier`: at three quarters of the run) and `coordination` (grains that press on a grain, which is "
        f"held by 4 or more) are of the bulk, from {FLOOR:g} diameters above the floor to {TOP:g} below the top. Aspects are lengths over "
        "diameters. Literature: spheres and ellipsoids without friction, Donev et al. (Science 303, 2004; experiments 0.74 +- 0.005, Man et "
        "al., PRL 94, 2005); capsules without friction, Imaz Gonzalez et al. (J. Phys. Chem. B 127, 2023: the densest, 0.721 +- 0.001, "
        "isostatic); spheres between much friction and none, Silbert (Soft Matter 6, 2010). Of capsules with friction the bounds are "
        "those of force balance: 4 where friction holds all, 10 where there is none; friction acts against the gain that longer grains "
        f"have without it (Packings of frictionless spherocylinders, arXiv 2004.13460). `ms_a_step`: of the processor, over {STEPS} steps "
        "that go on from the end; `over_spheres`: over that of spheres with the same friction, by the same keys.")


def falling(count, shape):
    """Grains of the volume of a ball of diameter 1, in a tall cell, as densely as they can be placed at random; and its height."""
    height = 30.0 * count / CELL**2  # there is room for them even where each has the space of its circumscribed ball
    return {"shape": shape, "radii": {"type": "list", "values": [0.5]},
            "place": {"type": "box", "low": [0.0, 0.0, 0.0], "high": [CELL, CELL, height], "count": count, "arrangement": "dense",
                      "seed": 1}}, height


def config(grains, mu, end):
    return {"name": "packing", "time": {"dt": DT, "end": end}, "gravity": [0, 0, -GRAVITY],
            "periodic": {"x": [0.0, CELL], "y": [0.0, CELL]}, "materials": {"grain": {"density": 1.0}},
            "friction": [{"between": ["grain", "grain"], "mu": mu}],
            "bodies": {"grains": {"material": "grain"} | grains},
            "tools": {"floor": {"material": "grain", "shape": {"type": "plane"}, "position": [0, 0, 0], "normal": [0, 0, 1]}},
            "contact": {"constraints": "relcp", "overlap_tolerance": 1.0e-3},
            "output": {"snapshots": {"every": end / 4, "precision": "double"}, "contacts": {"every": end / 4}}}


def points_in(kind, half):
    """Points evenly within a grain, along its own axes, P x 3."""
    points = numpy.random.default_rng(1).uniform(-1, 1, (8000, 3)) * half
    if kind == "capsule":
        from_line = points.copy()
        from_line[:, 2] = numpy.maximum(abs(points[:, 2]) - (half[2] - half[0]), 0)
        return points[(from_line**2).sum(1) < half[0]**2]
    return points[((points / half)**2).sum(1) < 1]


def bulk(grains):
    """Lowest and highest z of what is bulk."""
    return FLOOR, float(numpy.quantile(grains.position[:, 2], 0.97)) - TOP


def packing(grains):
    """The share of space that grains fill in the bulk."""
    kind = grains.names["shape"][grains.shape[0]]
    axis = turn(grains.orientation)[:, 2, :]
    heights = grains.position[:, 2, None] + numpy.einsum("nk,pk->np", axis, points_in(kind, grains.semi_axes[0]))
    low, high = bulk(grains)
    volume = 4 / 3 * math.pi * grains.radius[0]**3
    return volume * ((heights > low) & (heights < high)).mean(axis=1).sum() / (CELL**2 * (high - low))


def coordination(grains, contacts):
    """How many grains press on a grain of the bulk that is held, mean."""
    known = set(grains.id.tolist())
    partners = {i: set() for i in known}
    for a, b in zip(contacts["id_a"].tolist(), contacts["id_b"].tolist()):
        if a in known and b in known:
            partners[a].add(b)
            partners[b].add(a)
    low, high = bulk(grains)
    inside = grains.id[(grains.position[:, 2] > low) & (grains.position[:, 2] < high)]
    return statistics.mean(n for n in (len(partners[int(i)]) for i in inside) if n >= 4)


def cost(folder, name, snapshot, mu):
    """Milliseconds of the processor a step, over steps that go on from the packing at its end."""
    going_on = {"place": {"type": "hdf5", "file": str(snapshot.resolve())}}
    scenes.run(folder, name, config(going_on, mu, STEPS * DT))
    return 1e3 * scenes.processor_seconds(folder, name) / STEPS


def row(name, output, milliseconds, spheres):
    _, mu, packed, touched = GRAINS[name]
    run, steps = scree_results.Run(output), common.table(output)
    *_, earlier, last = run.snapshots()
    late = steps[-LATE:]
    return {"grains": name, "count": len(last), "mu": mu, "packing": f"{packing(last):.3f}", "earlier": f"{packing(earlier):.3f}",
            "literature": packed, "coordination": f"{coordination(last, scree_results.read_contacts(run.contact_files[-1])):.1f}",
            "of_literature": touched, "largest_overlap": f"{max(s['overlap'] for s in late):.0e}",
            "constraints": round(statistics.mean(s["contacts"] for s in late)),
            "recursions": f"{statistics.mean(s['recursions'] for s in late):.1f}", "ms_a_step": f"{milliseconds:.0f}",
            "over_spheres": f"{milliseconds / spheres.setdefault(mu, milliseconds):.1f}",
            "unsolved": f"{sum(s['status'] != 'converged' for s in steps)} of {len(steps)}"}


def measure(folder, path, args):
    count, settling = args.count or COUNT, 2.0 if args.short else SETTLING
    rows, spheres = [], {}
    for name, (shape, mu, *_) in GRAINS.items():
        label = f"{name.replace(' ', '-').replace(':', '-')}-{count}"
        grains, height = falling(count, shape)
        fall = math.sqrt(2 * 0.2 * height / GRAVITY)  # where they are placed, they fill less than a fifth of that
        output, _ = scenes.run(folder, label, config(grains, mu, round(fall + settling, 2)))
        milliseconds = cost(folder, f"{label}-goes-on", scree_results.Run(output).snapshot_files[-1], mu)
        rows.append(row(name, output, milliseconds, spheres))
    return TITLE, rows, NOTE, [], None
