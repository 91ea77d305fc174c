"""Impacts of two bodies, the tests of Chung and Ooi, beside what is known of them without a code.

1  Two equal balls meet at 10 m/s each: largest overlap, and force by it, of Hertz's impact.
2  A ball meets a rigid plane (of a thousand times its modulus) at 0.2 m/s: largest force on the plane.
3  The same at 3.9 m/s with restitution e: it comes out.
4  A ball meets a plane at 3.9 m/s under angles of 5 to 85 degrees from the normal, mu = 0.092, e = 0.98.
5  A ball of 10 um meets a plane at 5 m/s along the normal, under such angles, mu = 0.3, e = 1.
6  A ball that spins about an axis in the plane meets it at 0.2 m/s, mu = 0.4, e = 0.5.
7  Two balls that spin against each other meet: their points do not slide, and they keep their spin.
8  A ball that spins meets one that is five times as large, and at rest.

A contact that slides throughout has the impulse mu (1 + e) m v_n against the way its point moves, whatever its stiffness:
so it is where the point's speed is above 7/2 mu (1 + e) v_n, by 5 % and more in what is judged. Below, the tangential
spring gives the point a part of its speed back, and nothing is known without another code: `known` is empty there.
Speeds, sizes, mu and e are the tests', and the materials of 1 to 4, as other codes' input files have them; those of 5 to 8
and the larger ball's size are ours, and do not count for what slides.
"""
import math

import h5py
import numpy

import beds
import common

TITLE = "Impacts of two bodies"
SOURCE = ("tests: Y. C. Chung, J. Y. Ooi, Granular Matter 13, 643 (2011); Hertz's impact: K. L. Johnson, Contact mechanics, "
          "1985, section 11.4; sliding: O. R. Walton, Mech. Mater. 16, 239 (1993)")
STEPS, SHORT = 400, 100  # steps in an impact
GLASS, LIMESTONE = (4.8e10, 0.20, 2800), (2.0e10, 0.25, 2500)  # Young's modulus, Poisson's ratio, density
ALUMINIUM, MAGNESIUM = (7.0e10, 0.30, 2699), (4.0e10, 0.35, 1800)
OXIDE, CAST_IRON = (3.8e11, 0.23, 4000), (1.0e11, 0.25, 7000)
STEEL, ALLOY = (2.08e11, 0.30, 7850), (7.0e10, 0.33, 2700)
ANGLES = range(5, 90, 10)


def hertz(material, radius, speed, other=math.inf):
    """Largest overlap, force and duration of the impact of a ball on another of that radius, or on a rigid plane."""
    young, poisson, density = material
    plane = math.isinf(other)
    modulus = young / (1 - poisson**2) / (1 + 1e-3 if plane else 2)
    mass = density * 4 / 3 * math.pi / (radius**-3 + other**-3)
    curvature = 1 / (1 / radius + 1 / other)
    overlap = (15 * mass * speed**2 / (16 * modulus * math.sqrt(curvature)))**0.4
    return overlap, 4 / 3 * modulus * math.sqrt(curvature) * overlap**1.5, 2.94 * overlap / speed


def run(lab, name, material, balls, duration, mu, e, is_plane=True):
    """The folder of the run of @p balls (place, radius, velocity, spin), each in the way of the plane x = 0 or of another."""
    lab.folder.mkdir(parents=True, exist_ok=True)
    file = (lab.folder / f"{name}.csv").resolve()
    rows = [[*place, radius, *velocity, *spin] for place, radius, velocity, spin in balls]
    file.write_text("\n".join(["x,y,z,r,vx,vy,vz,wx,wy,wz", *(",".join(map(repr, map(float, row))) for row in rows)]) + "\n",
                    encoding="utf-8")
    young, poisson, density = material
    plane = {"plane": {"material": "rigid", "shape": {"type": "plane"}, "normal": [-1, 0, 0]}} if is_plane else {}
    dt = duration / (SHORT if lab.short else STEPS)
    return lab.run(name, {
        "time": {"dt": dt, "end": 1.5 * duration}, "gravity": [0, 0, 0],
        "materials": {"ball": {"density": density, "young_modulus": young, "poisson_ratio": poisson},
                      "rigid": {"density": density, "young_modulus": 1e3 * young, "poisson_ratio": poisson}},
        "friction": [{"between": "default", "mu": mu, "restitution": e}], "contact": {"law": "hertz"},
        "bodies": {"balls": {"material": "ball", "radii": {"type": "file"}, "place": {"type": "csv", "file": str(file)}}},
        "tools": plane,
        "solver": {"tolerance": 1e-9},
        "output": {"checkpoints": {"end": False}, "snapshots": {"start": False, "precision": "double"}}})


def ends(folder):
    """Velocities and spins after the run, in the order of the file."""
    with h5py.File(beds.last_snapshot(folder)) as snapshot:
        data = snapshot["VTKHDF/PointData"]
        order = numpy.argsort(data["id"][:])
        return data["velocity"][:][order], data["angular_velocity"][:][order]


class Rows:
    """Rows of the table, and the largest error of each test."""

    def __init__(self):
        self.rows, self.worst = [], {}

    def add(self, test, material, case, quantity, value, known):
        """@p known: None where it is not."""
        row = {"test": test, "material": material, "case": case, "quantity": quantity, "scree": f"{value:.5g}"}
        if known is None:
            self.rows.append(row | {"known": "", "error": ""})
            return
        error = value / known - 1 if known else value
        self.rows.append(row | {"known": f"{known:.5g}", "error": f"{error:+.1e}"})
        self.worst[test] = max(self.worst.get(test, 0.0), abs(error))


def normal_impacts(lab, rows):
    for name, material in (("glass", GLASS), ("limestone", LIMESTONE)):
        overlap, force, duration = hertz(material, 0.01, 20, other=0.01)
        balls = [((-0.01, 0, 0), 0.01, (10, 0, 0), (0, 0, 0)), ((0.01, 0, 0), 0.01, (-10, 0, 0), (0, 0, 0))]
        folder = run(lab, f"1-{name}", material, balls, duration, 0.35, 1, is_plane=False)
        found = 0.01 * max(step["compression"] for step in common.table(folder))
        rows.add(1, name, "", "largest overlap, um", 1e6 * found, 1e6 * overlap)
        rows.add(1, name, "", "largest force by it, kN", 1e-3 * force * (found / overlap)**1.5, 1e-3 * force)
    for name, material in (("aluminium alloy", ALUMINIUM), ("magnesium alloy", MAGNESIUM)):
        _, force, duration = hertz(material, 0.1, 0.2)
        folder = run(lab, f"2-{name.split()[0]}", material, [((-0.1, 0, 0), 0.1, (0.2, 0, 0), (0, 0, 0))], duration, 0, 1)
        largest = max(row["force_x"] for row in common.table(folder, "tools"))
        rows.add(2, name, "", "largest force, kN", 1e-3 * largest, 1e-3 * force)
    for name, material in (("aluminium oxide", OXIDE), ("cast iron", CAST_IRON)):
        _, _, duration = hertz(material, 0.0025, 3.9)
        for e in (0.2, 0.4, 0.6, 0.8, 1.0):
            ball = ((-0.0025, 0, 0), 0.0025, (3.9, 0, 0), (0, 0, 0))
            folder = run(lab, f"3-{name.split()[0]}-{e:g}", material, [ball], duration, 0, e)
            rows.add(3, name, f"e {e:g}", "speed after over before", -ends(folder)[0][0, 0] / 3.9, e)


def slides(point, slid):
    """Whether a point slides throughout, at that speed before, where sliding takes @p slid from its ball's velocity."""
    return point > 1.05 * 3.5 * slid


def oblique_impacts(lab, rows):
    for test, name, material, radius, mu, e in ((4, "aluminium oxide", OXIDE, 0.0025, 0.092, 0.98),
                                                (4, "aluminium alloy", ALLOY, 0.0025, 0.092, 0.98),
                                                (5, "steel", STEEL, 1e-5, 0.3, 1)):
        normal = [3.9 * math.cos(math.radians(angle)) if test == 4 else 5.0 for angle in ANGLES]
        along = [speed * math.tan(math.radians(angle)) for speed, angle in zip(normal, ANGLES)]
        _, _, duration = hertz(material, radius, min(normal))
        balls = [((-radius, 4 * radius * i, 0), radius, (v, 0, t), (0, 0, 0)) for i, (v, t) in enumerate(zip(normal, along))]
        velocity, spin = ends(run(lab, f"{test}-{name}".replace(" ", "-"), material, balls, duration, mu, e))
        for i, (angle, v, t) in enumerate(zip(ANGLES, normal, along)):
            slid = mu * (1 + e) * v
            case, known = f"{angle} degrees", slides(t, slid)
            rows.add(test, name, case, "tangential velocity over that before", velocity[i, 2] / t, 1 - slid / t if known else None)
            rows.add(test, name, case, "spin, rad/s", spin[i, 1], 2.5 * slid / radius if known else None)


def spinning_impacts(lab, rows):
    radius, speed, mu, e = 0.1, 0.2, 0.4, 0.5
    points = [speed * math.tan(math.radians(angle)) for angle in ANGLES]  # speeds of the ball's point before
    for test, other in ((6, math.inf), (8, 5 * radius)):
        is_plane = math.isinf(other)
        apart = 4 * (radius if is_plane else other)
        balls = [((-radius, apart * i, 0), radius, (speed, 0, 0), (0, point / radius, 0)) for i, point in enumerate(points)]
        targets = [] if is_plane else [((other, apart * i, 0), other, (0, 0, 0), (0, 0, 0)) for i in range(len(points))]
        _, _, duration = hertz(ALLOY, radius, speed, other=other)
        velocity, spin = ends(run(lab, str(test), ALLOY, balls + targets, duration, mu, e, is_plane))
        share = 1 / (1 + (radius / other)**3)  # of the mass at the contact in the ball's
        for i, (angle, point) in enumerate(zip(ANGLES, points)):
            slid = mu * (1 + e) * speed
            case, known = f"{angle} degrees", slides(point, slid)
            rows.add(test, "aluminium alloy", case, "tangential velocity, m/s", velocity[i, 2],
                     slid * share if known else None)
            rows.add(test, "aluminium alloy", case, "spin over that before", spin[i, 1] * radius / point,
                     1 - 2.5 * slid * share / point if known else None)


def spins_against_each_other(lab, rows):
    radius, speed = 0.1, 0.2
    _, _, duration = hertz(ALLOY, radius, 2 * speed, other=radius)
    for omega in (5.0, 20.0):
        balls = [((side * radius, 0, 0), radius, (-side * speed, 0, 0), (0, -side * omega, 0)) for side in (-1, 1)]
        velocity, spin = ends(run(lab, f"7-{omega:g}", ALLOY, balls, duration, 0.4, 0.5, is_plane=False))
        rows.add(7, "aluminium alloy", f"{omega:g} rad/s", "spin over that before", spin[0, 1] / omega, 1)
        rows.add(7, "aluminium alloy", f"{omega:g} rad/s", "tangential velocity, m/s", abs(velocity[0, 2]), 0)


def measure(lab):
    rows = Rows()
    for impacts in (normal_impacts, oblique_impacts, spinning_impacts, spins_against_each_other):
        impacts(lab, rows)
    # With a step a fourth as long the errors of 1 to 5 are a fourth. With e = 0.98 in place of 0.5 those of 6 and 8 are below
    # 4e-4 in the full form.
    for test, worst in sorted(rows.worst.items()):
        lab.check(f"test {test}: largest error", worst, 0, 0.04 if lab.short else 0.02)
    draw(lab.axes, rows.rows)
    return sorted(rows.rows, key=lambda row: row["test"])


def draw(axes, rows):
    errors = [(row["test"], abs(float(row["error"]))) for row in rows if row["error"]]
    axes.semilogy([test for test, _ in errors], [max(error, 1e-9) for _, error in errors], "o")
    axes.set(xlabel="test of Chung and Ooi", ylabel="error of what is known")
