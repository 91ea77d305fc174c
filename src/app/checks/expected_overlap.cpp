#include "expected_overlap.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "scree/contact/pair_impact.hpp"

namespace scree {
namespace {

/// The law of the pair with materials @p times as stiff.
PairElasticity stiffer(PairElasticity law, double times) {
  law.a.young_modulus *= times;
  law.b.young_modulus *= times;
  law.stiffness *= times;
  law.effective_modulus *= times;
  law.reference_stiffness *= std::cbrt(times * times);  // F over Hertz's overlap at F
  return law;
}

}  // namespace

double overlap_under(const PairElasticity& law, const ContactSite& site, double force) {
  const double linear = force / normal_stiffness(law, site);
  if (!follows_hertz(law) || force <= law.options.reference_force) return linear;
  return hertz_overlap(law.effective_modulus, effective_radius(site.radius_a, site.radius_b),
                       force);
}

std::string advice_on_stiffness(const PairElasticity& law, const ContactSite& site, double radius,
                                double speed) {
  constexpr double kOverlap = 0.01;   // of the radius
  constexpr double kStepShare = 0.1;  // of an impact's duration
  const auto overlap = [&](double times) {
    return overlap_of_impact(stiffer(law, times), site, speed) / radius;
  };
  if (overlap(1.0) <= 1.05 * kOverlap) return {};
  double times = 1.0;
  while (overlap(times) > kOverlap) times *= 1.01;
  // of a linear spring; by Hertz's law it is 2.94 times the overlap over the speed, near enough
  const double duration = std::numbers::pi * kOverlap * radius / speed;
  return fmt::format(" (1 % takes {:.2g} times the stiffness and a dt of {:.1g} s)", times,
                     kStepShare * duration);
}

}  // namespace scree
