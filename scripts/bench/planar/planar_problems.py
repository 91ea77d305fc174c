"""What the problems of the planar scenes say: RES, the LCP with A formed, and the modulus-based splittings of it."""
import h5py
import numpy
import scipy.sparse
import scipy.sparse.linalg


def res(file):
    """Their eq. 32 of a solved problem, in N s and m/s: |lambda - P(lambda - u)| over all rows, P putting a normal
    above zero and a tangent within mu lambda_n; without friction that is |min(lambda, A lambda + q)|.
    """
    group = file["fclib_global"]
    dim = int(group["spacedim"][0])
    impulse, velocity = (file[f"solution/{name}"][:].reshape(-1, dim) for name in ("r", "u"))
    bound = (group["vectors/mu"][:] * impulse[:, 0])[:, None]
    step = impulse - velocity
    projected = numpy.hstack([numpy.maximum(step[:, :1], 0), numpy.clip(step[:, 1:], -bound, bound)])
    return float(numpy.linalg.norm(impulse - projected))


def res_of_run(run):
    """RES of the steps whose problems were written, by number of the step."""
    found = {}
    for path in sorted((run / "problems").glob("*.hdf5")):
        with h5py.File(path) as file:
            found[int(path.stem.split("_")[1])] = res(file)
    return found


def matrix_of(group, name):
    """A matrix of the file, in FCLIB's triplets with `i` the row."""
    part = group[name]
    shape = int(part["m"][0]), int(part["n"][0])
    return scipy.sparse.coo_matrix((part["x"][:], (part["i"][:], part["p"][:])), shape=shape).tocsr()


class Lcp:
    """The normals of a problem as 0 <= lambda, A lambda + q >= 0: A = `normal`^T `scaled`, dense; and the first guess."""

    def __init__(self, path):
        with h5py.File(path) as file:
            group = file["fclib_global"]
            dim = int(group["spacedim"][0])
            self.normal = matrix_of(group, "H").tocsc()[:, ::dim].toarray()
            inverse = scipy.sparse.linalg.inv(matrix_of(group, "M").tocsc())
            self.scaled = inverse @ self.normal
            self.q = self.normal.T @ (inverse @ group["vectors/f"][:]) + group["vectors/w"][::dim]
            self.guess = file["guesses/1/r"][::dim]

    def form(self):
        return self.normal.T @ self.scaled


class Splitting:
    """Eq. 13 of the paper, or accelerated eq. 17, for M_1 = (D - beta L) / relaxation, gamma = 2 and Omega = alpha D.

    beta = 0 is Jacobi's form, beta = relaxation = 1 Gauss-Seidel's, beta = relaxation that of SOR, all else of AOR. The
    sign of N_1 = M_1 - A is that of its definition: the paper's list has (relaxation - 1) D for (1 - relaxation) D.
    """

    def __init__(self, matrix, q, relaxation, beta, accelerated, alpha=0.5):
        self.diagonal = matrix.diagonal()
        self.matrix = scipy.sparse.csr_matrix(matrix)
        self.lower = scipy.sparse.tril(self.matrix, -1).tocsr()
        self.upper = scipy.sparse.triu(self.matrix, 1).tocsr()
        self.rows = [list(zip(self.lower[i].indices.tolist(), self.lower[i].data.tolist())) for i in range(len(q))]
        self.q, self.relaxation, self.share, self.accelerated = q, relaxation, beta / relaxation, accelerated
        self.omega = 2 * alpha * self.diagonal  # gamma Omega
        self.divisor = (self.diagonal / relaxation + self.omega).tolist()

    def sweep(self, x):
        """x of the next sweep; lambda is its positive part."""
        size = abs(x)
        old = (1 - self.share) * x + (0 if self.accelerated else size)
        right = ((1 / self.relaxation - 1) * self.diagonal * x + (self.omega - self.diagonal) * size - 2 * self.q
                 - self.lower @ old - self.upper @ (x + size)).tolist()
        found = []
        new = []  # what rows after take of each
        for row, value, divisor in zip(self.rows, right, self.divisor):
            for j, entry in row:
                value -= entry * new[j]
            value /= divisor
            found.append(value)
            new.append(self.share * value + (abs(value) if self.accelerated else 0))
        return numpy.array(found)

    def res(self, x):
        impulse = numpy.maximum(x, 0)
        return float(numpy.linalg.norm(numpy.minimum(impulse, self.matrix @ impulse + self.q)))

    def sweeps_to(self, target, start, most):
        """Sweeps until RES is below the target; None where it grows or takes more than @p most. And the points (sweeps,
        RES) on the way, at about every fiftieth more.
        """
        x, curve = start, {}
        first = self.res(x)
        for n in range(1, most + 1):
            x = self.sweep(x)
            now = self.res(x)
            if n >= 1.02 * max(curve, default=0) or now < target:
                curve[n] = now
            if now < target:
                return n, curve
            if not now < 1e6 * first:
                break
        return None, curve
