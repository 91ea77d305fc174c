#include "scree/problem/assemble.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <limits>

#include "scree/base/parallel.hpp"

namespace scree {
namespace {

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

/// M^-1 of the body in @p slot, owned or ghost.
Mat6 inverse_mass_of(const Store& store, std::int32_t slot, const AssembleInput& input) {
  const auto i = static_cast<std::size_t>(slot);
  Mat6 inverse = Mat6::Zero();
  const double mass = apparent_mass(store, slot, input.medium, input.dt);
  for (int k = 0; k < 3; ++k) inverse(k, k) = holds_dof(store.fixed[i], k) ? 0.0 : 1.0 / mass;
  inverse.bottomRightCorner<3, 3>() =
      inverse_inertia(store, slot, apparent_inertia(store, slot, input.medium, input.dt));
  return inverse;
}

/// The bodies that this rank's contacts touch, as BlockRows numbers them.
class LocalBodies {
 public:
  LocalBodies(const Store& store, std::span<const Contact> contacts, const Numbering& numbers)
      : store_(store), n_owned_(numbers.n_owned) {
    if (n_owned_ > 0) first_row_ = store.row[static_cast<std::size_t>(store.first_owned())];
    for (const Contact& contact : contacts) {
      for (const std::int32_t slot : {contact.a, contact.b}) {
        if (store.is_ghost(slot) && !is_own(slot)) ghosts_.emplace_back(row(slot), slot);
      }
    }
    std::sort(ghosts_.begin(), ghosts_.end());
    const auto same_row = [](const auto& a, const auto& b) { return a.first == b.first; };
    ghosts_.erase(std::unique(ghosts_.begin(), ghosts_.end(), same_row), ghosts_.end());
  }

  /// The local body in @p slot; -1 for a tool. A periodic image is the body itself.
  std::int32_t operator()(std::int32_t slot) const {
    if (store_.is_tool(slot)) return -1;
    if (is_own(slot)) return static_cast<std::int32_t>(row(slot) - first_row_);
    const auto found = std::lower_bound(ghosts_.begin(), ghosts_.end(),
                                        std::pair<std::int64_t, std::int32_t>(row(slot), 0));
    return n_owned_ + static_cast<std::int32_t>(found - ghosts_.begin());
  }

  void describe(const AssembleInput& input, BlockRows& blocks) const {
    blocks.pattern.n_owned = n_owned_;
    blocks.inverse_mass.reserve(static_cast<std::size_t>(n_owned_) + ghosts_.size());
    for (std::int32_t slot = store_.first_owned(); slot < store_.end_owned(); ++slot) {
      blocks.inverse_mass.push_back(inverse_mass_of(store_, slot, input));
    }
    for (const auto& [row, slot] : ghosts_) {
      blocks.pattern.ghosts.push_back(static_cast<PetscInt>(row));
      blocks.inverse_mass.push_back(inverse_mass_of(store_, slot, input));
    }
  }

 private:
  std::int64_t row(std::int32_t slot) const { return store_.row[static_cast<std::size_t>(slot)]; }
  bool is_own(std::int32_t slot) const {
    return row(slot) >= first_row_ && row(slot) < first_row_ + n_owned_;
  }

  const Store& store_;
  std::int32_t n_owned_;
  std::int64_t first_row_ = 0;
  std::vector<std::pair<std::int64_t, std::int32_t>>
      ghosts_;  ///< row, and a slot that holds the body
};

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
  ContactRows(const Store& store, const LocalBodies& bodies, const FrictionTable& friction,
              const AssembleInput& input)
      : store_(store), bodies_(bodies), friction_(friction), input_(input) {}

  void reserve(std::size_t n_contacts) {
    constexpr std::size_t kRows = cones::Circular::kDim;
    cones.offset.reserve(n_contacts + 1);
    blocks.jacobian.reserve(kRows * 2 * kBodyDofs * n_contacts);
    blocks.pattern.body.reserve(2 * n_contacts);
    blocks.pattern.first.reserve(n_contacts + 1);
    blocks.pattern.place.reserve(n_contacts);
    bias.reserve(kRows * n_contacts);
  }

  void append(const Contact& contact) {
    append_approach(contact);
    const double mu = friction_of(contact);
    if (mu > 0.0) {
      cones.append(3, mu, input_.friction);
      append_rows<3>(contact);
    } else {
      cones.append(1, 0.0, input_.friction);
      append_rows<1>(contact);
    }
  }

  BlockRows blocks;
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

  template <int kDim>
  void append_rows(const Contact& contact) {
    blocks.pattern.place.push_back(blocks.jacobian.size());
    append_entry<kDim>(contact, bodies_(contact.a), contact.arm_a, 1.0);
    append_entry<kDim>(contact, bodies_(contact.b), contact.arm_b, -1.0);
    blocks.pattern.first.push_back(static_cast<std::int32_t>(blocks.pattern.body.size()));
    const auto frame = frame_of(contact);
    const Vec3 prescribed = prescribed_velocity(contact);
    for (std::size_t k = 0; k < kDim; ++k) bias.push_back(-frame[k]->dot(prescribed));
    bias[bias.size() - kDim] += std::max(contact.gap / input_.dt, -input_.recovery_speed);
  }

  template <int kDim>
  void append_entry(const Contact& contact, std::int32_t body, const Vec3& arm, double sign) {
    if (body < 0) return;
    const auto frame = frame_of(contact);
    blocks.pattern.body.push_back(body);
    const std::size_t place = blocks.jacobian.size();
    blocks.jacobian.resize(place + kDim * kBodyDofs);
    Eigen::Map<BodyBlock<kDim>> block(&blocks.jacobian[place]);
    for (int k = 0; k < kDim; ++k) {
      const Vec3 direction = sign * *frame[static_cast<std::size_t>(k)];
      block.row(k) << direction.transpose(), arm.cross(direction).transpose();
    }
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
  const LocalBodies& bodies_;
  const FrictionTable& friction_;
  const AssembleInput& input_;
};

/// J v_free. Collective.
petsc::Vector free_contact_velocity(const ContactProblem& problem) {
  petsc::Vector r = petsc::make_vector(problem.comm, problem.cones.rows());
  const BlockRows& blocks = *problem.delassus.blocks;
  std::vector<double> v(kBodyDofs * blocks.pattern.n_bodies());
  {
    const petsc::ConstView free(problem.v_free.get());
    std::copy(free.span().begin(), free.span().end(), v.begin());
  }
  BodyExchange(problem.comm, blocks.pattern, kBodyDofs).to_ghosts(v);
  const petsc::View values(r.get());
  for_each_cone(problem.cones, [&]<class Cone>(const Cone& cone, const ConePlace& at) {
    auto u = rows_of(cone, values.data() + at.row);
    for_each_entry<Cone::kDim>(
        blocks.pattern, blocks.jacobian, at.number, [&](const auto& block, std::int32_t body) {
          u += block * Eigen::Map<const Vec6>(&v[kBodyDofs * static_cast<std::size_t>(body)]);
        });
  });
  return r;
}

/// r = J v_free + bias, and what Newton's law asks where that is an impact. Collective.
petsc::Vector make_bias(const ContactProblem& problem, const std::vector<Approach>& approaches,
                        std::vector<double> bias, double dt) {
  petsc::Vector r = free_contact_velocity(problem);
  const petsc::View values(r.get());
  for (const Approach& approach : approaches) {
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
  const LocalBodies bodies(store, contacts, numbers);
  ContactRows rows(store, bodies, friction, input);
  rows.reserve(contacts.size());
  for (const Contact& contact : contacts) rows.append(contact);
  require_countable(static_cast<std::int64_t>(rows.blocks.jacobian.size()),
                    "entries of one rank's contacts");
  require_countable(sum_over_ranks(comm, static_cast<std::int64_t>(rows.bias.size())),
                    "rows of contacts");

  ContactProblem problem;
  problem.comm = comm;
  bodies.describe(input, rows.blocks);
  problem.delassus.blocks = std::make_shared<const BlockRows>(std::move(rows.blocks));
  problem.cones = std::move(rows.cones);
  problem.v_free = std::move(v_free);
  problem.r = make_bias(problem, rows.approaches, std::move(rows.bias), input.dt);
  return problem;
}

}  // namespace scree
