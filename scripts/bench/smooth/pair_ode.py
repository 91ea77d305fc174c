"""Two equal ellipsoids that are pushed past each other, as an ordinary differential equation (beside paper 001, Table 1).

They are each other's image in the origin, and so turned alike: they touch where the origin is on the surface of the upper one,
which has its centre at c = (x, y) and its longest axis at the angle phi to the x axis,

    h(q) = (u / a)^2 + (v / b)^2 - 1 >= 0,      (u, v) = R(phi)^T c,      q = (x, y, phi)

The drag K holds its velocity down, and the force between the two is what keeps h from falling below zero:

    K dq/dt = f + l grad h,      0 <= l,  0 <= h,  l h = 0
    in contact                   l = -grad h . K^-1 f / (grad h . K^-1 grad h)

which ends as l comes to zero. (The gradient by phi is the torque of the force grad_c h at the origin.) Nothing of this knows of steps,
of gaps between surfaces, or of scree.
"""
import numpy
import scipy.integrate

TOLERANCE = 1e-11  # relative, and absolute


class Ellipses:
    """@p semi_axes a, b in the plane; @p resistance K of x, y and phi; @p push the force on the upper one along y."""

    def __init__(self, semi_axes, resistance, push):
        self.axes = numpy.asarray(semi_axes, dtype=float)
        self.mobility = 1.0 / numpy.asarray(resistance, dtype=float)
        self.free = self.mobility * numpy.array([0.0, push, 0.0])

    def room(self, q):
        """h, and its gradient."""
        cos, sin = numpy.cos(q[2]), numpy.sin(q[2])
        own = numpy.array([cos * q[0] + sin * q[1], cos * q[1] - sin * q[0]])
        slope = 2.0 * own / self.axes**2
        gradient = [cos * slope[0] - sin * slope[1], sin * slope[0] + cos * slope[1], slope[0] * own[1] - slope[1] * own[0]]
        return (own**2 / self.axes**2).sum() - 1.0, numpy.array(gradient)

    def force(self, q):
        """l where the two touch."""
        _, gradient = self.room(q)
        return -(gradient @ self.free) / (gradient @ (self.mobility * gradient))

    def path(self, start, times):
        """q at the @p times, and the times at which they meet and part. They start apart, and meet once."""
        def apart(_, q):
            return self.free

        def touching(_, q):
            return self.free + self.force(q) * self.mobility * self.room(q)[1]

        def meets(_, q):
            return self.room(q)[0]

        def parts(_, q):
            return self.force(q)

        meets.terminal = parts.terminal = True
        meets.direction = parts.direction = -1
        pieces, ends, now, state = [], [], times[0], numpy.asarray(start, dtype=float)
        for motion, event in ((apart, meets), (touching, parts), (apart, None)):
            piece = scipy.integrate.solve_ivp(motion, (now, times[-1]), state, "DOP853", dense_output=True, events=event,
                                              rtol=TOLERANCE, atol=TOLERANCE, max_step=(times[-1] - times[0]) / 400)
            pieces.append(piece)
            now, state = piece.t[-1], piece.y[:, -1]
            ends.append(now)
        samples = numpy.array([pieces[numpy.searchsorted(ends[:-1], time)].sol(time) for time in times])
        return samples, ends[:-1]
