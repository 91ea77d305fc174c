#pragma once

/// Frictional contact problems in FCLIB's HDF5 format, and linear complementarity problems in the
/// same layout of matrices: the ContactProblem on disk.
///
///     fclib_local:   u = W r + q                                  -> matrix form
///     fclib_global:  M v = H r + f,  u = H^T v + w                -> J = H^T, v_free = M^-1 f
///     .. _rolling:   the same with rolling friction, five rows a contact
///     lcp:           y = A x + b,  0 <= y  _|_  x >= 0            -> matrix form, cones of dim 1
///
/// | dataset       | meaning                                             | shape     | unit  |
/// | ---           | ---                                                 | ---       | ---   |
/// | W, M, H, A    | sparse: m, n, nz, nzmax, p, i, x (below)            | m x n     |       |
/// | vectors/q, w  | velocity of the contacts without impulses           | d n       | m/s   |
/// | vectors/b     | of an LCP; any units, A's follow                    | n         |       |
/// | vectors/f     | momentum without contacts                           | dofs      | N s   |
/// | vectors/mu    | friction coefficient                                | n         | 1     |
/// | vectors/mu_r  | rolling: limit of the moment over the normal force  | n         | m     |
/// | solution/r, u, v | impulses, contact velocities, velocities; x and y of an LCP | d n, d n, dofs | N s, m/s |
/// | guesses/1/r, u, v | the same of the start of a solve                | d n, d n, dofs | N s, m/s |
/// | info/compliant_rows | rows whose compliance the last degrees of freedom of M are, in their order | |  |
/// | info/...      | texts; of scree's own files also those of FclibNotes |           |       |
///
/// d = spacedim, 3 or 2, or 5 with rolling: each contact's rows are the normal, tangents, and axes
/// of rolling, whose r are moments' impulses (N m s) and u angular velocities (1/s). nz >= 0:
/// triplets, of which `i` is the row and `p` the column unless the bounds forbid it (writers
/// disagree); nz = -1: compressed columns; nz = -2: compressed rows. A contact with mu = 0 becomes
/// a cone of dim 1: its tangential rows are left out, and zeros stand there in a solution. The
/// contacts of a rank are sorted by type of cone.
///
/// Rolling rows are scaled by a length as they are read, and back as they are written
/// (ContactProblem::rolling_length). The same five rows have contacts that only slide: their
/// rolling rows are empty, by which they are known again.
///
/// A compliant contact has a body of its own in a global file, M = R^-1 and H = 1 on its rows, as
/// other codes read it; scree makes R of those that info/compliant_rows names. In a local file R is
/// part of W.
///
/// M^-1 is formed body by body where M is block diagonal with blocks (connected components) of at
/// most 64; where it is not (deformable bodies) the problem takes the matrix form
/// W = H^T M^-1 H by a sparse factorisation, up to 20,000 degrees of freedom and 6,000 rows. M need
/// not be symmetric.
///
/// No rank holds a whole matrix or vector, but of deformable bodies. A rank reads an even share of
/// the entries of the matrices and of the vectors, in rounds, and sends each to the owner of its
/// row in the order of the file; from there contacts and bodies go to the ranks that keep them,
/// where neighbours stand together (ContactProblem::number_in_file). Ranks write the rows of their
/// own bodies and contacts into one file.
/// Reference: Acary et al., FCLIB (2014), src/fclib.h; DESIGN, "What the outside sees".

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "scree/problem/contact_problem.hpp"

namespace scree {

/// Collective. @throws InputError on every rank when the file is not a problem of this kind, or @p
/// friction is box and it has rolling friction.
ContactProblem read_fclib(MPI_Comm comm, const std::filesystem::path& path,
                          const Friction& friction);

/// The first guess in @p path, the start of a solve; zero where the file has none. Collective.
/// @pre @p problem was read from @p path. @throws InputError, on every rank.
petsc::Vector read_fclib_guess(const ContactProblem& problem, const std::filesystem::path& path);

/// How a written problem was solved.
struct FclibSolve {
  std::string keys;             ///< FclibNotes::solver
  double velocity_error = 0.0;  ///< FclibNotes::velocity_error; 0 where the file has none
};

/// That of @p path, on every rank. Collective. @throws InputError, on every rank, when the file has
/// no keys.
FclibSolve read_fclib_solve(MPI_Comm comm, const std::filesystem::path& path);

/// Notes of a written problem besides its numbers. Empty ones are left out.
struct FclibNotes {
  std::string title = {};
  std::string configuration = {};  ///< info/configuration: the run's, the text of run.yaml
  std::string solver = {};         ///< info/solver: the keys that the solve obeyed, as YAML
  /// info/velocity_error, m/s: Goal::velocity_error of the solve; 0: not known
  double velocity_error = 0.0;
  std::vector<std::int64_t> body_ids = {};  ///< info/body_id: of this rank's blocks of six dofs
  std::vector<std::int64_t> contact_ids =
      {};                  ///< info/contact_id: of this rank's contacts, two each
  Vec guess = nullptr;     ///< impulses from which the solve started; null: not known
  Vec solution = nullptr;  ///< impulses that the solve gave; null: not known
};

/// How much a file holds; all ranks together.
struct FclibSizes {
  std::int64_t rows = 0;              ///< three a contact, five with rolling
  std::int64_t dofs = 0;              ///< 0 in matrix form; with those of compliant rows
  std::int64_t operator_entries = 0;  ///< entries of H or W
  std::int64_t mass_entries = 0;      ///< entries of M
};

/// Why a file cannot hold so much (the format counts in 32 bits); empty when it can.
std::string fclib_fault(const FclibSizes& sizes);

/// Writes @p problem: fclib_global in product form, fclib_local in matrix form, either with
/// _rolling where some cones roll, matrices as triplets with `i` the row. Held degrees of freedom
/// (zero rows of M^-1) get the mass 1 and no column in H. Contacts and bodies are in the order of
/// ranks. All ranks write it, and it gets its name when it is whole. Collective.
/// @throws Failure, on every rank, when the problem does not fit the format (fclib_fault, asked
/// before anything is written; cones of dim 2 beside larger ones; cones with spinning, equations),
/// or the file cannot be written.
void write_fclib(const ContactProblem& problem, const std::filesystem::path& path,
                 const FclibNotes& notes);

/// Copies the problem file @p source to @p path with a group /solution for @p lambda: r and u, and
/// v for a global problem. All ranks write it, and it gets its name when it is whole. Collective.
/// @throws Failure when it cannot be written; what was under the name is then untouched.
/// @pre @p problem was read from @p source.
void write_fclib_solution(const ContactProblem& problem, Vec lambda,
                          const std::filesystem::path& source, const std::filesystem::path& path);

}  // namespace scree
