"""The bed at the last snapshot: grains that the plane of the blade's way cuts, by speed, and the surface from above."""
import h5py
import matplotlib.collections
import matplotlib.patches
import numpy

import beds

MIDDLE, BLADE = 1.75, (0.03, 0.5, 0.5)  # of configs/trench-1m.yaml: y of the blade, m; its size
AROUND = (1.4, 3.4)  # m, along x
CELL = 0.05  # m, of the map of heights


def draw(run, figure, tools):
    """Returns the time of the snapshot."""
    with h5py.File(beds.last_snapshot(run)) as file:
        place, radius = file["VTKHDF/Points"][:], file["VTKHDF/PointData/radius"][:]
        speed = numpy.linalg.norm(file["VTKHDF/PointData/velocity"][:], axis=1)
        time = float(file.attrs["time"])
    blade = next(row for row in reversed(tools) if row["tool"] == "blade" and row["time"] < time + 1e-9)
    side, above = figure.subplots(2, 1, height_ratios=(1, 1.4))
    draw_cut(figure, side, place, radius, speed, blade)
    draw_heights(figure, above, place, radius)
    return time


def draw_cut(figure, axes, place, radius, speed, blade):
    across = place[:, 1] - MIDDLE
    near = (abs(across) < radius) & (place[:, 0] > AROUND[0]) & (place[:, 0] < AROUND[1])
    circles = [matplotlib.patches.Circle((x, z), r) for x, z, r in
               zip(place[near, 0], place[near, 2], numpy.sqrt(radius[near]**2 - across[near]**2))]
    grains = matplotlib.collections.PatchCollection(circles, linewidth=0)
    grains.set_array(numpy.minimum(speed[near], 1.0))
    axes.add_collection(grains)
    corner = (blade["position_x"] - 0.5 * BLADE[0], blade["position_z"] - 0.5 * BLADE[2])
    axes.add_patch(matplotlib.patches.Rectangle(corner, BLADE[0], BLADE[2], color="0.3"))
    axes.set(xlim=AROUND, ylim=(0, 1.1), aspect="equal", ylabel="z, m")
    figure.colorbar(grains, ax=axes, label="speed, m/s")


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
