"""What a picture shows: the grains of a snapshot, and its walls and tools as faces and balls.
Both renderers start from here."""

import dataclasses
import glob
import os

import h5py
import numpy as np

from picture_shapes import turn

VIEW = np.array([0.55, -1.0, 0.55])  # from the scene to the camera
VIEW = VIEW / np.linalg.norm(VIEW)
FACETS, STRIPS = 64, 8  # of the wall of a round hole: around and along


@dataclasses.dataclass
class Hull:
    vertices: np.ndarray  # V x 3, m, of the scale 1
    loops: list  # of each face its vertices, counter-clockwise seen from outside


@dataclasses.dataclass
class Bodies:
    points: np.ndarray  # N x 3, m
    kinds: list  # N words: the shapes
    semi_axes: np.ndarray  # N x 3, m
    orientation: np.ndarray  # N x 4
    hull: np.ndarray  # N: of polyhedra, the index in hulls
    scale: np.ndarray  # N: of polyhedra and clumps
    hulls: list
    clump: np.ndarray  # N: of clumps, the index in clumps
    clumps: list  # of each clump of the scale 1 its parts, as Bodies in its frame


@dataclasses.dataclass
class Scene:
    time: float
    grains: Bodies
    radius: np.ndarray  # N, m
    speed: np.ndarray  # N, m/s
    tools: Bodies  # those with ends that are neither boxes nor balls
    faces: list  # (corner, edge, edge): parallelograms of planes and boxes, m
    balls: list  # (centre, radius): tools that are spheres
    meshes: list  # N x 3 x 3: the triangles of tools that are meshes, m

    @property
    def points(self):
        return self.grains.points

    @property
    def top_speed(self):
        """The end of the colour scale: a few fast grains do not blacken the rest."""
        return max(float(np.percentile(self.speed, 99)), 1e-6) if len(self.speed) else 1.0


def box_faces(centre, rotation, half):
    """The faces of a box that the camera sees."""
    for axis in range(3):
        for side in (-1.0, 1.0):
            normal = side * rotation[:, axis]
            if normal @ VIEW <= 0.0:
                continue
            a = 2.0 * half[(axis + 1) % 3] * rotation[:, (axis + 1) % 3]
            b = 2.0 * half[(axis + 2) % 3] * rotation[:, (axis + 2) % 3]
            yield centre + half[axis] * normal - 0.5 * (a + b), a, b


def plane_face(point, rotation, low, high):
    """The part of a plane beside the box [low, high]; None where it would hide what it holds."""
    normal = rotation[:, 2]
    if normal @ VIEW <= 0.05:
        return None
    corners = np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1])
                        for z in (low[2], high[2])])
    # Edges along the world's axes where the plane is: so floor and walls meet in corners.
    first = np.eye(3)[np.argmin(np.abs(normal))]
    first = first - (first @ normal) * normal
    first /= np.linalg.norm(first)
    second = np.cross(normal, first)
    along, across = (corners - point) @ first, (corners - point) @ second
    corner = point + along.min() * first + across.min() * second
    return corner, np.ptp(along) * first, np.ptp(across) * second


def hole_faces(point, rotation, hole, low, high):
    """The far side of the wall of a round hole, where it is within the box [low, high]."""
    radius, top_radius, bottom, top = hole
    centre, reach = 0.5 * (low + high), 0.5 * np.linalg.norm(high - low)
    middle = (centre - point) @ rotation[:, 2]
    if np.isinf(top):
        bottom, top = middle - reach, middle + reach
    angles = np.linspace(0.0, 2.0 * np.pi, FACETS, endpoint=False)
    edges = np.linspace(bottom, top, STRIPS + 1)
    for z0, z1 in zip(edges[:-1], edges[1:]):
        part = (0.5 * (z0 + z1) - bottom) / (top - bottom)
        r = radius + part * (top_radius - radius)
        slant = (top_radius - radius) / STRIPS
        for angle in angles:
            out = np.cos(angle) * rotation[:, 0] + np.sin(angle) * rotation[:, 1]
            if -out @ VIEW <= 0.05:
                continue
            along = np.cross(rotation[:, 2], out) * 2.0 * r * np.tan(np.pi / FACETS)
            up = (z1 - z0) * rotation[:, 2] + slant * out
            middle_of_face = point + r * out + 0.5 * (z0 + z1) * rotation[:, 2]
            if (middle_of_face > low - 0.1 * reach).all() and (middle_of_face < high + 0.1 * reach).all():
                yield middle_of_face - 0.5 * (along + up), along, up


def bounds(points, radius, solids):
    """The box of the grains and of the tools of finite size."""
    lows = [points - radius[:, None]] if len(points) else []
    highs = [points + radius[:, None]] if len(points) else []
    for centre, rotation, half in solids:
        reach = np.abs(rotation) @ half
        lows.append((centre - reach)[None])
        highs.append((centre + reach)[None])
    if not lows:
        return -np.ones(3), np.ones(3)
    return np.vstack(lows).min(axis=0), np.vstack(highs).max(axis=0)


def snapshots_of(run):
    """The files of the snapshots of a run's folder, in the order of time."""
    return sorted(glob.glob(os.path.join(run, "snapshots", "*.hdf")))


def names_of(dataset):
    """What the numbers of the dataset stand for."""
    names = dataset.attrs["names"]
    return (names.decode() if isinstance(names, bytes) else str(names)).split(",")


def hulls_of(file):
    """The polyhedra of the snapshot, as bodies of the scale 1 have them."""
    if "hulls" not in file:
        return []
    of, positions = file["hull_vertices/hull"][()], file["hull_vertices/position"][()].reshape(-1, 3)
    corners = {name: file[f"hull_corners/{name}"][()] for name in ("hull", "face", "vertex")}
    hulls = []
    for k in range(len(file["hulls/volume"])):
        mine = corners["hull"] == k
        face, vertex = corners["face"][mine], corners["vertex"][mine]
        hulls.append(Hull(positions[of == k], [vertex[face == f] for f in range(face.max() + 1)]))
    return hulls


def clumps_of(file, hulls):
    """The clumps of the snapshot, each as the parts that bodies of the scale 1 have."""
    if "clumps" not in file:
        return []
    table = file["clump_parts"]
    kinds = names_of(file["tools/shape"])
    n = len(table["clump"])
    parts = Bodies(table["position"][()].reshape(-1, 3), [kinds[i] for i in table["shape"][()]],
                   table["semi_axes"][()].reshape(-1, 3), table["orientation"][()].reshape(-1, 4),
                   table["hull"][()], table["scale"][()], hulls, np.full(n, -1), [])
    return [chosen(parts, np.flatnonzero(table["clump"][()] == k)) for k in range(len(file["clumps/volume"]))]


class MissingArray(Exception):
    """Says which array a snapshot lacks, and what to do."""


def read(group, name):
    """The numbers of an array, which output.snapshots.arrays may leave out."""
    if name not in group:
        raise MissingArray(f"{group.file.filename}: has no array {name}; name it in output.snapshots.arrays")
    return group[name][()]


def bodies_of(group, points, hulls, clumps):
    """The bodies of a group of the snapshot."""
    shapes = read(group, "shape")
    kinds = names_of(group["shape"])
    n = len(points)
    return Bodies(points, [kinds[i] for i in shapes],
                  read(group, "semi_axes").reshape(-1, 3), read(group, "orientation").reshape(-1, 4),
                  group["hull"][()] if "hull" in group else np.full(n, -1),
                  group["scale"][()] if "scale" in group else np.ones(n), hulls,
                  group["clump"][()] if "clump" in group else np.full(n, -1), clumps)


def chosen(bodies, which):
    """Those of the bodies."""
    return Bodies(bodies.points[which], [bodies.kinds[i] for i in which], bodies.semi_axes[which],
                  bodies.orientation[which], bodies.hull[which], bodies.scale[which], bodies.hulls,
                  bodies.clump[which], bodies.clumps)


def load(path):
    """The scene of the snapshot in @p path."""
    with h5py.File(path, "r") as file:
        data = file["VTKHDF/PointData"]
        hulls = hulls_of(file)
        clumps = clumps_of(file, hulls)
        grains = bodies_of(data, file["VTKHDF/Points"][()].reshape(-1, 3), hulls, clumps)
        tools = bodies_of(file["tools"], file["tools/position"][()].reshape(-1, 3), hulls, clumps)
        radius = data["radius"][()]
        speed = np.linalg.norm(read(data, "velocity").reshape(-1, 3), axis=1)
        n = len(tools.kinds)
        holes = file["tools/hole"][()].reshape(-1, 4) if "hole" in file["tools"] else np.zeros((n, 4))
        time = float(file.attrs["time"])
        meshes = [wall["points"][()].reshape(-1, 3)[wall["triangles"][()].reshape(-1, 3)]
                  for wall in file.get("walls", {}).values() if wall.attrs.get("shape") == b"mesh"]
    poses = [(p, turn(q)) for p, q in zip(tools.points, tools.orientation)]
    solids = [(*pose, half) for pose, half in zip(poses, tools.semi_axes) if np.isfinite(half).all()]
    low, high = bounds(grains.points, radius, solids)
    faces, balls, others = [], [], []
    for i, (kind, (point, rotation)) in enumerate(zip(tools.kinds, poses)):
        if kind == "plane":
            face = plane_face(point, rotation, low, high)
            faces += [] if face is None else [face]
        elif holes[i].any():
            faces += hole_faces(point, rotation, holes[i], low, high)
        elif kind == "sphere":
            balls.append((point, tools.semi_axes[i][0]))
        elif kind == "mesh":
            continue  # its triangles are there
        elif kind == "box":
            faces += box_faces(point, rotation, tools.semi_axes[i])
        else:
            others.append(i)
    return Scene(time, grains, radius, speed, chosen(tools, others), faces, balls, meshes)
