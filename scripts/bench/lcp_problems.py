"""Random linear complementarity problems like those of Erleben's study, as files that `scree solve` reads.

    0 <= x  _|_  A x + b >= 0

- fluid: A symmetric with `bands` bands of equal negative numbers, each drawn from [-1, 0), on both sides of the
  diagonal, which is 1, or where the matrix is not positive definite then so large that its least eigenvalue is 1/2:
  a discrete Laplacian, faked.
- contact: blocks of six rows a contact (normal, four directions of friction, slack), half of the pairs of contacts
  coupled, the symmetric part made positive definite as above; then, in every coupled block, the pattern of the
  Stewart-Trinkle matrix: mu = 1/2, -e^T, e and zeros. Not symmetric, zeros on the diagonal.
- dense: A = G G^T of Gaussian numbers, positive definite, of full rank.

x has uniform numbers, those below `zeros` replaced by 0; b = -A x where x > 0 and 0 elsewhere. That x is a solution
only where A x >= 0 at its zeros, as with the contact problems' positive numbers; in the fluid problems it is not.
"""
import h5py
import numpy
import scipy.linalg
import scipy.sparse

import fclib_matrix


def positive(matrix, least):
    """`matrix` with its diagonal raised so that its least eigenvalue is 1/2, where it was not positive."""
    if least > 0:
        return matrix
    return matrix + (0.5 - least) * scipy.sparse.identity(matrix.shape[0])


def fluid(random, size, bands=3):
    values = -random.random(bands)
    offsets = range(-bands, bands + 1)
    matrix = scipy.sparse.diags([values[abs(k) - 1] if k else 1.0 for k in offsets], offsets, shape=(size, size))
    # rows of the banded storage of the lower triangle
    banded = numpy.zeros((bands + 1, size))
    banded[0] = 1.0
    for k in range(1, bands + 1):
        banded[k, :size - k] = values[k - 1]
    least = scipy.linalg.eig_banded(banded, lower=True, eigvals_only=True, select="i", select_range=(0, 0))[0]
    return positive(matrix, least)


def contact(random, contacts):
    rows = 6
    size = rows * contacts
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


def right_side(random, matrix, zeros=0.25):
    x = random.random(matrix.shape[0])
    x[x < zeros] = 0.0
    return numpy.where(x > 0, -(matrix @ x), 0.0)


def write(path, matrix, b):
    """The problem in the group `lcp`, its matrix as FCLIB's triplets."""
    with h5py.File(path, "w") as file:
        fclib_matrix.write(file.create_group("lcp/A"), matrix)
        file["lcp/vectors/b"] = numpy.asarray(b, dtype="f8")
