"""Beds of spheres in snapshots: where the grains are, and how dense they lie."""
import h5py
import numpy


def grains(run_folder):
    """Centres and radii in the last snapshot of a run."""
    with h5py.File(last_snapshot(run_folder)) as file:
        return file["VTKHDF/Points"][:], file["VTKHDF/PointData/radius"][:]


def last_snapshot(run_folder):
    return max((run_folder / "snapshots").glob("*.hdf"))


def solid_volume(z, radius, low, high):
    """Volume of balls between two heights, exactly: that below a plane is a cap, pi (3 r - h) h^2 / 3 of height h."""
    def below(plane):
        h = numpy.clip(plane - (z - radius), 0, 2 * radius)
        return numpy.pi / 3 * (3 * radius - h) * h**2
    return float((below(high) - below(low)).sum())


def grains_over_time(run_folder):
    """Time, centres and radii in each snapshot of a run, in order."""
    for file in sorted((run_folder / "snapshots").glob("*.hdf")):
        with h5py.File(file) as data:
            yield float(data.attrs["time"]), data["VTKHDF/Points"][:], data["VTKHDF/PointData/radius"][:]


def rough_floor(radii, low, high, seed):
    """A group of fixed grains between two corners, as a floor of its kind under grains of the material `grain`."""
    return {"material": "grain", "radii": radii, "fix": ["all"],
            "place": {"type": "box", "low": low, "high": high, "arrangement": "dense", "seed": 100 + seed}}
