#include "scree/step/impact/energetic.hpp"

#include <algorithm>

#include "scree/base/parallel.hpp"
#include "striking_bodies.hpp"
#include "zone_labels.hpp"
#include "zone_solves.hpp"

namespace scree {
namespace {

/// A gap below this share of a contact's arm is closed: pairs that were placed touching.
constexpr double kTouching = 1e-9;
/// Applications a contact before linear programs look for implicit equalities.
constexpr std::int64_t kPatience = 20;
/// What gravity gives in a step, times this, is no impact: what rests comes with up to that speed.
constexpr double kRestingSteps = 2.0;

/// The active contacts of this rank, which only become more.
class ActiveSet {
 public:
  ActiveSet(const PosedStep& step, std::span<const Contact> contacts, double threshold)
      : step_(step), contacts_(contacts), threshold_(threshold), is_active_(contacts.size()) {}

  /// Adds what the velocities of @p bodies close. @returns those of the new ones that strike.
  std::vector<std::int32_t> extend(const StrikingBodies& bodies) {
    std::vector<std::int32_t> striking;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      if (is_active_[i] || !takes_part(i)) continue;
      const double approach = -bodies.contact_velocity(i)[0];
      if (!closes(i, approach)) continue;
      is_active_[i] = true;
      active_.push_back(static_cast<std::int32_t>(i));
      if (approach > threshold_) striking.push_back(active_.back());
    }
    return striking;
  }
  const std::vector<std::int32_t>& active() const { return active_; }

 private:
  bool takes_part(std::size_t i) const {
    return !step_.terms[i].loaded && contacts_[i].key.recursion == 0;
  }
  bool closes(std::size_t i, double approach) const {
    const double touching = kTouching * contacts_[i].arm_a.norm();
    return step_.terms[i].gap <= touching + step_.dt * std::max(approach, threshold_);
  }

  const PosedStep& step_;
  std::span<const Contact> contacts_;
  double threshold_;
  std::vector<bool> is_active_;
  std::vector<std::int32_t> active_;
};

ImpactOptions options_of(const ImpactLawOptions& options) {
  ImpactOptions result;
  result.elastic.kind = options.operator_kind;
  result.elastic.order = options.order;
  result.elastic.seed = static_cast<std::uint64_t>(options.seed);
  result.elastic.patience = kPatience;
  result.inelastic_zones = false;
  return result;
}

/// Adds the impulses of @p active contacts to the rows of @p struck.
void add(const std::vector<Vec3>& impulse, std::span<const std::int32_t> active, const Cones& cones,
         Vec struck) {
  const petsc::View rows(struck);
  for (std::size_t k = 0; k < active.size(); ++k) {
    const std::size_t row = cones.row(active[k]);
    for (int j = 0; j < std::min(cones.dim(active[k]), 3); ++j) rows[row + j] += impulse[k][j];
  }
}

}  // namespace

Struck EnergeticImpacts::act(PosedStep& step, std::span<const Contact> contacts,
                             SolverDriver& solver) const {
  const ContactProblem& problem = step.problem;
  const double threshold =
      options_.threshold > 0.0 ? options_.threshold : kRestingSteps * gravity_ * step.dt;
  const ImpactOptions options = options_of(options_);
  StrikingBodies bodies(step);
  ActiveSet set(step, contacts, threshold);
  Struck struck;
  while (true) {
    const std::vector<std::int32_t> striking = set.extend(bodies);
    if (max_over_ranks(problem.comm, striking.empty() ? 0 : 1) == 0) break;
    solver.heed(problem.comm);
    const std::vector<double> labels = zone_labels(problem, {set.active(), striking});
    const ZoneOutcome outcome =
        resolve_zones({step, contacts, set.active(), labels}, options, bodies);
    if (!struck.impulse) struck.impulse = petsc::duplicate(problem.r.get());
    add(outcome.impulse, set.active(), problem.cones, struck.impulse.get());
    struck.figures.add(outcome.figures);
    ++struck.figures.rounds;
  }
  if (struck.impulse) bodies.write(step);
  struck.figures.sum_over_ranks(problem.comm);
  return struck;
}

}  // namespace scree
