#include "striking_bodies.hpp"

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

/// This rank's numbers of a vector over the bodies, and room for those of ghosts.
std::vector<double> with_ghosts(const ContactProblem& problem, Vec bodies) {
  std::vector<double> values = to_rows(bodies);
  values.resize(kBodyDofs * problem.delassus.blocks->pattern.n_bodies(), 0.0);
  body_exchange(problem).to_ghosts(values);
  return values;
}

/// a - b, whose entries are exactly zero where they are rounding of numbers of the size of a, b and
/// @p size: a wall that stands still, or moves along itself, must not seem to come near.
Vec3 difference(const Vec3& a, const Vec3& b, double size) {
  constexpr double kRounding = 1e-11;  // of a tool's spin, which is a difference of poses over dt
  const double small = kRounding * (a.norm() + b.norm() + size);
  Vec3 result = a - b;
  for (double& entry : result) {
    if (std::abs(entry) <= small) entry = 0.0;
  }
  return result;
}

}  // namespace

StrikingBodies::StrikingBodies(const FormulatedStep& step)
    : step_(step), velocity_(with_ghosts(step.problem, step.v_before.get())) {
  const std::vector<double> start = velocity_;
  const std::vector<double> free = with_ghosts(step.problem, step.problem.v_free.get());
  for (std::size_t k = 0; k < free.size(); ++k) velocity_[k] = 0.5 * (start[k] + free[k]);
  before_ = velocity_;
  const ContactSpan rows = step.contact_rows();
  const petsc::ConstView r(step.problem.r.get());
  bias_.reserve(rows.count());
  for (std::size_t i = 0; i < rows.count(); ++i) {
    Vec3 u = Vec3::Zero();
    for (int k = 0; k < std::min(rows.dim(i), kForceRows); ++k) u[k] = r[rows.normal(i) + k];
    const double gap_bias = step.terms[i].gap_bias;
    u[0] -= gap_bias;
    const Vec3 of_bodies = seen(i, free);
    bias_.push_back(difference(u, of_bodies, std::abs(gap_bias) + surface_speeds(i, free)));
    gained_.push_back(std::max(seen(i, start)[0] - of_bodies[0], 0.0));
  }
}

double StrikingBodies::touching(std::size_t i) const {
  constexpr double kTouching = 1e-9;  // of a contact's arm
  return kTouching * step_.problem.delassus.blocks->frames[i].arm_a.norm();
}

double StrikingBodies::surface_speeds(std::size_t contact,
                                      const std::vector<double>& velocity) const {
  const BlockRows& blocks = *step_.problem.delassus.blocks;
  const Contact& point = blocks.frames[contact];
  const auto [a, b] = numbers_of_frame(blocks.pattern, contact, velocity.data());
  const auto speed = [](const double* body, const Vec3& arm) {
    return body == nullptr ? 0.0 : Vec3::Map(body).norm() + Vec3::Map(body + 3).norm() * arm.norm();
  };
  return speed(a, point.arm_a) + speed(b, point.arm_b);
}

Vec3 StrikingBodies::seen(std::size_t contact, const std::vector<double>& velocity) const {
  const BlockRows& blocks = *step_.problem.delassus.blocks;
  const Contact& point = blocks.frames[contact];
  const auto [a, b] = numbers_of_frame(blocks.pattern, contact, velocity.data());
  Vec3 u = in_frame<kForceRows>(point.frame(), relative_motion(point, a, b), 0.0);
  for (int k = step_.contact_rows().dim(contact); k < kForceRows; ++k) u[k] = 0.0;
  return u;
}

double StrikingBodies::normal_velocity(std::size_t i) const {
  const BlockRows& blocks = *step_.problem.delassus.blocks;
  const Contact& point = blocks.frames[i];
  const auto [a, b] = numbers_of_frame(blocks.pattern, i, velocity_.data());
  return point.normal.dot(relative_motion(point, a, b).linear) + bias_[i][0];
}

ProblemChanges StrikingBodies::changes() const {
  const ContactProblem& problem = step_.problem;
  const BlockRows& blocks = *problem.delassus.blocks;
  std::vector<double> change(velocity_.size());
  for (std::size_t k = 0; k < change.size(); ++k) change[k] = velocity_[k] - before_[k];
  ProblemChanges result{.r = petsc::copy(problem.r.get()),
                        .v_free = petsc::copy(problem.v_free.get())};
  {
    const petsc::View v(result.v_free.get());
    for (std::size_t k = 0; k < v.size(); ++k) v[k] += change[k];
  }
  const petsc::View r(result.r.get());
  multiply(blocks, problem.cones, change, r.span());
  return result;
}

}  // namespace scree
