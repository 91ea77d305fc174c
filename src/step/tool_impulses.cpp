#include "tool_impulses.hpp"

#include <algorithm>
#include <span>

#include "given_impulses.hpp"
#include "scree/base/parallel.hpp"

namespace scree {

void ToolImpulses::add(const ResultBlock& block) {
  const auto n_tools = static_cast<std::int32_t>(sums_.size() / kSums);
  for (std::size_t i = 0; i < block.size(); ++i) {
    if (block.frames.b[i] < n_tools) add_of_tool(block[i]);
  }
}

void ToolImpulses::add_of_tool(const ContactResult& result) {
  const Contact& contact = result.contact;
  const Vec3 impulse = result.terms.pull * contact.normal - result.total.linear;
  Eigen::Map<Eigen::Vector<double, kSums>> sum(sums_.data() + kSums * contact.b);
  sum.head<3>() += impulse;
  sum.segment<3>(3) += contact.arm_b.cross(impulse) - result.total.angular;
  sum[6] += 1.0;
}

void ToolImpulses::add(const GivenRows& given, std::span<const double> lambda) {
  const auto n_tools = static_cast<std::int32_t>(sums_.size() / kSums);
  const auto holds_grain = [&](std::size_t cone) {
    const auto slots =
        std::span(given.slot).subspan(given.first[cone], given.first[cone + 1] - given.first[cone]);
    return std::ranges::any_of(slots, [&](std::int32_t slot) { return slot >= n_tools; });
  };
  for_each_given_impulse(given, lambda,
                         [&](std::int32_t slot, const Vec6& impulse, std::size_t cone) {
                           if (slot >= n_tools || !holds_grain(cone)) return;
                           Eigen::Map<Vec6>(sums_.data() + kSums * slot) += impulse;
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
