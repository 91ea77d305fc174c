"""Bodies that turn against a sheet of triangles without thickness, and against a thin solid of triangles."""
import numpy as np

from turning_scenes import COMMON, CONSTRAINTS, GRAINS, SHAPES, Scene

SPEEDS = (1, 10, 100)  # m/s
SIDE, HEIGHT = 0.6, 0.002  # m: as the slab of turning_scenes
MESH = """
tools:
  plate: {material: stone, shape: {type: mesh, file: plate.off}, position: [-0.15, -0.15, 0]}
"""


def off(points, faces):
    lines = [f"OFF\n{len(points)} {len(faces)} 0"] + [" ".join(map(str, point)) for point in points]
    return "\n".join(lines + [" ".join(map(str, [len(face), *face])) for face in faces]) + "\n"


def sheet(cuts=3):
    """A square in the plane z = 0, cut into two triangles for each of its parts."""
    n = cuts + 1
    points = [(SIDE * i / cuts, SIDE * j / cuts, 0) for j in range(n) for i in range(n)]
    corners = [j * n + i for j in range(cuts) for i in range(cuts)]
    return off(points, [face for a in corners for face in ((a, a + 1, a + n + 1), (a, a + n + 1, a + n))])


def solid():
    """The box below that plane."""
    points = [(x, y, z) for z in (-HEIGHT, 0) for x, y in ((0, 0), (SIDE, 0), (SIDE, SIDE), (0, SIDE))]
    return off(points, [(3, 2, 1, 0), (4, 5, 6, 7), *((k, (k + 1) % 4, (k + 1) % 4 + 4, k + 4) for k in range(4))])


def below(points, _):
    return np.count_nonzero(points[:, 2] < 0)


def scenes(seeds):
    """(class, speed, shape, constraints, bodies of a scene, scenes of all seeds)."""
    for kind, mesh in (("sheet", sheet()), ("solid", solid())):
        for speed in SPEEDS:
            for name, shape in SHAPES.items():
                for constraints in CONSTRAINTS:
                    texts = [COMMON.format(constraints=constraints, end=max(0.05, 0.4 / speed))
                             + GRAINS.format(gravity=0, shape=shape, low=[0, 0, 0.03], high=[0.3, 0.3, 0.1], count=12, seed=seed,
                                             velocity=[0, 0, -speed]) + MESH for seed in seeds]
                    yield kind, speed, name, constraints, 12, [Scene(text, below, {"plate.off": mesh}) for text in texts]
