#pragma once

/// Impacts of any restitution between many bodies at once, which always end and never give kinetic
/// energy (impact/ resolve_impacts.hpp), amid what forces do in the step. So what never grows is
/// the kinetic energy plus the mean of the potential at both ends of a step (striking_bodies.hpp).
///
///     w = (v^0 + v_free)/2                                       the velocities that strike
///     repeat  contacts that are closed, or that w would close in the step, are active, and stay so
///             zones of active contacts where a new one approaches faster than the threshold:  w = R(w)
///     until   no pair closes any more that did not before
///     v_free' = w + (v_free - v^0)/2                             and then the problem of the forces
///
/// So a pair that closes because of an impact in the same step is not met inelastically, and as
/// active contacts only become more, it ends. What approaches more slowly than the threshold is
/// resting: it is left to the problem, so that what rests stays at rest; so are zones without
/// restitution, which the problem meets with friction at once, and slower approaches within zones
/// that lose energy. Compliant contacts take no part, nor do later constraints of the step
/// (step/recursion.hpp).
///
/// | symbol    | meaning                                                                       | unit |
/// | ---       | ---                                                                           | ---  |
/// | R         | the impacts: each zone by one coefficient of restitution, then one-way friction | |
/// | threshold | approach that is resting: as given, or twice what gravity gives in the step; and at least twice what the forces of the step add to it | m/s  |
///
/// Where an impact does not end the velocities are those when it was given up, as safe as any, and
/// the report says so: the problem of the step then meets what still approaches.
/// Reference: paper 000, sections 2, 4 and 6; w and the rounds are ours.

#include <cstdint>

#include "scree/impact/impact_operator.hpp"
#include "scree/step/impact.hpp"

namespace scree {

/// The keys of the law under `impact:`.
struct EnergeticOptions {
  ImpactOperatorKind operator_kind = ImpactOperatorKind::gauss_seidel;
  ImpactOrder order = ImpactOrder::worst_first;
  std::int64_t seed = 1;
  double threshold = 0.0;  ///< m/s; 0: twice what gravity gives in a step

  void declare(Declaration& d);
  bool operator==(const EnergeticOptions&) const = default;
  std::string fault() const;
};

class EnergeticImpacts final : public ImpactLaw {
 public:
  using Options = EnergeticOptions;
  static constexpr std::string_view kName = "energetic";
  static constexpr std::string_view kHelp =
      "all contacts that collide at once, which never adds energy";
  static constexpr bool kNeedsInertia = true;
  static std::vector<FigureColumn> columns();

  EnergeticImpacts(const Options& options, double gravity) : options_(options), gravity_(gravity) {}

  bool reads_velocities_before() const override { return true; }
  ResolvedImpacts act(const FormulatedStep& step, ContactView contacts,
                      const Goal& goal) const override;

 private:
  Options options_;
  double gravity_;  ///< m/s^2
};

}  // namespace scree
