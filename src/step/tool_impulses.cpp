#include "tool_impulses.hpp"

#include <algorithm>

#include "scree/base/parallel.hpp"

namespace scree {

void ToolImpulses::add(const ContactResult& result) {
  const Contact& contact = result.contact;
  if (contact.key.id_b < kFirstToolId) return;
  const Vec3 impulse = result.terms.pull * contact.normal - result.total.linear;
  Eigen::Map<Eigen::Vector<double, kSums>> sum(sums_.data() + kSums * contact.b);
  sum.head<3>() += impulse;
  sum.segment<3>(3) += contact.arm_b.cross(impulse) - result.total.angular;
  sum[6] += 1.0;
}

void ToolImpulses::add(const GivenRows& given, std::span<const double> lambda) {
  const auto n_tools = static_cast<std::int32_t>(sums_.size() / kSums);
  const double* block = given.jacobian.data();
  for_each_cone(given.cones, [&]<class Cone>(const Cone& cone, const ConePlace& at) {
    const auto own = rows_of(cone, lambda.data() + at.row);
    const std::int32_t end = given.first[at.number + 1];
    const auto is_grain = [&](std::int32_t slot) { return slot >= n_tools; };
    const bool holds_grain =
        std::any_of(&given.slot[given.first[at.number]], given.slot.data() + end, is_grain);
    for (std::int32_t e = given.first[at.number]; e < end; ++e) {
      if (const std::int32_t slot = given.slot[e]; holds_grain && slot < n_tools) {
        Eigen::Map<Vec6>(sums_.data() + kSums * slot) +=
            Eigen::Map<const BodyBlock<Cone::kDim>>(block).transpose() * own;
      }
      block += Cone::kDim * kBodyDofs;
    }
  });
}

std::vector<Wrench> ToolImpulses::forces(MPI_Comm comm, double dt) {
  sum_over_ranks(comm, sums_);
  std::vector<Wrench> wrenches(sums_.size() / kSums);
  for (std::size_t tool = 0; tool < wrenches.size(); ++tool) {
    const Eigen::Map<const Eigen::Vector<double, kSums>> sum(sums_.data() + kSums * tool);
    wrenches[tool] = {sum.head<3>() / dt, sum.segment<3>(3) / dt,
                      static_cast<std::int64_t>(sum[6])};
  }
  return wrenches;
}

}  // namespace scree
