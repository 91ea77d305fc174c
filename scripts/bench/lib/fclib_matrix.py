"""Sparse matrices as FCLIB keeps them in HDF5: m, n, nz, nzmax, p, i, x; here as triplets, nz of them."""
import numpy
import scipy.sparse


def write(group, matrix):
    triplets = scipy.sparse.coo_matrix(matrix)
    for name, value in (("m", triplets.shape[0]), ("n", triplets.shape[1]), ("nz", triplets.nnz), ("nzmax", triplets.nnz)):
        group[name] = numpy.array([value], dtype="i4")
    group["i"] = triplets.row.astype("i4")
    group["p"] = triplets.col.astype("i4")
    group["x"] = triplets.data.astype("f8")


def read(group):
    """A matrix that write() wrote, by rows."""
    shape = int(group["m"][0]), int(group["n"][0])
    return scipy.sparse.csr_matrix((group["x"][:], (group["i"][:], group["p"][:])), shape=shape)
