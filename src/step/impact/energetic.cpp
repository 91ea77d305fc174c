#include "energetic.hpp"

#include <algorithm>

#include "energetic_figures.hpp"
#include "scree/base/parallel.hpp"
#include "scree/config/declaration.hpp"
#include "striking_bodies.hpp"
#include "zone_labels.hpp"
#include "zone_solves.hpp"

namespace scree {
namespace {

/// Applications a contact before linear programs look for implicit equalities.
constexpr std::int64_t kPatience = 20;
/// Bodies at rest approach with up to the speed that forces give in a step times this: that is no
/// impact.
constexpr double kRestingSteps = 2.0;

/// Speeds up to which an approach is no impact.
struct Resting {
  double bound;    ///< as given, or the next, m/s
  double gravity;  ///< by what gravity gives in the step, m/s
};

/// The contacts of this rank that take part, which only become more.
class ClosedContacts {
 public:
  ClosedContacts(const FormulatedStep& step, ContactView contacts, Resting resting)
      : step_(step), contacts_(contacts), resting_(resting), is_closed_(contacts.size()) {}

  /// Adds what the velocities of @p bodies close. @returns those of the new ones that strike.
  std::vector<std::int32_t> extend(const StrikingBodies& bodies) {
    std::vector<std::int32_t> striking;
    const auto before = static_cast<std::ptrdiff_t>(closed_.size());
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      if (is_closed_[i] || !takes_part(i)) continue;
      const double approach = -bodies.normal_velocity(i);
      if (!closes(i, approach, bodies)) continue;
      is_closed_[i] = true;
      closed_.push_back(static_cast<std::int32_t>(i));
      if (approach > std::max(resting_.bound, kRestingSteps * bodies.gained_approach(i))) {
        striking.push_back(closed_.back());
      }
    }
    std::inplace_merge(closed_.begin(), closed_.begin() + before, closed_.end());
    return striking;
  }
  /// Ascending.
  const std::vector<std::int32_t>& closed() const { return closed_; }

 private:
  bool takes_part(std::size_t i) const {
    return !step_.terms[i].compliant && contacts_[i].key.recursion == 0;
  }
  bool closes(std::size_t i, double approach, const StrikingBodies& bodies) const {
    const double left = contacts_[i].gap - step_.dt * std::max(approach, resting_.gravity);
    return left <= 0.0 || left <= bodies.touching(i);
  }

  const FormulatedStep& step_;
  ContactView contacts_;
  Resting resting_;
  std::vector<bool> is_closed_;
  std::vector<std::int32_t> closed_;
};

ImpactOptions options_of(const EnergeticOptions& options, double threshold) {
  ImpactOptions result;
  result.elastic.kind = options.operator_kind;
  result.elastic.order = options.order;
  result.elastic.seed = static_cast<std::uint64_t>(options.seed);
  result.elastic.patience = kPatience;
  result.resting = threshold;
  result.inelastic_zones = false;
  return result;
}

/// Adds the impulses of @p active contacts to the rows of @p impacts.
void add(const std::vector<Vec3>& impulse, std::span<const std::int32_t> active,
         const ContactSpan& contacts, Vec impacts) {
  const petsc::View all(impacts);
  for (std::size_t k = 0; k < active.size(); ++k) {
    const std::span<double> rows = contacts.of(static_cast<std::size_t>(active[k]), all.span());
    for (std::size_t j = 0; j < std::min<std::size_t>(rows.size(), kForceRows); ++j) {
      rows[j] += impulse[k][static_cast<Eigen::Index>(j)];
    }
  }
}

}  // namespace

void EnergeticOptions::declare(Declaration& d) {
  d.enumeration("operator", operator_kind,
                {.help = "of energetic: one contact after another, or all that approach reflected "
                         "at once, which keeps symmetries"});
  d.enumeration("order", order, {.help = "of gauss_seidel: which of the contacts that approach"});
  d.integer("seed", seed, {.help = "of the random order", .min = 0});
  d.real("threshold", threshold,
         {.help = "of energetic: a contact that approaches more slowly counts as resting, in zones "
                  "that lose energy, too; 0: twice the speed that gravity gives in a step",
          .unit = "m/s",
          .min = 0.0});
}

std::string EnergeticOptions::fault() const {
  if (operator_kind == ImpactOperatorKind::gauss_seidel || order == EnergeticOptions().order) {
    return {};
  }
  return "has an order, which the operator reflections does not read; leave it out";
}

std::vector<FigureColumn> EnergeticImpacts::columns() {
  return EnergeticFigures::columns();
}

ResolvedImpacts EnergeticImpacts::act(const FormulatedStep& step, ContactView contacts,
                                      const Goal& goal) const {
  const ContactProblem& problem = step.problem;
  const double weight = kRestingSteps * gravity_ * step.dt;
  const double threshold = options_.threshold > 0.0 ? options_.threshold : weight;
  const ImpactOptions options = options_of(options_, threshold);
  StrikingBodies bodies(step);
  ClosedContacts closed(step, contacts, {threshold, weight});
  ResolvedImpacts impacts;
  EnergeticFigures figures;
  while (true) {
    const std::vector<std::int32_t> striking = closed.extend(bodies);
    if (max_over_ranks(problem.comm, striking.empty() ? 0 : 1) == 0) break;
    throw_if_given_up(problem.comm, goal);
    const std::vector<double> labels = zone_labels(problem, {closed.closed(), striking});
    const ZoneOutcome outcome =
        resolve_zones({step, contacts, closed.closed(), labels}, options, bodies);
    if (!impacts.impulse) impacts.impulse = petsc::duplicate(problem.r.get());
    add(outcome.impulse, closed.closed(), step.contact_rows(), impacts.impulse.get());
    figures.add(outcome.figures);
    ++figures.rounds;
  }
  if (impacts.impulse) impacts.changes = bodies.changes();
  figures.sum_over_ranks(problem.comm);
  impacts.figures = figures.in_columns();
  impacts.fault = figures.fault;
  impacts.leaves_unsolved = figures.cut_off > 0;
  impacts.lost_by_length = figures.lost_by_length;
  return impacts;
}

}  // namespace scree
