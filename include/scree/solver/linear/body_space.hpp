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

#include <span>
#include <type_traits>
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
  /// Collective. The same for x_i = impulse(i, G_i w), each cone's rows read once.
  /// @pre @p w holds the ghosts' numbers, and is not @p result.
  template <class Impulse>
  void balance(const Numbers& w, const Impulse& impulse, Numbers& result);
  /// Collective. Brings the owners' numbers to the ghosts.
  void to_ghosts(Numbers& w) { exchange_.to_ghosts(w); }

  /// Collective. Sums K = I + G^T H G, or its diagonal blocks.
  void assemble(const std::vector<Mat3>& h);
  Mat matrix() const { return matrix_.get(); }  ///< MATBAIJ
  /// Collective. result = K w, complete on the owners; brings @p w to the ghosts.
  void multiply(const std::vector<Mat3>& h, Numbers& w, Numbers& result);

 private:
  template <int kDofs>
  using Entry = Eigen::Matrix<double, kConeRows, kDofs, Eigen::RowMajor>;
  template <int kDofs>
  using Dofs = Eigen::Matrix<double, kDofs, 1>;
  template <int kDofs>
  Eigen::Map<const Entry<kDofs>> entry_of(std::int32_t entry) const {
    return Eigen::Map<const Entry<kDofs>>(&values_[kConeRows * kDofs * std::size_t(entry)]);
  }
  /// Calls @p work with dofs() as a constant.
  template <class Work>
  auto with_constant(const Work& work) const {
    return dofs_ == kBodyDofs ? work(std::integral_constant<int, kBodyDofs>())
                              : work(std::integral_constant<int, kLinearDofs>());
  }
  template <int kDofs>
  Vec3 velocity_of(std::size_t i, const Numbers& w) const {
    Vec3 u = Vec3::Zero();
    for (std::int32_t e = rows_.first[i]; e < rows_.first[i + 1]; ++e) {
      u += entry_of<kDofs>(e) * Eigen::Map<const Dofs<kDofs>>(&w[place(e)]);
    }
    return u;
  }
  std::size_t stride() const { return static_cast<std::size_t>(dofs_); }
  std::size_t place(std::int32_t entry) const {
    return static_cast<std::size_t>(rows_.body[static_cast<std::size_t>(entry)]) * stride();
  }
  void take_values();
  void create(const ContactProblem& problem);
  template <int kDofs>
  void add_cones(const std::vector<Mat3>& h);
  template <int kDofs>
  void add_entries(std::int32_t first, std::int32_t last, const Mat3& h);
  void add_block(std::span<const PetscInt> bodies, const double* values);

  BodyRows rows_;  ///< pattern of G
  int dofs_;
  std::vector<double> values_;  ///< of G: 3 x dofs() an entry, row-major
  BodyExchange exchange_;
  Storage storage_;
  std::size_t n_owned_;
  std::vector<PetscInt> global_;  ///< block row of a local body
  petsc::Matrix matrix_;
  std::vector<PetscInt> coupled_;  ///< of add_entries(): bodies
  std::vector<double> couplings_;  ///< of add_entries(): a dense matrix
  std::vector<Vec3> impulses_;     ///< of multiply()
};

template <class Impulse>
void BodySpace::balance(const Numbers& w, const Impulse& impulse, Numbers& result) {
  result.assign(rows_.n_bodies() * stride(), 0.0);
  with_constant([&](auto dofs) {
    for (std::size_t i = 0; i < rows_.n_cones(); ++i) {
      const Vec3 x = impulse(i, velocity_of<dofs>(i, w));
      for (std::int32_t e = rows_.first[i]; e < rows_.first[i + 1]; ++e) {
        Eigen::Map<Dofs<dofs>>(&result[place(e)]) += entry_of<dofs>(e).transpose() * x;
      }
    }
  });
  exchange_.add_to_owners(result);
}

}  // namespace scree
