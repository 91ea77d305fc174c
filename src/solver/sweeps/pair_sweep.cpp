#include "scree/solver/sweeps/pair_sweep.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "scree/problem/cones/circular_contact.hpp"
#include "scree/solver/sweeps/projected_scales.hpp"

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

double inverse_or_zero(double x) {
  return x > 0.0 ? 1.0 / x : 0.0;
}

/// The mass that a contact moves in the mean: 1/N_nn of their mean, kg. @p response of a normal row's block on a body.
template <class Response>
double mean_mass(const PairRows& rows, Response&& response) {
  double sum = 0.0;
  for (std::size_t i = 0; i < rows.n_contacts(); ++i) {
    for_each_block(rows, i, [&](const double* x, std::size_t b) { sum += response(x, b); });
  }
  return sum > 0.0 ? static_cast<double>(rows.n_contacts()) / sum : 1.0;
}

}  // namespace

template <class T>
std::size_t PairSweep<T>::place(std::size_t contact, std::size_t n_numbers) const {
  const auto width = static_cast<std::size_t>(kernels_.width);
  const auto slot = static_cast<std::size_t>(batches_.slots()[contact]);
  return slot / width * width * n_numbers + slot % width;
}

template <class T>
void PairSweep<T>::take(const PairRows& rows, std::span<const SphereMass> masses,
                        std::span<const double> sharers, LocalLaw law) {
  law_ = law;
  spheres_ = !masses.empty();
  name_bodies(rows);
  const auto lanes = batches_.count() * static_cast<std::size_t>(kernels_.width);
  impulse_.assign(3 * lanes, T(0));
  result_.assign(3 * lanes, T(0));
  const std::size_t n_rows = rows.n_bodies + 2 * static_cast<std::size_t>(kernels_.width);
  bodies_.assign(kRow * n_rows, T(0));
  if (spheres_) {
    impulse_unit_ = mean_mass(rows, [&](const double*, std::size_t b) { return masses[b].linear; });
    body_unit_ = 1.0;
    contacts_.assign(SphereContact::kNumbers * lanes, T(0));
    take_spheres(rows, masses, sharers);
  } else {
    impulse_unit_ = mean_mass(
        rows, [](const double* x, std::size_t) { return std::inner_product(x, x + 6, x, 0.0); });
    body_unit_ = std::sqrt(impulse_unit_);
    contacts_.assign(GeneralContact::kNumbers * lanes, T(0));
    take_general(rows, sharers);
  }
  before_ = bodies_;
}

/// Schedules the contacts, and names the bodies of every lane.
template <class T>
void PairSweep<T>::name_bodies(const PairRows& rows) {
  first_.assign(rows.n_contacts(), -1);
  second_.assign(rows.n_contacts(), -1);
  for (std::size_t i = 0; i < rows.n_contacts(); ++i) {
    const auto begin = static_cast<std::size_t>(rows.first[i]);
    const auto n = static_cast<std::size_t>(rows.first[i + 1]) - begin;
    if (n > 0) first_[i] = rows.body[begin];
    if (n > 1) second_[i] = rows.body[begin + 1];
  }
  batches_.schedule(kernels_.width, rows.n_bodies, first_, second_);
  const auto width = static_cast<std::size_t>(kernels_.width);
  names_.resize(2 * width * batches_.count());
  for (std::size_t k = 0; k < names_.size(); ++k) {
    names_[k] = static_cast<std::int32_t>(rows.n_bodies + k % (2 * width));
  }
  for (std::size_t i = 0; i < rows.n_contacts(); ++i) {
    const auto slot = static_cast<std::size_t>(batches_.slots()[i]);
    std::int32_t* names = &names_[(slot / width) * 2 * width + slot % width];
    if (first_[i] >= 0) names[0] = first_[i];
    if (second_[i] >= 0) names[width] = second_[i];
  }
}

template <class T>
void PairSweep<T>::take_spheres(const PairRows& rows, std::span<const SphereMass> masses,
                                std::span<const double> sharers) {
  using Contact = SphereContact;
  for (std::size_t b = 0; b < rows.n_bodies; ++b) {
    bodies_[kRow * b + 6] = static_cast<T>(impulse_unit_ * sharers[b] * masses[b].linear);
    bodies_[kRow * b + 7] = static_cast<T>(impulse_unit_ * sharers[b] * masses[b].angular);
  }
  for (std::size_t i = 0; i < rows.n_contacts(); ++i) {
    const std::size_t n_rows = rows.n_rows(i);
    const std::size_t row = rows.row(i);
    const Lane put = lane(contacts_, i, Contact::kNumbers);
    double d_n = impulse_unit_ * rows.compliance_of(row);
    double d_t = n_rows > 1 ? impulse_unit_ * rows.compliance_of(row + 1) : 0.0;
    put(Contact::kCompliance, d_n);
    put(Contact::kCompliance + 1, d_t);
    std::size_t side = 0;
    for_each_block(rows, i, [&](const double* block, std::size_t body) {
      const double arm = sphere_arm(block, n_rows);
      put(Contact::kArm + side, arm);
      const double share = impulse_unit_ * sharers[body];
      d_n += share * masses[body].linear;
      d_t += share * (masses[body].linear + arm * arm * masses[body].angular);
      if (side++ > 0) return;
      for (std::size_t d = 0; d < 3; ++d) {
        put(Contact::kNormal + d, block[d]);
        double velocity = 0.0;
        for (std::size_t k = 0; k < n_rows; ++k)
          velocity += block[6 * k + d] * rows.velocity[row + k];
        put(Contact::kVelocity + d, velocity);
      }
    });
    const double mu = n_rows > 1 ? rows.friction[i] : 0.0;
    put(Contact::kInverse, inverse_or_zero(d_n));
    put(Contact::kInverse + 1, inverse_or_zero(d_t));
    put(Contact::kFriction, mu);
    put(Contact::kWeight, (d_n + 2.0 * d_t) / 3.0);
    put(Contact::kPull, mu * d_t * inverse_or_zero(d_n));
  }
}

template <class T>
void PairSweep<T>::take_general(const PairRows& rows, std::span<const double> sharers) {
  using Contact = GeneralContact;
  for (std::size_t b = 0; b < rows.n_bodies; ++b) {
    bodies_[kRow * b + 6] = static_cast<T>(sharers[b]);
  }
  for (std::size_t i = 0; i < rows.n_contacts(); ++i) {
    const std::size_t n_rows = rows.n_rows(i);
    const std::size_t row = rows.row(i);
    const Lane put = lane(contacts_, i, Contact::kNumbers);
    std::array<double, 9> d{};
    for (std::size_t k = 0; k < n_rows; ++k) {
      d[4 * k] = impulse_unit_ * rows.compliance_of(row + k);
      put(Contact::kCompliance + k, d[4 * k]);
      put(Contact::kVelocity + k, rows.velocity[row + k]);
    }
    std::size_t side = 0;
    for_each_block(rows, i, [&](const double* block, std::size_t body) {
      for (std::size_t k = 0; k < 6 * n_rows; ++k) {
        put(Contact::kRows + 18 * side + k, body_unit_ * block[k]);
      }
      for (std::size_t k = 0; k < n_rows; ++k) {
        for (std::size_t j = 0; j < n_rows; ++j) {
          for (std::size_t c = 0; c < 6; ++c) {
            d[3 * k + j] += impulse_unit_ * sharers[body] * block[6 * k + c] * block[6 * j + c];
          }
        }
      }
      ++side;
    });
    const double mu = n_rows > 1 ? rows.friction[i] : 0.0;
    put(Contact::kFriction, mu);
    put(Contact::kWeight, (d[0] + d[4] + d[8]) / 3.0);
    if (law_ == LocalLaw::coulomb) {
      for (std::size_t k = n_rows; k < 3; ++k) d[4 * k] = 1.0;
      const double inverse = inverse_or_zero(d[0]);
      const double least =
          1e-14 * (d[0] + d[4] + d[8]);  // as circular_contact.hpp where S is singular
      const double s11 = d[4] - d[1] * d[1] * inverse;
      const double s12 = d[5] - d[1] * d[2] * inverse;
      const double s22 = d[8] - d[2] * d[2] * inverse;
      const double determinant = (s11 + least) * (s22 + least) - s12 * s12;
      const double scale = determinant > 0.0 ? 1.0 / determinant : 0.0;
      put(Contact::kInverse, inverse);
      put(Contact::kBlock, d[0]);
      put(Contact::kBlock + 1, d[1]);
      put(Contact::kBlock + 2, d[2]);
      put(Contact::kBlock + 3, d[4]);
      put(Contact::kBlock + 4, d[5]);
      put(Contact::kBlock + 5, d[8]);
      put(Contact::kSchur, s11);
      put(Contact::kSchur + 1, s12);
      put(Contact::kSchur + 2, s22);
      put(Contact::kStick, scale * (s22 + least));
      put(Contact::kStick + 1, -scale * s12);
      put(Contact::kStick + 2, scale * (s11 + least));
    } else {
      const cones::Square<3> block = Eigen::Map<const cones::Square<3>>(d.data());
      const cones::Rows<3> bound = projected_scales(block, cones::Circular{{mu}}).scale.cwiseAbs2();
      const double normal = bound[0];
      const double tangent = bound[1];
      put(Contact::kInverse, inverse_or_zero(normal));
      put(Contact::kInverse + 1, normal > 0.0 ? inverse_or_zero(tangent) : 0.0);
      put(Contact::kPull, normal > 0.0 ? mu * tangent / normal : 0.0);
    }
  }
}

/// Whether D_nn is positive. @pre the contacts are taken.
template <class T>
bool PairSweep<T>::moves_normal(std::size_t contact) const {
  const std::size_t numbers = spheres_ ? SphereContact::kNumbers : GeneralContact::kNumbers;
  const std::size_t inverse = spheres_ ? SphereContact::kInverse : GeneralContact::kInverse;
  const auto width = static_cast<std::size_t>(kernels_.width);
  return contacts_[place(contact, numbers) + inverse * width] > T(0);
}

template <class T>
void PairSweep<T>::set_impulses(const PairRows& rows, std::span<const double> lambda) {
  for (std::size_t i = 0; i < rows.n_contacts(); ++i) {
    const std::size_t n_rows = rows.n_rows(i);
    const double* l = lambda.data() + rows.row(i);
    std::array<double, 3> given{};
    if (spheres_) {
      const double* frame = rows.blocks.data() + rows.place[i];
      for (std::size_t d = 0; d < 3; ++d) {
        for (std::size_t k = 0; k < n_rows; ++k) given[d] += frame[6 * k + d] * l[k];
      }
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
  a.step = static_cast<T>(factors.step);
  a.relaxation = static_cast<T>(factors.relaxation);
  a.momentum = static_cast<T>(factors.momentum);
  a.exact = solve_exactly;
  const auto law = static_cast<std::size_t>(law_);
  return impulse_unit_ * (spheres_ ? kernels_.spheres[law](a) : kernels_.general[law](a));
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
  const auto width = static_cast<std::size_t>(kernels_.width);
  for (std::size_t i = 0; i < rows.n_contacts(); ++i) {
    const std::size_t n_rows = rows.n_rows(i);
    std::array<double, 3> x{};
    const std::size_t first = place(i, x.size());
    for (std::size_t d = 0; d < x.size(); ++d) {
      x[d] = impulse_unit_ * static_cast<double>(result_[first + d * width]);
    }
    double* l = lambda.data() + rows.row(i);
    const double* frame = rows.blocks.data() + rows.place[i];
    for (std::size_t k = 0; k < n_rows; ++k) {
      const double* f = frame + 6 * k;
      l[k] = spheres_ ? f[0] * x[0] + f[1] * x[1] + f[2] * x[2] : x[k];
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
