#include "softness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "expected_overlap.hpp"
#include "scree/base/parallel.hpp"
#include "scree/contact/pair_impact.hpp"
#include "scree/contact/resolved_length.hpp"
#include "scree/contact/stiffness.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"

namespace scree {
namespace {

/// From the least to the greatest of some numbers; low > high where there are none.
struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool empty() const { return low > high; }
  double length() const { return empty() ? 0.0 : high - low; }
};

/// The grains of a run in figures, of all ranks.
struct Grains {
  std::vector<Range> radii;  ///< m, by material; empty where no grain is of it
  Range height;              ///< m, against gravity, of the grains and of where they come in
  double pressure = 0.0;     ///< Pa, of those at the start on what is below them
};

/// The axis nearest to gravity is taken for the vertical one.
int vertical_axis(const Vec3& gravity) {
  int axis = 2;
  gravity.cwiseAbs().maxCoeff(&axis);
  return axis;
}

void add_insertion(Grains& figures, const InsertionSpec& insertion, const RunConfig& config,
                   const Vec3& up) {
  for (const Population& one : insertion.all_populations()) {
    Range& radii = figures.radii[material_index(config.materials, one.material)];
    radii.add(smallest_radius(one.radii));
    radii.add(largest_radius(one.radii));
  }
  const Box3 box = bounds_of(insertion.region);
  const double middle = 0.5 * up.dot(box.low + box.high);
  const double half = 0.5 * up.cwiseAbs().dot(box.high - box.low);
  figures.height.add(middle - half);
  figures.height.add(middle + half);
}

/// Collective.
Range over_ranks(MPI_Comm comm, const Range& range) {
  return {min_over_ranks(comm, range.low), max_over_ranks(comm, range.high)};
}

/// Collective.
Grains measure(MPI_Comm comm, const RunConfig& config, const StartingGrains& grains) {
  const double g = config.gravity.norm();
  const Vec3 up = g > 0.0 ? Vec3(-config.gravity / g) : Vec3::Zero();
  Grains figures{.radii = std::vector<Range>(config.materials.size()), .height = {}};
  std::array<Range, 3> box;
  double mass = 0.0;
  for (const Body& body : grains.bodies) {
    const double radius = equal_volume_radius(body.shape, *grains.shapes);
    figures.radii[body.material].add(radius);
    mass += body.density * volume(body.shape, *grains.shapes);
    for (const double side : {-radius, radius}) {
      figures.height.add(up.dot(body.position) + side);
      for (int k = 0; k < 3; ++k) box[k].add(body.position[k] + side);
    }
  }
  for (const InsertionSpec& insertion : config.insertions) {
    add_insertion(figures, insertion, config, up);
  }
  for (const ToolSpec& tool : config.tools) {
    if (as_shape(tool.shape).is<Plane>() && tool.normal.normalized().dot(up) > 0.5) {
      figures.height.add(up.dot(tool.position));
    }
  }
  for (Range& radii : figures.radii) radii = over_ranks(comm, radii);
  figures.height = over_ranks(comm, figures.height);
  double area = 1.0;
  for (int k = 0; k < 3; ++k) {
    const double length = over_ranks(comm, box[k]).length();
    if (k != vertical_axis(config.gravity)) area *= length;
  }
  mass = sum_over_ranks(comm, mass);
  if (area > 0.0) figures.pressure = mass * g / area;
  return figures;
}

/// Two grains, or a grain and a wall, with their law.
struct Meeting {
  const PairLaw& law;
  double density_a;  ///< kg/m^3
  double density_b;  ///< kg/m^3
  const Range& radii_a;
  const Range& radii_b;  ///< empty: B is a wall

  ContactSite site(double Range::*end) const {
    const auto mass = [](double density, double radius) {
      return density * volume_of_ball(radius);
    };
    const double a = radii_a.*end;
    if (radii_b.empty()) return {.radius_a = a, .radius_b = kFlat, .mass = mass(density_a, a)};
    const double b = radii_b.*end;
    return {.radius_a = a,
            .radius_b = b,
            .mass = 1.0 / (1.0 / mass(density_a, a) + 1.0 / mass(density_b, b))};
  }
};

/// The restitution that a pair reaches where it is less than the one asked for, and the dt that it
/// takes to come near to that. @param duration of a contact, s
std::string restitution_in_words(const PairLaw& law, double dt, double duration) {
  const double e = restitution_in_steps(law.elasticity, dt / duration);
  std::string text = fmt::format("impacts part at {:.2g} of their speed", e);
  if (law.restitution - e <= kNearRestitution) return text;
  return text + fmt::format(", the most at this dt; a restitution of {} needs a dt of {:.2g} s",
                            law.restitution, duration * share_for_restitution(law, dt / duration));
}

std::string stiffness_in_words(const PairElasticity& law, const ContactSite& site) {
  const double normal = normal_stiffness(law, site);
  const bool of_force = law.stiffness == 0.0 && law.options.law != StiffnessLaw::rod;
  return fmt::format("k_n {:.3g} N/m, k_t {:.3g} N/m{}", normal, law.tangential_ratio * normal,
                     of_force ? fmt::format(" at {} N", law.options.reference_force) : "");
}

/// From the highest place of grains to the lowest, m/s.
double speed_of_fall(const RunConfig& config, const Grains& grains) {
  return std::sqrt(2.0 * config.gravity.norm() * grains.height.length());
}

/// The length of the steps in which two grains meet at @p speed, s.
double dt_of_impact(const RunConfig& config, const PairLaw& law, const ContactSite& site,
                    double speed) {
  const double duration = duration_of_contact(law.elasticity, site, speed);
  return config.time.length_within(share_of_impact(law) * duration);
}

std::string overlaps_in_words(const RunConfig& config, const Meeting& meeting,
                              const Grains& grains) {
  const ContactSite site = meeting.site(&Range::high);
  const double radius =
      std::isfinite(site.radius_b) ? std::min(site.radius_a, site.radius_b) : site.radius_a;
  const double share = grains.pressure * 4.0 * radius * radius;
  const double load = share > 0.0 ? share : config.contact.stiffness.reference_force;
  const std::string under =
      share > 0.0 ? fmt::format(
                        "a grain's share of the weight ({:.2g} N; chains of force bear "
                        "several times that)",
                        load)
                  : fmt::format("{:.2g} N", load);
  std::string text =
      fmt::format("overlap {:.2g} % of the radius under {}",
                  100.0 * overlap_under(meeting.law.elasticity, site, load) / radius, under);
  const double speed = speed_of_fall(config, grains);
  if (speed > 0.0 && config.dynamics == Dynamics::inertial) {
    const PairElasticity& law = meeting.law.elasticity;
    text += fmt::format(", at most {:.2g} % after a fall of {:.2g} m{}",
                        100.0 * overlap_of_impact(law, site, speed) / radius,
                        grains.height.length(), advice_on_stiffness(law, site, radius, speed));
  }
  return text;
}

std::string duration_in_words(const RunConfig& config, const Meeting& meeting,
                              const Grains& grains) {
  if (config.dynamics == Dynamics::overdamped) return {};
  const ContactSite site = meeting.site(&Range::low);
  const double speed = speed_of_fall(config, grains);
  const double duration = duration_of_contact(meeting.law.elasticity, site, speed);
  const double dt = dt_of_impact(config, meeting.law, site, speed);
  const double steps = dt / duration;
  constexpr std::string_view kTooLong =
      " (forces on tools that move in beds come out too large: docs/model.md)";
  return fmt::format("; contacts last {:.2g} s, a step is {:.2g} of that{}; {}", duration, steps,
                     steps > 1.0 ? kTooLong : "", restitution_in_words(meeting.law, dt, duration));
}

/// Every two materials once: those that have an entry of friction as these stand, then the others.
std::vector<std::pair<std::int32_t, std::int32_t>> pairs_by_entry(const RunConfig& config) {
  std::vector<std::pair<std::int32_t, std::int32_t>> pairs;
  std::set<std::pair<std::int32_t, std::int32_t>> named;
  for (const FrictionPair& pair : config.friction) {
    if (pair.is_default()) continue;
    const std::int32_t a = material_index(config.materials, pair.between[0]);
    const std::int32_t b = material_index(config.materials, pair.between[1]);
    pairs.emplace_back(a, b);
    named.insert(std::minmax(a, b));
  }
  const auto n = static_cast<std::int32_t>(config.materials.size());
  for (std::int32_t a = 0; a < n; ++a) {
    for (std::int32_t b = a; b < n; ++b) {
      if (!named.contains({a, b})) pairs.emplace_back(a, b);
    }
  }
  return pairs;
}

}  // namespace

std::vector<std::string> describe_softness(MPI_Comm comm, const RunConfig& config,
                                           const StartingGrains& grains) {
  const Grains figures = measure(comm, config, grains);
  const ContactLaws laws(config.materials, config.friction, config.contact.stiffness);
  std::vector<std::string> lines;
  for (const auto& [first, second] : pairs_by_entry(config)) {
    std::int32_t a = first;
    std::int32_t b = second;
    const auto radii = [&figures](std::int32_t material) -> const Range& {
      return figures.radii[material];
    };
    if (radii(a).empty()) std::swap(a, b);
    const PairLaw& law = laws.law(a, b);
    if (!law.elasticity.compliant() || radii(a).empty()) continue;
    const auto density = [&config](std::int32_t material) {
      return config.materials[material].density;
    };
    const Meeting meeting{law, density(a), density(b), radii(a), radii(b)};
    lines.push_back(fmt::format(
        "{}-{}: {}, {}{}", config.materials[first].name, config.materials[second].name,
        stiffness_in_words(law.elasticity, meeting.site(&Range::low)),
        overlaps_in_words(config, meeting, figures), duration_in_words(config, meeting, figures)));
  }
  return lines;
}

}  // namespace scree
