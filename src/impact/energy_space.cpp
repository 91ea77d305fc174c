#include "scree/impact/energy_space.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

namespace scree {
namespace {

/// An eigenvalue of a block of M^-1 below this share of its largest is a held degree of freedom.
constexpr double kHeld = 1e-14;
/// Lever arms that are zero but for rounding, squared.
constexpr double kRoundingOfMass = 1e-24;

/// The linear and the angular block, whose units differ, have a root each.
MassRoot root_of(const Mat6& inverse_mass) {
  MassRoot root;
  for (const int first : {0, 3}) {
    const Mat3 block = inverse_mass.block<3, 3>(first, first);
    if (block.isDiagonal(0.0)) {  // as of balls
      const double held = kHeld * block.diagonal().maxCoeff();
      root.values.segment<3>(first) =
          (block.diagonal().array() > held).select(block.diagonal().cwiseSqrt(), 0.0);
      continue;
    }
    root.is_along_axes = false;
    const Eigen::SelfAdjointEigenSolver<Mat3> solver(block);
    const Vec3& values = solver.eigenvalues();
    root.vectors.block<3, 3>(first, first) = solver.eigenvectors();
    for (int k = 0; k < 3; ++k) {
      if (values[k] > kHeld * values[2]) root.values[first + k] = std::sqrt(values[k]);
    }
  }
  return root;
}

/// The rows of a body in a column.
struct BodyRows {
  Eigen::Index first = 0;
  Vec6 entries = Vec6::Zero();
};

BodyRows body_rows(const EnergySpace& space, const ImpactContact& contact, std::size_t side) {
  const MassRoot& root = space.roots[static_cast<std::size_t>(contact.body[side])];
  const Vec6 modes = root.modes_of(contact.rows[side].row(0).transpose());
  return {6 * static_cast<Eigen::Index>(contact.body[side]), root.values.cwiseProduct(modes)};
}

/// The rows of both bodies in a column, ascending; those of one where the contact joins a body with
/// itself, as with its image in a periodic cell.
struct Column {
  std::array<BodyRows, 2> parts;
  std::size_t count = 0;
  double inverse_mass = 0.0;  ///< as inverse_reduced_mass()
};

Column column_of(const EnergySpace& space, const ImpactContact& contact) {
  Column column;
  auto& [parts, count, inverse_mass] = column;
  double size = 0.0;
  for (std::size_t side = 0; side < 2; ++side) {
    if (contact.body[side] < 0) continue;
    parts[count] = body_rows(space, contact, side);
    inverse_mass += parts[count++].entries.squaredNorm();
    size += contact.rows[side].row(0).squaredNorm() *
            space.roots[static_cast<std::size_t>(contact.body[side])].values.squaredNorm();
  }
  if (inverse_mass <= kRoundingOfMass * size) inverse_mass = 0.0;
  if (count < 2 || parts[0].first < parts[1].first) return column;
  if (parts[0].first > parts[1].first) {
    std::swap(parts[0], parts[1]);
  } else {
    parts[0].entries += parts[1].entries;
    count = 1;
  }
  return column;
}

void set_normals(const ImpactProblem& problem, EnergySpace& space) {
  constexpr double kRounding = 1e-15;  // of a column's length, as lever arms of balls leave it
  const auto m = static_cast<Eigen::Index>(problem.contacts.size());
  space.scale = Eigen::VectorXd::Zero(m);
  space.offset = Eigen::VectorXd::Zero(m);
  space.normals.resize(6 * static_cast<Eigen::Index>(problem.bodies.size()), m);
  space.normals.reserve(12 * m);
  for (Eigen::Index i = 0; i < m; ++i) {
    const ImpactContact& contact = problem.contacts[static_cast<std::size_t>(i)];
    space.normals.startVec(i);
    const Column column = column_of(space, contact);
    if (column.inverse_mass <= 0.0) continue;
    const double scale = 1.0 / std::sqrt(column.inverse_mass);
    space.scale[i] = scale;
    space.offset[i] = scale * normal_velocity(contact, space.held);
    for (const BodyRows& part : std::span(column.parts).first(column.count)) {
      for (int k = 0; k < 6; ++k) {
        const double entry = scale * part.entries[k];
        if (std::abs(entry) > kRounding) space.normals.insertBack(part.first + k, i) = entry;
      }
    }
  }
  space.normals.finalize();
}

}  // namespace

EnergySpace energy_space(const ImpactProblem& problem) {
  EnergySpace space;
  space.roots.reserve(problem.bodies.size());
  space.held.reserve(problem.bodies.size());
  for (const ImpactBody& body : problem.bodies) {
    const MassRoot root = root_of(body.inverse_mass);
    const Vec6 held =
        (root.values.array() > 0.0).select(Vec6::Zero(), root.modes_of(body.velocity));
    space.roots.push_back(root);
    space.held.emplace_back(root.from_modes(held));
  }
  space.velocity = to_energy_space(space, velocities_of(problem));
  set_normals(problem, space);
  space.gram = Gram(space.normals);
  return space;
}

ImpactVelocities to_velocities(const EnergySpace& space, const Eigen::VectorXd& y) {
  ImpactVelocities velocities = space.held;
  for (std::size_t b = 0; b < velocities.size(); ++b) {
    const auto modes = y.segment<6>(6 * static_cast<Eigen::Index>(b));
    velocities[b] += space.roots[b].from_modes(space.roots[b].values.cwiseProduct(modes));
  }
  return velocities;
}

Eigen::VectorXd to_energy_space(const EnergySpace& space, const ImpactVelocities& velocities) {
  Eigen::VectorXd y(6 * static_cast<Eigen::Index>(velocities.size()));
  for (std::size_t b = 0; b < velocities.size(); ++b) {
    const MassRoot& root = space.roots[b];
    const Vec6 modes = root.modes_of(velocities[b]);
    y.segment<6>(6 * static_cast<Eigen::Index>(b)) =
        (root.values.array() > 0.0).select(modes.cwiseQuotient(root.values), Vec6::Zero());
  }
  return y;
}

SparseColumns columns_of(const SparseColumns& from, const std::vector<std::int32_t>& chosen) {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    for (SparseColumns::InnerIterator it(from, chosen[k]); it; ++it) {
      entries.emplace_back(it.row(), k, it.value());
    }
  }
  SparseColumns to(from.rows(), static_cast<Eigen::Index>(chosen.size()));
  to.setFromTriplets(entries.begin(), entries.end());
  return to;
}

}  // namespace scree
