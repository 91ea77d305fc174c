#pragma once

/// Frictional contact problems in FCLIB's HDF5 format: the ContactProblem on disk.
///
///     fclib_local:   u = W r + q                                  -> matrix form
///     fclib_global:  M v = H r + f,  u = H^T v + w                -> J = H^T, v_free = M^-1 f
///
/// | dataset       | meaning                                             | shape     | unit  |
/// | ---           | ---                                                 | ---       | ---   |
/// | W, M, H       | sparse: m, n, nz, nzmax, p, i, x (below)            | m x n     |       |
/// | vectors/q, w  | velocity of the contacts without impulses           | d n       | m/s   |
/// | vectors/f     | momentum without contacts                           | dofs      | N s   |
/// | vectors/mu    | friction coefficient                                | n         | 1     |
/// | solution/r, u, v | impulses, contact velocities, velocities         | d n, d n, dofs | N s, m/s |
///
/// d = spacedim, 3 or 2; each contact's rows are normal first. nz >= 0: triplets, of which `i` is
/// the row and `p` the column unless the bounds forbid it (writers disagree); nz = -1: compressed
/// columns; nz = -2: compressed rows. A contact with mu = 0 becomes a cone of dim 1: its tangential
/// rows are left out, and zeros stand there in a solution.
///
/// M^-1 is formed body by body where M is block diagonal with blocks (connected components) of at
/// most 64; where it is not (deformable bodies) the problem takes the matrix form
/// W = H^T M^-1 H by a sparse factorisation, up to 20,000 degrees of freedom and 6,000 rows. M need
/// not be symmetric.
///
/// Every rank reads the file and keeps its own block of contacts and bodies: while reading, each
/// rank holds one whole matrix at a time; afterwards none does. Rolling friction is refused.
/// Reference: Acary et al., FCLIB (2014), src/fclib.h; DESIGN, "What the outside sees".

#include <filesystem>
#include <string>

#include "scree/problem/contact_problem.hpp"

namespace scree {

/// Collective. @throws InputError on every rank when the file is not a problem of this kind.
ContactProblem read_fclib(MPI_Comm comm, const std::filesystem::path& path, FrictionLaw law);

/// Writes @p problem: fclib_global in product form, fclib_local in matrix form, matrices as
/// triplets with `i` the row. Held degrees of freedom (zero rows of M^-1) get the mass 1 and no
/// column in H. Gathered on rank 0, and put under its name whole. Collective.
/// @throws Failure when the problem does not fit the format: more than 2^31 - 1 numbers, cones of
/// dim 2 beside those of dim 3, a file that cannot be written.
void write_fclib(const ContactProblem& problem, const std::filesystem::path& path,
                 const std::string& title);

/// Copies the problem file @p source to @p path with a group /solution for @p lambda: r and u, and
/// v for a global problem. Gathered on rank 0, and put under its name whole. Collective.
/// @throws Failure when it cannot be written; what was under the name is then untouched.
/// @pre @p problem was read from @p source.
void write_fclib_solution(const ContactProblem& problem, Vec lambda,
                          const std::filesystem::path& source, const std::filesystem::path& path);

}  // namespace scree
