#include "scree/solver/sweeps/nsgs.hpp"

#include <array>

#include "scree/solver/sweeps/one_contact.hpp"
#include "scree/solver/sweeps/sweep.hpp"
#include "scree/solver/sweeps/sweep_common.hpp"

namespace scree {
namespace {

class ExactRule final : public ContactRule {
 public:
  ExactRule(FrictionLaw law, double relaxation) : ContactRule(relaxation), law_(law) {}

  void add_contact(const std::array<double, 9>& d, double mu) override {
    contacts_.emplace_back(d, mu);
  }

  bool move(std::size_t i, const double* u, double* l, double* change) override {
    OneContact& contact = contacts_[i];
    std::array<double, 3> q;
    std::array<double, 3> next;
    contact.without_own(u, l, q.data());
    contact.solve(law_, q.data(), next.data());
    for (std::size_t k = 0; k < 3; ++k) next[k] = l[k] + relaxation() * (next[k] - l[k]);
    if (relaxation() != 1.0) project_padded(next.data(), contact.mu());
    return take(next, l, change);
  }

 private:
  FrictionLaw law_;
  std::vector<OneContact> contacts_;
};

class Nsgs final : public Solver {
 public:
  explicit Nsgs(const NsgsOptions& options) : options_(options) {}

  SolverReport solve(const ContactProblem& problem, const StopOptions& stop, Vec lambda) override {
    const auto rule = make_exact_rule(problem.friction, options_.over_relaxation);
    return solve_by_sweeps("nsgs", *rule, problem, stop, lambda);
  }

 private:
  NsgsOptions options_;
};

}  // namespace

std::unique_ptr<ContactRule> make_exact_rule(FrictionLaw law, double relaxation) {
  return std::make_unique<ExactRule>(law, relaxation);
}

std::unique_ptr<Solver> make_nsgs(const SolverOptions& options) {
  return std::make_unique<Nsgs>(options.nsgs);
}

}  // namespace scree
