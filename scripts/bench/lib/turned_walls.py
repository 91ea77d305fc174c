"""Walls about an axis as sheets of triangles, in STL files."""
import numpy


def write_turned(path, profile, around):
    """A surface of revolution about z in @p around flat sides, as binary STL; the profile is a list of (radius, z).

    Its sides touch the circle at their middles, so that the mesh has the volume within that the smooth wall has to
    1/around^2.
    """
    angle = numpy.linspace(0, 2 * numpy.pi, around, endpoint=False)
    rings = []
    for radius, z in profile:
        corner = radius / numpy.cos(numpy.pi / around)
        rings.append(numpy.column_stack([corner * numpy.cos(angle), corner * numpy.sin(angle), numpy.full(around, z)]))
    triangles = []
    for low, high in zip(rings, rings[1:]):
        low_next, high_next = numpy.roll(low, -1, axis=0), numpy.roll(high, -1, axis=0)
        triangles += [numpy.stack([low, high_next, low_next], 1), numpy.stack([low, high, high_next], 1)]
    records = numpy.zeros(sum(map(len, triangles)), dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("unused", "<u2")])
    records["corners"] = numpy.concatenate(triangles)
    with open(path, "wb") as file:
        file.write(bytes(80) + numpy.uint32(len(records)).tobytes() + records.tobytes())
    return len(records)
