#include "scree/problem/assemble.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <limits>

#include "csr_rows.hpp"
#include "scree/base/parallel.hpp"
#include "scree/problem/body_rows.hpp"

namespace scree {
namespace {

constexpr std::int64_t kRowsPerContact = 3;
constexpr std::int64_t kLargestPetscInt = std::numeric_limits<PetscInt>::max();

/// PETSc numbers rows, columns and entries with PetscInt, which may have 32 bits.
void require_countable(std::int64_t count, const char* what) {
  if (count <= kLargestPetscInt) return;
  throw Failure(
      fmt::format("{} {} exceed what PETSc can count here ({}): build PETSc with 64-bit indices",
                  count, what, kLargestPetscInt));
}

std::array<const Vec3*, 3> frame_of(const Contact& contact) {
  return {&contact.normal, &contact.tangent1, &contact.tangent2};
}

bool isotropic(const Vec3& inertia) {
  return inertia.x() == inertia.y() && inertia.y() == inertia.z();
}

bool holds_dof(std::uint8_t fixed, int dof) {
  return (fixed >> dof & 1) != 0;
}

/// The inverse of the rows and columns of @p inertia that are not held, zero in those that are.
Mat3 inverse_of_free_part(const Mat3& inertia, std::uint8_t fixed) {
  std::array<int, 3> axes{};
  int n = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (!holds_dof(fixed, 3 + axis)) axes[static_cast<std::size_t>(n++)] = axis;
  }
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3, 3> part(n, n);
  const auto axis = [&axes](int i) { return axes[static_cast<std::size_t>(i)]; };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) part(i, j) = inertia(axis(i), axis(j));
  }
  Mat3 inverse = Mat3::Zero();
  if (n == 0) return inverse;
  const auto inverted = part.inverse().eval();
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      inverse(axis(i), axis(j)) = 0.5 * (inverted(i, j) + inverted(j, i));
    }
  }
  return inverse;
}

/// M^-1: the diagonal, and between the three rotations of a body that is not a ball.
petsc::Matrix make_inverse_mass(MPI_Comm comm, const Store& store, const Numbering& numbers,
                                const AssembleInput& input) {
  CsrRows rows;
  const auto n = static_cast<std::size_t>(numbers.n_owned);
  rows.reserve(kBodyDofs * n, 12 * n);
  for (std::int32_t slot = store.first_owned(); slot < store.end_owned(); ++slot) {
    const auto i = static_cast<std::size_t>(slot);
    const auto first = static_cast<PetscInt>(kBodyDofs * store.row[i]);
    const double mass = apparent_mass(store, slot, input.medium, input.dt);
    for (int k = 0; k < 3; ++k) {
      rows.add(first + k, holds_dof(store.fixed[i], k) ? 0.0 : 1.0 / mass);
      rows.end_row();
    }
    const Vec3 moments = apparent_inertia(store, slot, input.medium, input.dt);
    const Mat3 inverse = inverse_inertia(store, slot, moments);
    const bool diagonal = isotropic(moments);
    for (int k = 0; k < 3; ++k) {
      for (int l = 0; l < 3; ++l) {
        if (k == l || !diagonal) rows.add(first + 3 + l, inverse(k, l));
      }
      rows.end_row();
    }
  }
  return make_matrix(comm, rows, static_cast<PetscInt>(kBodyDofs * n));
}

/// A contact that may be an impact.
struct Approach {
  std::size_t row;     ///< of its normal
  double gap;          ///< m
  double speed;        ///< u_n^-, negative, m/s
  double restitution;  ///< e
  double prescribed;   ///< normal velocity of a tool's contact point in the step, m/s
};

/// Puts together J, the cones, and the part of r that does not depend on v_free.
class ContactRows {
 public:
  ContactRows(const Store& store, const FrictionTable& friction, const AssembleInput& input)
      : store_(store), friction_(friction), input_(input) {}

  void reserve(std::size_t n_contacts) {
    cones.offset.reserve(n_contacts + 1);
    cones.mu.reserve(n_contacts);
    jacobian.reserve(3 * n_contacts, 3 * 2 * kBodyDofs * n_contacts);
    bias.reserve(3 * n_contacts);
  }

  void append(const Contact& contact) {
    const double mu = friction_of(contact);
    const int dim = mu > 0.0 ? 3 : 1;
    cones.append(dim, mu);
    append_approach(contact);
    const auto frame = frame_of(contact);
    for (int k = 0; k < dim; ++k) {
      const Vec3& direction = *frame[static_cast<std::size_t>(k)];
      append_jacobian_row(contact, direction);
      bias.push_back(-direction.dot(prescribed_velocity(contact)));
      if (k == 0) bias.back() += std::max(contact.gap / input_.dt, -input_.recovery_speed);
    }
  }

  CsrRows jacobian;
  Cones cones;
  std::vector<double> bias;
  std::vector<Approach> approaches;

 private:
  double friction_of(const Contact& contact) const {
    const std::int32_t a = store_.material[static_cast<std::size_t>(contact.a)];
    const std::int32_t b = store_.material[static_cast<std::size_t>(contact.b)];
    const double mu = friction_.mu(a, b);
    if (mu >= 0.0) return mu;
    throw Failure(
        fmt::format("bodies {} and {} meet, but the table of friction does not name "
                    "their materials {} and {}",
                    contact.key.id_a, contact.key.id_b, a, b));
  }

  void append_jacobian_row(const Contact& contact, const Vec3& direction) {
    const std::int64_t row_a = store_.row[static_cast<std::size_t>(contact.a)];
    const std::int64_t row_b = store_.row[static_cast<std::size_t>(contact.b)];
    const bool b_first = row_b < row_a;  // PETSc wants ascending columns; a tool has none
    if (b_first) append_block(row_b, -direction, contact.arm_b);
    append_block(row_a, direction, contact.arm_a);
    if (!b_first) append_block(row_b, -direction, contact.arm_b);
    jacobian.end_row();
  }

  void append_block(std::int64_t row, const Vec3& direction, const Vec3& arm) {
    if (row < 0) return;
    const auto first = static_cast<PetscInt>(kBodyDofs * row);
    Vec6 entries;
    entries << direction, arm.cross(direction);
    jacobian.add_run(first, entries);
  }

  void append_approach(const Contact& contact) {
    const double e = friction_.restitution(store_.material[static_cast<std::size_t>(contact.a)],
                                           store_.material[static_cast<std::size_t>(contact.b)]);
    if (e == 0.0) return;
    const double speed =
        contact.normal.dot(point_velocity(contact.a, contact.arm_a) - velocity_before(contact));
    if (speed >= 0.0) return;
    approaches.push_back({.row = bias.size(),
                          .gap = contact.gap,
                          .speed = speed,
                          .restitution = e,
                          .prescribed = contact.normal.dot(prescribed_velocity(contact))});
  }

  Vec3 point_velocity(std::int32_t slot, const Vec3& arm) const {
    const auto i = static_cast<std::size_t>(slot);
    return store_.velocity[i] + store_.angular_velocity[i].cross(arm);
  }

  /// Of B's contact point at the start of the step.
  Vec3 velocity_before(const Contact& contact) const {
    if (!store_.is_tool(contact.b) || input_.tools_before.empty()) {
      return point_velocity(contact.b, contact.arm_b);
    }
    const Velocities& tool = input_.tools_before[static_cast<std::size_t>(contact.b)];
    return tool.linear + tool.angular.cross(contact.arm_b);
  }

  /// Of B's contact point, where B is a tool: grains' velocities enter by J v_free.
  Vec3 prescribed_velocity(const Contact& contact) const {
    return store_.is_tool(contact.b) ? point_velocity(contact.b, contact.arm_b) : Vec3::Zero();
  }

  const Store& store_;
  const FrictionTable& friction_;
  const AssembleInput& input_;
};

/// r = J v_free + bias, and what Newton's law asks where that is an impact.
petsc::Vector make_bias(MPI_Comm comm, Vec v_free, const ContactRows& rows, Mat jacobian,
                        double dt) {
  petsc::Vector r = petsc::make_vector(comm, rows.bias.size());
  SCREE_PETSC(MatMult(jacobian, v_free, r.get()));
  const petsc::View values(r.get());
  std::vector<double> bias = rows.bias;
  for (const Approach& approach : rows.approaches) {
    const double free = values[approach.row] - approach.prescribed;
    const double parting = -approach.restitution * approach.speed;
    const double bounce = free - parting - std::min(free - approach.speed, 0.0);
    if (approach.gap + dt * free < 0.0 && free > bounce) {
      bias[approach.row] = std::min(bias[approach.row], bounce - values[approach.row]);
    }
  }
  for (std::size_t i = 0; i < bias.size(); ++i) values[i] += bias[i];
  return r;
}

}  // namespace

Mat3 inverse_inertia(const Store& store, std::int32_t slot, const Vec3& moments) {
  const auto i = static_cast<std::size_t>(slot);
  // A ball's inertia does not turn with it; rounding would make it seem to.
  if (isotropic(moments)) {
    return inverse_of_free_part(moments.asDiagonal(), store.fixed[i]);
  }
  const Mat3 rotation = store.orientation[i].toRotationMatrix();
  return inverse_of_free_part(rotation * moments.asDiagonal() * rotation.transpose(),
                              store.fixed[i]);
}

ContactProblem assemble(MPI_Comm comm, const Store& store, std::span<const Contact> contacts,
                        const Numbering& numbers, const FrictionTable& friction,
                        petsc::Vector v_free, const AssembleInput& input) {
  require_countable(kBodyDofs * numbers.n_bodies_global, "degrees of freedom");
  require_countable(kRowsPerContact * 2 * kBodyDofs * static_cast<std::int64_t>(contacts.size()),
                    "entries of one rank's contacts");
  ContactRows rows(store, friction, input);
  rows.reserve(contacts.size());
  for (const Contact& contact : contacts) rows.append(contact);
  require_countable(sum_over_ranks(comm, static_cast<std::int64_t>(rows.bias.size())),
                    "rows of contacts");

  ContactProblem problem;
  problem.comm = comm;
  problem.delassus.jacobian = make_matrix(comm, rows.jacobian, kBodyDofs * numbers.n_owned);
  problem.delassus.inverse_mass = make_inverse_mass(comm, store, numbers, input);
  problem.delassus.block_size = kBodyDofs;
  problem.r = make_bias(comm, v_free.get(), rows, problem.delassus.jacobian.get(), input.dt);
  problem.v_free = std::move(v_free);
  problem.cones = std::move(rows.cones);
  problem.friction = input.friction;
  return problem;
}

}  // namespace scree
