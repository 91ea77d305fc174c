#include "scree/solver/sweeps/pgs.hpp"

#include <algorithm>
#include <limits>

#include "batch_rules.hpp"
#include "inertia_help.hpp"
#include "projected_scales.hpp"
#include "scree/config/declaration.hpp"
#include "sweep_solver.hpp"

namespace scree {

void PgsOptions::declare(Declaration& d) {
  d.flag("inertia", inertia, {.help = kInertiaHelp});
}

void PsorOptions::declare(Declaration& d) {
  d.real("relaxation", relaxation,
         {.help = "factor of each contact's step, 0: 1 with inertia, 1.4 without; above 1 it falls "
                  "back to 1 when it does harm",
          .min = 0.0,
          .below = 2.0});
  d.flag("inertia", inertia, {.help = kInertiaHelp});
}

void AmgsOptions::declare(Declaration& d) {
  d.real(
      "alpha", alpha,
      {.help = "size of Omega in the modulus form: of diagonal 0.5 is pgs, less over-relaxes held "
               "contacts by 2/(1 + 2 alpha), and falls back to 0.5 when that does harm; proved up "
               "to 0.5",
       .above = 0.0});
  d.enumeration(
      "omega", omega,
      {.help = "Omega of the modulus form: alpha times the diagonal of the contacts' matrix, "
               "or times that diagonal's mean, the same for all contacts"});
}

namespace {

class ProjectedRule final : public ContactRule {
 public:
  ProjectedRule(double relaxation, Memory memory, double mean_diagonal)
      : ContactRule(relaxation), memory_(memory), mean_diagonal_(mean_diagonal) {}

  std::unique_ptr<BatchRule> make(const ConeBatch& batch,
                                  std::span<const double> blocks) const override;

  Memory memory() const { return memory_; }
  /// omega_i for d_i = @p diagonal; 2 / relaxation() - 1 is 2 alpha.
  double factor(double diagonal) const {
    if (mean_diagonal_ == 0.0) return relaxation();
    return 2.0 / (1.0 + (2.0 / relaxation() - 1.0) * mean_diagonal_ / diagonal);
  }

 private:
  Memory memory_;
  double mean_diagonal_;  ///< d; 0: each contact's own
};

/// The scaled step of pgs.hpp; `Memory` carries x_- from sweep to sweep.
template <class Cone>
class ProjectedBatch final : public BatchRule {
  static constexpr int kDim = Cone::kDim;
  using Rows = cones::Rows<kDim>;
  using Square = cones::Square<kDim>;

 public:
  ProjectedBatch(const ProjectedRule& rule, const ConeBatch& batch, std::span<const double> blocks)
      : rule_(rule), exact_(batch.exact) {
    for (std::int32_t k = 0; k < batch.count; ++k) {
      const Eigen::Map<const Square> block(&blocks[k * kDim * kDim]);
      const Cone cone = batch.template cone<Cone>(k);
      contacts_.push_back({cone, projected_scales<Cone>(block, cone), block.trace() / kDim});
    }
    if (rule_.memory() == Memory::modulus) negative_.assign(contacts_.size(), Rows::Zero());
  }

  bool move(std::size_t k, const double* u, double* l, double* change) override {
    const auto& [cone, s, diagonal] = contacts_[k];
    if (s.scale[0] == 0.0) return take<kDim>(cone.project(Rows::Zero()), l, change);
    const double omega = rule_.factor(diagonal);
    Rows velocity = Eigen::Map<const Rows>(u);
    if (exact_) velocity[0] += cone.shift(velocity);
    const Rows present = Eigen::Map<const Rows>(l);
    Rows x = s.scale.cwiseProduct(present) - omega * velocity.cwiseQuotient(s.scale);
    const bool remembers = rule_.memory() == Memory::modulus;
    if (remembers) x += (1.0 - omega) * negative_[k];
    const Rows positive = s.scaled.project(x);
    if (remembers) negative_[k] = positive - x;
    Rows next = positive.cwiseQuotient(s.scale);
    if (cone.violation(next) > 0.0) next = cone.project(next);  // by rounding of the scales
    return take<kDim>(next, l, change);
  }

 private:
  struct Contact {
    Cone cone;
    ProjectedScales<Cone> s;
    double diagonal;  ///< d_i
  };

  const ProjectedRule& rule_;
  bool exact_;
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
  RowBatch(const ProjectedRule& rule, const ConeBatch& batch, std::span<const double> blocks)
      : rule_(rule) {
    for (std::int32_t k = 0; k < batch.count; ++k) {
      const Eigen::Map<const Square> transposed(&blocks[k * kDim * kDim]);
      contacts_.push_back({transposed.transpose(), batch.template cone<Cone>(k), Rows::Zero()});
    }
  }

  bool move(std::size_t i, const double* u, double* l, double* change) override {
    Contact& c = contacts_[i];
    Rows velocity = Eigen::Map<const Rows>(u);
    Rows next = Eigen::Map<const Rows>(l);
    for (int k = 0; k < kDim; ++k) {
      const double high =
          k == 0 ? std::numeric_limits<double>::infinity() : c.cone.mu[k - 1] * next[0];
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
    const double omega = rule_.factor(c.d(k, k));
    const double x = l + (1.0 - omega) * c.negative[k] - omega * v;
    const double next = std::clamp(x, low, high);
    if (rule_.memory() == Memory::modulus) c.negative[k] = next - x;
    return next;
  }

  const ProjectedRule& rule_;
  std::vector<Contact> contacts_;
};

std::unique_ptr<BatchRule> ProjectedRule::make(const ConeBatch& batch,
                                               std::span<const double> blocks) const {
  return cones::with_type(batch.type, [&]<class Cone>() -> std::unique_ptr<BatchRule> {
    if constexpr (std::is_same_v<Cone, cones::Pyramid>) {
      return std::make_unique<RowBatch>(*this, batch, blocks);
    } else {
      return std::make_unique<ProjectedBatch<Cone>>(*this, batch, blocks);
    }
  });
}

}  // namespace

std::unique_ptr<ContactRule> make_projected_rule(double relaxation, Memory memory,
                                                 double mean_diagonal) {
  return std::make_unique<ProjectedRule>(relaxation, memory, mean_diagonal);
}

std::unique_ptr<Solver> make_pgs(const PgsOptions& options) {
  return make_sweep_solver({.name = "pgs",
                            .step = SweepStep::projected,
                            .plain_factor = 1.0,
                            .inertia = options.inertia});
}

std::unique_ptr<Solver> make_psor(const PsorOptions& options) {
  return make_sweep_solver({.name = "psor",
                            .step = SweepStep::projected,
                            .factor = options.relaxation,
                            .plain_factor = 1.4,
                            .inertia = options.inertia});
}

std::unique_ptr<Solver> make_amgs(const AmgsOptions& options) {
  return make_sweep_solver({.name = "amgs",
                            .step = SweepStep::modulus,
                            .plain_factor = 2.0 / (1.0 + 2.0 * options.alpha),
                            .omega = options.omega});
}

}  // namespace scree
