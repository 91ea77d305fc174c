"""Signs of sparse matrices from their triangular factors."""
import numpy
import scipy.sparse
import scipy.sparse.csgraph
import scipy.sparse.linalg


def of_permutation(permutation):
    """Of its determinant, by its cycles."""
    n = len(permutation)
    graph = scipy.sparse.coo_matrix((numpy.ones(n), (numpy.arange(n), permutation)), shape=(n, n))
    return (-1) ** (n - scipy.sparse.csgraph.connected_components(graph, directed=False)[0])


def of_determinant(factors):
    """Of a matrix, by SuperLU's factors of it."""
    return numpy.sign(factors.U.diagonal()).prod() * of_permutation(factors.perm_r) * of_permutation(factors.perm_c)


def negative_eigenvalues(matrix):
    """How many a symmetric matrix has: pivots below zero of factors without interchanges, by Sylvester's law."""
    factors = scipy.sparse.linalg.splu(matrix.tocsc(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0,
                                       options={"SymmetricMode": True})
    if (factors.perm_r != factors.perm_c).any():
        raise RuntimeError("a pivot is zero")
    return int((factors.U.diagonal() < 0).sum())
