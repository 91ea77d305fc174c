"""What the parts of scripts/bench/smooth share: overdamped scenes of smooth bodies without friction."""
import pathlib
import resource

import yaml

import common

RADIAL = "(sqrt(x^2+y^2+z^2) - sin(sqrt(x^2+y^2+z^2)))/(x^2+y^2+z^2)"


def radial_field(sign):
    """The field of the paper's sections 4.2 (drawn together, -1) and 4.4 (drawn apart, 1): x (|x| - sin |x|)/|x|^2."""
    return {"field": {"force": [f"x^2+y^2+z^2 > 1e-12 ? {sign}*{axis}*{RADIAL} : 0" for axis in "xyz"]}}


def config(name, dt, end, bodies, forces, contact, drag=1.0, materials=("smooth",)):
    """@p contact: one of contact.constraints, or a number of balls; drag: force over length and velocity (the paper's eq. 27)."""
    constraints = {"constraints": "multisphere", "balls": contact} if isinstance(contact, int) else {"constraints": contact}
    pairs = [(a, b) for i, a in enumerate(materials) for b in materials[i:]]
    return {"name": name, "time": {"dt": float(dt), "end": float(end)}, "dynamics": "overdamped", "gravity": [0, 0, 0],
            "fluid": {"drag": "local", "viscosity": float(drag)}, "materials": {one: {"density": 1.0} for one in materials},
            "friction": [{"between": list(pair), "mu": 0} for pair in pairs], "bodies": bodies, "forces": forces,
            "contact": constraints}


def run(folder, name, scene, ranks=1, wall_limit=None):
    """Runs the scene, to its end or to the wall limit in seconds, in a folder of its own; returns that of the run and its
    wall seconds.

    A run that ended there before, of the same scene, is read, so that a bench that was cut off goes on.
    """
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    path, ended = folder / f"{name}.yaml", folder / f"{name}.seconds"
    text = yaml.safe_dump(scene, sort_keys=False)
    if not ended.exists() or path.read_text(encoding="utf-8") != text:
        ended.unlink(missing_ok=True)
        path.write_text(text, encoding="utf-8")
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        seconds, _ = common.run(path, folder / name, ranks, wall_limit=wall_limit)
        # of ranks that end by the limit mpirun waits for one alone: what the others used is not counted
        processor = "" if wall_limit else resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        ended.write_text(f"{seconds} {processor}", encoding="utf-8")
    return folder / name, float(ended.read_text(encoding="utf-8").split()[0])


def processor_seconds(folder, name):
    """Those of a run without a wall limit, of all ranks, which other work on the machine does not lengthen."""
    return float((pathlib.Path(folder) / f"{name}.seconds").read_text(encoding="utf-8").split()[1])
