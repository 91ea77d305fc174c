"""The bed at the last snapshot: grains that the plane of the blade's way cuts, by speed, and the surface from above."""
import typing

import h5py
import matplotlib.collections
import matplotlib.patches
import numpy

import beds

CELL = 0.05  # m, of the map of heights


class View(typing.NamedTuple):
    """What is drawn of a run, m."""
    middle: float  # y of the blade
    blade: tuple  # its thickness, width and height
    along: tuple  # from x to x
    top: float  # z


def draw(run, figure, tools, view):
    """Returns the time of the snapshot."""
    with h5py.File(beds.last_snapshot(run)) as file:
        place, radius = file["VTKHDF/Points"][:], file["VTKHDF/PointData/radius"][:]
        speed = numpy.linalg.norm(file["VTKHDF/PointData/velocity"][:], axis=1)
        time = float(file.attrs["time"])
    blade = next(row for row in reversed(tools) if row["tool"] == "blade" and row["time"] < time + 1e-9)
    side, above = figure.subplots(2, 1, height_ratios=(1, 1.4))
    draw_cut(figure, side, view, (place, radius, speed), blade)
    draw_heights(figure, above, place, radius)
    return time


def draw_cut(figure, axes, view, grains, blade):
    place, radius, speed = grains
    across = place[:, 1] - view.middle
    near = (abs(across) < radius) & (place[:, 0] > view.along[0]) & (place[:, 0] < view.along[1])
    circles = [matplotlib.patches.Circle((x, z), r) for x, z, r in
               zip(place[near, 0], place[near, 2], numpy.sqrt(radius[near]**2 - across[near]**2))]
    drawn = matplotlib.collections.PatchCollection(circles, linewidth=0)
    drawn.set_array(numpy.minimum(speed[near], 1.0))
    axes.add_collection(drawn)
    thickness, _, height = view.blade
    corner = (blade["position_x"] - 0.5 * thickness, blade["position_z"] - 0.5 * height)
    axes.add_patch(matplotlib.patches.Rectangle(corner, thickness, height, color="0.3"))
    axes.set(xlim=view.along, ylim=(0, view.top), aspect="equal", ylabel="z, m")
    figure.colorbar(drawn, ax=axes, label="speed, m/s")


def draw_heights(figure, axes, place, radius):
    """The highest top of a grain in each cell of the plan."""
    top = place[:, 2] + radius
    x, y = (numpy.floor(place[:, axis] / CELL).astype(int) for axis in (0, 1))
    shape = (x.max() - x.min() + 1, y.max() - y.min() + 1)
    highest = numpy.zeros(shape)
    numpy.maximum.at(highest, (x - x.min(), y - y.min()), top)
    extent = [CELL * k for k in (x.min(), x.max() + 1, y.min(), y.max() + 1)]
    image = axes.imshow(highest.T, origin="lower", extent=extent, vmin=numpy.percentile(highest, 1))
    axes.set(xlabel="x, m", ylabel="y, m")
    figure.colorbar(image, ax=axes, label="height, m")
