"""Contact problems of blocks, rocks and capsules, made from seeds alone, as FCLIB files that hold no bodies.

    u = W r + q,    W = J M^-1 J^T,    q = J (v + g dt) + (gap/dt, 0, 0)

of bodies that touch, in a time step of 0.5 ms: contact by contact normal, tangent, tangent; velocities u in m/s,
impulses r in N s. A pair has several contact points, so that W is far from full rank. Gaps are not negative: no motion
at all is feasible. Families:

- tower: planks in crossed layers, each touching those of the next layer at the four corners of the common face;
- wall: bricks in running bond, touching at the corners of common faces, beside each other too;
- column: one box of random size on another;
- rocks: round rocks on a lattice, shaken, on a floor between four walls, with one to three contact points a pair on a
  facet that is turned at random;
- capsules: crossed layers of parallel capsules; those of a layer touch along their length at two points, those of the
  next at one, and the outer ones of wide layers lie on nothing;
- rocks-skew: rocks with a friction coefficient of 1 and W = J M^-1 J'^T, where the entries of J' are those of J but for
  2e-3 of each: not symmetric.

The seed says the friction coefficient, one for all contacts, and the state: at rest, slow, fast (random velocities of
all bodies) or tilted by 0.4 rad. The problem's name is FAMILY-STATE-SEED.
"""
import typing

import h5py
import numpy
import scipy.sparse

import block_scenes
import fclib_matrix
from block_scenes import GROUND, frame

GRAVITY = 9.81  # m/s^2
DT = 5e-4  # s
ARM = 0.1  # m: angular velocities are random velocities over this


class State(typing.NamedTuple):
    speed: float  # m/s, standard deviation
    tilt: float = 0.0  # of gravity, rad


STATES = {"rest": State(1e-9), "slow": State(1e-3), "fast": State(0.3), "tilt": State(1e-4, 0.4)}


class Problem(typing.NamedTuple):
    W: scipy.sparse.csr_matrix  # 3n x 3n, m/s per N s
    q: numpy.ndarray  # 3n, m/s
    mu: numpy.ndarray  # n


class Family(typing.NamedTuple):
    scene: typing.Callable
    friction: tuple
    seeds: int  # of the bench: all states with all friction coefficients
    skew: float = 0.0  # of the entries of J', relative


FRICTION = (0.3, 0.7, 0.9, 0.5)
FAMILIES = {"tower": Family(block_scenes.tower, FRICTION, 16), "wall": Family(block_scenes.wall, FRICTION, 16),
            "column": Family(block_scenes.column, FRICTION, 16), "rocks": Family(block_scenes.rocks, FRICTION, 16),
            "capsules": Family(block_scenes.capsules, FRICTION, 16), "rocks-skew": Family(block_scenes.few_rocks, (1.0,), 20, 2e-3)}


def jacobian(scene):
    """J: velocities of the bodies, six numbers each, to those of the contacts, three numbers each; in space's axes."""
    J = scipy.sparse.lil_matrix((3 * len(scene.contacts), 6 * len(scene.bodies)))
    for k, contact in enumerate(scene.contacts):
        axes = frame(contact.normal)
        for body, sign in ((contact.first, -1), (contact.second, 1)):
            if body != GROUND:
                arm = contact.point - scene.bodies[body].centre
                J[3 * k:3 * k + 3, 6 * body:6 * body + 6] = sign * numpy.hstack([axes, numpy.cross(arm, axes)])
    return J.tocsr()


def free_velocity(random, bodies, state):
    """After a step under gravity alone, of all bodies: six numbers each."""
    velocity = state.speed * random.standard_normal((len(bodies), 6))
    velocity[:, 3:] /= ARM
    velocity[:, :3] += GRAVITY * DT * numpy.array([numpy.sin(state.tilt), 0, -numpy.cos(state.tilt)])
    return velocity.ravel()


def state_and_friction(family, seed):
    coefficients = FAMILIES[family].friction
    return list(STATES)[seed // len(coefficients) % len(STATES)], coefficients[seed % len(coefficients)]


def name_of(family, seed):
    return f"{family}-{state_and_friction(family, seed)[0]}-{seed}"


def make(family, seed):
    """The scene and its problem."""
    random = numpy.random.default_rng([seed, *family.encode()])
    state, mu = state_and_friction(family, seed)
    scene = FAMILIES[family].scene(random)
    J = jacobian(scene)
    inverse_mass = scipy.sparse.diags(numpy.concatenate([[*3 * [1 / b.mass], *1 / b.inertia] for b in scene.bodies]))
    q = J @ free_velocity(random, scene.bodies, STATES[state])
    q[::3] += [contact.gap / DT for contact in scene.contacts]
    if FAMILIES[family].skew:
        other = J.copy()
        other.data *= 1 + FAMILIES[family].skew * random.standard_normal(J.nnz)
        W = J @ inverse_mass @ other.T
    else:
        W = J @ inverse_mass @ J.T
        W = (W + W.T) / 2  # to the last bit
    return scene, Problem(W.tocsr(), q, numpy.full(len(scene.contacts), mu))


def write(path, problem):
    with h5py.File(path, "w") as file:
        file["fclib_local/spacedim"] = numpy.array([3], dtype="i4")
        fclib_matrix.write(file.create_group("fclib_local/W"), problem.W)
        file["fclib_local/vectors/q"] = problem.q
        file["fclib_local/vectors/mu"] = problem.mu


def read(path):
    with h5py.File(path) as file:
        local = file["fclib_local"]
        return Problem(fclib_matrix.read(local["W"]), local["vectors/q"][:], local["vectors/mu"][:])
