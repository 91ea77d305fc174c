"""Bodies in closed containers, of all shapes and laws; that overlap at rest; and of sizes that differ."""
import numpy as np

import common
from turning_scenes import CONSTRAINTS, SHAPES, Scene, planes

ROCK = common.ROOT / "configs" / "rock.off"
ALL_SHAPES = SHAPES | {"ball": "{type: sphere}, radii: {type: list, values: [0.008]}",
                       "brick": "{type: box, size: [0.024, 0.016, 0.012]}",
                       "rock": f"{{type: polyhedron, file: {ROCK}, scale: 1.0e-3}}"}
EDGE = 0.2  # m, of containers
WALL = 0.002  # m, of a container of plates
HEAD = """
contact: {{constraints: {constraints}}}
materials: {{stone: {{density: 2600{soft}}}}}
friction: [{{between: [stone, stone], {law}}}]
output: {{snapshots: {{every: {end}}}}}
time: {{dt: {dt}, end: {end}}}
gravity: [0, 0, -9.81]
"""


def plates():
    """The tools of a box of thin plates."""
    lines = ["tools:"]
    for axis in range(3):
        size, name = np.full(3, 3 * EDGE), "xyz"[axis]
        size[axis] = WALL
        for side in (-0.5 * WALL, EDGE + 0.5 * WALL):
            position = np.full(3, 0.5 * EDGE)
            position[axis] = side
            lines.append(f"  {name}{int(side > 0)}: {{material: stone, shape: {{type: box, size: {size.tolist()}}}, "
                         f"position: {position.tolist()}}}")
    return "\n".join(lines) + "\n"


def drum():
    """The tools of a hole with a floor and a lid."""
    middle = 0.5 * EDGE
    lines = [f"  hole: {{material: stone, shape: {{type: hollow_cylinder, radius: {middle}}}, position: [{middle}, {middle}, 0]}}"]
    return "\n".join(["tools:", *lines, *(line for line in planes(EDGE).splitlines() if line.startswith("  z"))]) + "\n"


CONTAINERS = {"planes": lambda: planes(EDGE), "plates": plates, "drum": drum}


def outside(points, _):
    return np.count_nonzero(((points < 0) | (points > EDGE)).any(axis=1))


def outside_drum(points, turned):
    from_axis = np.linalg.norm(points[:, :2] - 0.5 * EDGE, axis=1)
    return max(outside(points, turned), np.count_nonzero(from_axis > 0.5 * EDGE))


def container(seed, constraints):
    """Six bodies of each of two shapes at up to 2 m/s and 40 rad/s, under a law at random."""
    random = np.random.default_rng(seed)
    kind = str(random.choice(list(CONTAINERS)))
    law = [f"mu: {random.choice([0, 0.3, 1])}"]
    soft = ""
    if random.random() < 0.3:
        soft = f", young_modulus: {random.choice(['1e7', '1e9'])}"
        law.append("damping: 0.2")
    elif random.random() < 0.5:
        law.append("restitution: 0.5")
    if random.random() < 0.3:
        law.append("rolling: 1e-3")
    bodies = ["bodies:"]
    for half, name in enumerate(random.choice(list(ALL_SHAPES), 2, replace=False)):
        aside = 0.16 * EDGE if kind == "drum" else 0.002
        low, high = [aside, aside, 0.5 * half * EDGE], [EDGE - aside, EDGE - aside, 0.5 * (half + 1) * EDGE]
        bodies.append(f"  {name}: {{material: stone, shape: {ALL_SHAPES[name]}, place: {{type: box, low: {low}, high: {high}, "
                      f"count: 6, seed: {seed}}}, velocity: {random.uniform(-1.2, 1.2, 3).tolist()}, "
                      f"angular_velocity: {random.uniform(-25, 25, 3).tolist()}}}")
    text = HEAD.format(constraints=constraints, soft=soft, law=", ".join(law), dt=0.005, end=0.3)
    return Scene(text + "\n".join(bodies) + "\n" + CONTAINERS[kind](), outside_drum if kind == "drum" else outside)


def overlap(seed, constraints):
    """27 balls at rest that overlap by up to 5 % of a radius, in steps of 10 ms to 1 us."""
    random = np.random.default_rng(seed)
    radius, dt = 0.01, 10.0 ** -random.integers(2, 7)
    apart = 2 * radius * (1 - random.uniform(0, 0.025))
    corner = 0.5 * EDGE - apart
    points = [[corner + apart * i, corner + apart * j, radius + apart * k] for i in range(3) for j in range(3) for k in range(3)]
    bodies = f"bodies:\n  balls: {{material: stone, radii: {{type: list, values: [{radius}]}}, " \
             f"place: {{type: points, positions: {np.round(points, 9).tolist()}}}}}\n"
    text = HEAD.format(constraints=constraints, soft="", law=f"mu: {random.choice([0, 0.3])}", dt=dt, end=100 * dt)
    return Scene(text + bodies + planes(EDGE), outside)


def sizes(seed, constraints):
    """A ball of 20 mm that rolls over four that are up to a hundred times smaller, steps of 1 ms."""
    random = np.random.default_rng(seed)
    big, small = 0.02, 0.02 * 10.0 ** -random.uniform(1, 2)
    places = [[round(0.05 + 0.012 * i, 6), round(0.06 + random.uniform(-0.2, 0.2) * small, 9), small] for i in range(4)]
    bodies = f"bodies:\n  big: {{material: stone, radii: {{type: list, values: [{big}]}}, " \
             f"place: {{type: points, positions: [[0.025, 0.06, {big}]]}}, velocity: [1, 0, 0], angular_velocity: [0, {1 / big}, 0]}}\n" \
             f"  small: {{material: stone, radii: {{type: list, values: [{small}]}}, " \
             f"place: {{type: points, positions: {places}}}}}\n"
    text = HEAD.format(constraints=constraints, soft="", law=f"mu: {random.choice([0.1, 0.3, 1])}", dt=0.001, end=0.1)
    return Scene(text + bodies + planes(EDGE), outside)


def scenes(seeds, containers):
    """(class, constraints, scenes)."""
    for constraints in CONSTRAINTS:
        for of_class, numbers in ((container, range(1, containers // len(CONSTRAINTS) + 1)), (overlap, seeds), (sizes, seeds)):
            yield of_class.__name__, constraints, [of_class(seed, constraints) for seed in numbers]
