#include "pair_problem.hpp"

#include <algorithm>
#include <utility>

#include "cone_ranges.hpp"
#include "kernel_cones.hpp"
#include "pair_forms.hpp"
#include "scree/base/parallel.hpp"
#include "shared_bodies.hpp"

namespace scree {
namespace {

/// Facts on which all ranks must agree, as counts of ranks.
struct Agreement {
  double unfit = 0.0;       ///< cones without kernels, or more bodies a cone
  double discs = 0.0;       ///< some cones are not of a single disc
  double framed = 0.0;      ///< the law of some depends on the tangents
  double exact = 0.0;       ///< some friction is exact
  double associated = 0.0;  ///< some is by the associated law
  double contacts = 0.0;    ///< number of all contacts
  double ruled = 0.0;       ///< number of all cones behind them
  double bodies = 0.0;      ///< number of all bodies
};

void add_batch(const ConeBatch& batch, Agreement& own) {
  if (batch.type == cones::kTypeOf<cones::HalfLine>) return;
  const int cone = kernel_cone_of(batch.type);
  if (cone < 0 || has_many_directions(batch)) own.unfit = 1.0;
  if (cone != kKernelCone<cones::Circular>) own.discs = 1.0;
  with_kernel_cone(cone, [&]<class Cone>() {
    if (!kIsRound<Cone>) own.framed = 1.0;
  });
  (batch.exact ? own.exact : own.associated) = 1.0;
}

/// The batches of the first @p n_cones. @pre no batch has cones of these and others.
std::span<const ConeBatch> batches_of(const Cones& cones, std::size_t n_cones) {
  const auto end = std::ranges::find_if(
      cones.batches, [&](const ConeBatch& b) { return std::cmp_greater_equal(b.first, n_cones); });
  return {cones.batches.begin(), end};
}

Agreement agreement(const ContactProblem& problem, std::size_t n_contacts) {
  Agreement own;
  for (const ConeBatch& batch : batches_of(problem.cones, n_contacts)) add_batch(batch, own);
  const BodyPattern& pattern = problem.delassus.blocks->pattern;
  for (std::size_t i = pattern.n_frames; i < n_contacts; ++i) {
    if (pattern.bodies(i).size() > 2) own.unfit = 1.0;
  }
  own.contacts = static_cast<double>(n_contacts);
  own.ruled = static_cast<double>(problem.cones.count() - n_contacts);
  own.bodies = static_cast<double>(pattern.n_owned);
  std::vector<double> counts{own.unfit,      own.discs,    own.framed, own.exact,
                             own.associated, own.contacts, own.ruled,  own.bodies};
  sum_over_ranks(problem.comm, counts);
  return {counts[0], counts[1], counts[2], counts[3], counts[4], counts[5], counts[6], counts[7]};
}

/// Whether the arm of a contact leads from the centre of a ball.
bool is_of_ball(const Contact& contact, const Vec3& arm) {
  constexpr double kRounding = 1e-9;
  return arm.cross(contact.normal).norm() <= kRounding * arm.norm();
}

/// The share of the contacts, of all ranks, that are not of balls alone, as far as frames tell: 1
/// without frames. Collective.
double share_off_centre(const ContactProblem& problem) {
  const BlockRows& blocks = *problem.delassus.blocks;
  double others = 0.0;
  for (std::size_t i = 0; i < blocks.pattern.n_frames; ++i) {
    const Contact contact = blocks.frames[i];
    const auto [a, b] = bodies_of_frame(blocks.pattern, i);
    const bool of_balls = (a < 0 || is_of_ball(contact, contact.arm_a)) &&
                          (b < 0 || is_of_ball(contact, contact.arm_b));
    if (!of_balls) others += 1.0;
  }
  const auto n_frames = static_cast<double>(blocks.pattern.n_frames);
  const double all = sum_over_ranks(problem.comm, n_frames);
  return all > 0.0 ? sum_over_ranks(problem.comm, others) / all : 1.0;
}

}  // namespace

bool PairProblem::take(const ContactProblem& problem, SweepStep step) {
  body_rows_.reset();
  if (!problem.delassus.blocks || !problem.delassus.symmetric) return false;
  if (step == SweepStep::modulus) return false;
  const BlockRows& blocks = *problem.delassus.blocks;
  const std::size_t n_frames = blocks.pattern.n_frames;
  have_frames_ = max_over_ranks(problem.comm, n_frames > 0 ? 1 : 0) != 0;
  n_contacts_ = have_frames_ ? n_frames : problem.cones.count();
  const Agreement all = agreement(problem, n_contacts_);
  if (all.unfit > 0.0 || (all.associated > 0.0 && all.exact + all.framed > 0.0)) return false;
  const bool gradient = step == SweepStep::gradient;
  if (gradient && all.exact + all.ruled > 0.0) return false;
  const bool projected = step == SweepStep::projected;
  law_ = gradient || all.associated > 0.0 ? LocalLaw::associated
         : projected                      ? LocalLaw::projected
                                          : LocalLaw::coulomb;
  velocity_ = petsc::ConstView(problem.r.get()).span();
  friction_ = friction_of(problem.cones);

  rows_ = view(problem, blocks.pattern);
  const int form = max_over_ranks(problem.comm, static_cast<int>(own_form(blocks)));
  rows_.form = static_cast<PairForm>(form);
  are_plain_ = rows_.form == PairForm::spheres && all.discs == 0.0;
  share_of_others_ = are_plain_ ? 0.0 : all.discs > 0.0 ? 1.0 : share_off_centre(problem);
  if (law_ == LocalLaw::associated && !projected && !are_plain_) return false;
  if (rows_.form == PairForm::rows && all.discs > 0.0) return false;
  if (rows_.form == PairForm::spheres && all.framed > 0.0) rows_.form = PairForm::points;
  if (rows_.form == PairForm::rows) {
    body_rows_ = body_rows(problem);
    rows_ = view(problem, body_rows_->pattern);
    rows_.place = body_rows_->pattern.place;
    rows_.blocks = body_rows_->values;
  } else {
    rows_.masses = bodies_.masses;
    if (recovered_.empty()) {
      rows_.contacts = blocks.frames;
      rows_.frame_blocks = blocks.frames.blocks();
      rows_.ball_arms = blocks.frames.ball_arms();
      rows_.arms = blocks.frames.arms();
    }
    rows_.recovered = recovered_;
  }
  connect(problem);
  share_of_ruled_ = all.ruled > 0.0 ? all.ruled / all.contacts : 0.0;
  n_cones_global_ = all.contacts + all.ruled;
  contacts_per_body_ = all.bodies > 0.0 ? all.contacts / all.bodies : 0.0;
  take_ruled(problem, step);
  return true;
}

/// mu of the first disc of each cone, one number where all are alike; 0 where there is none.
std::span<const double> PairProblem::friction_of(const Cones& cones) {
  const bool are_circular =
      cones.batches.size() == 1 && cones.batches.front().type == cones::kTypeOf<cones::Circular>;
  if (are_circular) return cones.batches.front().parameters;
  gathered_friction_.assign(cones.count(), 0.0);
  for_each_cone(cones, [this]<class Cone>(const Cone& cone, const ConePlace& at) {
    if constexpr (Cone::kParameters > 0 && cones::kIsCone<Cone>) {
      gathered_friction_[at.number] = cone.mu[0];
    }
  });
  return gathered_friction_;
}

/// The most special form that this rank's contacts have. Those that are not frames have theirs
/// recovered.
PairForm PairProblem::own_form(const BlockRows& blocks) {
  recovered_.clear();
  bodies_ = masses_in_form(blocks.inverse_mass, mass_storage_);
  const PairForm form = bodies_.form;
  if (form == PairForm::rows) return form;
  if (have_frames_) return blocks.frames.are_of_balls() ? form : PairForm::points;
  PairRows rows = rows_;
  rows.place = blocks.pattern.place;
  rows.blocks = blocks.jacobian;
  recovered_ = frames_of(rows);
  if (form == PairForm::spheres && have_sphere_rows(rows, recovered_, bodies_.masses)) return form;
  return have_point_rows(rows, recovered_, bodies_.masses) ? PairForm::points : PairForm::rows;
}

PairRows PairProblem::view(const ContactProblem& problem, const BodyPattern& pattern) const {
  return {
      .bodies = pattern.n_frames > 0 ? pattern.of_frames() : pattern.of_others().first(n_contacts_),
      .contacts = {},
      .frame_blocks = {},
      .ball_arms = {},
      .arms = {},
      .recovered = {},
      .place = {},
      .blocks = {},
      .offset = problem.cones.offset,
      .velocity = velocity_,
      .compliance = problem.compliance,
      .friction = friction_,
      .n_bodies = pattern.n_bodies(),
      .form = PairForm::rows,
      .masses = {},
      .batches = batches_of(problem.cones, n_contacts_),
      .length = problem.rolling_length};
}

void PairProblem::connect(const ContactProblem& problem) {
  const MPI_Comm comm = problem.comm;
  BodyExchange& exchange = body_exchange(problem);
  ranks_ = {};
  ranks_.comm = comm;
  ranks_.shared = shared_bodies(problem.delassus.blocks->pattern, exchange);
  exchange_.reset();
  if (size_of(comm) > 1) ranks_.exchange = &exchange_.emplace(exchange.of_shared());
  const std::vector<double>& sharers = ranks_.shared.sharers;
  const double most = sharers.empty() ? 1.0 : *std::max_element(sharers.begin(), sharers.end());
  most_sharers_ = max_over_ranks(comm, most);
}

/// The cones behind the contacts, on the bodies as the form of these has them.
void PairProblem::take_ruled(const ContactProblem& problem, SweepStep step) {
  rule_ = step == SweepStep::exact ? make_exact_rule(1.0) : make_projected_rule(1.0, Memory::none);
  ruled_.reset();
  if (n_contacts_ == problem.cones.count()) return;
  const BlockRows& blocks = *problem.delassus.blocks;
  const bool by_rows = rows_.form == PairForm::rows;
  ruled_.emplace(RuledCones{.problem = problem,
                            .first_batch = rows_.batches.size(),
                            .pattern = by_rows ? body_rows_->pattern : blocks.pattern,
                            .blocks = by_rows ? body_rows_->values : blocks.jacobian,
                            .inverse_mass = by_rows ? nullptr : &blocks.inverse_mass,
                            .sharers = ranks_.shared.sharers},
                 *rule_);
  rows_.ruled = &*ruled_;
}

}  // namespace scree
