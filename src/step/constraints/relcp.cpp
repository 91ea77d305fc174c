#include "relcp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "scree/config/declaration.hpp"
#include "scree/step/recursion.hpp"
#include "scree/step/stepper.hpp"
#include "scree/step/worst_contact.hpp"
#include "step/allowance.hpp"
#include "step/constraints/stand_ins.hpp"
#include "step/contact_impulse.hpp"
#include "step/formulate_and_solve.hpp"
#include "step/pair_springs.hpp"
#include "step/solve_error.hpp"
#include "step/sourced_rows.hpp"

namespace scree {
namespace {

/// The error that the first solve of a step may have, over the square root of the tolerance of
/// overlaps.
constexpr double kFirstShare = 0.5;
/// The error that normals of a solve may have, over the overlap that it is to remove.
constexpr double kErrorShare = 0.1;
/// The least that they are asked for, over the tolerance of overlaps. Less than half, so that each
/// solve that is asked for no further row is asked for less than the one before.
constexpr double kTightest = 0.4;

/// A solve that converged, to which the step can go back.
struct ConvergedSolve {
  ContactList contacts;
  EarlierImpulses impulses;
  double error;
  EndOverlap overlap;
};

constexpr FigureColumn kRecursions{
    "recursions", "1", "how often the step was solved again with further constraints (relcp)"};

/// Bounds of the recursions of a step.
struct RecursionBounds {
  double overlap;           ///< that the last may leave, over the inscribed radius
  std::int64_t recursions;  ///< at most
};

/// Recursions that the part at hand may take, where a whole step may take @p of_one.
std::int64_t recursions_of_part(std::int64_t of_one, const State& state) {
  return std::min(of_one, kPartsWorth * of_one - state.spent.recursions);
}

/// Whether a row of the start says no more than where its pair meets: impacts and cohesion are told
/// by rows that are of the start.
bool goes_with_its_geometry(const StepWork& work, const Contact& row) {
  const auto& material = work.state.bodies.material;
  const PairLaw& law = work.setup.laws.law(material[row.a], material[row.b]);
  return law.restitution == 0.0 && law.cohesion == 0.0 &&
         !work.setup.impact_law->reads_velocities_before();
}

class Recursions {
 public:
  Recursions(const StepWork& work, const RecursionBounds& bounds, SolvedContacts& step)
      : work_(work),
        step_(step),
        dt_(work.input.clock.dt),
        tolerance_(bounds.overlap),
        max_recursions_(recursions_of_part(bounds.recursions, work.state)),
        limit_(seconds_of_part(work.state, work.machinery.solver)),
        most_(kErrorPerStep * radius_per_step(work)),
        // what a loose solve leaves of springs shows in no overlap
        error_(work.setup.laws.any_compliant() ? kTightest * tolerance_
                                               : kFirstShare * std::sqrt(tolerance_)),
        stand_ins_([&work](const Contact& row) { return goes_with_its_geometry(work, row); }) {}

  /// @p contacts: of the first solve.
  void run(ContactList contacts) {
    formulate_and_solve(work_, {.velocity_error = bound(), .max_seconds = limit_},
                        std::move(contacts), step_);
    while (look() && !is_settled()) {
      if (is_converged()) last_converged_ = {step_.contacts, impulses_now(), error_, step_.overlap};
      error_ = std::min(error_, next_error());
      ++count_;
      EarlierImpulses impulses = impulses_now();
      std::vector<Contact> with_more = with_lacking(impulses.contacts);
      solve_again(std::move(with_more), impulses, seconds_left());
    }
    step_.contacts = stand_ins_.known_by_the_start(std::move(step_.contacts));
    step_.recursions = count_;
    step_.constraint_figures.add(kRecursions.name, static_cast<double>(count_));
    step_.constraint_figures.add(kOverlapColumn.name, overlap());
  }

 private:
  bool is_converged() const { return step_.impact.report.status == Status::converged; }
  double overlap() const { return step_.overlap.largest; }
  /// Speeds by which contacts may miss their law, m/s.
  double bound() const { return std::min(most_, error_ * work_.state.smallest_radius / dt_); }

  /// The error that the next solve may have, over the smallest radius: errors of contacts are those
  /// of tangents and of impulses, too, and normals, which overlaps are of, miss by that share of
  /// them by which they missed in the last solve.
  double next_error() const {
    const double asked = std::max(kTightest * tolerance_, kErrorShare * overlap());
    const double radius = work_.state.smallest_radius;
    const double made = step_.impact.report.measures.velocity_error * dt_ / radius;
    return missed_ > 0.0 ? std::max(asked, asked * made * radius / missed_) : asked;
  }

  /// Looks at the bodies where the last solve brings them: the report has what overlaps there (NaN
  /// where they are nowhere), and lacking_ what it asks for. Whether nearest points were found.
  /// Collective.
  bool look() {
    return work_.seconds.time(&StageSeconds::contacts, [this] { return look_untimed(); });
  }

  bool look_untimed() {
    const auto& [state, setup, machinery, input, seconds] = work_;
    step_.overlap = {.largest = std::numeric_limits<double>::quiet_NaN()};
    if (!std::isfinite(step_.impact.report.measures.residual)) return true;
    TrialOverlaps end = find_trial_overlaps(work_, step_);
    trial_ = std::move(end.trial);
    const Trial& trial = trial_;
    auto& found = end.found;
    if (!found.fault.empty()) {
      if (!is_converged()) return true;  // velocities that did not converge may lead anywhere
      refuse_convergence(Status::breakdown, found.fault);
      return false;
    }
    Allowances allowed = allowances(step_.contacts, springs_now(), recovered_by_rows(), trial, dt_);
    stand_ins_.add_to(allowed);
    Overlaps left = pulled_back(state.bodies, found.contacts, allowed, trial, tolerance_,
                                static_cast<std::int32_t>(count_) + 1, dt_);
    report_largest(left, machinery.comm, step_.overlap);
    const auto [rigid, recovered] = rigid_rows();
    erase_errors_of_solve(state.bodies, rigid, recovered, trial, tolerance_, dt_, left.constraints);
    missed_ = max_over_ranks(machinery.comm, largest_miss(rigid, recovered, trial, dt_));
    lacking_ = std::move(left.constraints);
    lacking_springs_ = std::move(left.springs);
    return true;
  }

  /// Of each contact the overlap of the start that its row undoes, m; 0 where it yields.
  std::vector<double> recovered_by_rows() const {
    std::vector<double> recovered;
    for (std::size_t i = 0; i < step_.contacts.size(); ++i) {
      const ContactTerms one = step_.formulated.terms[i];
      recovered.push_back(one.compliant ? 0.0 : std::max(-dt_ * one.gap_bias, 0.0));
    }
    return recovered;
  }

  /// The rigid contacts, and what their rows undo.
  std::pair<std::vector<Contact>, std::vector<double>> rigid_rows() const {
    const std::vector<double> recovered = recovered_by_rows();
    std::pair<std::vector<Contact>, std::vector<double>> rows;
    for (std::size_t i = 0; i < recovered.size(); ++i) {
      if (step_.formulated.terms[i].compliant) continue;
      rows.first.push_back(step_.contacts[i]);
      rows.second.push_back(recovered[i]);
    }
    return rows;
  }

  /// Whether the step is to be solved no more: there is no overlap left, or no use in looking for
  /// more. Collective.
  bool is_settled() {
    if (!is_converged()) {
      if (!last_converged_) return true;
      if (used_unconverged_ || !errs_little()) {
        take_back();
        return true;
      }
      used_unconverged_ = true;
    }
    if (overlap() <= tolerance_) return true;
    if (seconds_left() <= 0.0) {
      refuse_for_overlap(Status::time_limit, fmt::format("in {:.3g} s", limit_));
      return true;
    }
    if (count_ < max_recursions_) return false;
    refuse_for_overlap(Status::iteration_limit, fmt::format("after {} recursions", count_));
    return true;
  }

  /// Of the time that all solves of the step may take together. Collective.
  double seconds_left() const {
    if (!std::isfinite(limit_)) return limit_;
    return limit_ - max_over_ranks(work_.machinery.comm, step_.impact.report.seconds);
  }

  /// Whether a solve that did not converge errs by less than the overlap that it was to remove.
  bool errs_little() const {
    const double missed = step_.impact.report.measures.velocity_error * dt_;
    return std::isfinite(overlap()) &&
           missed < last_converged_->overlap.largest * work_.state.smallest_radius;
  }

  /// The step as the last solve that converged left it. Collective.
  void take_back() {
    error_ = last_converged_->error;
    // it ends where it starts
    solve_again(last_converged_->contacts.copy(), last_converged_->impulses,
                std::numeric_limits<double>::infinity());
    step_.overlap = last_converged_->overlap;
    refuse_for_overlap(Status::iteration_limit,
                       fmt::format("recursion {} was not solved: without it", count_));
  }

  /// Collective. @p impulses to start from, @p seconds that it may take
  void solve_again(std::vector<Contact> contacts, const EarlierImpulses& impulses, double seconds) {
    SolverReport before = std::move(step_.impact.report);
    std::ranges::sort(contacts, {}, &Contact::key);
    formulate_and_solve(work_,
                        {.velocity_error = bound(),
                         .max_seconds = seconds,
                         .earlier = &impulses,
                         .springs = histories_},
                        ContactList(contacts, are_of_balls(contacts, work_.state.bodies)), step_);
    SolverReport& report = step_.impact.report;
    report.iterations += before.iterations;
    report.inner_iterations += before.inner_iterations;
    report.seconds += before.seconds;
    // of the solves before, what went wrong is told
    std::erase_if(before.attempts,
                  [](const SolverAttempt& attempt) { return attempt.status == Status::converged; });
    report.attempts.insert(report.attempts.begin(),
                           std::make_move_iterator(before.attempts.begin()),
                           std::make_move_iterator(before.attempts.end()));
  }

  std::vector<SpringState> springs_now() const {
    const petsc::ConstView impulse(step_.impact.impulse.get());
    return springs_of(step_.formulated, step_.contacts, step_.histories, impulse.span());
  }

  /// Beyond what is allowed, of each of lacking_, m.
  std::vector<double> overlaps_of_lacking() const {
    std::vector<double> overlaps;
    for (const Contact& one : lacking_) {
      overlaps.push_back(-(one.gap + dt_ * normal_speed(one, trial_.velocities)));
    }
    return overlaps;
  }

  /// The contacts with what lacks. @p impulses, for them to start from, likewise.
  std::vector<Contact> with_lacking(std::vector<ContactRecord>& impulses) {
    std::vector<Contact> contacts = step_.contacts.copy();
    stand_ins_.take_places(work_.state.bodies, lacking_, overlaps_of_lacking(), recovered_by_rows(),
                           contacts, impulses);
    if (!lacking_springs_.empty()) share_springs(contacts, impulses);
    contacts.insert(contacts.end(), lacking_.begin(), lacking_.end());
    return contacts;
  }

  /// Adds what compliant pairs lack, and has these pairs share their stiffness anew.
  void share_springs(std::vector<Contact>& contacts, std::vector<ContactRecord>& impulses) {
    std::map<PairKey, std::vector<LoadedContact>> pairs;
    for (const Contact& one : lacking_springs_) pairs[pair_of(one.key)];
    const petsc::ConstView impulse(step_.impact.impulse.get());
    for (std::size_t i = 0; i < step_.contacts.size(); ++i) {
      const auto pair = pairs.find(pair_of(step_.contacts[i].key));
      if (pair != pairs.end()) pair->second.push_back(loaded(i, impulse.span()));
    }
    std::erase_if(contacts, [&](const Contact& one) { return pairs.contains(pair_of(one.key)); });
    std::erase_if(impulses,
                  [&](const ContactRecord& one) { return pairs.contains(pair_of(one.key)); });
    const Store& bodies = work_.state.bodies;
    const std::vector<BodyInertia> inertias = apparent_inertias(*work_.setup.stepper, bodies, dt_);
    const auto inverse_mass = [&](std::int32_t slot) -> Mat6 {
      if (bodies.is_prescribed(slot)) return Mat6::Zero();
      return inverse_mass_of(bodies, slot, inertias[slot]);
    };
    for (const Contact& one : lacking_springs_) {
      std::vector<LoadedContact>& points = pairs[pair_of(one.key)];
      points.push_back(joined(one, normal_speed(one, trial_.velocities), dt_, points));
    }
    for (auto& [key, points] : pairs) {
      const Contact& first = points.front().contact;
      share_stiffness(points, inverse_mass(first.a), inverse_mass(first.b));
      for (const LoadedContact& point : points) {
        contacts.push_back(point.contact);
        histories_[point.contact.key] = point.history;
        ContactRecord record;
        record.key = point.contact.key;
        record.force = point.load / dt_ * point.contact.normal + point.tangential_force;
        impulses.push_back(record);
      }
    }
    std::ranges::sort(impulses, {}, &ContactRecord::key);
  }

  LoadedContact loaded(std::size_t i, std::span<const double> impulse) const {
    const Contact contact = step_.contacts[i];
    const ContactTerms terms = step_.formulated.terms[i];
    const ContactSpan rows = step_.formulated.contact_rows();
    const ContactImpulse solved = impulse_of(rows, contact, i, impulse);
    LoadedContact one;
    one.contact = contact;
    one.history = step_.histories[i];
    one.load = solved.normal;
    one.speed = normal_speed(contact, trial_.velocities) + terms.gap_bias;
    one.softness = rows.normal_softness(i) / contact.sharing;
    if (contact.key.recursion == 0) one.history.stiffness_gap = contact.gap;
    const double gap = contact.gap - one.history.rest_gap;
    if (gap < 0.0) one.bias_share = terms.gap_bias * dt_ / gap;
    one.tangential_force = (solved.linear - solved.normal * contact.normal) / dt_;
    return one;
  }

  EarlierImpulses impulses_now() const {
    const petsc::ConstView impulse(step_.impact.impulse.get());
    const std::span<const double> of_sources = span_of_sources(step_.sourced, impulse.span());
    return {impulses_of(step_.contacts, step_.formulated.problem, impulse.span(), dt_),
            {of_sources.begin(), of_sources.end()}};
  }

  /// Says that the step is not solved, and why, besides what the solver had to say.
  void refuse_convergence(Status status, const std::string& why) {
    SolverReport& report = step_.impact.report;
    report.status = status;
    report.attempts.push_back({std::string(RelcpConstraints::kName), status});
    report.reason += (report.reason.empty() ? "" : "; ") + why;
    step_.overlap.leaves_unsolved = true;
  }

  void refuse_for_overlap(Status status, const std::string& when) {
    const EndOverlap& left = step_.overlap;
    const std::vector<ToolSpec>& tools = work_.setup.tools;
    refuse_convergence(status, fmt::format("{} {} and {} overlap by {:.1e} of a radius", when,
                                           name_of_body(left.id_a, tools),
                                           name_of_body(left.id_b, tools), left.largest));
  }

  const StepWork& work_;
  SolvedContacts& step_;
  double dt_;
  double tolerance_;
  std::int64_t max_recursions_;
  std::int64_t count_ = 0;  ///< how often the problem was solved again
  double limit_;            ///< of the time of all solves, s
  double most_;
  double error_;                  ///< of the last solve at most, over the smallest radius
  double missed_ = 0.0;           ///< by how much the last solve missed a normal's row at most, m
  Trial trial_;                   ///< where the last solve brings the bodies
  std::vector<Contact> lacking_;  ///< of this rank, found where the last solve brings the bodies
  std::vector<Contact> lacking_springs_;            ///< of compliant pairs, found there, too
  std::map<ContactKey, ContactHistory> histories_;  ///< of constraints of compliant pairs
  StandIns stand_ins_;
  std::optional<ConvergedSolve> last_converged_;
  bool used_unconverged_ = false;  ///< whether a solve was used that did not converge
};

}  // namespace

void RelcpOptions::declare(Declaration& d) {
  d.integer("max_recursions", max_recursions,
            {.help = "of relcp: how often a step is solved again at most; a step that needs more "
                     "is not converged. All parts of a step that is cut may take ten times as "
                     "many together",
             .min = 1,
             .max = 10000});
}

std::vector<FigureColumn> RelcpConstraints::columns() {
  return {kRecursions};
}

SolvedContacts RelcpConstraints::solve(const StepWork& work, ContactList contacts) const {
  SolvedContacts step;
  Recursions recursions(work, {overlap_tolerance_, max_recursions_}, step);
  recursions.run(std::move(contacts));
  return step;
}

}  // namespace scree
