"""Random linear complementarity problems like those of Erleben's study, as files that `scree solve` reads.

    0 <= x  _|_  A x + b >= 0

Matrices:

- fluid: A symmetric with `bands` bands of equal negative numbers, each drawn from [-1, 0), on both sides of the
  diagonal, which is 1, or where the matrix is not positive definite then so large that its least eigenvalue is 1/2:
  a discrete Laplacian, faked.
- contact: blocks of six rows a contact (normal, four directions of friction, slack), half of the pairs of contacts
  coupled, the symmetric part made positive definite as above; then, in every coupled block, the pattern of the
  Stewart-Trinkle matrix: mu = 1/2, -e^T, e and zeros. Not symmetric, zeros on the diagonal.
- dense: A = G G^T of Gaussian numbers, positive definite, of full rank.
- singular: A = Q D Q^T, Q the left singular vectors of a matrix of uniform numbers, D = diag(1, 2, ..., n) / n with the
  first share of its numbers replaced by 0: the eigenvalues of Erleben's own program (num4lcp, 2011).

Right-hand sides, of an x of uniform numbers, those below `zeros` replaced by 0:

- published: b = -A x where x > 0, and 0 elsewhere. That x is a solution only where A x >= 0 at its zeros, as with the
  contact problems' positive numbers; in the fluid problems it is not, and with a singular A there may be no solution.
- complementary: b = y - A x, y = 0 where x > 0, and uniform numbers elsewhere: x is a solution, x + y > 0.
- degenerate: b = -A x: x is a solution, x_i = y_i = 0 at its zeros, where Fischer's function has its kink.
"""
import h5py
import numpy
import scipy.sparse
import scipy.sparse.linalg

import fclib_matrix


def positive(matrix, least):
    """`matrix` with its diagonal raised so that its least eigenvalue is 1/2, where it was not positive."""
    if least > 0:
        return matrix
    return matrix + (0.5 - least) * scipy.sparse.identity(matrix.shape[0])


def band_values(random, bands=3):
    """The numbers of a fluid matrix beside its diagonal: the first that are drawn."""
    return -random.random(bands)


def fluid(random, size):
    values = band_values(random)
    bands = len(values)
    offsets = range(-bands, bands + 1)
    matrix = scipy.sparse.diags([values[abs(k) - 1] if k else 1.0 for k in offsets], offsets, shape=(size, size), format="csc")
    below = 1.0 + 2.0 * values.sum()  # no eigenvalue of such a matrix is less
    least = scipy.sparse.linalg.eigsh(matrix, k=1, sigma=below, v0=numpy.ones(size), return_eigenvectors=False)[0]
    return positive(matrix, least)


def contact(random, size):
    rows = 6
    contacts = size // rows
    matrix = random.random((size, size))
    matrix = 0.5 * (matrix + matrix.T)
    coupled = matrix[rows // 2::rows, rows // 2::rows] <= 0.5
    matrix *= numpy.kron(coupled, numpy.ones((rows, rows)))
    matrix = numpy.asarray(positive(matrix, numpy.linalg.eigvalsh(matrix)[0]))
    for i, j in zip(*numpy.nonzero(coupled | numpy.eye(contacts, dtype=bool))):
        block = matrix[rows * i:rows * (i + 1), rows * j:rows * (j + 1)]
        block[5, 0] = 0.5
        block[5, 1:5] = -1.0
        block[1:5, 5] = 1.0
        block[0, 5] = block[5, 5] = 0.0
    return scipy.sparse.csr_matrix(matrix)


def dense(random, size):
    factor = random.standard_normal((size, size))
    return scipy.sparse.csr_matrix(factor @ factor.T)


def singular(random, size, share):
    eigenvalues = numpy.arange(1, size + 1) / size
    eigenvalues[:int(size * share)] = 0.0
    vectors = numpy.linalg.svd(random.random((size, size)))[0]
    matrix = (vectors * eigenvalues) @ vectors.T
    return scipy.sparse.csr_matrix(0.5 * (matrix + matrix.T))


MATRICES = {"fluid": fluid, "contact": contact, "dense": dense, "singular": singular}


def published(random, matrix, zeros=0.25):
    x = impulses(random, matrix, zeros)
    return numpy.where(x > 0, -(matrix @ x), 0.0)


def complementary(random, matrix, zeros=0.25):
    x = impulses(random, matrix, zeros)
    return numpy.where(x > 0, 0.0, random.random(len(x))) - matrix @ x


def degenerate(random, matrix, zeros=0.25):
    return -(matrix @ impulses(random, matrix, zeros))


def impulses(random, matrix, zeros):
    x = random.random(matrix.shape[0])
    x[x < zeros] = 0.0
    return x


def make(path, kind, size, seed, side=published, **more):
    """Writes the problem of this kind and seed; the same numbers give the same problem. @returns path."""
    random = numpy.random.default_rng(seed)
    matrix = MATRICES[kind](random, size, **more)
    write(path, matrix, side(random, matrix))
    return path


def write(path, matrix, b):
    """The problem in the group `lcp`, its matrix as FCLIB's triplets."""
    with h5py.File(path, "w") as file:
        fclib_matrix.write(file.create_group("lcp/A"), matrix)
        file["lcp/vectors/b"] = numpy.asarray(b, dtype="f8")
