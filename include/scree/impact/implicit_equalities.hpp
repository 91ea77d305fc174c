#pragma once

/// Implicit equality constraints among contacts: those that no velocity can open all at once, as of
/// a ball between two parallel walls. They are the only obstruction to an end of impacts, and are
/// found and projected out before.
///
///     exists l >= 0, l != 0, A l = 0      <=>      every w with A^T w >= 0 has a_i . w = 0 for the i with l_i > 0
///
/// Support and Shave: a linear program finds the w that opens (supports) as many contacts as one
/// can open at once,
///
///     max sum_i t_i,    a_i . w >= t_i,    0 <= t_i <= 1,    |w_k| <= 1/flatness,
///
/// these are shaved off, and so on with the others until nothing opens: what is left spans the
/// lineality space L of the cone of all a_i. Where there is none, the first program opens all. The
/// bound on w makes the test that of inexact arithmetic (Lemma 7.1): contacts that no w opens with
/// a_i . w >= flatness |w| count as equalities, and L is what their gradients span beyond that
/// flatness.
///
/// Algorithm 2 then goes on in the complement of L: y without its part in L, gradients x_i = a_i -
/// P a_i normalized again, without those that vanish.
/// Reference: paper 000, section 4, Algorithm 2, and section 7 (L_epsilon); Lopez, An Algorithm to Find the Lineality
/// Space of the Positive Hull of a Set of Vectors, J. Math. Model. Algorithms 10 (2011).

#include <cstdint>
#include <vector>

#include "scree/impact/energy_space.hpp"

namespace scree {

struct ImplicitEqualities {
  std::vector<std::int32_t> contacts;  ///< ascending
  SparseColumns basis;                 ///< of L, orthonormal, d x rank
  int programs = 0;                    ///< linear programs solved
  double seconds = 0.0;                ///< spent in them
};

/// @param flatness see above, much below 1. @p normals: columns of norm 1, or 0 for contacts that
/// nothing can move.
ImplicitEqualities implicit_equalities(const SparseColumns& normals, double flatness);

/// The parts of gradients in the complement of L.
struct ProjectedNormals {
  SparseColumns normals;               ///< x_i/|x_i|, columns of those that do not vanish
  std::vector<std::int32_t> contacts;  ///< of each column
  Eigen::VectorXd length;              ///< |x_i|
};

/// Lines 5 to 12 of Algorithm 2. Columns of @p normals that are zero are left out.
ProjectedNormals project_out(const ImplicitEqualities& equalities, const SparseColumns& normals,
                             double flatness);

/// The rows where a column has an entry, ascending.
std::vector<Eigen::Index> rows_of(const SparseColumns& columns);

/// The rows @p chosen, ascending and all that are not zero, of @p columns.
Eigen::MatrixXd dense_rows(const SparseColumns& columns, const std::vector<Eigen::Index>& chosen);

/// Line 4 of Algorithm 2: @p y without its part in L.
Eigen::VectorXd project_out(const ImplicitEqualities& equalities, const Eigen::VectorXd& y);

}  // namespace scree
