"""Triangles of grains that are no balls, for pictures."""

import numpy as np

from picture_scene import turn

AROUND, UP = 24, 13  # of a unit sphere's grid


def sphere():
    """Points of the unit sphere and triangles between them; rows of equal z, from the south."""
    angle, height = np.meshgrid(np.linspace(0.0, 2.0 * np.pi, AROUND, endpoint=False),
                                np.linspace(-0.5 * np.pi, 0.5 * np.pi, UP))
    points = np.stack([np.cos(height) * np.cos(angle), np.cos(height) * np.sin(angle),
                       np.sin(height)], axis=-1).reshape(-1, 3)
    row, column = np.meshgrid(np.arange(UP - 1), np.arange(AROUND), indexing="ij")
    here, beside = row * AROUND + column, row * AROUND + (column + 1) % AROUND
    lower = np.stack([here, beside, here + AROUND], axis=-1).reshape(-1, 3)
    upper = np.stack([beside, beside + AROUND, here + AROUND], axis=-1).reshape(-1, 3)
    return points, np.vstack([lower, upper])


def ellipsoid(half):
    points, triangles = sphere()
    return points * half, triangles


def capsule(half):
    points, triangles = sphere()
    return points * half[0] + np.sign(np.round(points, 9)) * [0, 0, half[2] - half[0]], triangles


def box(half):
    """Each face has corners of its own, so that edges are drawn sharp."""
    points, triangles = [], []
    for axis in range(3):
        for side in (-1.0, 1.0):
            first = len(points)
            for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                corner = np.zeros(3)
                corner[axis], corner[(axis + 1) % 3], corner[(axis + 2) % 3] = side, side * u, v
                points.append(corner * half)
            triangles += [[first, first + 1, first + 2], [first, first + 2, first + 3]]
    return np.array(points), np.array(triangles)


def polyhedron(hull):
    """Of the scale 1. Each face has corners of its own, so that edges are drawn sharp."""
    points, triangles = [], []
    for loop in hull.loops:
        first, n = len(points), len(loop)
        points.extend(hull.vertices[loop])
        triangles += [[first, first + k, first + k + 1] for k in range(1, n - 1)]
    return np.array(points), np.array(triangles)


def ring(half):
    minor, major = half[2], half[0] - half[2]
    angle, tube = np.meshgrid(np.linspace(0.0, 2.0 * np.pi, 2 * AROUND, endpoint=False),
                              np.linspace(0.0, 2.0 * np.pi, UP, endpoint=False), indexing="ij")
    out = major + minor * np.cos(tube)
    points = np.stack([out * np.cos(angle), out * np.sin(angle), minor * np.sin(tube)], axis=-1).reshape(-1, 3)
    row, column = np.meshgrid(np.arange(2 * AROUND), np.arange(UP), indexing="ij")
    here, beside = row * UP + column, row * UP + (column + 1) % UP
    ahead = UP * ((row + 1) % (2 * AROUND))
    over, diagonal = ahead + column, ahead + (column + 1) % UP
    lower = np.stack([here, over, diagonal], axis=-1).reshape(-1, 3)
    upper = np.stack([here, diagonal, beside], axis=-1).reshape(-1, 3)
    return points, np.vstack([lower, upper])


def joined(parts):
    """One mesh of several (points, triangles); None of none."""
    if not parts:
        return None
    first = np.cumsum([0] + [len(points) for points, _ in parts[:-1]])
    return np.vstack([points for points, _ in parts]), np.vstack([t + k for (_, t), k in zip(parts, first)])


def mesh_of_tools(scene):
    """Points and triangles of all walls and tools; None where there are none."""
    corners, ball = np.array([[0, 1, 2], [2, 1, 3]]), sphere()
    parts = [(np.array([corner, corner + a, corner + b, corner + a + b]), corners) for corner, a, b in scene.faces]
    parts += [(centre + radius * ball[0], ball[1]) for centre, radius in scene.balls]
    others = mesh(scene.tools)
    return joined(parts + ([] if others is None else [others[:2]]))


MESHES = {"ellipsoid": ellipsoid, "capsule": capsule, "box": box, "ring": ring}


def mesh_of(bodies, i):
    """Points and triangles of body i in the world; None for a ball, or what has no end."""
    if bodies.kinds[i] == "polyhedron":
        points, triangles = polyhedron(bodies.hulls[bodies.hull[i]])
        points = bodies.scale[i] * points
    elif bodies.kinds[i] in MESHES:
        points, triangles = MESHES[bodies.kinds[i]](bodies.semi_axes[i])
    else:
        return None
    return points @ turn(bodies.orientation[i]).T + bodies.points[i], triangles


def mesh(bodies):
    """Points, triangles and the body of each point, of all that are no balls; None without any."""
    points, triangles, owner, count = [], [], [], 0
    for i in range(len(bodies.kinds)):
        own = mesh_of(bodies, i)
        if own is None:
            continue
        points.append(own[0])
        triangles.append(own[1] + count)
        owner.append(np.full(len(own[0]), i))
        count += len(own[0])
    if not points:
        return None
    return np.vstack(points), np.vstack(triangles), np.concatenate(owner)
