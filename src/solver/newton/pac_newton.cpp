#include "pac_newton.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

#include "scree/base/parallel.hpp"
#include "scree/problem/body_rows.hpp"

namespace scree::pac {
namespace {

constexpr double kTie = 0.2;  ///< rho_i r_i; from 0.03 to 1 does, 3 does not
constexpr int kStepLimit = 12;
constexpr double kAccuracy = 0.3;  ///< of a proximal point, relative to the way from its centre
constexpr int kHalvings = 6;
constexpr int kMemory = 3;  ///< merits that a step's merit is compared with
/// Over so many steps the merit must halve.
constexpr int kHalvingSteps = 4;

}  // namespace

ProximalNewton::ProximalNewton(const ContactProblem& problem, const std::vector<double>& rho)
    : problem_(problem),
      scale_(rho),
      system_(has_body_rows(problem) ? make_body_system(problem) : make_matrix_system(problem)),
      r_(rho.size()),
      rho_(rho.size()),
      g_(rho.size()),
      h_(rho.size()) {}

void ProximalNewton::set_parameter(double s) {
  for (std::size_t i = 0; i < scale_.size(); ++i) {
    r_[i] = s / scale_[i];
    rho_[i] = kTie / r_[i];
  }
}

ContactMap ProximalNewton::map(std::size_t i, const Points& x) const {
  return alart_curnier(x[i] - rho_[i] * u_[i] - kTie * (x[i] - centre_[i]), problem_.cones.mu[i]);
}

/// The root of the merit at @p x.
double ProximalNewton::residual(const Points& x) {
  system_->velocities(u_);
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum += (x[i] - map(i, x).value).squaredNorm() / rho_[i];
  }
  return std::sqrt(sum_over_ranks(problem_.comm, sum) + system_->momentum_error());
}

/// @pre u_ is that of @p x: residual() was called.
void ProximalNewton::linearise(const Points& x) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const ContactMap at = map(i, x);
    const Mat3 inverse = (Mat3::Identity() - (1.0 - kTie) * at.slope).inverse();
    h_[i] = rho_[i] * inverse * at.slope;
    g_[i] = inverse * (at.value - x[i]);
  }
}

/// Whether F is small beside the way from the centre, both in units of the merit.
bool ProximalNewton::near_enough(double merit, const Points& x) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum += kTie * r_[i] * (x[i] - centre_[i]).squaredNorm();
  }
  return merit <= kAccuracy * std::sqrt(sum_over_ranks(problem_.comm, sum));
}

/// Goes along dx_, halving the step until the merit is below @p bound. @returns that merit, if any was.
std::optional<double> ProximalNewton::line_search(double bound, Points& x) {
  const auto go = [&](double theta) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += theta * dx_[i];
    system_->advance(theta);
  };
  double theta = 1.0;
  go(theta);
  for (int halvings = 0;; ++halvings) {
    const double merit = residual(x);
    if (merit < bound) return merit;
    if (halvings == kHalvings) return std::nullopt;
    theta *= 0.5;
    go(-theta);
  }
}

Search ProximalNewton::search(double s, Points& x, const std::function<bool()>& observe) {
  set_parameter(s);
  centre_ = x;
  system_->begin(x);
  if (s > last_s_) system_->expect_easier();
  last_s_ = s;
  std::vector<double> merits{residual(x)};
  for (int step = 0;; ++step) {
    const double merit = merits.back();
    if (step > 0 && near_enough(merit, x)) return {Search::End::found, step};
    const bool slow = step >= kHalvingSteps &&
                      merit > 0.5 * merits[static_cast<std::size_t>(step - kHalvingSteps)];
    if (slow || step == kStepLimit) return {Search::End::failed, step};
    linearise(x);
    if (!system_->solve(h_, g_, dx_)) return {Search::End::failed, step};
    const auto recent = merits.end() - std::min<std::ptrdiff_t>(kMemory, std::ssize(merits));
    const auto next = line_search(*std::max_element(recent, merits.end()), x);
    if (!next) return {Search::End::failed, step + 1};
    merits.push_back(*next);
    if (observe()) return {Search::End::stopped, step + 1};
  }
}

}  // namespace scree::pac
