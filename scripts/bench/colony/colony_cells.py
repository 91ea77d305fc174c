"""The cells of a colony in the plane z = 0, from snapshots: pairs of them that are near, how they are aligned, and a picture."""
import math
import sys

import numpy

import common

sys.path.insert(0, str(common.ROOT / "scripts"))
import scree_results  # noqa: E402  (its folder is known only now)


def snapshots(output):
    return scree_results.Run(output).snapshots()


def axes_of(grains):
    """The angle of each cell's axis in the plane, from the quaternion (w, x, y, z) that turns z into it."""
    w, x, y, z = grains.orientation.T
    return numpy.arctan2(2 * (y * z - w * x), 2 * (x * z + w * y))


def centre_lines(grains):
    """Ends of the middle line of each cell, N x 2 each, and the radius of all."""
    radius = grains.semi_axes[0, 0]
    angle, half = axes_of(grains), grains.semi_axes[:, 2] - radius
    along = half[:, None] * numpy.column_stack((numpy.cos(angle), numpy.sin(angle)))
    return grains.position[:, :2] - along, grains.position[:, :2] + along, radius


def to_segments(points, starts, ends):
    """The distance of each point from the segment of its row."""
    along = ends - starts
    share = ((points - starts) * along).sum(1) / (along * along).sum(1)
    return numpy.linalg.norm(points - starts - numpy.clip(share, 0, 1)[:, None] * along, axis=1)


def between_segments(a, b, c, d):
    """The distances of the segments ab and cd in a plane, row by row, which do not cross."""
    return numpy.minimum.reduce([to_segments(a, c, d), to_segments(b, c, d), to_segments(c, a, b), to_segments(d, a, b)])


def pairs_within(grains, balls, reach):
    """How many pairs of cells, and how many of their balls, are nearer than @p reach of a diameter."""
    from scipy.spatial import cKDTree
    starts, ends, radius = centre_lines(grains)
    bound = 2 * radius * (1 + reach)  # between middle lines
    longest = numpy.linalg.norm(ends - starts, axis=1).max()
    i, j = cKDTree(0.5 * (starts + ends)).query_pairs(longest + bound, output_type="ndarray").T.reshape(2, -1)
    near = between_segments(starts[i], ends[i], starts[j], ends[j]) < bound
    centres = [starts + share * (ends - starts) for share in numpy.linspace(0, 1, balls)]
    i, j = i[near], j[near]
    of_balls = sum((numpy.linalg.norm(p[i] - q[j], axis=1) < bound).sum() for p in centres for q in centres)
    return int(near.sum()), int(of_balls)


def alignment(grains, edges):
    """The mean of cos 2(a - b), over the pairs of cells whose centres are between two neighbours of @p edges apart, a and b the angles
    of their axes: 1 where all are parallel, 0 where directions know nothing of each other. NaN where there is no such pair.
    """
    from scipy.spatial import cKDTree
    i, j = cKDTree(grains.position[:, :2]).query_pairs(edges[-1], output_type="ndarray").T.reshape(2, -1)
    angle = axes_of(grains)
    apart = numpy.linalg.norm(grains.position[i, :2] - grains.position[j, :2], axis=1)
    pairs, _ = numpy.histogram(apart, edges)
    total, _ = numpy.histogram(apart, edges, weights=numpy.cos(2 * (angle[i] - angle[j])))
    return numpy.divide(total, pairs, out=numpy.full(len(pairs), numpy.nan), where=pairs > 0)


def draw(output, path):
    """The cells of the last snapshot, coloured by the angle of their axis."""
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import collections, colormaps, patches, pyplot, transforms
    grains = list(snapshots(output))[-1]
    angles = axes_of(grains) % math.pi
    cells = []
    for centre, half, angle in zip(grains.position, grains.semi_axes, angles):
        length, radius = 2 * half[2], half[0]
        outline = patches.FancyBboxPatch((-length / 2, -radius), length, 2 * radius,
                                         boxstyle=patches.BoxStyle("Round", pad=0, rounding_size=radius)).get_path()
        cells.append(outline.transformed(transforms.Affine2D().rotate(angle).translate(centre[0], centre[1])))
    figure, axes = pyplot.subplots(figsize=(8, 8))
    axes.add_collection(collections.PathCollection(
        cells, facecolors=colormaps["hsv"](angles / math.pi), edgecolors="black", linewidths=0.05))
    axes.set_aspect("equal")
    axes.autoscale_view()
    axes.set_axis_off()
    figure.savefig(path, dpi=150, bbox_inches="tight")
    pyplot.close(figure)
