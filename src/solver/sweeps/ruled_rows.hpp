#pragma once

/// Cones of a rank that are swept by a rule (sweep.hpp), with any number of bodies each: all cones
/// of a problem, or those behind the contacts that kernels sweep (pair_problem.hpp).
///
///     u_i = r_i + R_i lambda_i + sum_b X_ib w_b,      D_ii = sum_b k_b X_ib Y_ib^T + R_i
///     a move d of lambda_i moves w_b by k_b Y_ib^T d
///
/// | w_b                                      | X_ib            | Y_ib        |
/// | ---                                      | ---             | ---         |
/// | velocity that impulses give body b       | J_ib            | J_ib M_b^-1 |
/// | L_b^-1 of it (problem/body_rows.hpp)     | B_ib = J_ib L_b | B_ib        |
///
/// The numbers w are the caller's, an object with `get(b)`, which gives w_b, and `add(b, x)`.
/// Impulses and velocities are the rows of these cones alone.

#include <memory>
#include <span>
#include <vector>

#include "batch_rules.hpp"
#include "scree/base/math.hpp"
#include "scree/problem/block_rows.hpp"
#include "scree/problem/contact_problem.hpp"
#include "sweep.hpp"

namespace scree {

/// The cones of a problem from a batch on. All must outlive the rows.
struct RuledCones {
  const ContactProblem& problem;
  std::size_t first_batch = 0;
  const BodyPattern& pattern;
  const std::vector<double>& blocks;            ///< X
  const InverseMasses* inverse_mass = nullptr;  ///< of each body; null where Y = X
  std::span<const double> sharers;              ///< k_b of each body

  std::span<const ConeBatch> batches() const {
    return std::span(problem.cones.batches).subspan(first_batch);
  }
};

class RuledRows {
 public:
  /// @p rule must outlive this.
  RuledRows(const RuledCones& of, const ContactRule& rule);

  std::size_t n_rows() const { return velocity_.size(); }
  /// The rows of these cones among @p all rows of the problem.
  template <class Number>
  std::span<Number> among(std::span<Number> all) const {
    return all.subspan(first_row_);
  }
  /// trace(D_ii) / dim of the cone of each row.
  const std::vector<double>& weights() const { return weights_; }

  /// w += X^T @p lambda, six numbers a body.
  void add_impulses(std::span<const double> lambda, std::vector<double>& w) const;

  /// One sweep over @p lambda.
  template <class Bodies>
  void sweep(std::span<double> lambda, Bodies&& bodies) const {
    for_each_ruled_cone(
        of_.problem.cones, of_.batches(), rules_,
        [&]<int kDim>(const ConePlace& at, BatchRule& rule, std::size_t k) {
          const cones::Rows<kDim> u = velocity<kDim>(at, lambda, bodies);
          cones::Rows<kDim> change;
          if (!rule.move(k, u.data(), &lambda[own(at)], change.data())) return;
          for_each_entry<kDim>(
              of_.pattern, of_.blocks, at.number, [&](const auto& block, std::int32_t b) {
                const double k_b = of_.sharers[b];
                if (of_.inverse_mass == nullptr) {
                  bodies.add(b, k_b * (block.transpose() * change));
                } else {
                  bodies.add(
                      b, k_b * of_.inverse_mass->times(std::size_t(b), block.transpose() * change));
                }
              });
        });
  }

  /// @p u = N lambda + r.
  template <class Bodies>
  void velocities(std::span<const double> lambda, const Bodies& bodies, std::span<double> u) const {
    for_each([&]<int kDim>(const ConePlace& at) {
      rows_of<kDim>(&u[own(at)]) = velocity<kDim>(at, lambda, bodies);
    });
  }

 private:
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (const ConeBatch& batch : of_.batches()) {
      for_each_place_of(of_.problem.cones, batch, visit);
    }
  }
  std::size_t own(const ConePlace& at) const { return at.row - first_row_; }

  template <int kDim, class Bodies>
  cones::Rows<kDim> velocity(const ConePlace& at, std::span<const double> lambda,
                             const Bodies& bodies) const {
    using Own = Eigen::Map<const cones::Rows<kDim>>;
    const std::size_t row = own(at);
    cones::Rows<kDim> u =
        Own(&velocity_[row]) + Own(&compliance_[row]).cwiseProduct(Own(&lambda[row]));
    for_each_entry<kDim>(
        of_.pattern, of_.blocks, at.number,
        [&](const auto& block, std::int32_t b) { u.noalias() += block * bodies.get(b); });
    return u;
  }

  std::vector<double> split_blocks();

  RuledCones of_;
  std::size_t first_row_;
  std::vector<double> velocity_;    ///< r
  std::vector<double> compliance_;  ///< diagonal of R
  std::vector<double> weights_;
  std::vector<std::unique_ptr<BatchRule>> rules_;
};

}  // namespace scree
