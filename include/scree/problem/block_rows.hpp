#pragma once

/// The primary form of a problem of rigid bodies: each contact's bodies with their blocks of J, and
/// the inverse mass of every body that this rank knows.
///
///     u_i = sum_e J_e v_(body of e) + r_i - J v_free,      v_b = M_b^-1 sum_(e of b) J_e^T lambda
///
/// | symbol | meaning                                         | shape          | unit        |
/// | ---    | ---                                             | ---            | ---         |
/// | J_e    | rows of a cone, columns of one of its bodies    | dim x 6        | 1, m        |
/// | M_b^-1 | of a body; held degrees of freedom are zero rows and columns | 6 x 6 | 1/kg .. |
///
/// Bodies are numbered locally: those of this rank first, in the order of M^-1's rows, then those
/// of other ranks that its cones touch, by global block. A rank holds the blocks of its own cones.

#include <cstdint>
#include <span>
#include <vector>

#include "scree/base/math.hpp"
#include "scree/base/petsc.hpp"
#include "scree/problem/cones.hpp"

namespace scree {

/// Degrees of freedom of a rigid body.
inline constexpr int kBodyDofs = 6;
/// Degrees of freedom of a body that does not turn.
inline constexpr int kLinearDofs = 3;

/// The block of a cone of @p kDim rows and a body.
template <int kDim>
using BodyBlock = Eigen::Matrix<double, kDim, kBodyDofs, Eigen::RowMajor>;

/// Which bodies the cones of a rank touch, and their order.
struct BodyPattern {
  std::int32_t n_owned = 0;            ///< bodies of this rank
  std::vector<PetscInt> ghosts;        ///< global blocks of the other bodies, ascending
  std::vector<std::int32_t> first{0};  ///< cone i has the entries [first[i], first[i+1])
  std::vector<std::int32_t> body;      ///< local body of an entry
  std::vector<std::size_t> place;      ///< first value of the blocks of cone i

  std::size_t n_cones() const { return first.size() - 1; }
  std::size_t n_bodies() const { return n_owned + ghosts.size(); }
};

/// Calls `visit(block, body)` for the entries of cone @p i, whose blocks, row-major and @p kDim x 6
/// each, stand one after another in @p values.
template <int kDim, class Value, class Visit>
void for_each_entry(const BodyPattern& pattern, std::vector<Value>& values, std::size_t i,
                    Visit&& visit) {
  Value* block = values.data() + pattern.place[i];
  for (std::int32_t e = pattern.first[i]; e < pattern.first[i + 1]; ++e) {
    visit(Eigen::Map<BodyBlock<kDim>>(block), pattern.body[e]);
    block += kDim * kBodyDofs;
  }
}
template <int kDim, class Value, class Visit>
void for_each_entry(const BodyPattern& pattern, const std::vector<Value>& values, std::size_t i,
                    Visit&& visit) {
  const Value* block = values.data() + pattern.place[i];
  for (std::int32_t e = pattern.first[i]; e < pattern.first[i + 1]; ++e) {
    visit(Eigen::Map<const BodyBlock<kDim>>(block), pattern.body[e]);
    block += kDim * kBodyDofs;
  }
}

struct BlockRows {
  BodyPattern pattern;
  std::vector<double> jacobian;    ///< J_e, entry after entry
  std::vector<Mat6> inverse_mass;  ///< M^-1 of each local body
  bool diagonal_masses = false;    ///< all inverse masses are diagonal, as those of balls are
  /// All rows are those of balls, by those who made them: the frame F of the contact and -arm (n x
  /// F), opposite for the second body. Where false they may be all the same.
  bool of_balls = false;
};

/// Whether all of @p masses are diagonal.
bool all_diagonal(std::span<const Mat6> masses);

/// Collective. The block rows of J and M^-1 given as matrices whose bodies are blocks of kBodyDofs
/// rows.
BlockRows block_rows_of(MPI_Comm comm, Mat jacobian, Mat inverse_mass, const Cones& cones);

/// Copies numbers of bodies between their owner and the ranks that know them as ghosts.
class BodyExchange {
 public:
  /// Collective. @p width numbers a body.
  BodyExchange(MPI_Comm comm, const BodyPattern& pattern, int width);

  /// Collective. @p values: width x n_bodies; the ghosts' part is overwritten by the owners'.
  void to_ghosts(std::vector<double>& values);
  /// Collective. Adds the ghosts' part of @p values to the owners'; the ghosts' part is kept.
  void add_to_owners(std::vector<double>& values);
  /// Collective. Gives owners the least of their numbers and those of their ghosts; the ghosts'
  /// part is kept.
  void lower_owners(std::vector<double>& values);

 private:
  void to_owners(std::vector<double>& values, InsertMode mode);

  std::size_t n_owned_;  ///< numbers, not bodies
  petsc::Vector owned_;
  petsc::Vector ghost_;
  petsc::Scatter scatter_;
  bool needed_ = false;  ///< some rank has ghosts
};

}  // namespace scree
