#include "scree/solver/sweeps/nsgs.hpp"

#include "batch_rules.hpp"
#include "inertia_help.hpp"
#include "scree/config/declaration.hpp"
#include "scree/problem/cones/one_contact.hpp"
#include "sweep_solver.hpp"

namespace scree {

void NsgsOptions::declare(Declaration& d) {
  d.real(
      "over_relaxation", over_relaxation,
      {.help = "factor of each contact's change, 0: 1 with inertia, 1.3 without; above 1 it falls "
               "back to 1 when it does harm",
       .min = 0.0,
       .below = 2.0});
  d.flag("inertia", inertia, {.help = kInertiaHelp});
}

namespace {

template <class Cone>
class ExactBatch final : public BatchRule {
  static constexpr int kDim = Cone::kDim;
  using Rows = cones::Rows<kDim>;

 public:
  ExactBatch(const ContactRule& rule, const ConeBatch& batch, std::span<const double> blocks)
      : rule_(rule) {
    const std::size_t n = batch.count;
    contacts_.reserve(n);
    for (std::size_t k = 0; k < n; ++k) {
      // row-major
      const Eigen::Map<const cones::Square<kDim>> transposed(&blocks[k * kDim * kDim]);
      contacts_.emplace_back(batch.template cone<Cone>(k), transposed.transpose(), batch.exact);
    }
  }

  bool move(std::size_t k, const double* u, double* l, double* change) override {
    Contact& contact = contacts_[k];
    const Eigen::Map<const Rows> present(l);
    const Rows q = Eigen::Map<const Rows>(u) - contact.block * present;
    Rows next = contact.problem.solve(q, present);
    if (rule_.relaxation() != 1.0) {
      next = contact.cone.project(Rows(present + rule_.relaxation() * (next - present)));
    }
    return take<kDim>(next, l, change);
  }

 private:
  struct Contact {
    Contact(const Cone& c, const cones::Square<kDim>& a, bool exact)
        : cone(c), block(a), problem(c, a, exact) {}
    Cone cone;
    cones::Square<kDim> block;  ///< D_ii
    cones::OneContact<Cone> problem;
  };

  const ContactRule& rule_;
  std::vector<Contact> contacts_;
};

class ExactRule final : public ContactRule {
 public:
  using ContactRule::ContactRule;

  std::unique_ptr<BatchRule> make(const ConeBatch& batch,
                                  std::span<const double> blocks) const override {
    return cones::with_type(batch.type, [&]<class Cone>() -> std::unique_ptr<BatchRule> {
      return std::make_unique<ExactBatch<Cone>>(*this, batch, blocks);
    });
  }
};

}  // namespace

std::unique_ptr<ContactRule> make_exact_rule(double relaxation) {
  return std::make_unique<ExactRule>(relaxation);
}

std::unique_ptr<Solver> make_nsgs(const NsgsOptions& options) {
  return make_sweep_solver({.name = "nsgs",
                            .step = SweepStep::exact,
                            .factor = options.over_relaxation,
                            .plain_factor = 1.3,
                            .inertia = options.inertia});
}

}  // namespace scree
