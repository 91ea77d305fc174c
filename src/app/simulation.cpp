#include "scree/app/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "scree/app/starting_grains.hpp"
#include "scree/base/log_stage.hpp"
#include "scree/base/parallel.hpp"
#include "scree/contact/narrowphase.hpp"
#include "scree/problem/assemble.hpp"
#include "scree/step/stepper.hpp"

namespace scree {
namespace {

/// Parts of the smallest radius: by how much overlap is recovered in a step, and by how much a contact of a
/// solved step may miss its law.
constexpr double kRecoveryPerStep = 0.1;
constexpr double kErrorPerStep = 0.1;
/// Part of the smallest radius that a box may move before pairs are listed anew.
constexpr double kSkin = 0.1;

double smallest_radius(MPI_Comm comm, const Store& store) {
  double smallest = std::numeric_limits<double>::infinity();
  for (std::int32_t i = store.first_owned(); i < store.end_owned(); ++i) {
    smallest = std::min(smallest, radius(store, i));
  }
  return min_over_ranks(comm, smallest);
}

double largest_radius(MPI_Comm comm, const Store& store) {
  double largest = 0.0;
  for (std::int32_t i = store.first_owned(); i < store.end_owned(); ++i) {
    largest = std::max(largest, radius(store, i));
  }
  return max_over_ranks(comm, largest);
}

/// Two grains, up to the radius @p largest, must not meet on both sides of each other.
void refuse_narrow_cell(const PeriodicCell& cell, double largest) {
  const double least = 4.0 * (1.0 + kRestMargin) * largest;
  for (int axis = 0; axis < 3; ++axis) {
    if (!cell.repeats(axis) || cell.period[axis] >= least) continue;
    throw InputError(fmt::format(
        "periodic.{}: its period of {} m is less than two of the largest diameters, so that a "
        "grain "
        "could meet another on both sides at once; allowed: {:.4g} m and more with these grains",
        "xyz"[axis], cell.period[axis], least));
  }
}

}  // namespace

Simulation::Simulation(MPI_Comm comm, const RunConfig& config, Empty)
    : comm_(comm), config_(config), partition_(comm), exchange_(comm), solver_(config.solver) {
  config_.load_files();
  laws_ = ContactLaws(config_.materials, config_.friction, config_.contact.stiffness);
  medium_ = config_.medium();
  if (config_.fluid) flow_ = Flow(*config_.fluid);
  for (const ForceFieldSpec& spec : config_.forces) {
    force_fields_.emplace_back(spec, config_.materials);
  }
  std::size_t population = 0;
  for (const BodyGroup& group : config_.bodies) population += group.population_names().size();
  for (const InsertionSpec& spec : config_.insertions) {
    insertions_.emplace_back(spec, config_.materials, static_cast<std::int32_t>(population));
    population += spec.population_names().size();
  }
}

Simulation::Simulation(MPI_Comm comm, const RunConfig& config) : Simulation(comm, config, Empty{}) {
  place_tools(config_.tools, config_.materials, store_);
  append_grains();
  double smallest = smallest_radius(comm_, store_);
  double largest = largest_radius(comm_, store_);
  for (const InsertionSpec& spec : config_.insertions) {
    smallest = std::min(smallest, spec.smallest());
    largest = std::max(largest, spec.largest());
  }
  refuse_narrow_cell(config_.periodic.cell(), largest);
  set_smallest_radius(smallest);
  wrap_into(store_, reach_.cell);
  refuse_faulty_loads();
}

void Simulation::set_smallest_radius(double radius) {
  reach_ = {.dt = config_.time.dt,
            .smallest_radius = radius,
            .cell = config_.periodic.cell(),
            .rupture_distance = laws_.largest_rupture_distance()};
  recovery_speed_ = config_.contact.recovery_speed > 0.0
                        ? config_.contact.recovery_speed
                        : kRecoveryPerStep * reach_.smallest_radius / config_.time.dt;
  solver_.bound_velocity_error(kErrorPerStep * reach_.smallest_radius / config_.time.dt);
}

const StepResult& Simulation::step() {
  clock_.clear();
  result_.step = n_steps_ + 1;
  result_.time = static_cast<double>(result_.step) * config_.time.dt;
  clock_.time(&StageSeconds::step, [this] {
    clock_.time(&StageSeconds::domain, [this] {
      insert_grains();
      distribute();
    });
    clock_.time(&StageSeconds::contacts, [this] { detect(); });
    clock_.time(&StageSeconds::assemble, [this] { pose_problem(); });
    clock_.time(&StageSeconds::solve, [this] { resolve_contacts(); });
    clock_.time(&StageSeconds::advance, [this] { move(); });
  });
  return result_;
}

const std::vector<Contact>& Simulation::find_contacts() {
  distribute();
  detect();
  return result_.contacts;
}

/// Where one rank has a grain that cannot be, all refuse it.
void Simulation::append_grains() {
  std::string error;
  const std::vector<Body> grains = starting_grains(comm_, config_);
  try {
    for (const Body& body : grains) append_grain(store_, body);
  } catch (const InputError& fault) {
    error = fault.what();
  }
  refuse_together(comm_, error);
  work_.assign(static_cast<std::size_t>(store_.n_owned), 1.0);
  std::int64_t largest_id = -1;
  for (const std::int64_t id : store_.id) {
    if (id < kFirstToolId) largest_id = std::max(largest_id, id);
  }
  next_id_ = 1 + max_over_ranks(comm_, largest_id);
}

/// What is due in the step that begins.
void Simulation::insert_grains() {
  const LogStage stage(Stage::domain);
  for (Insertion& insertion : insertions_) {
    next_id_ += insertion.insert(store_, partition_, reach_.cell, result_.time, next_id_);
  }
  work_.resize(static_cast<std::size_t>(store_.n_owned), 1.0);
}

/// What acts on the owned grains, and v_free. Returns what is wrong with it on any rank. Collective.
std::string Simulation::load_and_predict() {
  std::string fault;
  try {
    loads_ = loads(store_, force_fields_, flow_, time());
    predict(store_, loads_, {config_.gravity, medium_, config_.time.dt});
  } catch (const InputError& error) {
    fault = error.what();
  }
  return first_text(comm_, fault);
}

/// Formulas that have no value where grains are at the start are refused before anything is written.
void Simulation::refuse_faulty_loads() {
  const std::string fault = load_and_predict();
  if (!fault.empty()) throw InputError(fault);
}

/// Bodies to their owners, with their v_free; tools to their velocities, ghosts to those who need them,
/// rows to all.
void Simulation::distribute() {
  const LogStage stage(Stage::domain);
  const Traffic before = exchange_.traffic();
  partition_.rebalance(store_, work_, config_.balance);
  exchange_.migrate(store_, partition_.owners(store_));
  set_tool_velocities(store_, config_.tools, time(), config_.time.dt);
  if (const std::string fault = load_and_predict(); !fault.empty()) {
    throw Failure(fmt::format("step {}: {}", n_steps_ + 1, fault));
  }
  update_boxes(store_, reach_);
  exchange_.ghosts(store_, partition_, reach_.cell);
  numbers_ = number(store_, exchange_);
  if (numbers_.n_bodies_global > kMaxGrains) {
    throw Failure(fmt::format("step {}: {} grains; at most {} can be numbered", n_steps_ + 1,
                              numbers_.n_bodies_global, kMaxGrains));
  }
  result_.traffic = exchange_.traffic() - before;
  result_.n_ghosts = store_.size() - store_.end_owned();
}

void Simulation::detect() {
  const LogStage stage(Stage::contacts);
  const std::vector<Pair> pairs =
      neighbours_.meeting(store_, kSkin * reach_.smallest_radius, reach_.dt);
  result_.contacts = narrowphase(store_, pairs, reach_,
                                 [this](const Vec3& point) { return partition_.holds(point); });
}

void Simulation::pose_problem() {
  const LogStage stage(Stage::assemble);
  const double dt = config_.time.dt;
  const std::vector<Velocities> tools_before =
      tool_velocities(config_.tools, n_steps_ > 0 ? time() - dt : time(), dt);
  sort_by_cone(result_.contacts, store_, laws_);
  memory_.redistribute(comm_, partition_, reach_.cell);
  const std::vector<const ContactRecord*> records = memory_.find(result_.contacts);
  result_.histories = histories_of(store_, result_.contacts, records, dt, recovery_speed_ * dt);
  result_.posed = assemble(comm_, store_, result_.contacts, result_.histories, numbers_, laws_,
                           free_velocities(comm_, store_),
                           {.dt = dt,
                            .recovery_speed = recovery_speed_,
                            .friction = config_.solver.friction,
                            .tools_before = tools_before,
                            .medium = medium_});
  result_.posed.problem.origin = fmt::format("step {}", result_.step);
  result_.guess = guess_of(result_.posed.problem, result_.contacts, records, dt);
  const auto first_id = store_.id.begin() + store_.first_owned();
  result_.body_ids.assign(first_id, first_id + store_.n_owned);
}

void Simulation::resolve_contacts() {
  petsc::Vector start = petsc::duplicate(result_.guess.get());
  SCREE_PETSC(VecCopy(result_.guess.get(), start.get()));
  result_.impact = resolve(result_.posed.problem, solver_, std::move(start));
  refuse_bad_result();
  refuse_wedged_grain();
}

/// Before anything of the result reaches the store.
void Simulation::refuse_bad_result() const {
  const SolverReport& report = result_.impact.report;
  std::string fault = first_text(
      comm_,
      first_not_finite(store_, result_.contacts, result_.posed.problem.cones, result_.impact));
  if (fault.empty() && report.status != Status::converged &&
      config_.solver.on_not_converged == NotConverged::abort) {
    fault = fmt::format("residual {:.1e}, and solver.on_not_converged is abort",
                        report.measures.residual);
  }
  if (fault.empty()) return;
  throw StepRefused(fmt::format("step {} at {:.6g} s was not taken: {} ended with {}: {}",
                                result_.step, result_.time, report.solver, to_string(report.status),
                                fault));
}

void Simulation::refuse_wedged_grain() {
  std::vector<std::string> tools;
  for (const ToolSpec& tool : config_.tools) tools.push_back(tool.name);
  const std::string fault =
      wedges_.after(result_.posed.problem, store_, result_.contacts, tools, result_.impact);
  if (fault.empty()) return;
  throw StepRefused(
      fmt::format("step {} at {:.6g} s was not taken: {}", result_.step, result_.time, fault));
}

/// The store to the end of the step; what looks at the contacts' slots is done before removal.
void Simulation::move() {
  const LogStage stage(Stage::advance);
  const double dt = config_.time.dt;
  const Vec impulse = result_.impact.impulse.get();
  const ContactOutcome outcome{result_.contacts, result_.histories, result_.posed, impulse};
  result_.wrenches = tool_forces(comm_, store_, result_.contacts, result_.posed, impulse, dt);
  result_.figures = contact_figures(comm_, store_, outcome);
  result_.load_power = power_of(comm_, store_, loads_, medium_, result_.impact.end_velocity.get());
  memory_.keep(store_, laws_, outcome, dt, 2.0 * reach_.smallest_radius);
  weigh();
  end_insertions();
  advance(store_, result_.impact.end_velocity.get(), dt);
  ++n_steps_;
  wrap_into(store_, reach_.cell);
  move_tools(store_, config_.tools, time());
  remove_grains();
}

/// Ends the insertions whose bed has its height; to be called while the store has the velocities of the step's start.
void Simulation::end_insertions() {
  const petsc::ConstView velocity(result_.impact.end_velocity.get());
  for (Insertion& insertion : insertions_) {
    insertion.end_at_height(comm_, store_, velocity.span(), config_.gravity, medium_,
                            config_.time.dt);
  }
}

/// The work that each owned grain causes: itself and the contacts that this rank owns. A contact of
/// two ghosts is counted for nobody.
void Simulation::weigh() {
  work_.assign(static_cast<std::size_t>(store_.n_owned), 1.0);
  for (const Contact& contact : result_.contacts) {
    const std::int32_t slot = store_.is_owned(contact.a) ? contact.a : contact.b;
    if (store_.is_owned(slot)) work_[static_cast<std::size_t>(slot - store_.first_owned())] += 1.0;
  }
}

void Simulation::remove_grains() {
  if (!config_.keep_inside && config_.removal_boxes.empty()) return;
  Removed gone;
  const std::vector<bool> stays = staying(store_, config_.keep_inside, config_.removal_boxes, gone);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < stays.size(); ++i) {
    if (stays[i]) work_[kept++] = work_[i];
  }
  work_.resize(kept);
  if (kept < stays.size()) keep_owned(store_, stays);
  removed_.left += sum_over_ranks(comm_, gone.left);
  removed_.discharged += sum_over_ranks(comm_, gone.discharged);
  removed_.discharged_mass += sum_over_ranks(comm_, gone.discharged_mass);
}

}  // namespace scree
