"""Errors of a rolling and of a colliding pair of balls, which must halve with the time step.

rolling     A ball rolls without slip down a ball that is held, angle theta from the vertical: theta'' = 5 g sin(theta) /
            (7 (R + r)), for a time in which the pair neither parts nor slips. Error of theta and of the spin at its end.
            It begins with a speed: of a start at rest the spin would be of second order, since the scheme's velocities
            are then those of dt/2 later, and read dt/2 late.
colliding   Pairs of equal balls that meet obliquely in free flight, with friction and restitution. The impulse of
            Newton's and Coulomb's laws is known, and flight is straight before and after: mean error (root of the mean
            square) of centres and velocities at a time after the impact. A step sees the impact at its start, and so the
            error depends on where in the step it falls: the mean is over 64 pairs with gaps of their own.
"""
import h5py
import numpy
import scipy.integrate

import beds

TITLE = "Convergence in the time step"
SOURCE = ("rolling: E. J. Routh, Dynamics of a system of rigid bodies, 1860; colliding: O. R. Walton, Numerical simulation "
          "of inclined chute flows, Mech. Mater. 16 (1993) 239-247, eqs. of an impact of spheres with Coulomb's law")

GRAVITY, RADIUS, DENSITY = 9.81, 0.05, 2600.0
OUTPUT = {"checkpoints": {"end": False}, "snapshots": {"start": False}}


def config(gravity, mu, restitution, bodies, end, steps):
    return {"time": {"dt": end / steps, "end": end}, "gravity": [0, 0, -gravity],
            "materials": {"stone": {"density": DENSITY}},
            "friction": [{"between": ["stone", "stone"], "mu": mu, "restitution": restitution}],
            "bodies": {name: {"material": "stone", "radii": {"type": "list", "values": [RADIUS]}, **body}
                       for name, body in bodies.items()},
            "solver": {"tolerance": 1e-10}, "output": OUTPUT}


def end_state(folder):
    """Centres, velocities and spins of the grains by group, in the order of their points."""
    with h5py.File(beds.last_snapshot(folder)) as file:
        data = file["VTKHDF/PointData"]
        order = numpy.argsort(data["id"][:])
        group = data["group"][:][order]
        arrays = [a[:][order] for a in (file["VTKHDF/Points"], data["velocity"], data["angular_velocity"])]
    return [[a[group == g] for a in arrays] for g in (0, 1)]


def rolling(lab, steps):
    """Relative errors of angle and spin at the end."""
    start, speed, end, distance = 0.2, 0.3, 0.12, 2 * RADIUS
    place = [[0, 0, 0], [distance * numpy.sin(start), 0, distance * numpy.cos(start)]]
    folder = lab.run(f"rolling-{steps}", config(GRAVITY, 1.0, 0.0, {
        "held": {"place": {"type": "points", "positions": place[:1]}, "fix": ["all"]},
        "rolls": {"place": {"type": "points", "positions": place[1:]}, "angular_velocity": [0, speed / RADIUS, 0],
                  "velocity": [speed * numpy.cos(start), 0, -speed * numpy.sin(start)]}}, end, steps))
    _, (centre, _, spin) = end_state(folder)
    exact = scipy.integrate.solve_ivp(lambda _, y: [y[1], 5 / 7 * GRAVITY / distance * numpy.sin(y[0])], (0, end),
                                      (start, speed / distance), rtol=1e-12, atol=1e-14).y[:, -1]
    return {"angle": abs(numpy.arctan2(centre[0, 0], centre[0, 2]) - exact[0]) / exact[0],
            "spin": abs(spin[0, 1] * RADIUS / distance - exact[1]) / exact[1]}


def collide(relative, velocity, spin, mu, e):
    """Time of the impact of a ball upon an equal one at rest, and velocities and spins after it; the laws for a mass of 1."""
    along = relative @ velocity
    square = velocity @ velocity
    time = (-along - (along**2 - square * (relative @ relative - 4 * RADIUS**2))**0.5) / square
    normal = (relative + time * velocity) / (2 * RADIUS)
    u = velocity - RADIUS * numpy.cross(spin, normal)
    u_n = u @ normal
    u_t = u - u_n * normal
    p_n = -(1 + e) * u_n / 2
    p_t = -u_t / 7
    p_t *= min(1, mu * p_n / numpy.linalg.norm(p_t))
    impulse = p_n * normal + p_t
    turn = -numpy.cross(normal, impulse) / (0.4 * RADIUS)
    return time, (velocity + impulse, spin + turn), (-impulse, turn)


def colliding(lab, steps, mu, e):
    """Mean errors of centres, over a radius, and of velocities, over that of approach, at the end."""
    end, count = 0.16, 64
    velocity, spin = numpy.array([1.0, 0.2, 0.0]), numpy.array([0.0, 0.0, 8.0])
    random = numpy.random.default_rng(1)
    first = numpy.column_stack([-2 * RADIUS - random.uniform(0.02, 0.06, count), numpy.full(count, 0.02),
                                0.5 * numpy.arange(count)])
    second = numpy.column_stack([numpy.zeros((count, 2)), first[:, 2]])
    folder = lab.run(f"colliding-mu{mu:g}-e{e:g}-{steps}", config(0.0, mu, e, {
        "flies": {"place": {"type": "points", "positions": first.tolist()}, "velocity": velocity.tolist(),
                  "angular_velocity": spin.tolist()},
        "rests": {"place": {"type": "points", "positions": second.tolist()}}}, end, steps))
    centres, speeds = [], []
    for p in range(count):
        time, *after = collide(first[p] - second[p], velocity, spin, mu, e)
        for (x, v, w), (v_after, w_after), at in zip(end_state(folder), after, (first[p] + time * velocity, second[p])):
            centres.append((x[p] - at - (end - time) * v_after) / RADIUS)
            speeds.append((v[p] - v_after) / numpy.linalg.norm(velocity))
            speeds.append((w[p] - w_after) * RADIUS / numpy.linalg.norm(velocity))
    return {"centre": numpy.mean(numpy.square(centres).sum(axis=1))**0.5,
            "velocity": numpy.mean(numpy.square(speeds).sum(axis=1))**0.5}


def measure(lab):
    all_steps = (20, 40, 80, 160) if lab.short else (20, 40, 80, 160, 320, 640, 1280)
    cases = {"rolling": rolling,
             "colliding, slips": lambda lab, n: colliding(lab, n, 0.1, 0.7),
             "colliding, sticks": lambda lab, n: colliding(lab, n, 0.8, 0.7),
             "colliding, sticks, e = 0": lambda lab, n: colliding(lab, n, 0.8, 0.0)}
    rows = []
    for case, run in cases.items():
        errors = [run(lab, n) for n in all_steps]
        for what in errors[0]:
            values = [error[what] for error in errors]
            order = -numpy.polyfit(numpy.log(all_steps), numpy.log(values), 1)[0]
            lab.check(f"{case}: order of the {what}", order, 0.8, 1.2)
            lab.axes.loglog(1 / numpy.array(all_steps), values, "o-", label=f"{case}: {what}, order {order:.2f}")
            rows.append({"pair": case, "error of": what, "order": f"{order:.3f}",
                         **{f"T/dt {n}": f"{value:.2e}" for n, value in zip(all_steps, values)}})
    lab.axes.set(xlabel="time step over the time of the run", ylabel="error")
    lab.axes.legend(fontsize="x-small")
    return rows
