"""Mechanisms of free tools and joints, and what an integrator of ordinary differential equations makes of them."""
import math

import numpy as np
from scipy.integrate import solve_ivp

GRAVITY = 9.81  # m/s^2
END = 1.0  # s
EXACT = {"rtol": 1e-11, "atol": 1e-12, "method": "DOP853"}

HEAD = """\
time: {{dt: {dt}, end: {end}}}
materials: {{steel: {{density: 7800}}}}
friction: [{{between: [steel, steel], mu: 0.0, restitution: 1.0}}]
solver: {{tolerance: 1.0e-11}}
output: {{snapshots: {{start: false}}}}
"""

ROD = (0.2, 0.04)  # m, length and width of the pendulum's rod, which hangs by an end
PENDULUM = """\
tools:
  rod: {material: steel, shape: {type: box, size: [0.2, 0.04, 0.04]}, position: [0.1, 0, 0], motion: {type: load}}
joints:
  pin: {type: hinge, between: [rod, world], position: [0, 0, 0], axis: [0, 1, 0]}
"""


def pendulum(times):
    """The angle of a rod that is let go when it lies level."""
    inertia = (ROD[0] ** 2 + ROD[1] ** 2) / 12 + (ROD[0] / 2) ** 2  # over its mass, about the pin
    solution = solve_ivp(lambda t, y: [y[1], GRAVITY * ROD[0] / 2 * math.cos(y[0]) / inertia], [0, END], [0, 0], t_eval=times,
                         **EXACT)
    return solution.y[0]


CRANK, COUPLER, FOLLOWER, GROUND = 0.1, 0.3, 0.25, 0.3  # m
SPEED = 5.0  # rad/s


def corner(angle):
    """Where coupler and follower meet, for the crank's angle from straight up, about the axis of y."""
    tip = np.array([CRANK * math.sin(angle), CRANK * math.cos(angle)])
    foot = np.array([GROUND, 0.0])
    way = foot - tip
    distance = np.linalg.norm(way)
    along = (COUPLER**2 - FOLLOWER**2 + distance**2) / (2 * distance)
    up = np.array([-way[1], way[0]]) / distance
    return tip + along / distance * way + math.sqrt(COUPLER**2 - along**2) * up


def follower_angle(angle):
    arm = corner(angle) - np.array([GROUND, 0.0])
    return math.atan2(arm[0], arm[1])


def linkage_scene():
    """A crank, a coupler and a follower, as thin rods; the crank is driven."""
    tip, end = np.array([0.0, CRANK]), corner(0.0)

    def rod(name, a, b):
        middle, way = (a + b) / 2, b - a
        angle = math.atan2(way[0], way[1])
        return (f"  {name}: {{material: steel, shape: {{type: box, size: [0.01, 0.01, {np.linalg.norm(way)}]}}, mass: 0.2,\n"
                f"    position: [{middle[0]}, 0, {middle[1]}], orientation: {{axis: [0, 1, 0], angle: {angle}}}, "
                "motion: {type: load}}\n")

    def hinge(name, a, b, at):
        return f"  {name}: {{type: hinge, between: [{a}, {b}], position: [{at[0]}, 0, {at[1]}], axis: [0, 1, 0]}}\n"

    foot = np.array([GROUND, 0.0])
    return ("tools:\n" + rod("crank", np.zeros(2), tip) + rod("coupler", tip, end) + rod("follower", foot, end) + "joints:\n"
            + hinge("a", "crank", "world", np.zeros(2)) + hinge("b", "coupler", "crank", tip)
            + hinge("c", "coupler", "follower", end) + hinge("d", "follower", "world", foot)
            + f"motors:\n  drive: {{joint: a, type: velocity, velocity: \"{SPEED}\"}}\n")


def linkage(times):
    """The turn of the follower while the crank turns at a constant speed."""
    start = follower_angle(0.0)
    return np.array([follower_angle(SPEED * t) - start for t in times])


SPIN, TILT, ARM = 80.0, 0.4, 0.1  # rad/s; rad; m from the tip to the centre of mass
MOMENTS = (0.004, 0.004, 0.002)  # kg m^2, of a top of 1 kg
# A motor brings the top to its spin in the first step, and lets go.
TOP = f"""\
tools:
  top: {{material: steel, shape: {{type: sphere, radius: 0.02}}, mass: 1, inertia: [{MOMENTS[0]}, {MOMENTS[1]}, {MOMENTS[2]}],
        position: [{ARM * math.sin(TILT)}, 0, {ARM * math.cos(TILT)}], orientation: {{axis: [0, 1, 0], angle: {TILT}}},
        motion: {{type: load, torque: ["t == 0 ? {MOMENTS[2] * SPIN * math.sin(TILT)}/{{dt}} : 0", 0,
                                      "t == 0 ? {MOMENTS[2] * SPIN * math.cos(TILT)}/{{dt}} : 0"]}}}}
joints:
  tip: {{type: ball, between: [top, world], position: [0, 0, 0]}}
"""


def top(times):
    """The height of the top's centre of mass: it nods while it precesses."""
    about_tip = np.array(MOMENTS) + np.array([ARM**2, ARM**2, 0.0])

    def rotated(q, v):
        return v + 2 * np.cross(q[1:], np.cross(q[1:], v) + q[0] * v)

    def slope(t, y):
        q, spin = y[:4], y[4:]  # body to world, w first; in the body's frame
        down = rotated(np.array([q[0], *-q[1:]]), np.array([0, 0, -GRAVITY]))
        turned = 0.5 * np.array([-q[1:] @ spin, *(q[0] * spin + np.cross(q[1:], spin))])
        torque = np.cross([0, 0, ARM], down)
        return np.concatenate([turned, (torque - np.cross(spin, about_tip * spin)) / about_tip])

    start = np.array([math.cos(TILT / 2), 0, math.sin(TILT / 2), 0, 0, 0, SPIN])
    solution = solve_ivp(slope, [0, END], start, t_eval=times, **EXACT)
    return np.array([rotated(y[:4] / np.linalg.norm(y[:4]), np.array([0, 0, ARM]))[2] for y in solution.y.T])


def cradle_scene():
    """Five balls on two strings each, of which the first is lifted by 30 degrees."""
    radius, length, angle = 0.02, 0.3, math.radians(30)
    tools, joints = "", ""
    for i in range(5):
        x, z = 2 * radius * i, 0.0
        hook = (x, length)
        if i == 0:
            x, z = x - length * math.sin(angle), length * (1 - math.cos(angle))
        tools += (f"  b{i}: {{material: steel, radii: {{type: list, values: [{radius}]}}, place: {{type: points, "
                  f"positions: [[{x}, 0, {z}]]}}}}\n")
        for side, y in (("l", -0.1), ("r", 0.1)):
            joints += (f"  s{i}{side}: {{type: distance, between: [\"b{i}[0]\", world], "
                       f"points: [[{x}, 0, {z}], [{hook[0]}, {y}, {hook[1]}]]}}\n")
    return "bodies:\n" + tools + "joints:\n" + joints
