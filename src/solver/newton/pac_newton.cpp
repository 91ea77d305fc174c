#include "pac_newton.hpp"

#include <algorithm>
#include <cmath>

#include "scree/base/parallel.hpp"
#include "scree/problem/body_rows.hpp"
#include "scree/problem/cone_blocks.hpp"
#include "scree/problem/cones/small_matrix.hpp"

namespace scree::pac {
namespace {

constexpr double kTie = 0.2;  ///< rho_i r_i; from 0.03 to 1 does, 3 does not
constexpr int kStepLimit = 12;
/// Accuracy of a proximal point, relative to its distance from the centre.
constexpr double kAccuracy = 0.3;
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
      g_(problem.cones.rows()),
      h_(size_of_blocks(problem.cones)) {}

void ProximalNewton::set_parameter(double s) {
  for (std::size_t i = 0; i < scale_.size(); ++i) {
    r_[i] = s / scale_[i];
    rho_[i] = kTie / r_[i];
  }
}

template <class Cone>
cones::ContactMap<Cone::kDim> ProximalNewton::map(const Cone& cone, const ConePlace& at,
                                                  const Points& x) const {
  const auto point = rows_of(cone, &x[at.row]);
  const auto u = rows_of(cone, &u_[at.row]);
  return cone.alart_curnier(point - rho_[at.number] * u -
                            kTie * (point - rows_of(cone, &centre_[at.row])));
}

/// The root of the merit at @p x.
double ProximalNewton::residual(const Points& x) {
  system_->velocities(x, u_);
  double sum = 0.0;
  for_each_cone(problem_.cones, [&](const auto& cone, const ConePlace& at) {
    sum += (rows_of(cone, &x[at.row]) - map(cone, at, x).value).squaredNorm() / rho_[at.number];
  });
  return std::sqrt(sum_over_ranks(problem_.comm, sum) + system_->momentum_error());
}

/// @pre u_ is that of @p x: residual() was called.
void ProximalNewton::linearise(const Points& x) {
  for_each_cone_and_block(
      problem_.cones, h_.data(), [&]<class Cone>(const Cone& cone, const ConePlace& at, auto h) {
        using Square = cones::Square<Cone::kDim>;
        const auto p = map(cone, at, x);
        const Square inverse =
            cones::inverse<Cone::kDim>(Square::Identity() - (1.0 - kTie) * p.slope);
        h = rho_[at.number] * inverse * p.slope;
        rows_of(cone, &g_[at.row]) = inverse * (p.value - rows_of(cone, &x[at.row]));
      });
}

/// Whether F is small beside the way from the centre, both in units of the merit.
bool ProximalNewton::is_accurate_enough(double merit, const Points& x) const {
  double sum = 0.0;
  for_each_cone(problem_.cones, [&](const auto& cone, const ConePlace& at) {
    sum += kTie * r_[at.number] *
           (rows_of(cone, &x[at.row]) - rows_of(cone, &centre_[at.row])).squaredNorm();
  });
  return merit <= kAccuracy * std::sqrt(sum_over_ranks(problem_.comm, sum));
}

/// Goes along dx_, halving the step until the merit is below @p bound. @returns that merit, if any
/// was.
std::optional<double> ProximalNewton::line_search(double bound, Points& x) {
  const auto go = [&](double theta) {
    for (std::size_t k = 0; k < x.size(); ++k) x[k] += theta * dx_[k];
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
    if (step > 0 && is_accurate_enough(merit, x)) return {Search::End::found, step};
    const bool slow = step >= kHalvingSteps && merit > 0.5 * merits[step - kHalvingSteps];
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
