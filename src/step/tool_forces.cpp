#include "scree/step/tool_forces.hpp"

#include "contact_impulse.hpp"
#include "scree/base/parallel.hpp"

namespace scree {

std::vector<Wrench> tool_forces(MPI_Comm comm, const Store& store,
                                std::span<const Contact> contacts, const FormulatedStep& formulated,
                                Vec lambda, double dt) {
  constexpr std::size_t kSums = 7;  // force, torque, number of contacts
  std::vector<double> sums(kSums * store.n_tools, 0.0);
  const petsc::ConstView view(lambda);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Contact& contact = contacts[i];
    if (!store.is_tool(contact.b)) continue;
    const std::span<const double> rows = impulse_rows(formulated.problem.cones, i, view.span());
    const Vec3 impulse = formulated.terms[i].pull * contact.normal - world_impulse(contact, rows);
    Eigen::Map<Eigen::Vector<double, kSums>> sum(sums.data() + kSums * contact.b);
    sum.head<3>() += impulse;
    sum.segment<3>(3) += contact.arm_b.cross(impulse) -
                         world_moment(contact, rows, length_of(formulated.problem, i));
    sum[6] += 1.0;
  }
  sum_over_ranks(comm, sums);
  std::vector<Wrench> wrenches(store.n_tools);
  for (std::size_t tool = 0; tool < wrenches.size(); ++tool) {
    const Eigen::Map<const Eigen::Vector<double, kSums>> sum(sums.data() + kSums * tool);
    wrenches[tool] = {sum.head<3>() / dt, sum.segment<3>(3) / dt,
                      static_cast<std::int64_t>(sum[6])};
  }
  return wrenches;
}

}  // namespace scree
