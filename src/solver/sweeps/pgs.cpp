#include "scree/solver/sweeps/pgs.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>

#include "scree/base/math.hpp"
#include "scree/solver/sweeps/sweep.hpp"
#include "scree/solver/sweeps/sweep_common.hpp"

namespace scree {
namespace {

constexpr double kLeastTangent = 1e-12;  ///< of the normal scale: tangents that nothing moves

/// The scaled step of pgs.hpp; `Memory` carries x_- from sweep to sweep.
class ProjectedRule final : public ContactRule {
 public:
  ProjectedRule(FrictionLaw law, double relaxation, Memory memory)
      : ContactRule(relaxation), law_(law), memory_(memory) {}

  void add_contact(const std::array<double, 9>& d, double mu) override {
    contacts_.push_back(scales(d, mu));
    if (memory_ == Memory::modulus) negative_.insert(negative_.end(), 3, 0.0);
  }

  bool move(std::size_t i, const double* u, double* l, double* change) override {
    const Contact& c = contacts_[i];
    if (c.normal == 0.0) return take({0.0, 0.0, 0.0}, l, change);
    const double shift =
        law_ == FrictionLaw::coulomb ? c.mu * std::sqrt(u[1] * u[1] + u[2] * u[2]) : 0.0;
    const double omega = relaxation();
    std::array<double, 3> x{c.normal * l[0] - omega * (u[0] + shift) / c.normal,
                            c.tangent * l[1] - omega * u[1] / c.tangent,
                            c.tangent * l[2] - omega * u[2] / c.tangent};
    std::array<double, 3> positive;
    if (memory_ == Memory::modulus) {
      double* negative = &negative_[3 * i];
      for (std::size_t k = 0; k < 3; ++k) x[k] += (1.0 - omega) * negative[k];
      positive = x;
      project_padded(positive.data(), c.scaled_mu);
      for (std::size_t k = 0; k < 3; ++k) negative[k] = positive[k] - x[k];
    } else {
      positive = x;
      project_padded(positive.data(), c.scaled_mu);
    }
    std::array<double, 3> next{positive[0] / c.normal, positive[1] / c.tangent,
                               positive[2] / c.tangent};
    const double tangent = std::sqrt(next[1] * next[1] + next[2] * next[2]);
    if (tangent > c.mu * next[0]) {  // by rounding of the scales
      for (std::size_t k = 1; k < 3; ++k) next[k] *= c.mu * next[0] / tangent;
    }
    return take(next, l, change);
  }

 private:
  /// s_n, s_t, mu and mu s_t / s_n of one contact; s_n = 0 where nothing can move.
  struct Contact {
    double normal;
    double tangent;
    double mu;
    double scaled_mu;
  };

  static Contact scales(const std::array<double, 9>& block, double mu) {
    const Mat3 given = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(block.data());
    const Mat3 d = 0.5 * (given + given.transpose());
    const double normal = d(0, 0);
    if (!(normal > 0.0)) return {0.0, 1.0, mu, mu};
    const double half = 0.5 * (d(1, 1) - d(2, 2));
    const double largest = 0.5 * (d(1, 1) + d(2, 2)) + std::sqrt(half * half + d(1, 2) * d(1, 2));
    const double tangent = std::max(largest, kLeastTangent * normal);
    const Vec3 inverse(1.0 / std::sqrt(normal), 1.0 / std::sqrt(tangent), 1.0 / std::sqrt(tangent));
    const Mat3 scaled = inverse.asDiagonal() * d * inverse.asDiagonal();
    const double bound =
        Eigen::SelfAdjointEigenSolver<Mat3>(scaled, Eigen::EigenvaluesOnly).eigenvalues()[2];
    return {std::sqrt(bound * normal), std::sqrt(bound * tangent), mu,
            mu * std::sqrt(tangent / normal)};
  }

  FrictionLaw law_;
  Memory memory_;
  std::vector<Contact> contacts_;
  std::vector<double> negative_;  ///< x_- of each contact
};

class ProjectedSweeps final : public Solver {
 public:
  ProjectedSweeps(std::string_view name, double relaxation, Memory memory)
      : name_(name), relaxation_(relaxation), memory_(memory) {}

  SolverReport solve(const ContactProblem& problem, const StopOptions& stop, Vec lambda) override {
    const auto rule = make_projected_rule(problem.friction, relaxation_, memory_);
    return solve_by_sweeps(name_, *rule, problem, stop, lambda);
  }

 private:
  std::string_view name_;
  double relaxation_;
  Memory memory_;
};

}  // namespace

std::unique_ptr<ContactRule> make_projected_rule(FrictionLaw law, double relaxation,
                                                 Memory memory) {
  if (law == FrictionLaw::box) return make_box_rule(relaxation, memory);
  return std::make_unique<ProjectedRule>(law, relaxation, memory);
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
