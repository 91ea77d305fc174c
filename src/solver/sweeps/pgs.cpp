#include "scree/solver/sweeps/pgs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "scree/problem/cones/small_matrix.hpp"
#include "scree/solver/sweeps/batch_rules.hpp"
#include "scree/solver/sweeps/sweep.hpp"

namespace scree {
namespace {

constexpr double kLeastTangent = 1e-12;  ///< of the normal scale: tangents that nothing moves

/// The parts of the rows that share a scale: the normal, then each disc; for an equation all rows.
template <class Cone>
struct Parts {
  static constexpr std::array<int, 1> kSize{Cone::kDim};
};
template <int... kSizes>
struct Parts<cones::Discs<kSizes...>> {
  static constexpr std::array<int, 1 + sizeof...(kSizes)> kSize{1, kSizes...};
};

/// K^ = S K for scales one a part: the limits of its discs are mu_j s_j / s_n.
template <class Cone, std::size_t kParts>
Cone scaled_cone(Cone cone, const std::array<double, kParts>& scale) {
  if constexpr (Cone::kParameters > 0) {
    for (std::size_t j = 0; j < cone.mu.size(); ++j) cone.mu[j] *= scale[j + 1] / scale[0];
  }
  return cone;
}

/// The scaled step of pgs.hpp; `Memory` carries x_- from sweep to sweep.
template <class Cone>
class ProjectedBatch final : public BatchRule {
  static constexpr int kDim = Cone::kDim;
  static constexpr auto kSize = Parts<Cone>::kSize;
  using Rows = cones::Rows<kDim>;
  using Square = cones::Square<kDim>;
  using Part =
      Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kDim, kDim>;  // on the stack

 public:
  ProjectedBatch(const ContactRule& rule, const ConeBatch& batch, std::span<const double> blocks,
                 Memory memory)
      : rule_(rule), exact_(batch.exact), memory_(memory) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(batch.count); ++k) {
      const Eigen::Map<const Square> block(&blocks[k * kDim * kDim]);
      contacts_.push_back(
          scales(block, Cone::from(batch.parameters.data() + k * Cone::kParameters)));
    }
    if (memory_ == Memory::modulus) negative_.assign(contacts_.size(), Rows::Zero());
  }

  bool move(std::size_t k, const double* u, double* l, double* change) override {
    const Contact& c = contacts_[k];
    if (c.scale[0] == 0.0) return take<kDim>(Rows::Zero(), l, change);
    const double omega = rule_.relaxation();
    Rows velocity = Eigen::Map<const Rows>(u);
    if (exact_) velocity[0] += c.cone.shift(velocity);
    const Rows present = Eigen::Map<const Rows>(l);
    Rows x = c.scale.cwiseProduct(present) - omega * velocity.cwiseQuotient(c.scale);
    if (memory_ == Memory::modulus) x += (1.0 - omega) * negative_[k];
    const Rows positive = c.scaled.project(x);
    if (memory_ == Memory::modulus) negative_[k] = positive - x;
    Rows next = positive.cwiseQuotient(c.scale);
    if (c.cone.violation(next) > 0.0) next = c.cone.project(next);  // by rounding of the scales
    return take<kDim>(next, l, change);
  }

 private:
  struct Contact {
    Rows scale;  ///< diagonal of S; zero where nothing can move
    Cone cone;
    Cone scaled;  ///< S K
  };

  static Contact scales(const Square& block, const Cone& cone) {
    const Square d = 0.5 * (block + block.transpose());
    std::array<double, kSize.size()> part{};
    Rows root;
    int first = 0;
    for (std::size_t j = 0; j < part.size(); ++j) {
      double largest = cones::largest_eigenvalue(d.block(first, first, kSize[j], kSize[j]));
      if (j == 0 && !(largest > 0.0)) return {Rows::Zero(), cone, cone};
      if (j > 0) largest = std::max(largest, kLeastTangent * part[0] * part[0]);
      part[j] = std::sqrt(largest);
      for (int k = first; k < first + kSize[j]; ++k) root[k] = part[j];
      first += kSize[j];
    }
    const Square scaled = root.cwiseInverse().asDiagonal() * d * root.cwiseInverse().asDiagonal();
    const double bound = cones::largest_eigenvalue(scaled);
    return {std::sqrt(bound) * root, cone, scaled_cone(cone, part)};
  }

  const ContactRule& rule_;
  bool exact_;
  Memory memory_;
  std::vector<Contact> contacts_;
  std::vector<Rows> negative_;  ///< x_- of each contact
};

/// The step of pgs.hpp on a pyramid, a row at a time.
class RowBatch final : public BatchRule {
  using Cone = cones::Pyramid;
  static constexpr int kDim = Cone::kDim;
  using Rows = cones::Rows<kDim>;
  using Square = cones::Square<kDim>;

 public:
  RowBatch(const ContactRule& rule, const ConeBatch& batch, std::span<const double> blocks,
           Memory memory)
      : rule_(rule), memory_(memory) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(batch.count); ++k) {
      const Eigen::Map<const Square> transposed(&blocks[k * kDim * kDim]);
      contacts_.push_back({transposed.transpose(),
                           Cone::from(batch.parameters.data() + k * Cone::kParameters),
                           Rows::Zero()});
    }
  }

  bool move(std::size_t i, const double* u, double* l, double* change) override {
    Contact& c = contacts_[i];
    Rows velocity = Eigen::Map<const Rows>(u);
    Rows next = Eigen::Map<const Rows>(l);
    for (int k = 0; k < kDim; ++k) {
      const double high = k == 0 ? std::numeric_limits<double>::infinity()
                                 : c.cone.mu[static_cast<std::size_t>(k - 1)] * next[0];
      const double low = k == 0 ? 0.0 : -high;
      const double diagonal = c.d(k, k);
      // a row that nothing moves keeps no impulse
      next[k] = diagonal > 0.0 ? row(c, k, l[k], velocity[k] / diagonal, low, high) : 0.0;
      velocity += c.d.col(k) * (next[k] - l[k]);
    }
    return take<kDim>(next, l, change);
  }

 private:
  struct Contact {
    Square d;  ///< D_ii
    Cone cone;
    Rows negative;  ///< x_-, N s
  };

  /// The impulse of row @p k of a contact, from @p l at the velocity @p v over D_kk.
  double row(Contact& c, int k, double l, double v, double low, double high) const {
    const double x = l + (1.0 - rule_.relaxation()) * c.negative[k] - rule_.relaxation() * v;
    const double next = std::clamp(x, low, high);
    if (memory_ == Memory::modulus) c.negative[k] = next - x;
    return next;
  }

  const ContactRule& rule_;
  Memory memory_;
  std::vector<Contact> contacts_;
};

class ProjectedRule final : public ContactRule {
 public:
  ProjectedRule(double relaxation, Memory memory) : ContactRule(relaxation), memory_(memory) {}

  std::unique_ptr<BatchRule> make(const ConeBatch& batch,
                                  std::span<const double> blocks) const override {
    return cones::with_type(batch.type, [&]<class Cone>() -> std::unique_ptr<BatchRule> {
      if constexpr (std::is_same_v<Cone, cones::Pyramid>) {
        return std::make_unique<RowBatch>(*this, batch, blocks, memory_);
      } else {
        return std::make_unique<ProjectedBatch<Cone>>(*this, batch, blocks, memory_);
      }
    });
  }

 private:
  Memory memory_;
};

class ProjectedSweeps final : public Solver {
 public:
  ProjectedSweeps(std::string_view name, double relaxation, Memory memory)
      : name_(name), relaxation_(relaxation), memory_(memory) {}

  SolverReport solve(const ContactProblem& problem, const StopOptions& stop, Vec lambda) override {
    const auto rule = make_projected_rule(relaxation_, memory_);
    return solve_by_sweeps(name_, *rule, problem, stop, lambda);
  }

 private:
  std::string_view name_;
  double relaxation_;
  Memory memory_;
};

}  // namespace

std::unique_ptr<ContactRule> make_projected_rule(double relaxation, Memory memory) {
  return std::make_unique<ProjectedRule>(relaxation, memory);
}

std::unique_ptr<Solver> make_pgs(const SolverOptions&) {
  return std::make_unique<ProjectedSweeps>("pgs", 1.0, Memory::none);
}

std::unique_ptr<Solver> make_psor(const SolverOptions& options) {
  return std::make_unique<ProjectedSweeps>("psor", options.psor.relaxation, Memory::none);
}

std::unique_ptr<Solver> make_amgs(const SolverOptions& options) {
  return std::make_unique<ProjectedSweeps>("amgs", 2.0 / (1.0 + 2.0 * options.amgs.alpha),
                                           Memory::modulus);
}

}  // namespace scree
