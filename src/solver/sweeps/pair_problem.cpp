#include "pair_problem.hpp"

#include <algorithm>

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

Agreement agreement(const ContactProblem& problem) {
  Agreement own;
  for (const ConeBatch& batch : problem.cones.batches) add_batch(batch, own);
  const std::vector<std::int32_t>& first = problem.delassus.blocks->pattern.first;
  const auto too_many = std::adjacent_find(first.begin(), first.end(),
                                           [](auto begin, auto end) { return end - begin > 2; });
  if (too_many != first.end()) own.unfit = 1.0;
  std::vector<double> counts{own.unfit, own.discs, own.framed, own.exact, own.associated};
  sum_over_ranks(problem.comm, counts);
  return {counts[0], counts[1], counts[2], counts[3], counts[4]};
}

}  // namespace

bool PairProblem::take(const ContactProblem& problem, SweepStep step) {
  body_rows_.reset();
  if (!has_body_rows(problem) || step == SweepStep::modulus) return false;
  const Agreement all = agreement(problem);
  if (all.unfit > 0.0 || (all.associated > 0.0 && all.exact + all.framed > 0.0)) return false;
  const bool projected = step == SweepStep::projected;
  law_ = all.associated > 0.0 ? LocalLaw::associated
         : projected          ? LocalLaw::projected
                              : LocalLaw::coulomb;
  const petsc::ConstView r(problem.r.get());
  velocity_.assign(r.span().begin(), r.span().end());
  friction_.assign(problem.cones.count(), 0.0);
  for_each_cone(problem.cones, [this]<class Cone>(const Cone& cone, const ConePlace& at) {
    if constexpr (Cone::kParameters > 0) friction_[at.number] = cone.mu[0];
  });

  const BlockRows& blocks = *problem.delassus.blocks;
  rows_ = view(problem, blocks.pattern);
  const int form = max_over_ranks(problem.comm, static_cast<int>(own_form(blocks)));
  rows_.form = static_cast<PairForm>(form);
  are_plain_ = rows_.form == PairForm::spheres && all.discs == 0.0;
  if (law_ == LocalLaw::associated && !projected && !are_plain_) return false;
  if (rows_.form == PairForm::rows && all.discs > 0.0) return false;
  if (rows_.form == PairForm::spheres && all.framed > 0.0) rows_.form = PairForm::points;
  if (rows_.form == PairForm::rows) {
    body_rows_ = body_rows(problem);
    rows_ = view(problem, body_rows_->pattern);
    rows_.place = body_rows_->pattern.place;
    rows_.blocks = body_rows_->values;
  } else {
    rows_.masses = masses_;
    if (recovered_.empty()) {
      rows_.contacts = {blocks.frames.data(), blocks.frames.size()};
      rows_.frame_blocks = blocks.frame_blocks;
    }
    rows_.recovered = recovered_;
  }
  connect(problem.comm, blocks.pattern);
  return true;
}

/// The most special form that this rank's contacts have. Those that are not frames have theirs
/// recovered.
PairForm PairProblem::own_form(const BlockRows& blocks) {
  recovered_.clear();
  const std::span<const double> inverse_mass(
      blocks.inverse_mass.empty() ? nullptr : blocks.inverse_mass.front().data(),
      blocks.inverse_mass.size() * Mat6::SizeAtCompileTime);
  const PairForm form = form_of_masses(inverse_mass, blocks.diagonal_masses, masses_);
  const std::size_t n_frames = blocks.pattern.n_frames;
  if (form == PairForm::rows || blocks.of_balls) return form;
  if (n_frames > 0) return n_frames == rows_.n_contacts() ? PairForm::points : PairForm::rows;
  PairRows rows = rows_;
  rows.place = blocks.pattern.place;
  rows.blocks = blocks.jacobian;
  recovered_ = frames_of(rows);
  if (form == PairForm::spheres && have_sphere_rows(rows, recovered_, masses_)) return form;
  return have_point_rows(rows, recovered_, masses_) ? PairForm::points : PairForm::rows;
}

PairRows PairProblem::view(const ContactProblem& problem, const BodyPattern& pattern) const {
  return {.first = pattern.first,
          .body = pattern.body,
          .contacts = {},
          .frame_blocks = {},
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
          .batches = problem.cones.batches,
          .length = problem.rolling_length};
}

void PairProblem::connect(MPI_Comm comm, const BodyPattern& pattern) {
  SharedBodies shared = shared_bodies(comm, pattern);
  exchange_.reset();
  ranks_ = {};
  if (max_over_ranks(comm, shared.local.empty() ? 0 : 1) != 0) {
    exchange_.emplace(comm, pattern_of(comm, pattern, shared), kBodyDofs);
    ranks_.sum_shared = [this](std::vector<double>& values) {
      exchange_->add_to_owners(values);
      exchange_->to_ghosts(values);
    };
  }
  if (size_of(comm) > 1) ranks_.sum = [comm](double x) { return sum_over_ranks(comm, x); };
  ranks_.sharers = std::move(shared.sharers);
  ranks_.shared = std::move(shared.local);
}

}  // namespace scree
