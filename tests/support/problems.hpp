#pragma once

/// Contact problems of the tests' own: a builder that every rank fills alike, from which each rank
/// takes its share of bodies and contacts, and a few scenes made with it.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "scree/base/math.hpp"
#include "scree/base/parallel.hpp"
#include "scree/problem/contact_problem.hpp"

namespace scree::test {

inline constexpr double kGravity = 9.81;

/// Diagonal of R of one contact.
struct Compliance {
  double normal = 0.0;      ///< 1/kg
  double tangential = 0.0;  ///< of each tangent, 1/kg
  double rolling = 0.0;     ///< of each axis of rolling, 1/(kg m^2)
};

class ProblemBuilder {
 public:
  /// A ball; returns its number. @p fixed: degrees of freedom held, one bit each.
  int add_ball(double mass, double radius, const Vec6& velocity, unsigned fixed = 0) {
    Vec6 inverse;
    inverse << Vec3::Constant(1.0 / mass), Vec3::Constant(2.5 / (mass * radius * radius));
    for (int k = 0; k < 6; ++k) {
      if ((fixed >> static_cast<unsigned>(k)) & 1U) inverse[k] = 0.0;
    }
    inverse_mass_.push_back(inverse);
    velocity_.push_back(velocity);
    return static_cast<int>(velocity_.size()) - 1;
  }

  /// Holds these degrees of freedom of all balls but the last @p n_free.
  void hold_all(unsigned fixed, std::size_t n_free = 0) {
    for (std::size_t b = 0; b + n_free < inverse_mass_.size(); ++b) {
      for (int k = 0; k < 6; ++k) {
        if ((fixed >> static_cast<unsigned>(k)) & 1U) inverse_mass_[b][k] = 0.0;
      }
    }
  }

  /// Gives the balls so far axes of their own, in which their angular velocities stand, as in files
  /// of other programs. Impulses are the same.
  void use_own_axes() {
    for (std::size_t b = axes_.size(); b < velocity_.size(); ++b) {
      const double angle = 1.0 + static_cast<double>(b);
      axes_.push_back(Eigen::AngleAxisd(angle, Vec3(2.0, -1.0, 3.0).normalized()).matrix());
      velocity_[b].tail<3>() = (axes_[b].transpose() * velocity_[b].tail<3>()).eval();
    }
  }

  /// A contact of ball @p a with @p b (-1: a wall); the normal points from b to a; arms reach from
  /// the centres to the contact point; @p bias is phi/dt.
  void add_contact(int a, int b, const Vec3& normal, const Vec3& arm_a, const Vec3& arm_b,
                   double bias, double mu, int dim = 3, Compliance compliance = {}) {
    contacts_.push_back({a, b, normal, arm_a, arm_b, bias, mu, dim, compliance});
  }

  /// Gives all contacts so far of three rows rolling friction, m.
  void resist_rolling(double mu_r) {
    for (Pair& contact : contacts_) {
      if (contact.dim != 3) continue;
      contact.dim = 5;
      contact.mu_r = mu_r;
    }
  }

  /// Gives all contacts so far that resist rolling the same of spinning, m.
  void resist_spinning(double mu_s) {
    for (Pair& contact : contacts_) {
      if (contact.dim != 5) continue;
      contact.dim = 6;
      contact.mu_s = mu_s;
    }
  }

  /// Gives all contacts so far this compliance.
  void soften(Compliance compliance) {
    for (Pair& contact : contacts_) contact.compliance = compliance;
  }

  /// Collective.
  ContactProblem build(MPI_Comm comm, const Friction& law, const std::string& origin) const {
    ContactProblem p;
    p.comm = comm;
    p.origin = origin;
    const auto [body_first, body_end] = share(comm, velocity_.size());
    const auto [first, end] = share(comm, contacts_.size());
    for (std::size_t i = first; i < end; ++i) {
      append_cone(p, contacts_[i], law);
    }
    const auto n_dofs = static_cast<PetscInt>(6 * (body_end - body_first));
    const auto n_rows = static_cast<PetscInt>(p.cones.rows());
    p.v_free = petsc::make_vector(comm, 6 * (body_end - body_first));
    p.r = petsc::make_vector(comm, p.cones.rows());
    const petsc::Matrix mass = fill_mass(p, n_dofs, body_first, body_end);
    const petsc::Matrix jacobian = fill_jacobian(p, n_rows, n_dofs, first, end);
    p.delassus.blocks =
        std::make_shared<const BlockRows>(block_rows_of(comm, jacobian.get(), mass.get(), p.cones));
    p.compliance = compliance_of(first, end);
    return p;
  }

 private:
  struct Pair {
    int a;
    int b;
    Vec3 normal;
    Vec3 arm_a;
    Vec3 arm_b;
    double bias;
    double mu;
    int dim;
    Compliance compliance;
    double mu_r = 0.0;
    double mu_s = 0.0;
  };

  void append_cone(ContactProblem& p, const Pair& c, const Friction& law) const {
    const double length = length_of(c);
    if (any_rolls()) p.rolling_length.push_back(c.dim < 5 ? 0.0 : length);
    if (c.dim < 5) {
      p.cones.append(c.dim, c.mu, law);
    } else if (c.dim == 5) {
      p.cones.append_by(law, cones::Rolling{{c.mu, c.mu_r / length}});
    } else {
      p.cones.append_by(law, cones::Spinning{{c.mu, c.mu_r / length, c.mu_s / length}});
    }
  }

  bool any_rolls() const {
    return std::any_of(contacts_.begin(), contacts_.end(),
                       [](const Pair& c) { return c.dim >= 5; });
  }

  /// l of ContactProblem::rolling_length; 1 of a contact that does not roll.
  double length_of(const Pair& c) const {
    if (c.dim < 5) return 1.0;
    std::array<double, 2> trace{2.0 * c.compliance.tangential, 2.0 * c.compliance.rolling};
    for (const auto& [body, arm] : {std::pair(c.a, c.arm_a), std::pair(c.b, c.arm_b)}) {
      if (body < 0) continue;
      const Vec6& inverse = inverse_mass_[body];
      for (int k = 1; k < 5; ++k) {
        const Vec6 row = row_of(c, k, arm, 1.0);
        trace[k < 3 ? 0 : 1] += row.cwiseAbs2().dot(inverse);
      }
    }
    return std::sqrt(trace[0] / trace[1]);
  }

  /// The numbers of J of a body at @p arm in row @p k of a contact, for l = 1 where @p length is
  /// not given.
  static Vec6 row_of(const Pair& c, int k, const Vec3& arm, double sign, double length = 1.0) {
    const Mat3 axes = frame(c.normal);
    Vec6 row = Vec6::Zero();
    if (k < 3) {
      const Vec3 axis = axes.row(k);
      row << sign * axis, sign * arm.cross(axis);
    } else {
      row.tail<3>() = sign * length * axes.row((k - 2) % 3);
    }
    return row;
  }

  static std::pair<std::size_t, std::size_t> share(MPI_Comm comm, std::size_t n) {
    const std::size_t rank = rank_of(comm);
    const std::size_t size = size_of(comm);
    return {n * rank / size, n * (rank + 1) / size};
  }

  static Mat3 frame(const Vec3& n) {
    const Vec3 helper = std::abs(n.x()) < 0.9 ? Vec3::UnitX() : Vec3::UnitY();
    Mat3 rows;
    rows.row(0) = n;
    rows.row(1) = n.cross(helper).normalized();
    rows.row(2) = n.cross(Vec3(rows.row(1)));
    return rows;
  }

  /// R of this rank's rows; empty where all its contacts are rigid.
  std::vector<double> compliance_of(std::size_t first, std::size_t end) const {
    std::vector<double> rows;
    for (std::size_t i = first; i < end; ++i) {
      const Pair& c = contacts_[i];
      const double length = length_of(c);
      for (int k = 0; k < c.dim; ++k) {
        rows.push_back(k == 0  ? c.compliance.normal
                       : k < 3 ? c.compliance.tangential
                               : length * length * c.compliance.rolling);
      }
    }
    if (std::all_of(rows.begin(), rows.end(), [](double x) { return x == 0.0; })) rows.clear();
    return rows;
  }

  /// M^-1, and v_free of @p p.
  petsc::Matrix fill_mass(ContactProblem& p, PetscInt n_dofs, std::size_t first,
                          std::size_t end) const {
    petsc::Matrix mass;
    SCREE_PETSC(MatCreateAIJ(p.comm, n_dofs, n_dofs, PETSC_DETERMINE, PETSC_DETERMINE, 1, nullptr,
                             0, nullptr, mass.out()));
    Mat m = mass.get();
    for (std::size_t b = first; b < end; ++b) {
      for (int k = 0; k < 6; ++k) {
        const auto row = static_cast<PetscInt>(6 * b) + k;
        SCREE_PETSC(MatSetValue(m, row, row, inverse_mass_[b][k], INSERT_VALUES));
        SCREE_PETSC(VecSetValue(p.v_free.get(), row, velocity_[b][k], INSERT_VALUES));
      }
    }
    SCREE_PETSC(MatAssemblyBegin(m, MAT_FINAL_ASSEMBLY));
    SCREE_PETSC(MatAssemblyEnd(m, MAT_FINAL_ASSEMBLY));
    SCREE_PETSC(VecAssemblyBegin(p.v_free.get()));
    SCREE_PETSC(VecAssemblyEnd(p.v_free.get()));
    return mass;
  }

  /// J, and r of @p p.
  petsc::Matrix fill_jacobian(ContactProblem& p, PetscInt n_rows, PetscInt n_dofs,
                              std::size_t first, std::size_t end) const {
    petsc::Matrix jacobian;
    SCREE_PETSC(MatCreateAIJ(p.comm, n_rows, n_dofs, PETSC_DETERMINE, PETSC_DETERMINE, 12, nullptr,
                             12, nullptr, jacobian.out()));
    Mat j = jacobian.get();
    PetscInt row = 0;
    SCREE_PETSC(MatGetOwnershipRange(j, &row, nullptr));
    for (std::size_t i = first; i < end; ++i) {
      const Pair& c = contacts_[i];
      const double length = length_of(c);
      for (int k = 0; k < c.dim; ++k, ++row) {
        double u = k == 0 ? c.bias : 0.0;
        u += set_body(j, row, c.a, row_of(c, k, c.arm_a, 1.0, length));
        u += set_body(j, row, c.b, row_of(c, k, c.arm_b, -1.0, length));
        SCREE_PETSC(VecSetValue(p.r.get(), row, u, INSERT_VALUES));
      }
    }
    SCREE_PETSC(MatAssemblyBegin(j, MAT_FINAL_ASSEMBLY));
    SCREE_PETSC(MatAssemblyEnd(j, MAT_FINAL_ASSEMBLY));
    SCREE_PETSC(VecAssemblyBegin(p.r.get()));
    SCREE_PETSC(VecAssemblyEnd(p.r.get()));
    return jacobian;
  }

  /// Sets the six numbers of one body in a row of J; gives the row's velocity of it.
  double set_body(Mat j, PetscInt row, int body, Vec6 numbers) const {
    if (body < 0) return 0.0;
    if (std::cmp_less(body, axes_.size())) {
      numbers.tail<3>() = (axes_[body].transpose() * numbers.tail<3>()).eval();
    }
    for (int k = 0; k < 6; ++k) {
      SCREE_PETSC(MatSetValue(j, row, 6 * body + k, numbers[k], INSERT_VALUES));
    }
    return numbers.dot(velocity_[body]);
  }

  std::vector<Vec6> inverse_mass_;
  std::vector<Vec6> velocity_;
  std::vector<Mat3> axes_;  ///< columns; none where they are the world's
  std::vector<Pair> contacts_;
};

/// Velocity after a step @p dt of gravity along -z.
inline Vec6 falling(double dt) {
  Vec6 v = Vec6::Zero();
  v[2] = -kGravity * dt;
  return v;
}

/// A ball on a plane of slope @p angle (rad): gravity turned, plane z = 0.
inline ProblemBuilder ball_on_slope(double angle, double mu) {
  const double dt = 1e-2;
  ProblemBuilder b;
  Vec6 v = Vec6::Zero();
  v[0] = kGravity * dt * std::sin(angle);
  v[2] = -kGravity * dt * std::cos(angle);
  const int ball = b.add_ball(2.0, 0.1, v);
  b.add_contact(ball, -1, Vec3::UnitZ(), Vec3(0, 0, -0.1), Vec3::Zero(), 0.0, mu);
  return b;
}

/// @p n balls of 1 kg one on another, on a plane.
inline ProblemBuilder stack(int n, double mu = 0.4) {
  ProblemBuilder b;
  const double r = 0.1;
  for (int i = 0; i < n; ++i) {
    b.add_ball(1.0, r, falling(1e-2));
    b.add_contact(i, i - 1, Vec3::UnitZ(), Vec3(0, 0, -r), Vec3(0, 0, r), 0.0, mu);
  }
  return b;
}

/// A cubic packing of @p n^3 balls between a floor and four walls: many more contact forces than
/// balance can tell apart.
inline ProblemBuilder crate(int n, double mu = 0.4, double push = 0.0) {
  ProblemBuilder b;
  const double r = 0.05;
  const auto number = [n](int i, int j, int k) { return (k * n + j) * n + i; };
  for (int body = 0; body < n * n * n; ++body) {
    Vec6 v = falling(1e-2);
    v[0] = push;
    b.add_ball(0.5, r, v);
  }
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        const int at[3] = {i, j, k};
        for (int axis = 0; axis < 3; ++axis) {
          Vec3 e = Vec3::Unit(axis);
          const int self = number(i, j, k);
          int previous = -1;
          if (at[axis] > 0) {
            previous = number(i - (axis == 0), j - (axis == 1), k - (axis == 2));
          }
          b.add_contact(self, previous, e, -r * e, r * e, 0.0, mu);
          if (at[axis] == n - 1 && axis < 2) {
            b.add_contact(self, -1, -e, r * e, Vec3::Zero(), 0.0, mu);
          }
        }
      }
    }
  }
  return b;
}

/// Random contacts between random balls, with gaps, so that rest is always possible. @p mixed: the
/// cones have dim 1, 2 and 3 in turn; @p held: some degrees of freedom are held.
inline ProblemBuilder random_graph(int n_balls, int n_contacts, unsigned seed, bool mixed = false,
                                   bool held = false) {
  ProblemBuilder b;
  std::mt19937 generator(seed);
  // not a std::distribution: its numbers differ between standard libraries
  const auto uniform = [&generator](double low, double high) {
    return low + (high - low) * (static_cast<double>(generator()) / 4294967296.0);
  };
  const auto direction = [&uniform] {
    Vec3 d;
    do {
      d = Vec3(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
    } while (d.norm() > 1.0 || d.norm() < 0.1);
    return Vec3(d.normalized());
  };
  std::vector<double> radii;
  for (int i = 0; i < n_balls; ++i) {
    radii.push_back(uniform(0.05, 0.1));
    Vec6 v;
    for (int k = 0; k < 6; ++k) v[k] = uniform(-1, 1);
    const double mass = 4000.0 * radii.back() * radii.back() * radii.back();
    b.add_ball(mass, radii.back(), v, held && i % 3 == 0 ? 0x39U : 0U);
  }
  for (int c = 0; c < n_contacts; ++c) {
    const int a = static_cast<int>(generator() % static_cast<unsigned>(n_balls));
    int other = static_cast<int>(generator() % static_cast<unsigned>(n_balls + 1)) - 1;
    if (other == a) other = -1;
    const Vec3 n = direction();
    const Vec3 arm = -radii[a] * n;
    const Vec3 arm_other = other < 0 ? Vec3(Vec3::Zero()) : Vec3(radii[other] * n);
    b.add_contact(a, other, n, arm, arm_other, uniform(0.0, 0.3), uniform(0.2, 0.7),
                  mixed ? 1 + c % 3 : 3);
  }
  return b;
}

/// The problem with N given as a matrix. Collective.
inline ContactProblem as_matrix(const ContactProblem& product) {
  ContactProblem p;
  p.comm = product.comm;
  p.delassus.matrix = assemble_delassus(product);
  p.delassus.symmetric = product.delassus.symmetric;
  p.r = petsc::duplicate(product.r.get());
  SCREE_PETSC(VecCopy(product.r.get(), p.r.get()));
  p.cones = product.cones;
  p.rolling_length = product.rolling_length;
  p.origin = product.origin + ", as a matrix";
  return p;
}

}  // namespace scree::test
