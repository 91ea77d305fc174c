"""The residual of docs/model.md with exact friction, of impulses r of a problem (W, q, mu), computed without scree; or,
not exact, with the associated law, whose u~ is u.

    u = W r + q,    u~ = u + (mu |u_t|, 0, 0),    w_i = r_i - P_K(r_i - rho_i u~_i)
    residual = sqrt( E(w) / max(E(r), E(w at r = 0)) ),    E(x) = sum |x_i|^2 / rho_i

rho_i is one over the mean of W's diagonal in the three rows of contact i. All friction coefficients are above zero.
"""
import numpy


def project(x, mu):
    """Rows of x (normal, tangent, tangent) onto the cones |x_t| <= mu x_n."""
    normal, tangent = x[:, 0], numpy.linalg.norm(x[:, 1:], axis=1)
    height = numpy.maximum(0, normal + mu * tangent) / (1 + mu**2)  # of the point on the cone's surface
    inside = tangent <= mu * normal
    shrink = numpy.divide(mu * height, tangent, out=numpy.zeros_like(tangent), where=tangent > 0)
    return numpy.where(inside[:, None], x, numpy.column_stack([height, shrink[:, None] * x[:, 1:]]))


def residual(W, q, mu, r, exact=True):
    """Relative, free of units; 0 where nothing need be done and nothing is."""
    rho = 3 / W.diagonal().reshape(-1, 3).sum(axis=1)

    def energy(x):
        return (x**2 / rho[:, None]).sum()

    def natural_map(impulses, velocities):
        lifted = velocities.copy()
        if exact:
            lifted[:, 0] += mu * numpy.linalg.norm(velocities[:, 1:], axis=1)
        return impulses - project(impulses - rho[:, None] * lifted, mu)

    impulses = r.reshape(-1, 3)
    w = natural_map(impulses, (W @ r + q).reshape(-1, 3))
    at_zero = natural_map(numpy.zeros_like(impulses), q.reshape(-1, 3))
    scale = max(energy(impulses), energy(at_zero))
    return float(numpy.sqrt(energy(w) / scale)) if scale > 0 else 0.0
