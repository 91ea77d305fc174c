#include "scree/impact/elastic_outcome.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <utility>

#include "approaching_contacts.hpp"
#include "nonnegative_minimum.hpp"

namespace scree {
namespace {

/// Applications from one normalization to the next are at least these, and as many as contacts, so
/// that each costs no more than the contacts that it meets.
constexpr Eigen::Index kNormalizedEvery = 100;

/// A l, summed in extended precision: where a cone is thin the impulses are large and cancel.
Eigen::VectorXd change_by(const SparseColumns& normals, const Eigen::VectorXd& impulse) {
  std::vector<long double> sums(static_cast<std::size_t>(normals.rows()), 0.0L);
  for (Eigen::Index i = 0; i < normals.cols(); ++i) {
    if (impulse[i] == 0.0) continue;
    for (SparseColumns::InnerIterator it(normals, i); it; ++it) {
      sums[static_cast<std::size_t>(it.row())] += static_cast<long double>(it.value()) * impulse[i];
    }
  }
  Eigen::VectorXd change(normals.rows());
  for (Eigen::Index k = 0; k < change.size(); ++k) {
    change[k] = static_cast<double>(sums[static_cast<std::size_t>(k)]);
  }
  return change;
}

/// The contacts of the equalities that take @p part, of the lineality space, away by pushing alone.
/// They exist, since that space is their positive hull.
std::vector<std::int32_t> pushing_contacts(const ImplicitEqualities& equalities,
                                           const SparseColumns& normals,
                                           const Eigen::VectorXd& part) {
  const SparseColumns columns = columns_of(normals, equalities.contacts);
  const SparseColumns gram = columns.transpose() * columns;
  const Eigen::VectorXd sizes =
      nonnegative_minimum(Eigen::MatrixXd(gram), columns.transpose() * part);
  std::vector<std::int32_t> pushing;
  for (Eigen::Index k = 0; k < sizes.size(); ++k) {
    if (sizes[k] > 0.0) pushing.push_back(equalities.contacts[static_cast<std::size_t>(k)]);
  }
  return pushing;
}

/// Adds to @p impulse those of the equalities' contacts that lead from @p start to @p end: what is
/// lost of the start. Where the lineality space is flat only nearly, they do so up to that
/// flatness. An orthogonal factorisation, refined once, tells how much they push, so that momentum
/// is kept to rounding.
void add_equality_impulses(const ImplicitEqualities& equalities, const SparseColumns& normals,
                           const Eigen::VectorXd& start, const Eigen::VectorXd& end,
                           Eigen::VectorXd& impulse) {
  if (equalities.contacts.empty()) return;
  const auto missing = [&]() -> Eigen::VectorXd {
    return end - start - change_by(normals, impulse);
  };
  const std::vector<std::int32_t> pushing = pushing_contacts(equalities, normals, -missing());
  const SparseColumns columns = columns_of(normals, pushing);
  const std::vector<Eigen::Index> rows = rows_of(columns);
  const Eigen::HouseholderQR<Eigen::MatrixXd> factors(dense_rows(columns, rows));
  for (int pass = 0; pass < 2; ++pass) {
    const Eigen::VectorXd sizes = factors.solve(missing()(rows));
    for (std::size_t k = 0; k < pushing.size(); ++k) {
      double& l = impulse[pushing[k]];
      l = std::max(l + sizes[static_cast<Eigen::Index>(k)], 0.0);
    }
  }
}

/// The sum of all applications as one: its rounding would add up in the velocities, so they are
/// made anew from their impulses, scaled as a single application is. Both momentum and energy are
/// then kept to rounding.
void sum_up(const SparseColumns& normals, const Eigen::VectorXd& start, ElasticOutcome& outcome) {
  const Eigen::VectorXd change = change_by(normals, outcome.impulse);
  if (change.squaredNorm() == 0.0) return;
  const double share = -2.0 * start.dot(change) / change.squaredNorm();
  outcome.impulse *= share;
  outcome.velocity = start + change_by(normals, outcome.impulse);
}

/// The impulses along the whole gradients, those of the equalities included, that lead from @p
/// start to @p end, of those in the complement of L.
Eigen::VectorXd whole_impulses(const Eigen::VectorXd& projected_impulse,
                               const ProjectedNormals& projected,
                               const ImplicitEqualities& equalities, const SparseColumns& normals,
                               const Eigen::VectorXd& start, const Eigen::VectorXd& end) {
  Eigen::VectorXd impulse = Eigen::VectorXd::Zero(normals.cols());
  for (std::size_t k = 0; k < projected.contacts.size(); ++k) {
    const auto column = static_cast<Eigen::Index>(k);
    impulse[projected.contacts[k]] = projected_impulse[column] / projected.length[column];
  }
  add_equality_impulses(equalities, normals, start, end, impulse);
  return impulse;
}

/// Lines 13 to 18 of Algorithm 2: Algorithm 1 from @p start, with at most @p most applications.
/// @param resting of the columns of @p normals
ElasticOutcome algorithm_1(const SparseColumns& normals, const Gram& gram,
                           const Eigen::VectorXd& start, const Eigen::VectorXd& resting,
                           const ElasticOptions& options, std::int64_t most) {
  ElasticState state(normals, gram, start, resting);
  const auto impact = make_impact_operator(options.kind, options.order, options.seed, gram);
  ElasticOutcome outcome;
  while (!outcome.ended && outcome.applications < most) {
    outcome.ended = !state.apply(*impact, options.epsilon);
    if (!outcome.ended) ++outcome.applications;
  }
  outcome.velocity = state.velocity();
  outcome.impulse = state.impulse();
  sum_up(normals, start, outcome);
  return outcome;
}

/// The @p resting of projected columns, whose approach is that of their contact over their length.
Eigen::VectorXd resting_of(const ProjectedNormals& projected, const Eigen::VectorXd& resting) {
  if (resting.size() == 0) return {};
  return resting(projected.contacts).cwiseQuotient(projected.length);
}

/// Lines 4 to 18 of Algorithm 2.
ElasticOutcome end_of_impacts(const SparseColumns& normals, const ImplicitEqualities& equalities,
                              const Eigen::VectorXd& start, const Eigen::VectorXd& resting,
                              const ElasticOptions& options) {
  const ProjectedNormals projected = project_out(equalities, normals, options.flatness);
  const Gram gram(projected.normals);
  const Eigen::VectorXd within = project_out(equalities, start);
  ElasticOutcome outcome =
      algorithm_1(projected.normals, gram, within, resting_of(projected, resting), options,
                  options.max_applications);
  outcome.programs = equalities.programs;
  outcome.program_seconds = equalities.seconds;
  outcome.equalities = equalities.contacts;
  outcome.lost_energy = 0.5 * (start.squaredNorm() - within.squaredNorm());
  outcome.impulse =
      whole_impulses(outcome.impulse, projected, equalities, normals, start, outcome.velocity);
  return outcome;
}

}  // namespace

ElasticState::ElasticState(const SparseColumns& normals, const Gram& gram, Eigen::VectorXd start,
                           Eigen::VectorXd resting)
    : normals_(normals),
      gram_(gram),
      velocity_(std::move(start)),
      approach_(normals.transpose() * velocity_),
      resting_(std::move(resting)),
      impulse_(Eigen::VectorXd::Zero(normals.cols())),
      answer_(Eigen::VectorXd::Zero(normals.cols())),
      norm_(velocity_.norm()) {}

/// Speeds of approach are kept up to date by additions; before none is believed to be left, they
/// are made anew.
bool ElasticState::propose(ImpactOperator& impact, double epsilon) {
  if (is_known_) {
    impact.apply(last_);
    if (!last_.empty()) return true;
    approach_ = normals_.transpose() * velocity_;
  }
  thresholds_ = thresholds_of(resting_, epsilon * norm_, approach_.size());
  impact.start(approach_, thresholds_);
  is_known_ = true;
  impact.apply(last_);
  return !last_.empty();
}

bool ElasticState::apply(ImpactOperator& impact, double epsilon) {
  if (!propose(impact, epsilon)) return false;
  double along = 0.0;   // y . A l
  double square = 0.0;  // |A l|^2
  for (const ScaledImpulse& l : last_) {
    for (const auto& [row, value] : gram_.column(l.contact)) answer_[row] += l.size * value;
    along +=
        l.size * normals_.col(l.contact).dot(velocity_);  // not approach_, whose additions drift
  }
  for (const ScaledImpulse& l : last_) square += l.size * answer_[l.contact];
  const double share = -2.0 * along / square;
  for (ScaledImpulse& l : last_) {
    for (const auto& [row, value] : gram_.column(l.contact)) {
      double& answer = answer_[row];
      if (answer == 0.0) continue;
      approach_[row] += share * answer;
      answer = 0.0;
      impact.update(row);
    }
    l.size *= share;
    for (SparseColumns::InnerIterator it(normals_, l.contact); it; ++it) {
      velocity_[it.row()] += l.size * it.value();
    }
    impulse_[l.contact] += l.size;
  }
  if (++since_normalized_ >= std::max(kNormalizedEvery, approach_.size())) normalize();
  return true;
}

/// An application keeps |y| to some 1e-16 of it: normalized now and then, it does not drift either.
void ElasticState::normalize() {
  since_normalized_ = 0;
  is_known_ = false;
  velocity_ *= norm_ / velocity_.norm();
  approach_ = normals_.transpose() * velocity_;
}

ElasticOutcome elastic_outcome(const SparseColumns& normals, const Gram& gram,
                               const Eigen::VectorXd& start, const ElasticOptions& options,
                               const Eigen::VectorXd& resting) {
  std::int64_t before = 0;
  if (options.patience > 0) {
    const std::int64_t most = std::min(options.patience * normals.cols(), options.max_applications);
    ElasticOutcome outcome = algorithm_1(normals, gram, start, resting, options, most);
    if (outcome.ended || most == options.max_applications) return outcome;
    before = outcome.applications;
  }
  ElasticOptions flat = options;
  flat.flatness = flatness_of(options, normals.rows());
  const ImplicitEqualities equalities = implicit_equalities(normals, flat.flatness);
  ElasticOutcome outcome = end_of_impacts(normals, equalities, start, resting, flat);
  outcome.applications += before;
  return outcome;
}

double flatness_of(const ElasticOptions& options, Eigen::Index rows) {
  return std::max(options.flatness, 2.0 * options.epsilon * std::sqrt(static_cast<double>(rows)));
}

ElasticOutcome elastic_outcome(const SparseColumns& normals, const Eigen::VectorXd& start,
                               const ElasticOptions& options) {
  return elastic_outcome(normals, Gram(normals), start, options);
}

}  // namespace scree
