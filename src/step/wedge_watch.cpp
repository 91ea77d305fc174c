#include "scree/step/wedge_watch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "scree/base/parallel.hpp"
#include "scree/problem/measure.hpp"

namespace scree {
namespace {

std::string name_of(std::int64_t id, std::span<const std::string> tools) {
  return id < kFirstToolId ? fmt::format("grain {}", id)
                           : tools[static_cast<std::size_t>(id - kFirstToolId)];
}

/// Every body that the grain @p id has a contact with on this rank, by name.
std::vector<std::string> neighbours_of(std::int64_t id, std::span<const Contact> contacts,
                                       std::span<const std::string> tools) {
  std::vector<std::string> names;
  for (const Contact& contact : contacts) {
    if (contact.key.id_a == id) names.push_back(name_of(contact.key.id_b, tools));
    if (contact.key.id_b == id) names.push_back(name_of(contact.key.id_a, tools));
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace

WorstContact worst_contact(const ContactProblem& problem, const Store& store,
                           std::span<const Contact> contacts, Vec lambda) {
  const petsc::Vector velocity = petsc::duplicate(problem.r.get());
  DelassusProduct(problem).contact_velocity(lambda, velocity.get());
  const std::vector<double>& rho = cone_scales(problem);
  const petsc::ConstView l(lambda);
  const petsc::ConstView u(velocity.get());
  WorstContact worst;
  for_each_cone(problem.cones, [&]<class Cone>(const Cone& cone, const ConePlace& at) {
    const cones::Rows<Cone::kDim> impulse = rows_of(cone, l.data() + at.row);
    const cones::Rows<Cone::kDim> slip = shifted(cone, rows_of(cone, u.data() + at.row), at);
    const cones::Rows<Cone::kDim> wanted = cone.project(impulse - rho[at.number] * slip);
    const double error = (impulse - wanted).norm() / rho[at.number];
    if (!(error > worst.velocity_error)) return;
    const Contact& contact = contacts[at.number];
    worst = {error, contact.key, store.position[static_cast<std::size_t>(contact.a)]};
  });
  const double largest = max_over_ranks(problem.comm, worst.velocity_error);
  const int mine = worst.velocity_error == largest ? rank_of(problem.comm) : size_of(problem.comm);
  const int owner = min_over_ranks(problem.comm, mine);
  SCREE_MPI(MPI_Bcast(&worst, sizeof worst, MPI_BYTE, owner, problem.comm));
  return worst;
}

std::string WedgeWatch::after(const ContactProblem& problem, const Store& store,
                              std::span<const Contact> contacts, std::span<const std::string> tools,
                              const ImpactResult& result) {
  if (result.report.status != Status::infeasible) {
    steps_ = 0;
    return {};
  }
  const WorstContact worst = worst_contact(problem, store, contacts, result.impulse.get());
  const bool same = worst.key.id_a == grain_ || worst.key.id_b == grain_;
  steps_ = same ? steps_ + 1 : 1;
  if (!same) grain_ = worst.key.id_a;
  if (steps_ < kMostSteps) return {};
  const std::vector<std::string> here = neighbours_of(grain_, contacts, tools);
  const std::string others = first_text(
      problem.comm, here.empty() ? std::string() : fmt::format("{}", fmt::join(here, ", ")));
  return fmt::format(
      "grain {} at ({:.6g}, {:.6g}, {:.6g}) m is wedged: for {} steps no velocity has satisfied "
      "its contacts "
      "with {}, which close at {:.3g} m/s; leave it room, let the tool keep off, or give the "
      "materials a "
      "young_modulus, so that contacts yield",
      grain_, worst.where.x(), worst.where.y(), worst.where.z(), steps_, others,
      worst.velocity_error);
}

}  // namespace scree
