#include "scree/step/tool_forces.hpp"

#include "scree/base/parallel.hpp"

namespace scree {

Vec3 world_impulse(const Contact& contact, std::span<const double> lambda) {
  Vec3 impulse = lambda[0] * contact.normal;
  if (lambda.size() > 1) impulse += lambda[1] * contact.tangent1;
  if (lambda.size() > 2) impulse += lambda[2] * contact.tangent2;
  return impulse;
}

std::vector<Wrench> tool_forces(MPI_Comm comm, const Store& store,
                                std::span<const Contact> contacts, const Cones& cones, Vec lambda,
                                double dt) {
  constexpr std::size_t kSums = 7;  // force, torque, number of contacts
  std::vector<double> sums(kSums * static_cast<std::size_t>(store.n_tools), 0.0);
  const petsc::ConstView view(lambda);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Contact& contact = contacts[i];
    if (!store.is_tool(contact.b)) continue;
    const auto row = static_cast<std::size_t>(cones.offset[i]);
    const Vec3 impulse =
        -world_impulse(contact, view.span().subspan(row, static_cast<std::size_t>(cones.dim(i))));
    Eigen::Map<Eigen::Vector<double, kSums>> sum(sums.data() +
                                                 kSums * static_cast<std::size_t>(contact.b));
    sum.head<3>() += impulse;
    sum.segment<3>(3) += contact.arm_b.cross(impulse);
    sum[6] += 1.0;
  }
  sum_over_ranks(comm, sums);
  std::vector<Wrench> wrenches(static_cast<std::size_t>(store.n_tools));
  for (std::size_t tool = 0; tool < wrenches.size(); ++tool) {
    const Eigen::Map<const Eigen::Vector<double, kSums>> sum(sums.data() + kSums * tool);
    wrenches[tool] = {sum.head<3>() / dt, sum.segment<3>(3) / dt,
                      static_cast<std::int64_t>(sum[6])};
  }
  return wrenches;
}

}  // namespace scree
