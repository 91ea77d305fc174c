#include "expected_overlap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scree {
namespace {

bool follows_hertz(const PairElasticity& law) {
  return law.stiffness == 0.0 && law.options.law == StiffnessLaw::hertz;
}

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

double normal_stiffness(const PairElasticity& law, const ContactSite& site) {
  return normal_spring_of(terms_of(law, site.radius_a, site.radius_b), site).stiffness;
}

double overlap_under(const PairElasticity& law, const ContactSite& site, double force) {
  const double linear = force / normal_stiffness(law, site);
  if (!follows_hertz(law) || force <= law.options.reference_force) return linear;
  return hertz_overlap(law.effective_modulus, effective_radius(site.radius_a, site.radius_b),
                       force);
}

double overlap_of_impact(const PairElasticity& law, const ContactSite& site, double speed) {
  const double k = normal_stiffness(law, site);
  const double linear = speed * std::sqrt(site.mass / k);
  if (!follows_hertz(law) || k * linear <= law.options.reference_force) return linear;
  const double radius = effective_radius(site.radius_a, site.radius_b);
  return hertz_impact_overlap(law.effective_modulus, radius, site.mass, speed);
}

double duration_of_contact(const PairElasticity& law, const ContactSite& site, double speed) {
  const double k = normal_stiffness(law, site);
  const double overlap = overlap_of_impact(law, site, speed);
  if (!follows_hertz(law) || k * overlap <= law.options.reference_force) {
    return std::numbers::pi * std::sqrt(site.mass / k);
  }
  return 2.94 * overlap / speed;  // Johnson, Contact Mechanics, 1985, section 11.4
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
