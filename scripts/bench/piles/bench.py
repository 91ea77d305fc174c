"""Contact problems of piles of spheres, hard ones for solvers, made by scree itself.

  scripts/bench/run piles FOLDER box2048t-seed1 heap5040r-seed2 box2048r-mu1-seed1 box500r-ratio1000-seed1

A name says what is made, FOLDER/NAME.hdf5: spheres that settle in a box (of five walls) or fall onto a floor as a
free heap; how many; t: they do not rotate, r: they do; muX: friction (0.4); ratioX: one grain in 20 has X times the
density (1); youngX: contacts of the last step yield, rods of X Pa, and are rigid else; the seed of places, radii and
heavy grains. Radii are 8 to 16 mm, equally likely, the density is
2600 kg/m^3. The time step of the problem is 0.01 s, and the radii, friction and time step are those of the test
problems of Kleinert, Simeon and Obermayr, "An Inexact Interior Point Method for the Large-Scale Simulation of
Granular Material", section 5.1.

Grains settle in a box without friction, which packs them (spheres that cannot turn else come to rest in loose
chains); then, with the friction asked for, a heap's walls go and it collapses (for a shorter time when its grains
roll, since they roll on without end); then come some steps of 0.01 s. Each radius is then diminished by the grain's
largest relative overlap, and the problem of the next step is written: with no gap below zero, bodies at rest are
feasible. (Grains that overlap in a box are wedged between its walls: no velocity may undo all overlaps, and no
impulses are a solution.) Which pairs are potential contacts follows from what a step can close (contact/reach.hpp):
at rest, gaps of up to 2 g dt^2 + 0.04 r_min. A table of the piles is printed, and written to FOLDER/piles.csv.
"""
import argparse
import csv
import json
import pathlib
import re
import shutil
import tempfile
import typing

import h5py
import numpy
import scipy.spatial

import common

NAME = re.compile(r"(?P<place>box|heap)(?P<grains>\d+)(?P<motion>[tr])(-mu(?P<mu>[\d.]+))?(-ratio(?P<ratio>[\d.]+))?"
                  r"(-young(?P<young>[\d.e+]+))?-seed(?P<seed>\d+)")
RADII = (0.008, 0.016)  # m
DENSITY = 2600.0  # kg/m^3
CELL = 2.02 * RADII[1]  # m, of the lattice from which grains fall
STIR = 0.5  # m/s: of random velocities at the start, without which grains would come to rest in columns
PACKING_FRICTION = 0.0
HEAVY_SHARE = 0.05
COLUMNS = ["x", "y", "z", "r", "vx", "vy", "vz", "wx", "wy", "wz"]


class Stage(typing.NamedTuple):
    name: str
    dt: float  # s
    time: float  # s
    walls: bool
    friction: float
    tolerance: float


def stages(pile):
    """From the fall to the step that is written."""
    walls, mu = pile["place"] == "box", pile["mu"]
    yield Stage("pack", 2e-3, 0.8, True, PACKING_FRICTION, 1e-3)
    yield Stage("rest", 2e-3, 0.2 if walls else 0.3 if pile["rotates"] else 0.8, walls, mu, 1e-3)
    yield Stage("late", 0.01, 0.2, walls, mu, 1e-4)


LAST = 0.01  # s: the step that is written


def parse_name(name):
    match = NAME.fullmatch(name)
    if not match:
        raise argparse.ArgumentTypeError(f"{name}: a name is like box2048t-seed1 or heap500r-mu1-ratio1000-seed2")
    pile = match.groupdict()
    return dict(name=name, place=pile["place"], grains=int(pile["grains"]), rotates=pile["motion"] == "r",
                mu=float(pile["mu"] or 0.4), ratio=float(pile["ratio"] or 1.0), young=pile["young"], seed=int(pile["seed"]))


def width(pile):
    """Of the box, in which the settled pile (solid share 0.6) is about as high as wide; of the heap's first column."""
    low, high = RADII
    cube_mean = (high**4 - low**4) / (4 * (high - low))
    return (pile["grains"] * 4 / 3 * numpy.pi * cube_mean / 0.6) ** (1 / 3)


def lattice(pile):
    """COLUMNS of grains that begin to fall, each somewhere in its cell, layer upon layer; and which group each is of."""
    random = numpy.random.default_rng(pile["seed"])
    cells = int(width(pile) / CELL)
    index = numpy.arange(pile["grains"])
    radius = random.uniform(*RADII, pile["grains"])[:, None]
    corner = CELL * numpy.column_stack([index % cells, index // cells % cells, index // cells**2])
    centre = corner + radius + (CELL - 2 * radius) * random.uniform(0, 1, (pile["grains"], 3))
    centre[:, :2] += 0.5 * (width(pile) - cells * CELL)
    velocity = STIR * random.standard_normal((pile["grains"], 3))
    group = numpy.full(pile["grains"], "light")
    if pile["ratio"] != 1.0:
        group[random.permutation(pile["grains"])[:round(HEAVY_SHARE * pile["grains"])]] = "heavy"
    return numpy.column_stack([centre, radius, velocity, numpy.zeros_like(velocity)]), group


def write_csv(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows([repr(float(x)) for x in row] for row in rows)


def tools(pile, stage):
    wide = width(pile)
    planes = {"floor": ([0, 0, 1], [0, 0, 0])}
    if stage.walls:
        planes.update(left=([1, 0, 0], [0, 0, 0]), right=([-1, 0, 0], [wide, 0, 0]),
                      front=([0, 1, 0], [0, 0, 0]), back=([0, -1, 0], [0, wide, 0]))
    return {name: {"material": "light", "shape": {"type": "plane"}, "normal": normal, "position": position}
            for name, (normal, position) in planes.items()}


def run_stage(pile, stage, grains, group, folder, ranks, more=()):
    """Runs scree from these grains, with more settings; returns the folder of the run and its wall seconds."""
    bodies = {}
    for name in numpy.unique(group):
        write_csv(folder / f"{stage.name}-{name}.csv", grains[group == name])
        bodies[str(name)] = {"material": str(name), "place": {"type": "csv", "file": f"{stage.name}-{name}.csv"},
                             "fix": [] if pile["rotates"] else ["rotation"]}
    config = {
        "name": stage.name, "time": {"dt": stage.dt, "end": stage.time},
        "materials": {"light": {"density": DENSITY}, "heavy": {"density": DENSITY * pile["ratio"]}},
        "friction": [{"between": pair, "mu": stage.friction}
                     for pair in (["light", "light"], ["light", "heavy"], ["heavy", "heavy"])],
        "bodies": bodies, "tools": tools(pile, stage),
        "solver": {"tolerance": stage.tolerance, "on_not_converged": "warn"}, "output": {"snapshots": {"start": False}}}
    file = folder / f"{stage.name}.yaml"
    file.write_text(json.dumps(config, indent=1), encoding="utf-8")
    seconds, _ = common.run(file, folder / stage.name, ranks, more)
    return folder / stage.name, seconds


def snapshot(folder):
    """COLUMNS of the grains at the end of a run, and the group of each."""
    with h5py.File(max((folder / "snapshots").glob("*.hdf"))) as file:
        data = file["VTKHDF/PointData"]
        names = numpy.array(text(data["group"].attrs["names"]).split(","))
        return (numpy.column_stack([file["VTKHDF/Points"], data["radius"], data["velocity"], data["angular_velocity"]]),
                names[data["group"][:]])


def text(attribute):
    return attribute.decode() if isinstance(attribute, bytes) else str(attribute)


def overlaps(pile, grains):
    """The largest overlap of each grain: with another over the sum of their radii, with a wall over its own."""
    centre, radius = grains[:, :3], grains[:, 3]
    room = [centre[:, 2]]
    if pile["place"] == "box":
        room += [centre[:, 0], width(pile) - centre[:, 0], centre[:, 1], width(pile) - centre[:, 1]]
    overlap = numpy.maximum(0, 1 - numpy.min(room, axis=0) / radius)
    a, b = scipy.spatial.cKDTree(centre).query_pairs(2 * RADII[1], output_type="ndarray").T
    between = 1 - numpy.linalg.norm(centre[a] - centre[b], axis=1) / (radius[a] + radius[b])
    numpy.maximum.at(overlap, a, between)
    numpy.maximum.at(overlap, b, between)
    return overlap


def solid_share(pile, grains):
    """Of a box between two levels inside it, from the slices of spheres that lie there; heaps have none."""
    if pile["place"] != "box":
        return float("nan")
    height, radius = grains[:, 2], grains[:, 3]
    bottom, top = 2 * RADII[1], numpy.quantile(height, 0.9)

    def volume_below(level):
        h = numpy.clip(level - height, -radius, radius)
        return (numpy.pi * (radius**2 * h - h**3 / 3 + 2 * radius**3 / 3)).sum()
    return (volume_below(top) - volume_below(bottom)) / (width(pile) ** 2 * (top - bottom))


def yields(pile, group):
    """The settings by which contacts yield: those of eq. 33."""
    if pile["young"] is None:
        return []
    return ["contact.law=rod", *(f"materials.{name}.young_modulus={pile['young']}" for name in numpy.unique(group))]


def make(pile, target, ranks):
    """Writes the problem; returns the row of the table."""
    total = 0.0
    grains, group = lattice(pile)
    with tempfile.TemporaryDirectory() as name:
        for stage in stages(pile):
            folder, seconds = run_stage(pile, stage, grains, group, pathlib.Path(name), ranks)
            grains, group = snapshot(folder)
            total += seconds
        overlap = overlaps(pile, grains)
        grains[:, 3] *= 1 - 1.001 * overlap
        folder, seconds = run_stage(pile, stage._replace(name="last", time=LAST), grains, group, pathlib.Path(name), 1,
                                    ["debug.fclib.every=1", *yields(pile, group)])
        target.mkdir(parents=True, exist_ok=True)
        shutil.move(folder / "problems" / "step_00000001.hdf5", target / f"{pile['name']}.hdf5")
        last = common.table(folder)[-1]
    return {"pile": pile["name"], "contacts": int(last["contacts"]),
            "contacts_per_grain": f"{last['contacts'] / pile['grains']:.2f}",
            "loaded_per_grain": f"{last['active_contacts'] / pile['grains']:.2f}",
            "solid_share": f"{solid_share(pile, grains):.3f}",
            "height_m": f"{(grains[:, 2] + grains[:, 3]).max():.3f}", "largest_overlap": f"{overlap.max():.1e}",
            "mean_overlap": f"{overlap.mean():.1e}",
            "median_speed_m_s": f"{numpy.median(numpy.linalg.norm(grains[:, 4:7], axis=1)):.1e}",
            "residual": f"{last['residual']:.1e}", "iterations": int(last["iterations"]), "wall_s": f"{total:.0f}"}


def keep_in_table(folder, row):
    """The table of the folder's piles, with this one new or replaced."""
    rows = []
    if (folder / "piles.csv").exists():
        with open(folder / "piles.csv", newline="", encoding="utf-8") as file:
            rows = [known for known in csv.DictReader(file) if known["pile"] != row["pile"]]
    return [*rows, row]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("piles", nargs="+", type=parse_name, metavar="NAME")
    parser.add_argument("--ranks", type=int, default=1)
    args = parser.parse_args()
    for pile in args.piles:
        rows = keep_in_table(args.folder, make(pile, args.folder, args.ranks))
        common.write_results(args.folder / "piles", "Piles of spheres", "scripts/bench/run piles", rows)


if __name__ == "__main__":
    main()
