"""Grains of a run's snapshots, and the free surface of a bed that is periodic or thin along y."""
import dataclasses
import pathlib

import h5py
import numpy


@dataclasses.dataclass
class Grains:
    """The grains of a snapshot that are free to move."""
    time: float  # s
    position: numpy.ndarray  # (n, 3), m
    radius: numpy.ndarray
    velocity: numpy.ndarray


def snapshots(run_folder):
    """Of all times, in order."""
    for file in sorted((pathlib.Path(run_folder) / "snapshots").glob("*.hdf")):
        with h5py.File(file) as data:
            grains = data["VTKHDF/PointData"]
            free = grains["fixed"][:] == 0
            yield Grains(float(data.attrs["time"]), data["VTKHDF/Points"][:][free], grains["radius"][:][free],
                         grains["velocity"][:][free])


def heights(grains, low, high, width, cell, floor=0.0):
    """Places along x and heights of the surface there.

    The top of the highest grain in each cell of a square grid, of edge `cell` and from y = 0 to `width`, `floor` where
    there is none; of these the median over y. What lies alone counts as bare: more than half of the cells must hold grains.
    """
    columns, across = round((high - low) / cell), max(1, round(width / cell))
    tops = numpy.full((columns, across), floor)
    x = numpy.floor((grains.position[:, 0] - low) / cell).astype(int)
    y = numpy.clip((grains.position[:, 1] / width * across).astype(int), 0, across - 1)
    inside = (x >= 0) & (x < columns)
    numpy.maximum.at(tops, (x[inside], y[inside]), (grains.position[:, 2] + grains.radius)[inside])
    return low + (numpy.arange(columns) + 0.5) * cell, numpy.median(tops, axis=1)


def front(heights, cell):
    """Where they fall below half a cell first, between the middles of two cells."""
    bare = numpy.flatnonzero(heights < 0.5 * cell)[0]
    high, low = heights[bare - 1], heights[bare]
    return (bare - 0.5 + (high - 0.5 * cell) / (high - low)) * cell
