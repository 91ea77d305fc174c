#include "scree/impact/resolve_impacts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "approaching_contacts.hpp"
#include "impact_friction.hpp"
#include "impact_zones.hpp"
#include "inelastic_outcome.hpp"
#include "moving_frame.hpp"

namespace scree {
namespace {

/// A loss for the length of the step below this share of a zone's energy is rounding.
constexpr double kLostByRounding = 1e-12;
/// Where energy is lost anyway, one below this share of what an inelastic impact of the zone takes
/// is not worth a shorter step.
constexpr double kLostAnyway = 0.01;

/// Velocities, and the normal impulses (N s, one a contact) that led to them.
struct NormalOutcome {
  Eigen::VectorXd velocity;  ///< y
  Eigen::VectorXd impulse;
};

/// Data of the resolution of one zone, needed at every stage.
struct ZoneWork {
  const ImpactOptions& options;
  const ImpactProblem& zone;
  EnergySpace space;
  Eigen::VectorXd frame = {};  ///< y_f
  ImpactReport report = {};
  Eigen::VectorXd resting = {};  ///< approach of each contact that is left, sqrt(J); empty: none
  double inelastic_loss = 0.0;   ///< what the inelastic outcomes take, J
};

/// The approaches that a zone leaves, in the energy norm.
Eigen::VectorXd resting_of(const ImpactOptions& options, const EnergySpace& space,
                           double restitution) {
  if (restitution >= 1.0 || options.resting == 0.0) return {};
  return options.resting * space.scale;
}

/// Zones draw their random orders apart from each other.
ElasticOptions options_of(const ZoneWork& work) {
  ElasticOptions options = work.options.elastic;
  options.seed += static_cast<std::uint64_t>(work.zone.bodies.front().id);
  return options;
}

/// What @p outcome loses of @p start, in the frame of the walls, to equalities that there are since
/// contacts with a gap count as closed: more than what those without one take. The mixture keeps
/// e^2 of what is the elastic outcome's alone.
double lost_in_gaps(ZoneWork& work, const ElasticOutcome& outcome, const Eigen::VectorXd& start) {
  std::vector<std::int32_t> closed = outcome.equalities;
  std::erase_if(closed, [&](std::int32_t i) {
    return work.zone.contacts[static_cast<std::size_t>(i)].has_gap;
  });
  if (closed.size() == outcome.equalities.size()) return 0.0;
  double anyway = 0.0;
  if (!closed.empty()) {
    const SparseColumns& normals = work.space.normals;
    const ImplicitEqualities equalities = implicit_equalities(
        columns_of(normals, closed), flatness_of(options_of(work), normals.rows()));
    work.report.programs += equalities.programs;
    work.report.program_seconds += equalities.seconds;
    anyway = 0.5 * (start.squaredNorm() - project_out(equalities, start).squaredNorm());
  }
  const double kept = work.report.restitution * work.report.restitution;
  return kept * std::max(outcome.lost_energy - anyway, 0.0);
}

NormalOutcome elastic_part(ZoneWork& work, const Eigen::VectorXd& start) {
  const EnergySpace& space = work.space;
  ImpactReport& report = work.report;
  const ElasticOutcome outcome = elastic_outcome(space.normals, space.gram, start - work.frame,
                                                 options_of(work), work.resting);
  report.applications += outcome.applications;
  report.programs += outcome.programs;
  report.program_seconds += outcome.program_seconds;
  report.equalities = outcome.equalities.size();
  report.lost_in_gaps += lost_in_gaps(work, outcome, start - work.frame);
  if (!outcome.ended) {
    report.end = ImpactEnd::cut_off;
    report.fault = fmt::format("impact {} still approaches after {} applications of its operator",
                               name_of(work.zone), outcome.applications);
  }
  return {outcome.velocity + work.frame, space.scale.cwiseProduct(outcome.impulse)};
}

NormalOutcome inelastic_part(ZoneWork& work, const Eigen::VectorXd& start) {
  ++work.report.inelastic_solves;
  const FoundImpulses found = inelastic_outcome(work.space, start, work.resting);
  if (!found.settled && work.report.end == ImpactEnd::ended) {
    work.report.end = ImpactEnd::unsettled;
    work.report.fault = fmt::format(
        "impact {}: the search for its inelastic outcome was cut off; what still approaches is "
        "left to the step's problem",
        name_of(work.zone));
  }
  const Eigen::VectorXd velocity = start + work.space.normals * found.sizes;
  work.inelastic_loss +=
      0.5 * ((start - work.frame).squaredNorm() - (velocity - work.frame).squaredNorm());
  return {velocity, work.space.scale.cwiseProduct(found.sizes)};
}

/// Stages 1 to 3 from @p start: the mixture of both outcomes.
NormalOutcome frictionless(ZoneWork& work, const Eigen::VectorXd& start) {
  const double e = work.report.restitution;
  if (e <= 0.0) return inelastic_part(work, start);
  NormalOutcome elastic = elastic_part(work, start);
  if (e >= 1.0) return elastic;
  const NormalOutcome inelastic = inelastic_part(work, start);
  return {(1.0 - e) * inelastic.velocity + e * elastic.velocity,
          (1.0 - e) * inelastic.impulse + e * elastic.impulse};
}

bool approaches(const ZoneWork& work, const Eigen::VectorXd& y) {
  const Eigen::VectorXd approach = work.space.normals.transpose() * y + work.space.offset;
  const double still = work.options.elastic.epsilon * (y - work.frame).norm();
  return (approach + thresholds_of(work.resting, still, approach.size())).minCoeff() < 0.0;
}

/// Stage 4: @p outcome goes on. @returns the tangential impulses, N s.
std::vector<Eigen::Vector2d> add_friction(ZoneWork& work, NormalOutcome& outcome) {
  FrictionOutcome friction =
      apply_friction(work.zone, work.space, outcome.impulse, outcome.velocity, work.resting);
  work.report.friction_sweeps = friction.sweeps;
  if (friction.sweeps == 0) return std::move(friction.impulse);
  if (!approaches(work, outcome.velocity)) return std::move(friction.impulse);
  const NormalOutcome after = frictionless(work, outcome.velocity);
  outcome.velocity = after.velocity;
  outcome.impulse += after.impulse;
  return std::move(friction.impulse);
}

/// The largest speed at which a contact of the zone approaches, m/s.
double approach_speed(const ImpactProblem& zone, const ImpactVelocities& velocities) {
  double speed = 0.0;
  for (const ImpactContact& contact : zone.contacts) {
    speed = std::max(speed, -normal_velocity(contact, velocities));
  }
  return speed;
}

/// The report of a zone before its impact; its energies and its approach are those before.
ImpactReport report_before(const ImpactProblem& zone, const EnergySpace& space) {
  ImpactReport report;
  report.n_bodies = zone.bodies.size();
  report.n_contacts = zone.contacts.size();
  report.restitution = zone_restitution(zone);
  report.energy_before = report.energy_after = 0.5 * space.velocity.squaredNorm();
  report.approach_left = approach_speed(zone, velocities_of(zone));
  return report;
}

void resolve_zone(ZoneWork& work, const ImpactZone& zone, ImpactOutcome& outcome) {
  ImpactReport& report = work.report;
  NormalOutcome normal = frictionless(work, work.space.velocity);
  std::vector<Eigen::Vector2d> tangential(work.zone.contacts.size(), Eigen::Vector2d::Zero());
  if (work.options.friction && report.end != ImpactEnd::cut_off)
    tangential = add_friction(work, normal);
  report.energy_after = 0.5 * normal.velocity.squaredNorm();
  if (report.lost_in_gaps <= kLostByRounding * report.energy_before) report.lost_in_gaps = 0.0;
  const bool is_notable =
      report.restitution >= 1.0 || report.lost_in_gaps > kLostAnyway * work.inelastic_loss;
  if (is_notable) report.lost_by_length = report.lost_in_gaps;
  const ImpactVelocities velocities = to_velocities(work.space, normal.velocity);
  report.approach_left = approach_speed(work.zone, velocities);
  for (std::size_t b = 0; b < velocities.size(); ++b) {
    outcome.velocity[static_cast<std::size_t>(zone.bodies[b])] = velocities[b];
  }
  for (std::size_t i = 0; i < tangential.size(); ++i) {
    outcome.impulse[static_cast<std::size_t>(zone.contacts[i])] =
        Vec3(normal.impulse[static_cast<Eigen::Index>(i)], tangential[i][0], tangential[i][1]);
  }
}

}  // namespace

std::vector<double> inelastic_impulses(const ImpactProblem& zone) {
  const EnergySpace space = energy_space(zone);
  const Eigen::VectorXd impulse =
      space.scale.cwiseProduct(inelastic_outcome(space, space.velocity).sizes);
  return {impulse.begin(), impulse.end()};
}

ImpactOutcome resolve_impacts(const ImpactProblem& problem, const ImpactOptions& options) {
  ImpactOutcome outcome;
  outcome.velocity = velocities_of(problem);
  outcome.impulse.assign(problem.contacts.size(), Vec3::Zero());
  std::vector<std::int32_t> place(problem.bodies.size());
  for (const ImpactZone& zone : impact_zones(problem)) {
    const bool is_all = zone.contacts.size() == problem.contacts.size() &&
                        zone.bodies.size() == problem.bodies.size();
    const ImpactProblem copy = is_all ? ImpactProblem{} : part_of(problem, zone, place);
    const ImpactProblem& part = is_all ? problem : copy;
    ZoneWork work{options, part, energy_space(part)};
    work.report = report_before(part, work.space);
    ImpactReport& report = work.report;
    if (report.restitution <= 0.0 && !options.inelastic_zones) continue;
    const auto start = std::chrono::steady_clock::now();
    MovingFrame frame = moving_frame(work.space);
    report.programs = frame.programs;
    if (frame.programs > 0) {
      report.program_seconds =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    if (frame.velocity) {
      work.frame = *std::move(frame.velocity);
      work.resting = resting_of(options, work.space, report.restitution);
      resolve_zone(work, zone, outcome);
    } else {
      report.end = ImpactEnd::walls_close;
      report.fault = fmt::format("impact {}: walls squeeze the bodies between them", name_of(part));
    }
    outcome.zones.push_back(std::move(report));
  }
  return outcome;
}

}  // namespace scree
