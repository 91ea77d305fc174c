#include "pair_sweep.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "contact_numbers.hpp"
#include "scree/base/enumeration.hpp"
#include "scree/problem/cones/circular_contact.hpp"
#include "scree/problem/frames.hpp"

namespace scree {
namespace {

constexpr std::size_t kRow = 8;  ///< numbers of a body in the kernels' rows

/// The exact solution for lanes whose Newton steps lag (kernels.hpp).
double solve_exactly(const double* block, double mu, const double* q, double* l) {
  const auto [nn, n1, n2, b11, b12, b22] =
      std::array{block[0], block[1], block[2], block[3], block[4], block[5]};
  cones::CircularContact contact({nn, n1, n2, n1, b11, b12, n2, b12, b22}, mu);
  contact.solve(true, q, l);
  return contact.alpha();
}

/// Numbers of a contact by PairForm.
constexpr std::array<std::size_t, 3> kNumbers{SphereContact::kNumbers, PointContact::kNumbers,
                                              RowContact::kNumbers};

}  // namespace

template <class T>
std::size_t PairSweep<T>::place(std::size_t contact, std::size_t n_numbers) const {
  const std::size_t width = kernels_.width;
  const std::size_t slot = batches_.slots()[contact];
  return slot / width * width * n_numbers + slot % width;
}

template <class T>
void PairSweep<T>::take(const PairRows& rows, std::span<const double> sharers, LocalLaw law) {
  law_ = law;
  form_ = rows.form;
  name_bodies(rows);
  const std::size_t lanes = batches_.count() * kernels_.width;
  impulse_.assign(3 * lanes, T(0));
  result_.assign(3 * lanes, T(0));
  contacts_.assign(kNumbers[index_of(form_)] * lanes, T(0));
  const std::size_t n_rows = rows.n_bodies + 2 * kernels_.width;
  bodies_.assign(kRow * n_rows, T(0));
  masses_.assign(form_ == PairForm::points ? kRow * n_rows : 0, T(0));
  impulse_unit_ = mean_mass(rows);
  body_unit_ = form_ == PairForm::rows ? std::sqrt(impulse_unit_) : 1.0;
  for (std::size_t b = 0; b < rows.n_bodies; ++b) take_body(rows, b, sharers[b]);
  const NumberedRows of{rows, sharers, law, impulse_unit_};
  for (std::size_t i = 0; i < rows.n_contacts(); ++i) {
    switch (form_) {
      case PairForm::spheres:
        put(i, sphere_numbers(of, i));
        break;
      case PairForm::points:
        put(i, point_numbers(of, i));
        break;
      case PairForm::rows:
        put(i, row_numbers(of, i));
        break;
    }
  }
  before_ = bodies_;
}

/// The body's own numbers.
template <class T>
void PairSweep<T>::take_body(const PairRows& rows, std::size_t b, double sharers) {
  T* row = &bodies_[kRow * b];
  if (form_ == PairForm::rows) {
    row[6] = static_cast<T>(sharers);
    return;
  }
  const double unit = impulse_unit_ * sharers;
  const BodyMass& mass = rows.masses[b];
  row[6] = static_cast<T>(unit * mass.linear[0]);
  row[7] = static_cast<T>(unit * (form_ == PairForm::spheres ? mass.angular[0] : mass.linear[1]));
  if (form_ == PairForm::spheres) return;
  T* more = &masses_[kRow * b];
  *more++ = static_cast<T>(unit * mass.linear[2]);
  for (const double x : mass.angular) *more++ = static_cast<T>(unit * x);
}

template <class T>
template <std::size_t kCount>
void PairSweep<T>::put(std::size_t contact, const std::array<double, kCount>& numbers) {
  const Lane to = lane(contacts_, contact, kCount);
  for (std::size_t k = 0; k < kCount; ++k) to(k, numbers[k]);
}

/// Schedules the contacts, and names the bodies of every lane.
template <class T>
void PairSweep<T>::name_bodies(const PairRows& rows) {
  first_.assign(rows.n_contacts(), -1);
  second_.assign(rows.n_contacts(), -1);
  for (std::size_t i = 0; i < rows.n_contacts(); ++i) {
    const std::size_t begin = rows.first[i];
    const std::size_t n = rows.first[i + 1] - begin;
    if (n > 0) first_[i] = rows.body[begin];
    if (n > 1) second_[i] = rows.body[begin + 1];
  }
  batches_.schedule(kernels_.width, rows.n_bodies, first_, second_);
  const std::size_t width = kernels_.width;
  names_.resize(2 * width * batches_.count());
  for (std::size_t k = 0; k < names_.size(); ++k) {
    names_[k] = static_cast<std::int32_t>(rows.n_bodies + k % (2 * width));
  }
  for (std::size_t i = 0; i < rows.n_contacts(); ++i) {
    const std::size_t slot = batches_.slots()[i];
    std::int32_t* names = &names_[(slot / width) * 2 * width + slot % width];
    if (first_[i] >= 0) names[0] = first_[i];
    if (second_[i] >= 0) names[width] = second_[i];
  }
}

/// Whether D_nn is positive. @pre the contacts are taken.
template <class T>
bool PairSweep<T>::moves_normal(std::size_t contact) const {
  const bool exact = law_ == LocalLaw::coulomb;
  const std::size_t local = exact ? LocalContact::kPivots : LocalContact::kInverse;
  const std::array<std::size_t, 3> at{SphereContact::kInverse, PointContact::kLocal + local,
                                      RowContact::kLocal + local};
  const std::size_t width = kernels_.width;
  return contacts_[place(contact, kNumbers[index_of(form_)]) + at[index_of(form_)] * width] > T(0);
}

template <class T>
void PairSweep<T>::set_impulses(const PairRows& rows, std::span<const double> lambda) {
  for (std::size_t i = 0; i < rows.n_contacts(); ++i) {
    const std::size_t n_rows = rows.n_rows(i);
    const double* l = lambda.data() + rows.row(i);
    std::array<double, 3> given{};
    if (form_ == PairForm::spheres) {
      Vec3 impulse = Vec3::Zero();
      const ContactFrame axes = rows.frame(i).axes;
      for (std::size_t k = 0; k < n_rows; ++k) impulse += l[k] * axis_of(axes, static_cast<int>(k));
      Vec3::Map(given.data()) = impulse;
    } else {
      std::copy_n(l, n_rows, given.begin());
    }
    // Where a contact moves nothing along its normal the kernels would keep its impulse for ever.
    if (!moves_normal(i)) given.fill(0.0);
    const Lane start = lane(impulse_, i, given.size());
    const Lane result = lane(result_, i, given.size());
    for (std::size_t d = 0; d < given.size(); ++d) {
      start(d, given[d] / impulse_unit_);
      result(d, given[d] / impulse_unit_);
    }
  }
}

template <class T>
void PairSweep<T>::set_bodies(std::span<const double> w) {
  for (std::size_t b = 0; b < w.size() / 6; ++b) {
    for (std::size_t k = 0; k < 6; ++k) {
      const std::size_t at = kRow * b + k;
      const T fresh = static_cast<T>(w[6 * b + k] / body_unit_);
      bodies_[at] += fresh - before_[at];
      before_[at] = fresh;
    }
  }
}

template <class T>
double PairSweep<T>::run(const SweepFactors& factors) {
  SweepArguments<T> a;
  a.n_batches = batches_.count();
  a.contacts = contacts_.data();
  a.bodies = names_.data();
  a.impulse = impulse_.data();
  a.result = result_.data();
  a.rows = bodies_.data();
  a.masses = masses_.empty() ? nullptr : masses_.data();
  a.step = static_cast<T>(factors.step);
  a.relaxation = static_cast<T>(factors.relaxation);
  a.momentum = static_cast<T>(factors.momentum);
  a.exact = solve_exactly;
  return impulse_unit_ * kernels_.sweep[index_of(form_)][index_of(law_)](a);
}

template <class T>
void PairSweep<T>::move_on(double momentum) {
  const T factor = static_cast<T>(momentum);
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const T now = bodies_[k];
    bodies_[k] = now + factor * (now - before_[k]);
    before_[k] = now;
  }
}

template <class T>
void PairSweep<T>::impulses(const PairRows& rows, std::span<double> lambda) const {
  const std::size_t width = kernels_.width;
  for (std::size_t i = 0; i < rows.n_contacts(); ++i) {
    const std::size_t n_rows = rows.n_rows(i);
    std::array<double, 3> x{};
    const std::size_t first = place(i, x.size());
    for (std::size_t d = 0; d < x.size(); ++d) {
      x[d] = impulse_unit_ * static_cast<double>(result_[first + d * width]);
    }
    double* l = lambda.data() + rows.row(i);
    if (form_ == PairForm::spheres) {
      const ContactFrame axes = rows.frame(i).axes;
      for (std::size_t k = 0; k < n_rows; ++k) {
        l[k] = axis_of(axes, static_cast<int>(k)).dot(Vec3::Map(x.data()));
      }
    } else {
      std::copy_n(x.begin(), n_rows, l);
    }
    l[0] = std::max(l[0], 0.0);
    if (n_rows < 2) continue;
    const double tangent = n_rows > 2 ? std::sqrt(l[1] * l[1] + l[2] * l[2]) : std::abs(l[1]);
    const double limit = rows.friction[i] * l[0];
    if (tangent <= limit) continue;
    for (std::size_t k = 1; k < n_rows; ++k) l[k] *= limit / tangent;
  }
}

template class PairSweep<double>;
template class PairSweep<float>;

}  // namespace scree
