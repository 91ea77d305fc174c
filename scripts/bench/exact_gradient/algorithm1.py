"""Algorithm 1 of Kleinert, Simeon and Obermayr with exact friction: line 13's gradient N or (13), for studies.

    C in x _|_ y in C,   y = F(x) + s d,   F(x) = N x + c + (|u_t|, 0, 0),   u_t = (N x + c)_t,   s -> 0
    x = T r,   N = T^-1 W T^-1,   c = T^-1 q,   T = diag(mu, 1, 1)     of impulses r and u = W r + q

C is x_n >= |x_t|. |u_t| is absent from the associated law. The paper's y is mu times this one, for one coefficient.
Each iteration, with P(w) x = y (Lemma 3) and G the gradient:

    (P(w) + G) dx = alpha x^-1 - y - ds d - e,      dy = G dx + ds d + e,      e = F(x) + s d - y
    theta = min(1, 0.99 theta_max)                  (Lemma 2)

    G = N                   line 13, first choice
    G = (1 + e_n xi^T) N    line 13, second choice: (13), with xi = u_t/|u_t|, and 0 in the convex hull of all xi where u_t = 0

As printed, e is left out: y follows the linear steps (lines 27 and 29) and F is evaluated at the start alone, which is
exact where F is linear. Brought back, e is as above. Damped, xi is multiplied by 0.7 until the determinant of P(w) + G is
above zero, which it is for N alone: this is ours.

The start, of x = (0.1, 0, 0) for each contact, is that of section 4.3, alpha that of 5.1; the shares beta are the
path-following ones of 5.1, by the centrality (17) with the exponent 1/(n+1) (include/scree/solver/interior_point/kleinert.hpp).
"""
import typing

import numpy
import scipy.sparse
import scipy.sparse.linalg

import signs

START = 0.1  # N s, mu times the normal impulse
STEP_FRACTION = 0.99
DAMPING = 0.7
SHORT_STEP = 1e-4  # as in scree's kleinert
J = numpy.array([1.0, -1.0, -1.0])


class Law(typing.NamedTuple):
    exact: bool  # |u_t| in F
    generalised: bool  # (13) in G
    corrected: bool  # e in the step
    damped: bool = False  # (13) with less of xi where A has a negative determinant


LAWS = {"associated": Law(False, False, False),
        "exact, N": Law(True, False, False), "exact, N, corrected": Law(True, False, True),
        "exact, (13)": Law(True, True, False), "exact, (13), corrected": Law(True, True, True),
        "exact, (13), corrected, damped": Law(True, True, True, True)}


def det(x):
    """Of each row; half of what is without 1/2 in other places: x^-1 = J x / det(x), x.x^-1 = 2."""
    size = numpy.linalg.norm(x[:, 1:], axis=1)
    return 0.5 * (x[:, 0] - size) * (x[:, 0] + size)


def interior(x):
    return bool((x[:, 0] > numpy.linalg.norm(x[:, 1:], axis=1)).all())


def scaling(x, y):
    """P(w) of each contact (Lemma 3), n x 3 x 3: P(w) x = y."""
    ratio = numpy.sqrt(det(y) / det(x))
    w = y + ratio[:, None] * J * x
    w /= numpy.sqrt((x * y).sum(axis=1) + 2 * numpy.sqrt(det(x) * det(y)))[:, None]
    return w[:, :, None] * w[:, None, :] - ratio[:, None, None] * numpy.diag(J)


def longest_step(x, dx):
    """theta_max of Lemma 2, of all contacts; infinite where dx points into the cone."""
    half = 0.5 * (dx * J * x).sum(axis=1)
    root = numpy.sqrt(numpy.maximum(half**2 - det(dx) * det(x), 0))
    # det x / (root - half), written so that nothing cancels
    with numpy.errstate(divide="ignore", invalid="ignore"):
        theta = numpy.where(half < 0, det(x) / (root - half), -(root + half) / det(dx))
    inside = dx[:, 0] >= numpy.linalg.norm(dx[:, 1:], axis=1)
    return float(numpy.where(inside, numpy.inf, theta).min())


def centrality(x, y, s):
    """f of 5.1: 0 on the central path."""
    gap, logs, count = (x * y).sum(), numpy.log(2 * numpy.sqrt(det(x) * det(y))).sum(), len(x)
    if s > 0:
        gap, logs, count = gap + s, logs + numpy.log(s), count + 1
    return 2 * (count * numpy.log(gap / count) - logs)


def share(f):
    """beta of 5.1, path following."""
    return 0.1 if f <= 0.1 else 0.5 if f <= 1.0 else 1.0


def block_diagonal(blocks):
    places = numpy.arange(len(blocks) + 1)
    return scipy.sparse.bsr_matrix((blocks, places[:-1], places), shape=(3 * len(blocks), 3 * len(blocks)))


class System(typing.NamedTuple):
    """Of a step: A dx = b, dy = G dx + more, and ds."""
    A: scipy.sparse.csc_matrix
    b: numpy.ndarray
    G: scipy.sparse.csr_matrix
    more: numpy.ndarray
    ds: float


class Path:
    """The iteration; every mu above zero."""

    def __init__(self, W, q, mu, law):
        self.law = law
        self.inverse_t = numpy.column_stack([1 / mu, numpy.ones_like(mu), numpy.ones_like(mu)])
        T = scipy.sparse.diags(self.inverse_t.ravel())
        self.N, self.c = (T @ W @ T).tocsr(), T @ q
        self.x = numpy.tile([START, 0.0, 0.0], (len(mu), 1))
        F = self.F(self.x)
        alpha = abs((self.x * F).sum(axis=1)).sum() / (2 * len(mu))
        self.s = 2 * alpha
        self.y = alpha * J * self.x / det(self.x)[:, None]
        self.d = (self.y - F) / self.s

    def velocity(self, x):
        return (self.N @ x.ravel() + self.c).reshape(-1, 3)

    def F(self, x):
        u = self.velocity(x)
        if self.law.exact:
            u[:, 0] += numpy.linalg.norm(u[:, 1:], axis=1)
        return u

    def gradient(self, damping=1.0):
        """G, with xi multiplied by the damping."""
        if not self.law.generalised:
            return self.N
        u_t = self.velocity(self.x)[:, 1:]
        size = numpy.linalg.norm(u_t, axis=1, keepdims=True)
        blocks = numpy.tile(numpy.eye(3), (len(u_t), 1, 1))
        blocks[:, 0, 1:] = damping * numpy.divide(u_t, size, out=numpy.zeros_like(u_t), where=size > 0)
        return block_diagonal(blocks) @ self.N

    def impulses(self):
        return (self.inverse_t * self.x).ravel()

    def cost(self):
        """x.y of a contact, in the mean."""
        return float((self.x * self.y).sum() / len(self.x))

    def defect(self):
        """e."""
        return self.F(self.x) + self.s * self.d - self.y

    def system(self):
        alpha = share(centrality(self.x, self.y, self.s)) * self.cost() / 2
        ds = 2 * alpha - self.s if self.s > 0 else 0.0
        more = ds * self.d + (self.defect() if self.law.corrected else 0)
        b = alpha * J * self.x / det(self.x)[:, None] - self.y - more
        P, G, damping = block_diagonal(scaling(self.x, self.y)), self.gradient(), 1.0
        while self.law.damped and signs.of_determinant(scipy.sparse.linalg.splu((P + G).tocsc())) < 0:
            damping *= DAMPING
            G = self.gradient(damping)
        return System((P + G).tocsc(), b, G, more, ds)

    def step(self, system, factors):
        """Takes it, with the factors of A; theta, or None where rounding leads out of the cones: then nothing is done."""
        dx = factors.solve(system.b.ravel())
        if not numpy.isfinite(dx).all():
            return None
        dy = (system.G @ dx).reshape(-1, 3) + system.more
        dx = dx.reshape(-1, 3)
        with numpy.errstate(over="ignore", invalid="ignore"):  # of the factors of a matrix that is singular to rounding
            theta = min(1.0, STEP_FRACTION * min(longest_step(self.x, dx), longest_step(self.y, dy)))
            x, y = self.x + theta * dx, self.y + theta * dy
        if not (interior(x) and interior(y)):
            return None
        self.x, self.y, self.s = x, y, self.s + theta * system.ds
        if self.s > 0 and interior(self.y - self.s * self.d):  # lines 32 to 36
            self.y, self.s = self.y - self.s * self.d, 0.0
        return theta
