"""Scenes of bodies that touch, made from random numbers: those of the problems of block_problems.py."""
import typing

import numpy

GROUND = -1
DENSITY = 2600.0  # kg/m^3
TOUCH = 1e-9  # m: boxes no farther apart share a face


class Body(typing.NamedTuple):
    centre: numpy.ndarray  # m
    mass: float  # kg
    inertia: numpy.ndarray  # kg m^2, about the axes of space, which are its principal ones


class Contact(typing.NamedTuple):
    first: int  # body, or GROUND
    second: int
    point: numpy.ndarray  # m
    normal: numpy.ndarray  # from the first to the second, of any length
    gap: float = 0.0  # m


class Scene(typing.NamedTuple):
    bodies: list
    contacts: list


class Box(typing.NamedTuple):
    low: numpy.ndarray  # its corners, m
    high: numpy.ndarray


def box(centre, size):
    centre, size = numpy.array(centre, float), numpy.array(size, float)
    return Box(centre - size / 2, centre + size / 2)


def body_of(a_box):
    size = a_box.high - a_box.low
    mass = DENSITY * size.prod()
    return Body((a_box.low + a_box.high) / 2, mass, mass / 12 * (size @ size - size**2))


def common_face(first, second, axis):
    """The corners of the face that two boxes share across an axis; none where it has no area."""
    across = [k for k in range(3) if k != axis]
    low, high = numpy.maximum(first.low, second.low), numpy.minimum(first.high, second.high)
    if (high - low)[across].min() < 1e-6:
        return
    for a in (low, high):
        for b in (low, high):
            point = first.high.copy()
            point[across] = a[across[0]], b[across[1]]
            yield point


def scene_of(boxes):
    """Boxes that touch each other, and the ground at z = 0, at the corners of common faces."""
    ground = Box(numpy.full(3, -numpy.inf), numpy.array([numpy.inf, numpy.inf, 0.0]))
    contacts = []
    for i, first in [(GROUND, ground), *enumerate(boxes)]:
        for j, second in enumerate(boxes):
            for axis in numpy.flatnonzero(abs(second.low - first.high) < TOUCH):
                contacts += [Contact(i, j, point, numpy.eye(3)[axis]) for point in common_face(first, second, axis)]
    return Scene([body_of(b) for b in boxes], contacts)


def tower(random):
    """2 to 4 planks of 150 x 30 x 10 mm a layer, moved by up to 2 mm along their length."""
    size = numpy.array([0.15, 0.03, 0.01])
    layers, planks = random.integers(6, 20), random.integers(2, 5)
    boxes = []
    for layer in range(layers):
        order = [0, 1, 2] if layer % 2 == 0 else [1, 0, 2]
        for across in numpy.linspace(-0.06, 0.06, planks):
            centre = numpy.array([random.uniform(-0.002, 0.002), across, size[2] * (layer + 0.5)])
            boxes.append(box(centre[order], size[order]))
    return scene_of(boxes)


def wall(random):
    """4 to 9 rows of 3 to 7 bricks of 200 x 100 x 60 mm, one less in every second row."""
    size = numpy.array([0.2, 0.1, 0.06])
    rows, columns = random.integers(4, 10), random.integers(3, 8)
    return scene_of([box(size * (column + 0.5 * (1 + row % 2), 0, row + 0.5), size)
                     for row in range(rows) for column in range(columns - row % 2)])


def column(random):
    """5 to 39 boxes, 50 to 100 mm high, 80 to 120 mm wide and deep, up to 20 mm off the axis."""
    boxes, top = [], 0.0
    for _ in range(random.integers(5, 40)):
        height = random.uniform(0.05, 0.1)
        centre = [*random.uniform(-0.02, 0.02, 2), top + height / 2]
        boxes.append(box(centre, [*random.uniform(0.08, 0.12, 2), height]))
        top += height
    return scene_of(boxes)


PITCH = 0.1  # m: of the rocks' lattice
FACET = 0.3 * PITCH  # contact points of a pair are within a square of this side


def lattice(random, count):
    """Places of rocks, layers of which each second one is half a pitch aside, and how many make a row."""
    row = int(numpy.ceil(count ** (1 / 3)))
    layer, i, j = numpy.indices((row, row, row)).reshape(3, -1)[:, :count]
    aside = 0.5 * (layer % 2)
    places = PITCH * numpy.column_stack([i + aside, j + aside, 0.75 * layer])
    return places + random.uniform(-0.08, 0.08, places.shape) * PITCH, row


def frame(normal):
    """Rows: the normal made one long, and two tangents."""
    n = normal / numpy.linalg.norm(normal)
    t = numpy.cross(n, numpy.eye(3)[numpy.argmin(abs(n))])
    t /= numpy.linalg.norm(t)
    return numpy.array([n, t, numpy.cross(n, t)])


def facet(random, first, second, middle, direction):
    """One to three contacts of two rocks about a point, on a plane turned at random; each second one open by 1e-5 m
    or so.
    """
    n, t, s = frame(direction / numpy.linalg.norm(direction) + 0.25 * random.standard_normal(3))
    for _ in range(random.integers(1, 4)):
        a, b = FACET * random.uniform(-0.5, 0.5, 2)
        yield Contact(first, second, middle + a * t + b * s, n, max(0.0, random.normal(0, 1e-5)))


def sides(centre, row):
    """Ways out of the heap from a rock at its border: down, and to the four walls."""
    down, left, front = -numpy.eye(3)[[2, 0, 1]]
    if centre[2] < 0.3 * PITCH:
        yield down
    for outward, place in ((left, centre[0]), (front, centre[1])):
        if place < 0.2 * PITCH:
            yield outward
        if place > (row - 0.8) * PITCH:
            yield -outward


def pile_of_rocks(random, count):
    centres, row = lattice(random, count)
    radii = PITCH * random.uniform(0.45, 0.55, count)
    masses = DENSITY * 4 / 3 * numpy.pi * radii**3
    inertias = (0.4 * masses * radii**2)[:, None] * random.uniform(0.7, 1.4, (count, 3))
    contacts = []
    for i, centre in enumerate(centres):
        for outward in sides(centre, row):
            contacts += facet(random, GROUND, i, centre + radii[i] * outward, -outward)
        for j in range(i):
            away = centre - centres[j]
            if numpy.linalg.norm(away) < 1.1 * PITCH:
                contacts += facet(random, j, i, centres[j] + away * radii[j] / (radii[i] + radii[j]), away)
    return Scene([Body(*values) for values in zip(centres, masses, inertias)], contacts)


def rocks(random):
    return pile_of_rocks(random, random.integers(27, 140))


def few_rocks(random):
    return pile_of_rocks(random, random.integers(20, 70))


RADIUS, LENGTH = 0.05, 0.3  # m, of a capsule; length without its ends


def capsules(random):
    """20 to 119 capsules, about as many layers as capsules in each; 7 of 10 neighbours touch."""
    count = random.integers(20, 120)
    row = int(numpy.sqrt(count))
    scene, below = Scene([], []), []
    for layer, first in enumerate(range(0, count, row)):
        along = layer % 2
        numbers = range(first, min(first + row, count))
        touching = random.random(len(numbers) - 1) < 0.7
        gaps = numpy.where(touching, numpy.maximum(0, random.normal(0, 1e-4, len(touching))), 0.03)
        places = numpy.append(0, numpy.cumsum(2 * RADIUS + gaps))
        for place in places - places.mean():
            scene.bodies.append(capsule(along, random.uniform(-0.01, 0.01), place, (2 * layer + 1) * RADIUS))
        for i, gap in zip(numpy.flatnonzero(touching), gaps[touching]):
            scene.contacts.extend(line(scene, along, numbers[i], numbers[i + 1], gap))
        for upper in numbers:
            if layer == 0:
                scene.contacts.extend(line(scene, along, GROUND, upper))
            for lower in below:
                scene.contacts.extend(crossing(random, scene, along, lower, upper))
        below = numbers
    return scene


def capsule(along, middle, place, height):
    """A capsule along x (0) or y (1), with the mass and inertia of a rod."""
    centre = numpy.array([middle, place, height])
    mass = DENSITY * numpy.pi * RADIUS**2 * LENGTH
    inertia = mass * numpy.array([RADIUS**2 / 2, LENGTH**2 / 12, LENGTH**2 / 12])
    order = [0, 1, 2] if along == 0 else [1, 0, 2]
    return Body(centre[order], mass, inertia[order])


def line(scene, along, first, second, gap=0.0):
    """The two contacts of parallel capsules, or of one and the ground, near their ends."""
    centre = scene.bodies[second].centre
    normal = numpy.eye(3)[2 if first == GROUND else 1 - along]
    for share in (-0.45, 0.45):
        yield Contact(first, second, centre - (RADIUS + gap / 2) * normal + share * LENGTH * numpy.eye(3)[along], normal, gap)


def crossing(random, scene, along, lower, upper):
    """The contact of crossed capsules, the upper one of which is along x (0) or y (1), where one lies on the other."""
    under, over = scene.bodies[lower].centre, scene.bodies[upper].centre
    point = numpy.array([0.0, 0.0, over[2] - RADIUS])
    point[along], point[1 - along] = under[along], over[1 - along]
    if max(abs(point - under)[:2].max(), abs(point - over)[:2].max()) < LENGTH / 2:
        yield Contact(lower, upper, point, numpy.append(0.05 * random.standard_normal(2), 1.0))
