"""The planar scenes of Miyamoto and Yamashita: circles are spheres held in a plane.

Pool 1: 221 of radius 0.21 m and 2 kg, 6 m wide; Pool 2: the same, of 1 to 3 kg from bottom to top; Stacking: 30 or 150 of
radius 0.18 m and 1 kg, one on another. Restitution is 0.2. The time step, which the paper does not tell, is 1/60 s.
"""
import json

import numpy

import common

DT = 1 / 60  # s


def circles(scene):
    """Centres, masses and the radius."""
    if scene.startswith("stacking"):
        n, radius = int(scene.removeprefix("stacking")), 0.18
        height = radius * (1 + 2 * numpy.arange(n))
        return numpy.column_stack([numpy.zeros(n), numpy.zeros(n), height]), numpy.ones(n), radius
    n, radius, columns = 221, 0.21, 13
    random = numpy.random.default_rng(1)
    index = numpy.arange(n)
    x = 0.45 * (index % columns) + 0.25 + 0.05 * random.random(n)
    z = 0.45 * (index // columns) + 0.25
    mass = numpy.full(n, 2.0) if scene == "pool1" else 1.0 + 2.0 * (z - z.min()) / (z.max() - z.min())
    return numpy.column_stack([x, numpy.zeros(n), z]), mass, radius


def solver_of(method, sweeps):
    """The keys under `solver` for `NAME:key=value,...`, of so many sweeps a step, or of as many as it takes."""
    name, _, keys = method.partition(":")
    values = dict(key.split("=") for key in keys.split(",") if key)
    own = {key: value if value.isalpha() else float(value) for key, value in values.items()}
    return {"method": name, "friction": "box", "tolerance": 1e-300 if sweeps else 1e-6, "max_iterations": sweeps,
            "on_not_converged": "continue"} | ({name: own} if own else {})


def simulate(scene, folder, steps, method, sweeps, mu, dump=0):
    """Runs the scene, and writes the problem of every @p dump-th step; the folder of the run."""
    centre, mass, radius = circles(scene)
    volume = 4 / 3 * numpy.pi * radius**3
    names = {m: f"m{k}" for k, m in enumerate(sorted(set(mass)))}
    bodies = {}
    for m, name in names.items():
        rows = [",".join(repr(float(value)) for value in (*c, radius)) for c in centre[mass == m]]
        (folder / f"{name}.csv").write_text("x,y,z,r\n" + "\n".join(rows) + "\n", encoding="utf-8")
        bodies[name] = {"material": name, "place": {"type": "csv", "file": f"{name}.csv"},
                        "fix": ["y", "rotation_x", "rotation_z"]}
    walls = {"floor": ([0, 0, 1], [0, 0, 0])}
    if scene.startswith("pool"):
        walls |= {"left": ([1, 0, 0], [0, 0, 0]), "right": ([-1, 0, 0], [6, 0, 0])}
    materials = list(names.values())
    config = {"name": scene, "time": {"dt": DT, "end": DT * steps}, "gravity": [0, 0, -9.80665],
              "materials": {name: {"density": m / volume} for m, name in names.items()},
              "friction": [{"between": [a, b], "mu": mu, "restitution": 0.2}
                           for k, a in enumerate(materials) for b in materials[k:]],
              "bodies": bodies,
              "tools": {name: {"material": materials[0], "shape": {"type": "plane"}, "normal": normal, "position": position}
                        for name, (normal, position) in walls.items()},
              "solver": solver_of(method, sweeps), "debug": {"fclib": {"every": dump, "not_converged": 0}}}
    file = folder / f"{scene}.yaml"
    file.write_text(json.dumps(config), encoding="utf-8")
    common.run(file, folder / scene)
    return folder / scene
