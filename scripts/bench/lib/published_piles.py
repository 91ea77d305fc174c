"""The piles of the test problems of Kleinert, Simeon and Obermayr, as their authors published them
(github.com/joergbrech/nonsmooth-granular-benchmarks): a sphere a row, x, y, z and r in m, in pileN.csv or pileN.csv.gz.

The spheres do not turn, lie at rest on the floor z = 0, and overlap by up to 0.02 mm. Pairs within the reach are contacts,
which are then as many as the paper has (within 4 of the second).
"""
import gzip
import pathlib

import h5py
import numpy
import scipy.sparse
import scipy.spatial

import fclib_matrix

PREFIX = "published"
REACHES = {2048: 7.95e-3, 5040: 7.97e-3}  # m: of Test Problems 1 and 2
DENSITY = 1650.0  # kg/m^3
GRAVITY = 10.0  # m/s^2
MU = 0.4
DT = 0.01  # s
DOFS = 6


def name_of(grains):
    return f"{PREFIX}{grains}"


def read(folder, grains):
    """Centres and radii."""
    for file in (pathlib.Path(folder) / f"pile{grains}.csv", pathlib.Path(folder) / f"pile{grains}.csv.gz"):
        if file.exists():
            with (gzip.open if file.suffix == ".gz" else open)(file, "rt", encoding="utf-8") as rows:
                spheres = numpy.loadtxt(rows, delimiter=",", skiprows=1)
            return spheres[:, :3], spheres[:, 3]
    raise SystemExit(f"{folder} has neither pile{grains}.csv nor pile{grains}.csv.gz")


def contacts(centre, radius, reach):
    """Bodies (-1: the floor), normals towards the first and gaps of all within the reach."""
    a, b = scipy.spatial.cKDTree(centre).query_pairs(2 * radius.max() + reach, output_type="ndarray").T
    apart = centre[a] - centre[b]
    distance = numpy.linalg.norm(apart, axis=1)
    gap = distance - radius[a] - radius[b]
    near = gap <= reach
    above = centre[:, 2] - radius
    low = numpy.flatnonzero(above <= reach)
    return (numpy.concatenate([a[near], low]), numpy.concatenate([b[near], numpy.full(len(low), -1)]),
            numpy.vstack([apart[near] / distance[near, None], numpy.tile([0.0, 0.0, 1.0], (len(low), 1))]),
            numpy.concatenate([gap[near], above[low]]))


def frames(normal):
    """Of each contact the normal and two tangents: n x 3 x 3."""
    other = numpy.eye(3)[numpy.abs(normal).argmin(axis=1)]
    first = numpy.cross(normal, other)
    first /= numpy.linalg.norm(first, axis=1)[:, None]
    return numpy.stack([normal, first, numpy.cross(normal, first)], axis=1)


def write(folder, grains, reach, path):
    """The problem of a step from rest."""
    centre, radius = read(folder, grains)
    a, b, normal, gap = contacts(centre, radius, reach)
    rows = frames(normal)
    row = numpy.arange(3 * len(gap)).reshape(-1, 3, 1)

    def triplets(chosen, body, sign):
        """Of H at the chosen contacts' columns of their first or their second bodies."""
        dofs = DOFS * body[chosen][:, None, None] + numpy.arange(3)
        shape = rows[chosen].shape
        return (numpy.broadcast_to(dofs, shape).ravel(), numpy.broadcast_to(row[chosen], shape).ravel(),
                sign * rows[chosen].ravel())
    dof, row_of, value = (numpy.concatenate(both)
                          for both in zip(triplets(slice(None), a, 1.0), triplets(b >= 0, b, -1.0)))
    mass = DENSITY * 4 / 3 * numpy.pi * radius**3
    inertia = numpy.repeat(mass, DOFS).reshape(-1, DOFS)
    inertia[:, 3:] = 1.0  # no row of H is of turning
    impulse = numpy.zeros((len(radius), DOFS))
    impulse[:, 2] = -mass * GRAVITY * DT
    part = path.with_suffix(".part")
    with h5py.File(part, "w") as file:
        problem = file.create_group("fclib_global")
        problem["spacedim"] = numpy.array([3], dtype="i4")
        fclib_matrix.write(problem.create_group("M"), scipy.sparse.diags(inertia.ravel()))
        shape = (DOFS * len(radius), 3 * len(gap))
        fclib_matrix.write(problem.create_group("H"), scipy.sparse.coo_matrix((value, (dof, row_of)), shape=shape))
        problem["vectors/f"] = impulse.ravel()
        problem["vectors/w"] = numpy.column_stack([gap / DT, numpy.zeros((len(gap), 2))]).ravel()
        problem["vectors/mu"] = numpy.full(len(gap), MU)
    part.replace(path)
