"""Large beds within minutes: a settled bed between four walls, and its mirror images side by side.

What touches a wall touches its own image instead, so that all tiles are at rest as the first one is, with its contacts.
"""
import csv
import json

import h5py
import numpy

import beds
import common

SIDE = 0.3  # m, between the walls of a tile
GRAINS = 5000  # of a tile
HEIGHT = 3.2  # m, of the region that grains fall from
SETTLED = 1.6  # s
SETTLING = 1e9  # Pa: Young's modulus of the tile, for overlaps of some per cent
YOUNG = 1e11  # Pa, of the beds: hundreds of sweeps to 3e-6, and as many beyond
LAYOUT = {100_000: (5, 4), 1_000_000: (20, 10), 5_000_000: (40, 25)}  # grains: tiles along x and y


def config(name, young, sides, place, end, dt, solver, output):
    """A run of grains between four walls, as dicts."""
    walls = {"left": ([1, 0, 0], [0, 0, 0]), "right": ([-1, 0, 0], [sides[0], 0, 0]),
             "front": ([0, 1, 0], [0, 0, 0]), "back": ([0, -1, 0], [0, sides[1], 0]), "floor": ([0, 0, 1], [0, 0, 0])}
    return {"name": name, "time": {"dt": dt, "end": end}, "gravity": [0, 0, -9.81],
            "materials": {"gravel": {"density": 2600, "young_modulus": young}},
            "friction": [{"between": ["gravel", "gravel"], "mu": 0.4}],
            "bodies": {"grains": {"material": "gravel"} | place},
            "tools": {wall: {"material": "gravel", "shape": {"type": "plane"}, "normal": normal, "position": position}
                      for wall, (normal, position) in walls.items()},
            "solver": solver, "output": output}


def settle(folder):
    """The snapshot of one settled tile in FOLDER: made there where it is missing."""
    run = folder / "tile"
    if not (folder / "tile.done").exists():
        place = {"radii": {"type": "uniform", "min": 0.008, "max": 0.016},
                 "place": {"type": "box", "low": [0, 0, 0], "high": [SIDE, SIDE, HEIGHT], "count": GRAINS, "seed": 1}}
        file = folder / "tile.yaml"
        file.write_text(json.dumps(config("tile", SETTLING, (SIDE, SIDE), place, SETTLED, 2e-3, {"tolerance": 1e-4},
                                          {"snapshots": {"start": False}})), encoding="utf-8")
        seconds, _ = common.run(file, run)
        (folder / "tile.done").write_text(f"{seconds:.0f} s\n", encoding="utf-8")
    return run


def mirrored(values, side, column):
    """Coordinates of a tile's grains in the column-th tile."""
    return column * side + (side - values if column % 2 else values)


def write(folder, grains):
    """The CSV of a bed of so many grains at rest, numbered from below as the grains of a region are, and its two sides in m."""
    columns, rows = LAYOUT[grains]
    sides = (columns * SIDE, rows * SIDE)
    file = folder / f"bed{grains}.csv"
    if file.exists():
        return file, sides
    centre, radius = beds.grains(settle(folder))
    tiles = [numpy.column_stack([mirrored(centre[:, 0], SIDE, i), mirrored(centre[:, 1], SIDE, j), centre[:, 2], radius])
             for i in range(columns) for j in range(rows)]
    bed = numpy.concatenate(tiles)
    bed = bed[numpy.argsort(bed[:, 2], kind="stable")]
    with open(file, "w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["x", "y", "z", "r"])
        writer.writerows([repr(float(x)) for x in row] for row in bed)
    return file, sides


def contacts_of(problem):
    with h5py.File(problem) as file:
        return len(file["fclib_global/vectors/mu"])
