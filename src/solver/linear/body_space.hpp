#pragma once

/// The space of the bodies, in which Newton's methods solve: products with G and K = I + G^T H G,
/// block by block. Two bodies that share a contact couple; the matrix has d rows a body whatever
/// the number of contacts: d = 6, or 3 where no body turns, or all move in one plane, since degrees
/// of freedom that are all held would make it four times as large for nothing. Where it would not
/// fit, its diagonal blocks and its products do for it.
///
/// | symbol | meaning                                                | shape          |
/// | ---    | ---                                                    | ---            |
/// | G      | rows of the cones in the space of the bodies, as BodyRows | dim x d blocks |
/// | H      | a block for each cone, symmetric or not (problem/cone_blocks.hpp) | dim x dim |
/// | w      | velocities in units of the root of the inverse mass; ghosts behind | d a body |

#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "scree/base/check.hpp"
#include "scree/base/petsc_count.hpp"
#include "scree/problem/body_rows.hpp"
#include "scree/problem/cone_blocks.hpp"
#include "scree/problem/contact_problem.hpp"

namespace scree {

class BodySpace {
 public:
  /// whole_if_countable: whole, but its diagonal blocks where a rank would have more entries than
  /// PETSc counts.
  enum class Storage { whole, whole_if_countable, diagonal_blocks };
  using Numbers = std::vector<double>;  ///< dofs() a body, ghosts behind

  /// Collective. @p rows: B of @p problem, or a scaled copy of it. @p storage: of K. @pre @p
  /// problem outlives this. @throws Failure for a whole K with more than @p countable entries on a
  /// rank.
  BodySpace(const ContactProblem& problem, BodyRows rows, Storage storage = Storage::whole,
            std::int64_t countable = petsc::kLargestInt);

  /// whole or diagonal_blocks: what was taken.
  Storage storage() const { return storage_; }
  /// Why diagonal blocks were taken where `whole_if_countable` was asked for; empty where not.
  const std::string& why_not_whole() const { return why_not_whole_; }
  int dofs() const {
    return dofs_;
  }  ///< degrees of freedom of a body: 3 where no more than 3 are free, on any rank; else 6
  bool is_planar() const { return planar_; }        ///< bodies move in a plane
  std::size_t n_owned() const { return n_owned_; }  ///< numbers, not bodies
  std::size_t n_known() const {
    return pattern_.n_bodies() * stride();
  }  ///< numbers of this rank's bodies and ghosts
  Numbers zeros() const { return Numbers(n_known(), 0.0); }

  /// The rows of G w of a cone of @p kDim rows. Not collective.
  template <int kDim>
  cones::Rows<kDim> velocity(std::size_t cone, const Numbers& w) const {
    return with_dofs([&]<int kDofs>() { return velocity_of<kDim, kDofs>(cone, w); });
  }
  /// Collective. result = G^T x, complete on the owners. @p x: this rank's rows.
  void balance(const std::vector<double>& x, Numbers& result);
  /// Collective. The same for the rows `impulse(cone, place, G_i w)`, asked for in order, each
  /// cone's blocks read once. @pre @p w holds the ghosts' numbers, and is not @p result; @p impulse
  /// takes all cones of the problem.
  template <class Impulse>
  void balance(const Numbers& w, Impulse&& impulse, Numbers& result);
  /// Collective. Brings the owners' numbers to the ghosts.
  void to_ghosts(Numbers& w) { exchange_.to_ghosts(w); }

  /// Collective. Sums K = I + G^T H G, or its diagonal blocks.
  void assemble(const std::vector<double>& h);
  Mat matrix() const { return matrix_.get(); }  ///< MATBAIJ
  /// Collective. result = K w, complete on the owners; brings @p w to the ghosts.
  void multiply(const std::vector<double>& h, Numbers& w, Numbers& result);

 private:
  template <int kDim, int kDofs>
  using Entry = Eigen::Matrix<double, kDim, kDofs, Eigen::RowMajor>;

  /// Calls @p work with dofs() as a constant.
  template <class Work>
  auto with_dofs(Work&& work) const {
    return dofs_ == kBodyDofs ? work.template operator()<kBodyDofs>()
                              : work.template operator()<kLinearDofs>();
  }
  std::size_t stride() const { return dofs_; }
  std::size_t body(std::int32_t entry) const { return pattern_.body[entry]; }
  template <int kDim, int kDofs>
  Eigen::Map<const Entry<kDim, kDofs>> entry_of(std::size_t cone, std::int32_t entry) const {
    const std::size_t nth = entry - pattern_.first[cone];
    return Eigen::Map<const Entry<kDim, kDofs>>(
        &values_[pattern_.place[cone] / kBodyDofs * kDofs + nth * kDim * kDofs]);
  }
  template <int kDim, int kDofs>
  cones::Rows<kDim> velocity_of(std::size_t cone, const Numbers& w) const {
    cones::Rows<kDim> u = cones::Rows<kDim>::Zero();
    for (std::int32_t e = pattern_.first[cone]; e < pattern_.first[cone + 1]; ++e) {
      u += entry_of<kDim, kDofs>(cone, e) *
           Eigen::Map<const cones::Rows<kDofs>>(&w[body(e) * kDofs]);
    }
    return u;
  }
  template <int kDim, int kDofs>
  void add_impulse(std::size_t cone, const cones::Rows<kDim>& x, Numbers& result) const {
    for (std::int32_t e = pattern_.first[cone]; e < pattern_.first[cone + 1]; ++e) {
      Eigen::Map<cones::Rows<kDofs>>(&result[body(e) * kDofs]) +=
          entry_of<kDim, kDofs>(cone, e).transpose() * x;
    }
  }
  /// Keeps the columns that count.
  void take_values(std::vector<double> values, std::span<const int> columns);
  void number_bodies(std::span<const PetscInt> ranges, int rank);
  std::vector<double> count_blocks(std::span<const PetscInt> ranges);
  void choose_storage(MPI_Comm comm, const std::vector<double>& counts, std::int64_t countable);
  void create(MPI_Comm comm, std::int64_t countable);
  template <int kDofs>
  void add_cones(const std::vector<double>& h);
  template <int kDim, int kDofs>
  void add_entries(std::size_t cone, std::int32_t first, std::int32_t last,
                   const ConeBlock<kDim>& h);
  void add_block(std::span<const PetscInt> bodies, const double* values);

  const Cones& cones_;
  BodyPattern pattern_;  ///< which blocks G has
  int dofs_ = 0;
  bool planar_ = false;
  std::vector<double> values_;  ///< blocks of G: those of BodyRows with the columns that count
  BodyExchange& exchange_;      ///< the problem's
  Storage storage_;
  std::string why_not_whole_;
  std::size_t n_owned_ = 0;
  std::vector<PetscInt> global_;  ///< block row of a local body
  petsc::Matrix matrix_;
  std::vector<PetscInt> coupled_;  ///< scratch of add_entries(): bodies
  std::vector<double> couplings_;  ///< scratch of add_entries(): a dense matrix
};

template <class Impulse>
void BodySpace::balance(const Numbers& w, Impulse&& impulse, Numbers& result) {
  result.assign(n_known(), 0.0);
  with_dofs([&]<int kDofs>() {
    for_each_cone(cones_, [&]<class Cone>(const Cone& cone, const ConePlace& at) {
      using Rows = cones::Rows<Cone::kDim>;
      SCREE_ASSERT((std::is_invocable_v<Impulse, const Cone&, const ConePlace&, const Rows&>));
      if constexpr (std::is_invocable_v<Impulse, const Cone&, const ConePlace&, const Rows&>) {
        const Rows x = impulse(cone, at, velocity_of<Cone::kDim, kDofs>(at.number, w));
        add_impulse<Cone::kDim, kDofs>(at.number, x, result);
      }
    });
  });
  exchange_.add_to_owners(result);
}

}  // namespace scree
