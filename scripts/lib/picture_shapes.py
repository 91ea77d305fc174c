"""Triangles of grains that are no balls, for pictures, and of those that are.

Shapes take half extents of any number of bodies, (..., 3), and give points (..., P, 3) about their centres, along their
own axes, and the triangles between the P points, which are the same for all.
"""

import dataclasses

import numpy as np

AROUND = 24  # points of a circle


def turn(q):
    """The rotation matrices (..., 3, 3) of quaternions w, x, y, z (..., 4)."""
    w, x, y, z = np.moveaxis(np.asarray(q, dtype=float), -1, 0)
    rows = np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])
    return np.moveaxis(rows, (0, 1), (-2, -1))


def sphere(around=AROUND):
    """Points of the unit sphere and triangles between them; rows of equal z, from the south."""
    up = around // 2 + 1
    angle, height = np.meshgrid(np.linspace(0.0, 2.0 * np.pi, around, endpoint=False),
                                np.linspace(-0.5 * np.pi, 0.5 * np.pi, up))
    points = np.stack([np.cos(height) * np.cos(angle), np.cos(height) * np.sin(angle),
                       np.sin(height)], axis=-1).reshape(-1, 3)
    row, column = np.meshgrid(np.arange(up - 1), np.arange(around), indexing="ij")
    here, beside = row * around + column, row * around + (column + 1) % around
    lower = np.stack([here, beside, here + around], axis=-1).reshape(-1, 3)
    upper = np.stack([beside, beside + around, here + around], axis=-1).reshape(-1, 3)
    return points, np.vstack([lower, upper])


def ellipsoid(half, around=AROUND):
    points, triangles = sphere(around)
    return points * half[..., None, :], triangles


def capsule(half, around=AROUND):
    points, triangles = sphere(around)
    straight = (half[..., 2] - half[..., 0])[..., None, None] * np.array([0.0, 0.0, 1.0])
    return points * half[..., None, :1] + np.sign(np.round(points, 9)) * straight, triangles


def box(half, around=AROUND):
    """Each face has corners of its own, so that edges are drawn sharp; its points are as many @p around or not."""
    del around
    points, triangles = [], []
    for axis in range(3):
        for side in (-1.0, 1.0):
            first = len(points)
            for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                corner = np.zeros(3)
                corner[axis], corner[(axis + 1) % 3], corner[(axis + 2) % 3] = side, side * u, v
                points.append(corner)
            triangles += [[first, first + 1, first + 2], [first, first + 2, first + 3]]
    return np.array(points) * half[..., None, :], np.array(triangles)


def polyhedron(hull):
    """Of the scale 1. Each face has corners of its own, so that edges are drawn sharp."""
    points, triangles = [], []
    for loop in hull.loops:
        first, n = len(points), len(loop)
        points.extend(hull.vertices[loop])
        triangles += [[first, first + k, first + k + 1] for k in range(1, n - 1)]
    return np.array(points), np.array(triangles)


def ring(half, around=AROUND):
    tubes, along = around // 2, 2 * around
    minor, major = half[..., 2, None], (half[..., 0] - half[..., 2])[..., None]
    angle, tube = (grid.ravel() for grid in np.meshgrid(np.linspace(0.0, 2.0 * np.pi, along, endpoint=False),
                                                        np.linspace(0.0, 2.0 * np.pi, tubes, endpoint=False), indexing="ij"))
    out = major + minor * np.cos(tube)
    points = np.stack([out * np.cos(angle), out * np.sin(angle), minor * np.sin(tube)], axis=-1)
    row, column = np.meshgrid(np.arange(along), np.arange(tubes), indexing="ij")
    here, beside = row * tubes + column, row * tubes + (column + 1) % tubes
    ahead = tubes * ((row + 1) % along)
    over, diagonal = ahead + column, ahead + (column + 1) % tubes
    lower = np.stack([here, over, diagonal], axis=-1).reshape(-1, 3)
    upper = np.stack([here, diagonal, beside], axis=-1).reshape(-1, 3)
    return points, np.vstack([lower, upper])


def cylinder(half, around=AROUND):
    """Ends and side have points of their own, so that the rims are drawn sharp."""
    angle = np.linspace(0.0, 2.0 * np.pi, around, endpoint=False)
    circle = np.stack([np.cos(angle), np.sin(angle), np.zeros(around)], axis=-1)
    up = np.array([0.0, 0.0, 1.0])
    points = np.vstack([circle - up, circle + up, circle - up, circle + up])
    here = np.arange(around)
    beside = np.roll(here, -1)
    side = np.vstack([np.stack([here, beside, around + here], axis=-1),
                      np.stack([beside, around + beside, around + here], axis=-1)])
    fan = np.arange(1, around - 1)
    low = 2 * around + np.stack([0 * fan, fan + 1, fan], axis=-1)
    high = 3 * around + np.stack([0 * fan, fan, fan + 1], axis=-1)
    return points * half[..., None, :], np.vstack([side, low, high])


def cone(half, around=AROUND):
    """Its origin is a quarter of the length above the base, which has points of its own."""
    angle = np.linspace(0.0, 2.0 * np.pi, around, endpoint=False)
    rim = np.stack([np.cos(angle), np.sin(angle), np.full(around, -0.5)], axis=-1)
    points = np.vstack([rim, np.tile([0.0, 0.0, 1.5], (around, 1)), rim])
    here = np.arange(around)
    side = np.stack([here, np.roll(here, -1), around + here], axis=-1)
    fan = np.arange(1, around - 1)
    base = 2 * around + np.stack([0 * fan, fan + 1, fan], axis=-1)
    return points * half[..., None, :], np.vstack([side, base])


def superellipsoid(half, around=AROUND, exponent=4.0):
    """With @p exponent both ways: snapshots tell extents and volume, not the exponents."""
    points, triangles = sphere(around)
    norm = (np.abs(points) ** exponent).sum(axis=-1) ** (1.0 / exponent)
    return points / norm[:, None] * half[..., None, :], triangles


def joined(parts):
    """One mesh of several (points, triangles); None of none."""
    if not parts:
        return None
    first = np.cumsum([0] + [len(points) for points, _ in parts[:-1]])
    return np.vstack([points for points, _ in parts]), np.vstack([t + k for (_, t), k in zip(parts, first)])


def joined_with_owners(parts):
    """One mesh of several (points, triangles, owner of each point); None of none."""
    if not parts:
        return None
    return *joined([part[:2] for part in parts]), np.concatenate([part[2] for part in parts])


def mesh_of_tools(scene):
    """Points and triangles of all walls and tools; None where there are none."""
    corners, ball = np.array([[0, 1, 2], [2, 1, 3]]), sphere()
    parts = [(np.array([corner, corner + a, corner + b, corner + a + b]), corners) for corner, a, b in scene.faces]
    parts += [(centre + radius * ball[0], ball[1]) for centre, radius in scene.balls]
    parts += [(triangles.reshape(-1, 3), np.arange(triangles.size // 3).reshape(-1, 3)) for triangles in scene.meshes]
    others = mesh(scene.tools)
    return joined(parts + ([] if others is None else [others[:2]]))


MESHES = {"ellipsoid": ellipsoid, "capsule": capsule, "box": box, "ring": ring, "cylinder": cylinder, "cone": cone,
          "superellipsoid": superellipsoid}  # of what is no ball
WITH_BALLS = {"sphere": ellipsoid, **MESHES}
KINDS = ("sphere", "plane", "box", "hollow_cylinder", "hollow_cone", "orifice", "capsule", "ellipsoid", "polyhedron", "ring",
         "cluster", "mesh", "clump", "cylinder", "cone", "superellipsoid")  # in the order of the array `shape` of snapshots


def placed(points, orientation, centres):
    """Points (N, P, 3) or (P, 3) along the own axes of N bodies, in the world: (N, P, 3)."""
    return points @ np.swapaxes(turn(orientation), -1, -2) + centres[:, None, :]


def stacked(points, triangles, owner):
    """One mesh of bodies with the same triangles: points (N P, 3), triangles, and the owner of each point."""
    n, each = points.shape[:2]
    first = each * np.arange(n)
    return points.reshape(-1, 3), (triangles[None] + first[:, None, None]).reshape(-1, 3), np.repeat(owner, each)


def mesh_of_kind(kind, half, orientation, centres, around=AROUND):
    """Points, triangles and the body of each point, of bodies of one of WITH_BALLS."""
    points, triangles = WITH_BALLS[kind](half, around)
    return stacked(placed(points, orientation, centres), triangles, np.arange(len(centres)))


def mesh_of_hull(bodies, which):
    """Points, triangles and the body of each point, of the polyhedra @p which, of one hull."""
    points, triangles = polyhedron(bodies.hulls[bodies.hull[which[0]]])
    scaled = bodies.scale[which, None, None] * points
    return stacked(placed(scaled, bodies.orientation[which], bodies.points[which]), triangles, which)


def product(p, q):
    """The quaternions (..., 4) of a turn by @p q, then by @p p."""
    (a, b, c, d), (e, f, g, h) = np.moveaxis(p, -1, 0), np.moveaxis(q, -1, 0)
    return np.stack([a * e - b * f - c * g - d * h, a * f + b * e + c * h - d * g,
                     a * g - b * h + c * e + d * f, a * h + b * g - c * f + d * e], axis=-1)


def parts_of_clumps(bodies, which, part):
    """The part @p part, one of a clump's, of each of the clumps @p which, as bodies."""
    n, scale = len(which), bodies.scale[which]
    turned, about = bodies.orientation[which], np.broadcast_to(part.orientation[0], (len(which), 4))
    centres = np.einsum("nij,j,n->ni", turn(turned), part.points[0], scale) + bodies.points[which]
    return dataclasses.replace(part, points=centres, kinds=part.kinds * n, semi_axes=scale[:, None] * part.semi_axes,
                               orientation=product(turned, about), hull=np.repeat(part.hull, n),
                               scale=scale * part.scale, clump=np.full(n, -1))


def meshes_of_clumps(bodies):
    """Points, triangles and the body of each point, of all parts of the clumps among the bodies."""
    for k, clump in enumerate(bodies.clumps):
        which = np.flatnonzero(bodies.clump == k)
        for i in range(len(clump.kinds) if len(which) else 0):
            points, triangles, owner = mesh(parts_of_clumps(bodies, which, one_of(clump, i)), WITH_BALLS)
            yield points, triangles, which[owner]


def one_of(bodies, i):
    """The body @p i alone."""
    return dataclasses.replace(bodies, points=bodies.points[[i]], kinds=[bodies.kinds[i]], semi_axes=bodies.semi_axes[[i]],
                               orientation=bodies.orientation[[i]], hull=bodies.hull[[i]], scale=bodies.scale[[i]],
                               clump=bodies.clump[[i]])


def mesh(bodies, of_kinds=None):
    """Points, triangles and the body of each point, of all that are no balls (or of those kinds, polyhedra and clumps) and
    have an end; None without any."""
    kinds = np.array(bodies.kinds, dtype=str)
    parts = list(meshes_of_clumps(bodies))
    for kind in of_kinds or MESHES:
        which = np.flatnonzero(kinds == kind)
        if len(which):
            points, triangles, owner = mesh_of_kind(kind, bodies.semi_axes[which], bodies.orientation[which], bodies.points[which])
            parts.append((points, triangles, which[owner]))
    for hull in range(len(bodies.hulls)):
        which = np.flatnonzero((kinds == "polyhedron") & (bodies.hull == hull))
        if len(which):
            parts.append(mesh_of_hull(bodies, which))
    return joined_with_owners(parts)
