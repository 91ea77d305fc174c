#include "scree/step/projection.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "scree/base/log_stage.hpp"
#include "scree/base/parallel.hpp"
#include "scree/contact/penetration.hpp"
#include "scree/loads/fluid.hpp"
#include "scree/problem/assemble.hpp"
#include "scree/step/recursion.hpp"
#include "scree/step/stepper.hpp"
#include "sourced_rows.hpp"

namespace scree {
namespace {

/// How often at most a projection is solved again with the contacts that it presses together.
constexpr int kMostSolves = 10;
/// Of the problem of the projection: its solution is the same on any number of ranks but for that.
constexpr double kResidual = 1e-8;
/// How far two bodies may go past each other in one projection, over the smaller radius: gaps are
/// linear in places but for the square of that way over twice the distance of the centres, which of
/// two equal balls is a four-hundredth of the radius. Their way out of their overlap counts not.
constexpr double kLargestWay = 0.1;
/// Error of a row of the projection, over the overlap that is left alone.
constexpr double kErrorShare = 0.01;

bool is_rigid(const Store& bodies, const ContactLaws& laws, const Contact& contact) {
  const std::int32_t a = bodies.material[contact.a];
  const std::int32_t b = bodies.material[contact.b];
  return laws.has(a, b) && !laws.law(a, b).elasticity.compliant();
}

/// One projection: the contacts that take part in it, and the moves that it has found.
class Projection {
 public:
  Projection(const State& state, const Setup& setup, Machinery& machinery,
             const ProjectionInput& input)
      : state_(state),
        setup_(setup),
        machinery_(machinery),
        input_(input),
        left_(kOverlapLeft * state.smallest_radius),
        takes_part_(input.contacts.size(), false),
        shift_(6 * static_cast<std::size_t>(input.numbers.n_rows), 0.0) {
    for (const Contact& contact : input.contacts) {
      is_rigid_.push_back(is_rigid(state.bodies, setup.laws, contact));
      gaps_.push_back(contact.gap);
    }
  }

  /// Collective.
  void solve() {
    const double before = deepest();
    add_deeper_than(0.5 * left_);
    std::vector<double> found;
    for (int k = 0; k < kMostSolves; ++k) {
      found = solved();
      move_gaps(found);
      if (!add_deeper_than(left_)) break;
    }
    if (!(before - deepest() > kErrorShare * left_)) return;
    shift_ = std::move(found);
    const double most = max_over_ranks(machinery_.comm, largest_way_);
    if (most > kLargestWay) {
      for (double& move : shift_) move *= kLargestWay / most;
    }
  }

  /// The deepest overlap of all ranks where the moves lead, m. Collective.
  double deepest() const {
    double depth = 0.0;
    for (std::size_t i = 0; i < gaps_.size(); ++i) {
      if (is_rigid_[i]) depth = std::max(depth, std::isfinite(gaps_[i]) ? -gaps_[i] : kNoMove);
    }
    return max_over_ranks(machinery_.comm, depth);
  }

  /// Six numbers for each block row of this rank over the dt of the step, as velocities.
  const std::vector<double>& shift() const { return shift_; }

 private:
  /// Worse than any overlap: of moves that are no numbers.
  static constexpr double kNoMove = std::numeric_limits<double>::infinity();

  /// Whether contacts of any rank were added. Collective.
  bool add_deeper_than(double depth) {
    bool added = false;
    for (std::size_t i = 0; i < gaps_.size(); ++i) {
      if (!is_rigid_[i] || takes_part_[i] || gaps_[i] >= -depth) continue;
      takes_part_[i] = true;
      added = true;
    }
    return max_over_ranks(machinery_.comm, added ? 1 : 0) > 0;
  }

  ContactProblem problem() const {
    std::vector<Contact> taking_part;
    for (std::size_t i = 0; i < takes_part_.size(); ++i) {
      if (takes_part_[i]) taking_part.push_back(input_.contacts[i]);
    }
    const bool of_balls = are_of_balls(taking_part, state_.bodies);
    const ContactList contacts(taking_part, of_balls);
    const std::vector<ContactHistory> histories(contacts.size());
    const std::vector<BodyInertia> inertias =
        apparent_inertias(*setup_.stepper, state_.bodies, input_.clock.dt);
    petsc::Vector at_rest = petsc::make_vector(machinery_.comm, shift_.size());
    const SourcedRows sourced =
        rows_of_sources(state_, setup_, machinery_.partition, input_.clock, RowsFor::places);
    FormulatedStep step =
        assemble(machinery_.comm, {state_.bodies, input_.numbers, inertias, std::move(at_rest)},
                 contacts, histories, setup_.laws.smooth(),
                 {.dt = input_.clock.dt,
                  .keeps_gap_bias = false,
                  .origin = "projection of places",
                  .given = &sourced.rows});
    petsc::Vector r = petsc::make_vector(machinery_.comm, step.problem.cones.rows());
    {
      const petsc::View gaps(r.get());
      for (std::size_t i = 0; i < contacts.size(); ++i) {
        gaps.data()[i] = contacts[i].gap / input_.clock.dt;
      }
      std::ranges::copy(sourced.rows.bias, span_of_sources(sourced, gaps.span()).begin());
    }
    return with(std::move(step.problem), {.r = std::move(r), .compliance = std::vector<double>()});
  }

  /// The moves over dt of the bodies of this rank's block rows. Collective.
  std::vector<double> solved() const {
    const ContactProblem smooth = problem();
    petsc::Vector lambda = petsc::make_vector(machinery_.comm, smooth.cones.rows());
    SolverDriver driver{SolverOptions()};
    Goal goal = driver.goal();
    goal.residual = kResidual;
    goal.velocity_error = kErrorShare * left_ / input_.clock.dt;
    goal.give_up = input_.give_up;
    driver.solve(smooth, goal, lambda.get());
    const petsc::Vector moves = end_velocity(smooth, lambda.get());
    const petsc::ConstView values(moves.get());
    return {values.span().begin(), values.span().end()};
  }

  /// The gaps of all contacts where @p moves lead, to first order, and how far these take two
  /// bodies past each other at most. Collective.
  void move_gaps(const std::vector<double>& moves) {
    const Trial trial = trial_of(state_.bodies, moves, machinery_.exchange, input_.clock.dt);
    const auto way = [&](std::int32_t slot, const Vec3& arm) -> Vec3 {
      if (state_.bodies.is_prescribed(slot)) return Vec3::Zero();
      const Vec6& v = trial.velocities[slot];
      return input_.clock.dt * (v.head<3>() + v.tail<3>().cross(arm));
    };
    largest_way_ = 0.0;
    for (std::size_t i = 0; i < gaps_.size(); ++i) {
      const Contact& c = input_.contacts[i];
      const Vec3 apart = way(c.a, c.arm_a) - way(c.b, c.arm_b);
      gaps_[i] = c.gap + c.normal.dot(apart);
      const double opening = std::clamp(c.normal.dot(apart), 0.0, std::max(-c.gap, 0.0));
      const double past = (apart - opening * c.normal).norm();
      largest_way_ = std::max(largest_way_, past / smaller_radius(state_.bodies, c.a, c.b));
    }
  }

  const State& state_;
  const Setup& setup_;
  Machinery& machinery_;
  const ProjectionInput& input_;
  double left_;  ///< m
  std::vector<bool> is_rigid_;
  std::vector<double> gaps_;  ///< m
  std::vector<bool> takes_part_;
  double largest_way_ = 0.0;  ///< of two bodies of this rank's contacts, over the smaller radius
  std::vector<double> shift_;
};

/// The largest overlap of rigid contacts of this rank over the smaller radius of the pair.
double relative_overlap(const Store& bodies, const ContactLaws& laws, ContactView contacts) {
  double largest = 0.0;
  for (const Contact& contact : contacts) {
    if (contact.gap >= 0.0 || !is_rigid(bodies, laws, contact)) continue;
    largest = std::max(largest, -contact.gap / smaller_radius(bodies, contact.a, contact.b));
  }
  return largest;
}

/// Whether a rigid contact of this rank overlaps by more than is left alone.
bool overlaps(const State& state, const ContactLaws& laws, ContactView contacts) {
  const double left = kOverlapLeft * state.smallest_radius;
  return std::ranges::any_of(contacts, [&](const Contact& contact) {
    return contact.gap < -left && is_rigid(state.bodies, laws, contact);
  });
}

/// The work of weight, force fields and loads along the ways of the bodies of this rank's block
/// rows, moved by @p shift times dt, J.
double work_along(const Store& bodies, const Setup& setup, const ProjectionInput& input,
                  const std::vector<double>& shift) {
  double work = 0.0;
  for_each_row(bodies, input.numbers.n_rows, [&](std::int32_t slot, std::int64_t row) {
    Vec6 force = input.loads[static_cast<std::size_t>(row)].force;
    force.head<3>() += buoyant_mass(bodies, slot, setup.medium.density) * setup.gravity;
    work += force.dot(input.clock.dt * Vec6(&shift[6 * row]));
  });
  return work;
}

/// The longest way of the centre of a body of this rank from where it was, m.
double longest_way(const Store& bodies, const BodyPlaces& before, const PeriodicCell& cell) {
  double longest = 0.0;
  for (std::int32_t slot = 0; slot < bodies.end_owned(); ++slot) {
    const Vec3 start = before.position[slot] + cell.shift(before.wraps[slot]);
    longest = std::max(longest, (unwrapped(bodies, cell, slot) - start).norm());
  }
  return longest;
}

/// Moves the owned grains and the free tools by @p shift times @p dt. Collective.
void move(MPI_Comm comm, Store& bodies, const std::vector<double>& shift, double dt) {
  const std::vector<Vec6> tools = of_free_tools(comm, bodies, shift);
  const std::int64_t n_owned = bodies.n_owned;
  for_each_row(bodies, n_owned + std::ssize(tools), [&](std::int32_t slot, std::int64_t i) {
    const Vec6 way = dt * (i < n_owned ? Vec6(&shift[6 * i]) : tools[i - n_owned]);
    bodies.position[slot] += way.head<3>();
    bodies.orientation[slot] = (rotation_by(way.tail<3>()) * bodies.orientation[slot]).normalized();
  });
}

}  // namespace

BodyPlaces places_of(const Store& bodies) {
  const auto of_known = [&bodies](const auto& field) {
    return std::vector(field.begin(), field.begin() + bodies.end_owned());
  };
  return {of_known(bodies.position), of_known(bodies.orientation), of_known(bodies.wraps)};
}

void restore_places(Store& bodies, const BodyPlaces& places) {
  const auto put = [](const auto& from, auto& field) {
    std::copy(from.begin(), from.end(), field.begin());
  };
  put(places.position, bodies.position);
  put(places.orientation, bodies.orientation);
  put(places.wraps, bodies.wraps);
}

bool project_overlaps(State& state, const Setup& setup, Machinery& machinery,
                      const ProjectionInput& input, std::optional<BodyPlaces>& before,
                      Projected& sum) {
  const MPI_Comm comm = machinery.comm;
  if (!setup.stepper->has_inertia()) return false;
  const bool is_due = overlaps(state, setup.laws, input.contacts);
  if (max_over_ranks(comm, is_due ? 1 : 0) == 0) return false;
  const LogStage stage(Stage::solve);
  if (!before) {
    before = places_of(state.bodies);
    sum.overlap = max_over_ranks(comm, relative_overlap(state.bodies, setup.laws, input.contacts));
  }
  Projection projection(state, setup, machinery, input);
  projection.solve();
  const std::vector<double>& shift = projection.shift();
  sum.work += sum_over_ranks(comm, work_along(state.bodies, setup, input, shift));
  move(comm, state.bodies, shift, input.clock.dt);
  wrap_into(state.bodies, setup.cell);
  sum.shift = max_over_ranks(comm, longest_way(state.bodies, *before, setup.cell));
  const bool has_moved = std::ranges::any_of(shift, [](double move) { return move != 0.0; });
  return max_over_ranks(comm, has_moved ? 1 : 0) > 0;
}

}  // namespace scree
