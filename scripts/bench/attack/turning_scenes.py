"""Bodies that turn, against a slab, the walls of a box and each other: scenes of text and of who passed."""
import dataclasses
import typing

import numpy as np

SHAPES = {"ellipsoid": "{type: ellipsoid, semi_axes: [0.02, 0.012, 0.006]}",
          "lens": "{type: ellipsoid, semi_axes: [0.02, 0.016, 0.001]}",
          "plate": "{type: box, size: [0.03, 0.02, 0.001]}",
          "needle": "{type: capsule, radius: 0.003, length: 0.04}",
          "ring": "{type: ring, major_radius: 0.02, minor_radius: 0.002}"}
CONSTRAINTS = ("manifold", "relcp")
EDGE = 0.1  # m, of the box
RING = 0.03  # m, major radius of linked rings
COMMON = """
contact: {{constraints: {constraints}}}
materials: {{stone: {{density: 2600}}}}
friction: [{{between: [stone, stone], mu: 0.3}}]
output: {{snapshots: {{every: {end}}}}}
time: {{dt: 0.01, end: {end}}}
"""
GRAINS = """
gravity: [0, 0, {gravity}]
bodies:
  grains:
    material: stone
    shape: {shape}
    place: {{type: box, low: {low}, high: {high}, count: {count}, seed: {seed}}}
    velocity: {velocity}
    angular_velocity: [30, 9, -21]
"""
SLAB = """
tools:
  slab: {material: stone, shape: {type: box, size: [0.6, 0.6, 0.002]}, position: [0.15, 0.15, -0.001]}
"""


def planes(edge=EDGE):
    """The tools of a box from the origin."""
    lines = ["tools:"]
    for axis in range(3):
        for side, normal in ((0.0, 1), (edge, -1)):
            position, direction = np.zeros(3), np.zeros(3)
            position[axis], direction[axis] = side, normal
            lines.append(f"  {'xyz'[axis]}{int(normal > 0)}: {{material: stone, shape: {{type: plane}}, position: {position.tolist()}, "
                         f"normal: {direction.tolist()}}}")
    return "\n".join(lines) + "\n"


def two_rings(seed):
    """Linked rings of random velocities."""
    random = np.random.default_rng(seed)
    pull, turn = random.uniform(-1, 1, 3).tolist(), random.uniform(-50, 50, 3).tolist()
    shape = f"{{type: ring, major_radius: {RING}, minor_radius: 0.002}}"
    ring = "  {0}: {{material: stone, shape: {1}, place: {{type: points, positions: [[{2}, 0, 0]]}}, velocity: {3}, " \
           "angular_velocity: {4}, orientation: {{axis: [1, 0, 0], angle: {5}}}}}\n"
    return "gravity: [0, 0, 0]\nbodies:\n" + ring.format("one", shape, 0, [-v for v in pull], turn, 0.0) \
        + ring.format("other", shape, RING, pull, turn[::-1], np.pi / 2)


def linked(centres, orientations):
    """Whether the circles of two rings are linked; orientations as (w, x, y, z)."""
    def rotation(q):
        w, x, y, z = q
        return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                         [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                         [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])
    one, other = map(rotation, orientations)
    angle = np.linspace(0, 2 * np.pi, 20001)
    circle = RING * (np.outer(np.cos(angle), other[:, 0]) + np.outer(np.sin(angle), other[:, 1]))
    seen = (circle + centres[1] - centres[0]) @ one
    crossing = np.flatnonzero(np.sign(seen[1:, 2]) != np.sign(seen[:-1, 2]))
    return np.count_nonzero(np.linalg.norm(seen[crossing, :2], axis=1) < RING) == 1


@dataclasses.dataclass
class Scene:
    """What is run: its YAML; how many of a snapshot's bodies passed, by their centres and orientations; files that it names."""
    text: str
    passed: typing.Callable[[np.ndarray, np.ndarray], int]
    files: dict[str, str] = dataclasses.field(default_factory=dict)


def outside(points, _):
    return np.count_nonzero(((points < 0) | (points > EDGE)).any(axis=1))


def scenes(seeds):
    """(class, shape, constraints, bodies of a scene, scenes of all seeds)."""
    for name, shape in SHAPES.items():
        for constraints in CONSTRAINTS:
            falling = [COMMON.format(constraints=constraints, end=0.4)
                       + GRAINS.format(gravity=0, shape=shape, low=[0, 0, 0.03], high=[0.3, 0.3, 0.1], count=12, seed=seed,
                                       velocity=[0, 0, -1]) + SLAB for seed in seeds]
            yield "slab", name, constraints, 12, [Scene(text, lambda points, _: np.count_nonzero(points[:, 2] < 0))
                                                  for text in falling]
            inside = [COMMON.format(constraints=constraints, end=0.5)
                      + GRAINS.format(gravity=-9.81, shape=shape, low=[0.002] * 3, high=[EDGE - 0.002] * 3, count=8, seed=seed,
                                      velocity=[1, 0.5, -1]) + planes() for seed in seeds]
            yield "planes", name, constraints, 8, [Scene(text, outside) for text in inside]
    for constraints in CONSTRAINTS:
        pulled = [COMMON.format(constraints=constraints, end=0.4) + two_rings(seed) for seed in seeds]
        yield "linked", "ring", constraints, 1, [Scene(text, lambda points, turned: 0 if linked(points, turned) else 1)
                                                 for text in pulled]
