"""Reads what a run of scree wrote: tables with pandas, snapshots with h5py, both as numpy arrays.

    import scree_results as results         # PYTHONPATH=.../scripts, or a copy of this file beside yours
    run = results.Run("output/trench")
    run.steps                               # pandas.DataFrame, a row a step; docs/output.md has the columns
    run.tool("blade").force_x.mean()
    for grains in run.snapshots():          # one after another, each read when it is asked for
        print(grains.time, results.speed(grains).max(), results.mass(grains).sum())

Needs h5py and numpy; pandas for the tables alone.
"""

import dataclasses
import pathlib

import h5py
import numpy as np


@dataclasses.dataclass
class Grains:
    """The grains of a snapshot, sorted by id. SI units; N is their number."""

    path: pathlib.Path
    time: float  # s
    step: int
    arrays: dict  # name -> array of N rows: id, position, radius and what output.snapshots.arrays names
    names: dict  # array -> the names that its numbers stand for: material, group, shape
    density: np.ndarray  # of each material, kg/m^3
    hulls: dict  # of runs with polyhedra: volume (K) and inertia_per_mass (K x 3) at scale 1
    clumps: np.ndarray = None  # of runs with clumps: inertia_per_mass (K x 3) at scale 1

    def __len__(self):
        return len(self.arrays["id"])

    def __getattr__(self, name):
        if name.startswith("__") or name not in self.arrays:
            raise AttributeError(f"{self.path}: has no array {name}; name it in output.snapshots.arrays")
        return self.arrays[name]

    def select(self, array, name):
        """The rows whose `array` (material, group, shape) is called `name`: N booleans."""
        return self.arrays[array] == self.names[array].index(name)


def names_of(dataset):
    """The names that the numbers of a dataset stand for; none where they are numbers."""
    names = dataset.attrs.get("names", "")
    names = names.decode() if isinstance(names, bytes) else str(names)
    return names.split(",") if names else []


def read_snapshot(path):
    """The grains of one snapshot, as Grains."""
    path = pathlib.Path(path)
    with h5py.File(path) as file:
        data = file["VTKHDF/PointData"]
        order = np.argsort(data["id"][()], kind="stable")
        arrays = {name: item[()][order] for name, item in data.items()}
        arrays["position"] = file["VTKHDF/Points"][()].reshape(-1, 3)[order]
        names = {name: names_of(item) for name, item in data.items() if names_of(item)}
        density = file["materials/density"][()] if "materials" in file else np.zeros(0)
        hulls = {name: file[f"hulls/{name}"][()] for name in ("volume", "inertia_per_mass") if "hulls" in file}
        clumps = file["clumps/inertia_per_mass"][()] if "clumps" in file else None
        return Grains(path, float(file.attrs["time"]), int(file.attrs["step"]), arrays, names, density, hulls, clumps)


def read_tools(path):
    """Walls and tools of a snapshot: array -> one row a tool; `name` has their names."""
    with h5py.File(path) as file:
        tools = {name: item[()] for name, item in file["tools"].items()}
        names = names_of(file["tools/group"])
    tools["name"] = [names[i] for i in tools["group"]]
    return tools


def read_contacts(path):
    """The loaded contacts of a step (output.contacts): array -> N rows; `ends` is N x 2 x 3, the line's, m."""
    with h5py.File(path) as file:
        group = file["VTKHDF"]
        contacts = {name: item[()] for name, item in group["CellData"].items()}
        contacts["ends"] = group["Points"][()].reshape(-1, 2, 3)
        contacts["time"] = float(file.attrs["time"])
    return contacts


def stress(grains, contacts):
    """The mean stress in each grain, Pa, N x 3 x 3, tension positive: sum of force arm^T (as fields have it) over its contacts, over
    its volume. Both are to be of the same step."""
    rows = {int(name): i for i, name in enumerate(grains.id)}
    total = np.zeros((len(grains), 3, 3))
    for name, end, sign in (("id_a", 0, 1.0), ("id_b", 1, -1.0)):
        arms = contacts["point"] - contacts["ends"][:, end]
        moments = sign * contacts["force"].astype(float)[:, :, None] * arms[:, None, :]
        row = np.array([rows.get(int(i), -1) for i in contacts[name]], dtype=int)
        np.add.at(total, row[row >= 0], moments[row >= 0])
    return total / (4.0 / 3.0 * np.pi * grains.radius.astype(float) ** 3)[:, None, None]


def speed(grains):
    """|velocity|, m/s: N numbers."""
    return np.linalg.norm(grains.velocity, axis=1)


def mass(grains):
    """kg, N numbers: density times the volume of the ball of the same volume."""
    if "mass" in grains.arrays:
        return grains.mass
    return grains.density[grains.material] * 4.0 / 3.0 * np.pi * grains.radius.astype(float) ** 3


def inertia(grains):
    """Principal moments about the axes that `orientation` turns, kg m^2, N x 3: mass times what follows from the shape."""
    if "inertia" in grains.arrays:
        return grains.inertia
    per_mass = np.zeros((len(grains), 3))
    for number, name in enumerate(grains.names["shape"]):
        rows = grains.shape == number
        if rows.any():
            per_mass[rows] = INERTIA_PER_MASS[name](grains, rows)
    return mass(grains)[:, None] * per_mass


def others_squared(half):
    """b^2 + c^2, a^2 + c^2, a^2 + b^2 of half lengths a, b, c."""
    return (half**2).sum(axis=1, keepdims=True) - half**2


def of_ellipsoid(grains, rows):
    return others_squared(grains.semi_axes[rows].astype(float)) / 5.0


def of_box(grains, rows):
    return others_squared(grains.semi_axes[rows].astype(float)) / 3.0


def of_capsule(grains, rows):
    """A cylinder between two half balls, along z."""
    half = grains.semi_axes[rows].astype(float)
    r, length = half[:, 0], 2.0 * (half[:, 2] - half[:, 0])
    cylinder, ball = np.pi * r**2 * length, 4.0 / 3.0 * np.pi * r**3
    about = 0.5 * cylinder * r**2 + 0.4 * ball * r**2
    across = cylinder * (r**2 / 4.0 + length**2 / 12.0) + ball * (0.4 * r**2 + length**2 / 4.0 + 3.0 / 8.0 * r * length)
    return np.stack([across, across, about], axis=1) / (cylinder + ball)[:, None]


def of_ring(grains, rows):
    """A torus about z."""
    half = grains.semi_axes[rows].astype(float)
    tube = half[:, 2]
    ring = half[:, 0] - tube
    across, about = 0.5 * ring**2 + 0.625 * tube**2, ring**2 + 0.75 * tube**2
    return np.stack([across, across, about], axis=1)


def of_cylinder(grains, rows):
    """About z, with flat ends."""
    half = grains.semi_axes[rows].astype(float)
    r, h = half[:, 0], half[:, 2]
    across = r**2 / 4.0 + h**2 / 3.0
    return np.stack([across, across, r**2 / 2.0], axis=1)


def of_cone(grains, rows):
    """About z, about its centre of mass."""
    half = grains.semi_axes[rows].astype(float)
    r, length = half[:, 0], 2.0 * half[:, 2]
    across = 0.15 * r**2 + 0.0375 * length**2
    return np.stack([across, across, 0.3 * r**2], axis=1)


def of_superellipsoid(grains, rows):
    raise ValueError(f"{grains.path}: snapshots do not tell the exponents of superellipsoids, nor their inertia")


def of_polyhedron(grains, rows):
    return grains.hulls["inertia_per_mass"][grains.hull[rows]] * grains.scale[rows, None].astype(float) ** 2


def of_clump(grains, rows):
    return grains.clumps[grains.clump[rows]] * grains.scale[rows, None].astype(float) ** 2


def of_sphere(grains, rows):
    return np.repeat(0.4 * grains.radius[rows].astype(float)[:, None] ** 2, 3, axis=1)


INERTIA_PER_MASS = {"sphere": of_sphere, "ellipsoid": of_ellipsoid, "box": of_box, "capsule": of_capsule,
                    "ring": of_ring, "polyhedron": of_polyhedron, "cylinder": of_cylinder, "cone": of_cone,
                    "superellipsoid": of_superellipsoid, "clump": of_clump}


def read_table(path):
    """steps.csv or tools.csv as a pandas.DataFrame."""
    import pandas  # needed for tables alone

    return pandas.read_csv(path, keep_default_na=False, na_values=["", "nan"])


class Run:
    """The folder of a run."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        if not (self.folder / "steps.csv").is_file():
            raise FileNotFoundError(f"{self.folder}: has no steps.csv; give the folder of a run")
        self._tables = {}

    def _table(self, name):
        if name not in self._tables:
            self._tables[name] = read_table(self.folder / name)
        return self._tables[name]

    @property
    def steps(self):
        """A row a step, or a part of one that was cut."""
        return self._table("steps.csv")

    @property
    def tools(self):
        """A row a step and tool."""
        return self._table("tools.csv")

    def tool(self, name):
        """The rows of one wall or tool."""
        rows = self.tools[self.tools.tool == name]
        if rows.empty:
            raise KeyError(f"{name}: is no tool; there are {', '.join(self.tools.tool.unique())}")
        return rows.reset_index(drop=True)

    @property
    def contact_files(self):
        return sorted((self.folder / "contacts").glob("contacts_*.hdf"))

    @property
    def snapshot_files(self):
        return sorted((self.folder / "snapshots").glob("snapshot_*.hdf"))

    def snapshots(self):
        """Each snapshot, in the order of time."""
        return map(read_snapshot, self.snapshot_files)

    @property
    def last(self):
        """The last snapshot."""
        return read_snapshot(self.snapshot_files[-1])
