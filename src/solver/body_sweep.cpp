#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "scree/base/math.hpp"
#include "scree/base/parallel.hpp"
#include "scree/problem/body_rows.hpp"
#include "sweep.hpp"
#include "sweep_common.hpp"

namespace scree {
namespace {

using Entry = Eigen::Map<const Eigen::Matrix<double, 3, 6, Eigen::RowMajor>>;

/// u += B_ib w_b
inline void add_velocity(const double* b, const double* w, double* u) {
  for (int k = 0; k < 3; ++k) {
    const double* row = b + 6 * k;
    u[k] += (row[0] * w[0] + row[1] * w[1] + row[2] * w[2]) +
            (row[3] * w[3] + row[4] * w[4] + row[5] * w[5]);
  }
}

/// w_b += B_ib^T l
inline void add_impulse(const double* b, const double* l, double* w) {
  for (int c = 0; c < 6; ++c) w[c] += b[c] * l[0] + b[6 + c] * l[1] + b[12 + c] * l[2];
}

class BodySweep final : public Sweep {
 public:
  explicit BodySweep(const ContactProblem& problem)
      : law_(problem.friction),
        kept_(body_rows(problem)),
        rows_(*kept_),
        exchange_(problem.comm, rows_, kBodyDofs),
        r_(padded(problem.r.get(), problem.cones)),
        w_(rows_.n_bodies() * kBodyDofs, 0.0) {
    const std::vector<double> theta = coupling(problem.comm);
    contacts_.reserve(rows_.n_cones());
    for (std::size_t i = 0; i < rows_.n_cones(); ++i) {
      Mat3 a = theta[i] * Mat3::Identity();
      for (std::int32_t e = rows_.first[i]; e < rows_.first[i + 1]; ++e) {
        const Entry b(rows_.block(e));
        a += b * b.transpose();
      }
      // a proximal term in the padding would do nothing: the padded velocity and impulse are 0
      std::array<double, 9> block{};
      Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(block.data()) = a;
      contacts_.emplace_back(block, problem.cones.mu[i]);
    }
  }

  void start(const std::vector<double>& lambda) override {
    std::fill(w_.begin(), w_.end(), 0.0);
    for (std::size_t i = 0; i < rows_.n_cones(); ++i) {
      for (std::int32_t e = rows_.first[i]; e < rows_.first[i + 1]; ++e) {
        add_impulse(rows_.block(e), &lambda[3 * i], body(e));
      }
    }
    exchange_.add_to_owners(w_);
    exchange_.to_ghosts(w_);
    remember_ghosts();
  }

  void run(double omega, std::vector<double>& lambda) override {
    for (std::size_t i = 0; i < rows_.n_cones(); ++i) {
      const std::int32_t first = rows_.first[i];
      const std::int32_t end = rows_.first[i + 1];
      std::array<double, 3> u{r_[3 * i], r_[3 * i + 1], r_[3 * i + 2]};
      for (std::int32_t e = first; e < end; ++e) add_velocity(rows_.block(e), body(e), u.data());
      std::array<double, 3> change;
      if (!relax_contact(contacts_[i], law_, omega, u.data(), &lambda[3 * i], change.data())) {
        continue;
      }
      for (std::int32_t e = first; e < end; ++e) {
        add_impulse(rows_.block(e), change.data(), body(e));
      }
    }
    share_changes();
  }

  void velocities(std::vector<double>& u) const override {
    u = r_;
    for (std::size_t i = 0; i < rows_.n_cones(); ++i) {
      for (std::int32_t e = rows_.first[i]; e < rows_.first[i + 1]; ++e) {
        add_velocity(rows_.block(e), body(e), &u[3 * i]);
      }
    }
  }

 private:
  double* body(std::int32_t entry) {
    return w_.data() + kBodyDofs * rows_.body[static_cast<std::size_t>(entry)];
  }
  const double* body(std::int32_t entry) const {
    return w_.data() + kBodyDofs * rows_.body[static_cast<std::size_t>(entry)];
  }
  std::ptrdiff_t owned_size() const { return std::ptrdiff_t{kBodyDofs} * rows_.n_owned; }

  void remember_ghosts() { ghosts_before_.assign(w_.begin() + owned_size(), w_.end()); }

  /// The owner of a body gathers what all ranks did to it in this sweep.
  void share_changes() {
    const auto first = static_cast<std::size_t>(owned_size());
    for (std::size_t k = 0; k < ghosts_before_.size(); ++k) w_[first + k] -= ghosts_before_[k];
    exchange_.add_to_owners(w_);
    exchange_.to_ghosts(w_);
    remember_ghosts();
  }

  /// theta_i = sum_b |B_ib| (sum of |B_jb| over the cones j of other ranks).
  std::vector<double> coupling(MPI_Comm comm) const {
    std::vector<double> theta(rows_.n_cones(), 0.0);
    if (size_of(comm) == 1) return theta;
    std::vector<double> norm(rows_.body.size());
    std::vector<double> own(rows_.n_bodies(), 0.0);
    for (std::size_t e = 0; e < norm.size(); ++e) {
      const Entry b(rows_.block(static_cast<std::int32_t>(e)));
      Eigen::SelfAdjointEigenSolver<Mat3> spectrum;
      spectrum.computeDirect(b * b.transpose(), Eigen::EigenvaluesOnly);
      norm[e] = std::sqrt(std::max(spectrum.eigenvalues()[2], 0.0));
      own[static_cast<std::size_t>(rows_.body[e])] += norm[e];
    }
    std::vector<double> all = own;
    BodyExchange sums(comm, rows_, 1);
    sums.add_to_owners(all);
    sums.to_ghosts(all);
    for (std::size_t i = 0; i < theta.size(); ++i) {
      for (std::int32_t e = rows_.first[i]; e < rows_.first[i + 1]; ++e) {
        const auto entry = static_cast<std::size_t>(e);
        const auto b = static_cast<std::size_t>(rows_.body[entry]);
        theta[i] += norm[entry] * std::max(all[b] - own[b], 0.0);
      }
    }
    return theta;
  }

  FrictionLaw law_;
  std::shared_ptr<const BodyRows> kept_;
  const BodyRows& rows_;
  BodyExchange exchange_;
  std::vector<double> r_;
  std::vector<double> w_;              ///< B^T lambda, six numbers a local body
  std::vector<double> ghosts_before_;  ///< w of the ghosts at the start of the sweep
  std::vector<OneContact> contacts_;
};

}  // namespace

std::unique_ptr<Sweep> make_body_sweep(const ContactProblem& problem) {
  return std::make_unique<BodySweep>(problem);
}

}  // namespace scree
