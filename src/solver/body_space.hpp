#pragma once

/// The space of the bodies, in which Newton's methods solve: products with G and K = I + G^T H G,
/// block by block. Two bodies that share a contact couple; the matrix has d rows a body whatever the
/// number of contacts: d = 6, or 3 where no body turns, since rotations that are all held would make
/// it four times as large for nothing. Where it would not fit, its diagonal blocks and its products do for
/// it.
///
/// | symbol | meaning                                                | shape          |
/// | ---    | ---                                                    | ---            |
/// | G      | rows of the cones in the space of the bodies, as BodyRows | 3 x d blocks |
/// | H      | 3 x 3 blocks, one a cone, symmetric or not             | 3 x 3 a cone   |
/// | w      | velocities in units of the root of the inverse mass; ghosts behind | d a body |

#include <vector>

#include "scree/base/math.hpp"
#include "scree/problem/body_rows.hpp"
#include "scree/problem/contact_problem.hpp"

namespace scree {

class BodySpace {
 public:
  enum class Storage { whole, diagonal_blocks };
  using Numbers = std::vector<double>;  ///< dofs() a body, ghosts behind

  /// Collective. @p rows: B of @p problem, or a scaled copy of it. @p storage: of K.
  BodySpace(const ContactProblem& problem, BodyRows rows, Storage storage = Storage::whole);

  int dofs() const { return dofs_; }  ///< of a body: 3 where none turns, on any rank; else 6
  std::size_t n_owned() const { return n_owned_; }  ///< numbers, not bodies
  std::size_t n_cones() const { return rows_.n_cones(); }
  Numbers zeros() const { return Numbers(rows_.n_bodies() * stride(), 0.0); }

  /// G w of cone @p i. Not collective.
  Vec3 velocity(std::size_t i, const Numbers& w) const;
  /// Collective. result = G^T x, complete on the owners.
  void balance(const std::vector<Vec3>& x, Numbers& result);
  /// Collective. Brings the owners' numbers to the ghosts.
  void to_ghosts(Numbers& w) { exchange_.to_ghosts(w); }

  /// Collective. Sums K = I + G^T H G, or its diagonal blocks.
  void assemble(const std::vector<Mat3>& h);
  Mat matrix() const { return matrix_.get(); }  ///< MATBAIJ
  /// Collective. result = K w, complete on the owners; brings @p w to the ghosts.
  void multiply(const std::vector<Mat3>& h, Numbers& w, Numbers& result);

 private:
  std::size_t stride() const { return static_cast<std::size_t>(dofs_); }
  std::size_t place(std::int32_t entry) const {
    return static_cast<std::size_t>(rows_.body[static_cast<std::size_t>(entry)]) * stride();
  }
  void create(const ContactProblem& problem);
  template <int kDofs>
  void add_cones(const std::vector<Mat3>& h);

  BodyRows rows_;  ///< G
  int dofs_;
  BodyExchange exchange_;
  Storage storage_;
  std::size_t n_owned_;
  std::vector<PetscInt> global_;  ///< block row of a local body
  petsc::Matrix matrix_;
  std::vector<Vec3> impulses_;  ///< of multiply()
};

}  // namespace scree
