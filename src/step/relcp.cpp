#include "relcp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "scree/step/solve_error.hpp"
#include "scree/step/worst_contact.hpp"

namespace scree {
namespace {

/// What the first solve of a step may err by, over the square root of the tolerance of overlaps.
constexpr double kFirstShare = 0.5;
/// What normals of a solve may miss, over the overlap that it is to remove.
constexpr double kErrorShare = 0.1;
/// The least that they are asked for, over the tolerance of overlaps. Less than half, so that each solve that is asked for
/// no further row is asked for less than the one before.
constexpr double kTightest = 0.4;

/// A solve that converged, to which the step can go back.
struct Sound {
  std::vector<ContactRecord> impulses;
  double error;
  RecursionReport report;
};

/// The name of recursions among the methods that a step has tried.
constexpr const char* kRelcp = "relcp";

class Recursions {
 public:
  Recursions(const StepWork& work, const std::vector<Pair>& pairs, double velocity_error,
             SolvedContacts& step)
      : work_(work),
        pairs_(pairs),
        step_(step),
        dt_(work.input.clock.dt),
        tolerance_(work.setup.recursion.overlap_tolerance),
        most_(velocity_error),
        error_(kFirstShare * std::sqrt(tolerance_)) {}

  void run() {
    pose_and_solve(work_, {bound()}, step_);
    while (look() && !is_settled()) {
      const std::vector<ContactRecord> impulses = impulses_now();
      if (is_converged()) sound_ = {impulses, error_, step_.recursions};
      error_ = std::min(error_, next_error());
      ++step_.recursions.count;
      solve_again(impulses);
    }
  }

 private:
  bool is_converged() const { return step_.impact.report.status == Status::converged; }
  double overlap() const { return step_.recursions.overlap; }
  /// Speeds by which contacts may miss their law, m/s.
  double bound() const { return std::min(most_, error_ * work_.state.smallest_radius / dt_); }

  /// What the next solve may err by, over the smallest radius: errors of contacts are those of tangents and of impulses,
  /// too, and normals, which overlaps are of, miss by that share of them by which they missed in the last solve.
  double next_error() const {
    const double asked = std::max(kTightest * tolerance_, kErrorShare * overlap());
    const double radius = work_.state.smallest_radius;
    const double made = step_.impact.report.measures.velocity_error * dt_ / radius;
    return missed_ > 0.0 ? std::max(asked, asked * made * radius / missed_) : asked;
  }

  /// Looks at the bodies where the last solve brings them: the report has what overlaps there (NaN where they are
  /// nowhere), and lacking_ what it asks for. Whether nearest points were found. Collective.
  bool look() {
    return work_.seconds.time(&StageSeconds::contacts, [this] { return look_untimed(); });
  }

  bool look_untimed() {
    const auto& [state, setup, machinery, input, seconds] = work_;
    step_.recursions.overlap = std::numeric_limits<double>::quiet_NaN();
    step_.recursions.id_a = step_.recursions.id_b = -1;
    if (!std::isfinite(step_.impact.report.measures.residual)) return true;
    auto [trial, found] = tried(work_, pairs_, step_);
    if (!found.fault.empty()) {
      if (!is_converged()) return true;  // velocities that did not converge may lead anywhere
      refuse_convergence(Status::breakdown, found.fault);
      return false;
    }
    const double recovered = recovery_speed(state, setup) * dt_;
    Overlaps left =
        pulled_back(state.bodies, std::move(found.contacts), step_.contacts, trial, tolerance_,
                    recovered, static_cast<std::int32_t>(step_.recursions.count) + 1, dt_);
    report_largest(left, machinery.comm, step_.recursions);
    erase_errors_of_solve(state.bodies, step_.contacts, trial, tolerance_, recovered, dt_,
                          left.constraints);
    missed_ = max_over_ranks(machinery.comm, largest_miss(step_.contacts, trial, recovered, dt_));
    lacking_ = std::move(left.constraints);
    return true;
  }

  /// Whether the step is to be solved no more: there is no overlap left, or no use in looking for more. Collective.
  bool is_settled() {
    if (!is_converged()) {
      if (!sound_) return true;
      if (forgave_ || !errs_little()) {
        take_back();
        return true;
      }
      forgave_ = true;
    }
    if (overlap() <= tolerance_) return true;
    if (step_.recursions.count < work_.setup.recursion.max_recursions) return false;
    refuse_for_overlap(fmt::format("after {} recursions", step_.recursions.count));
    return true;
  }

  /// Whether a solve that did not converge errs by less than the overlap that it was to remove.
  bool errs_little() const {
    const double missed = step_.impact.report.measures.velocity_error * dt_;
    return std::isfinite(overlap()) &&
           missed < sound_->report.overlap * work_.state.smallest_radius;
  }

  /// The step as the last solve that converged left it. Collective.
  void take_back() {
    const std::int64_t count = step_.recursions.count;
    std::erase_if(step_.contacts, [this](const Contact& contact) {
      return contact.key.recursion > sound_->report.count;
    });
    error_ = sound_->error;
    lacking_.clear();
    solve_again(sound_->impulses);
    step_.recursions = sound_->report;
    step_.recursions.count = count;
    refuse_for_overlap(fmt::format("recursion {} was not solved: without it", count));
  }

  /// Collective. @p impulses to start from
  void solve_again(const std::vector<ContactRecord>& impulses) {
    SolverReport before = std::move(step_.impact.report);
    step_.contacts.insert(step_.contacts.end(), lacking_.begin(), lacking_.end());
    std::sort(step_.contacts.begin(), step_.contacts.end(),
              [](const Contact& a, const Contact& b) { return a.key < b.key; });
    pose_and_solve(work_, {bound(), &impulses}, step_);
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

  std::vector<ContactRecord> impulses_now() const {
    const petsc::ConstView impulse(step_.impact.impulse.get());
    return impulses_of(step_.contacts, step_.posed.problem, impulse.span(), dt_);
  }

  /// Says that the step is not solved, and why, besides what the solver had to say.
  void refuse_convergence(Status status, const std::string& why) {
    SolverReport& report = step_.impact.report;
    report.status = status;
    report.attempts.push_back({kRelcp, status});
    report.reason += (report.reason.empty() ? "" : "; ") + why;
  }

  void refuse_for_overlap(const std::string& when) {
    const RecursionReport& done = step_.recursions;
    const std::vector<ToolSpec>& tools = work_.setup.tools;
    refuse_convergence(
        Status::iteration_limit,
        fmt::format("{} {} and {} overlap by {:.1e} of a radius", when,
                    name_of_body(done.id_a, tools), name_of_body(done.id_b, tools), done.overlap));
  }

  const StepWork& work_;
  const std::vector<Pair>& pairs_;
  SolvedContacts& step_;
  double dt_;
  double tolerance_;
  double most_;
  double error_;                  ///< of the last solve at most, over the smallest radius
  double missed_ = 0.0;           ///< by how much the last solve missed a normal's row at most, m
  std::vector<Contact> lacking_;  ///< of this rank, found where the last solve brings the bodies
  std::optional<Sound> sound_;
  bool forgave_ = false;  ///< whether a solve was used that did not converge
};

}  // namespace

void solve_with_recursions(const StepWork& work, const std::vector<Pair>& pairs,
                           double velocity_error, SolvedContacts& step) {
  Recursions(work, pairs, velocity_error, step).run();
}

std::optional<WorstContact> pair_left(MPI_Comm comm, const Store& bodies,
                                      const SolvedContacts& step) {
  const RecursionReport& left = step.recursions;
  const std::vector<SolverAttempt>& tried = step.impact.report.attempts;
  if (left.id_a < 0 || tried.empty() || tried.back().method != kRelcp) return std::nullopt;
  const int size = size_of(comm);
  WorstContact pair{.key = {.id_a = left.id_a, .id_b = left.id_b}};
  int rank = 2 * size;  // those that have a contact of the pair come before the owner of A
  for (std::int32_t slot = bodies.first_owned(); slot < bodies.end_owned(); ++slot) {
    if (bodies.id[slot] != left.id_a) continue;
    pair.where = pair.point = bodies.position[slot];
    rank = size + rank_of(comm);
  }
  for (const Contact& contact : step.contacts) {
    if (contact.key.id_a != left.id_a || contact.key.id_b != left.id_b) continue;
    pair.where = bodies.position[contact.a];
    pair.point = pair.where + contact.arm_a;
    rank = rank_of(comm);
  }
  const int owner = min_over_ranks(comm, rank) % size;
  SCREE_MPI(MPI_Bcast(&pair, sizeof pair, MPI_BYTE, owner, comm));
  return pair;
}

}  // namespace scree
