#include "scree/impact/elastic_outcome.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <utility>

#include "scree/impact/nonnegative_minimum.hpp"

namespace scree {
namespace {

/// The impulses of the equalities' contacts that take @p y's part in the lineality space away. They exist, since that
/// space is their positive hull; where it is flat only nearly, they do so up to that flatness. The normal equations
/// tell which contacts push, an orthogonal factorisation how much, so that momentum is kept to rounding.
void add_equality_impulses(const ImplicitEqualities& equalities, const SparseColumns& normals,
                           const Eigen::VectorXd& y, Eigen::VectorXd& impulse) {
  if (equalities.contacts.empty()) return;
  const Eigen::VectorXd part = y - project_out(equalities, y);
  const Eigen::MatrixXd columns = Eigen::MatrixXd(normals)(Eigen::all, equalities.contacts);
  const Eigen::VectorXd sizes =
      nonnegative_minimum(columns.transpose() * columns, columns.transpose() * part);
  std::vector<Eigen::Index> pushing;
  for (Eigen::Index k = 0; k < sizes.size(); ++k) {
    if (sizes[k] > 0.0) pushing.push_back(k);
  }
  const Eigen::VectorXd exact = columns(Eigen::all, pushing).householderQr().solve(-part);
  for (std::size_t k = 0; k < pushing.size(); ++k) {
    const auto contact = equalities.contacts[static_cast<std::size_t>(pushing[k])];
    impulse[contact] += std::max(exact[static_cast<Eigen::Index>(k)], 0.0);
  }
}

/// A l, summed in extended precision: where a cone is thin the impulses are large and cancel.
Eigen::VectorXd change_by(const SparseColumns& normals, const Eigen::VectorXd& impulse) {
  std::vector<long double> sums(static_cast<std::size_t>(normals.rows()), 0.0L);
  for (Eigen::Index i = 0; i < normals.cols(); ++i) {
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

/// The sum of all applications as one: its rounding would add up in the velocities, so they are made anew from their
/// impulses, scaled as a single application is. Both momentum and energy are then kept to rounding.
void sum_up(const SparseColumns& normals, const Eigen::VectorXd& start, ElasticOutcome& outcome) {
  const Eigen::VectorXd change = change_by(normals, outcome.impulse);
  if (change.squaredNorm() == 0.0) return;
  const double share = -2.0 * start.dot(change) / change.squaredNorm();
  outcome.impulse *= share;
  outcome.velocity = start + share * change;
}

ImplicitEqualities no_equalities(const SparseColumns& normals) {
  ImplicitEqualities none;
  none.basis = SparseColumns(normals.rows(), 0);
  return none;
}

/// The impulses along the whole gradients, those of the equalities included, of @p projected_impulse in the complement
/// of L.
Eigen::VectorXd whole_impulses(const Eigen::VectorXd& projected_impulse,
                               const ProjectedNormals& projected,
                               const ImplicitEqualities& equalities, const SparseColumns& normals,
                               const Eigen::VectorXd& start) {
  Eigen::VectorXd impulse = Eigen::VectorXd::Zero(normals.cols());
  Eigen::VectorXd y = start;
  for (std::size_t k = 0; k < projected.contacts.size(); ++k) {
    const auto column = static_cast<Eigen::Index>(k);
    const double l = projected_impulse[column] / projected.length[column];
    impulse[projected.contacts[k]] = l;
    y += l * normals.col(projected.contacts[k]);
  }
  add_equality_impulses(equalities, normals, y, impulse);
  return impulse;
}

/// Lines 4 to 18 of Algorithm 2, with at most @p most applications.
ElasticOutcome end_of_impacts(const SparseColumns& normals, const ImplicitEqualities& equalities,
                              const Eigen::VectorXd& start, const ElasticOptions& options,
                              std::int64_t most) {
  const ProjectedNormals projected = project_out(equalities, normals, options.flatness);
  const SparseColumns gram = projected.normals.transpose() * projected.normals;
  const Eigen::VectorXd within = project_out(equalities, start);
  ElasticState state(projected.normals, gram, within);
  const auto impact = make_impact_operator(options.kind, options.order, options.seed, gram);

  ElasticOutcome outcome;
  outcome.programs = equalities.programs;
  outcome.program_seconds = equalities.seconds;
  outcome.equalities = equalities.contacts.size();
  outcome.lost_energy = 0.5 * (start.squaredNorm() - within.squaredNorm());
  while (!outcome.ended && outcome.applications < most) {
    outcome.ended = !state.apply(*impact, options.epsilon);
    if (!outcome.ended) ++outcome.applications;
  }
  outcome.velocity = state.velocity();
  outcome.impulse = state.impulse();
  sum_up(projected.normals, within, outcome);
  outcome.impulse = whole_impulses(outcome.impulse, projected, equalities, normals, start);
  return outcome;
}

}  // namespace

ElasticState::ElasticState(const SparseColumns& normals, const SparseColumns& gram,
                           Eigen::VectorXd start)
    : normals_(normals),
      gram_(gram),
      velocity_(std::move(start)),
      approach_(normals.transpose() * velocity_),
      impulse_(Eigen::VectorXd::Zero(normals.cols())),
      answer_(Eigen::VectorXd::Zero(normals.cols())),
      norm_(velocity_.norm()) {}

/// What approaches is kept up to date by additions; before it is believed that nothing does, it is made anew.
bool ElasticState::propose(ImpactOperator& impact, double epsilon) {
  impact.apply(approach_, epsilon * norm_, last_);
  if (!last_.empty()) return true;
  approach_ = normals_.transpose() * velocity_;
  impact.apply(approach_, epsilon * norm_, last_);
  return !last_.empty();
}

bool ElasticState::apply(ImpactOperator& impact, double epsilon) {
  if (!propose(impact, epsilon)) return false;
  answer_.setZero();
  double along = 0.0;   // y . A l
  double square = 0.0;  // |A l|^2
  for (const ScaledImpulse& l : last_) {
    answer_ += l.size * gram_.col(l.contact);
    along +=
        l.size * normals_.col(l.contact).dot(velocity_);  // not approach_, whose additions drift
  }
  for (const ScaledImpulse& l : last_) square += l.size * answer_[l.contact];
  const double share = -2.0 * along / square;
  for (ScaledImpulse& l : last_) {
    l.size *= share;
    velocity_ += l.size * normals_.col(l.contact);
    impulse_[l.contact] += l.size;
  }
  const double back = norm_ / velocity_.norm();
  velocity_ *= back;
  approach_ = back * (approach_ + share * answer_);
  return true;
}

ElasticOutcome elastic_outcome(const SparseColumns& normals, const Eigen::VectorXd& start,
                               const ElasticOptions& options) {
  std::int64_t before = 0;
  if (options.patience > 0) {
    const std::int64_t most = std::min(options.patience * normals.cols(), options.max_applications);
    ElasticOutcome outcome = end_of_impacts(normals, no_equalities(normals), start, options, most);
    if (outcome.ended || most == options.max_applications) return outcome;
    before = outcome.applications;
  }
  const ImplicitEqualities equalities = implicit_equalities(normals, options.flatness);
  ElasticOutcome outcome =
      end_of_impacts(normals, equalities, start, options, options.max_applications);
  outcome.applications += before;
  return outcome;
}

}  // namespace scree
