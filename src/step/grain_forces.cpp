#include "scree/step/grain_forces.hpp"

#include <map>
#include <utility>

#include "contact_results.hpp"
#include "given_impulses.hpp"
#include "sourced_rows.hpp"

namespace scree {
namespace {

/// Sums of impulses by grain.
class GrainSums {
 public:
  GrainSums(const StepResult& step, const GrainChoice& choice) : step_(step), choice_(choice) {}

  /// The sums of the grain in @p slot; null for a tool, and for a grain that is not chosen.
  ForceOnGrain* of(std::int32_t slot) {
    const PlacedBody& body = step_.at_start[slot];
    if (body.kind.is_tool || !choice_(body.id, body.kind.group)) return nullptr;
    ForceOnGrain& sum = sums_[body.id];
    sum.id = body.id;
    return &sum;
  }

  std::vector<ForceOnGrain> over(double dt) const {
    std::vector<ForceOnGrain> forces;
    for (const auto& [id, sum] : sums_) {
      forces.push_back({id, sum.force / dt, sum.torque / dt, sum.contacts});
    }
    return forces;
  }

 private:
  const StepResult& step_;
  const GrainChoice& choice_;
  std::map<std::int64_t, ForceOnGrain> sums_;  ///< impulses, N s and N m s
};

void add_contact(const ContactResult& result, GrainSums& sums) {
  const Contact& contact = result.contact;
  const Vec3 impulse = result.total.linear - result.terms.pull * contact.normal;
  const bool bears = !impulse.isZero(0.0);
  if (ForceOnGrain* a = sums.of(contact.a)) {
    a->force += impulse;
    a->torque += contact.arm_a.cross(impulse) + result.total.angular;
    a->contacts += bears ? 1 : 0;
  }
  if (ForceOnGrain* b = sums.of(contact.b)) {
    b->force -= impulse;
    b->torque -= contact.arm_b.cross(impulse) + result.total.angular;
    b->contacts += bears ? 1 : 0;
  }
}

}  // namespace

std::vector<ForceOnGrain> forces_on_grains(const StepResult& step, const GrainChoice& choice) {
  GrainSums sums(step, choice);
  const ContactOutcome outcome{step.contacts, step.formulated, step.impact.impulse.get(),
                               step.impact.total_impulse()};
  for_each_block_of_results(outcome, [&](const ResultBlock& block) {
    for (std::size_t i = 0; i < block.size(); ++i) add_contact(block[i], sums);
  });
  const petsc::ConstView total(outcome.total);
  for_each_given_impulse(step.sourced.rows, span_of_sources(step.sourced, total.span()),
                         [&](std::int32_t slot, const Vec6& impulse, std::size_t /*cone*/) {
                           ForceOnGrain* const sum = sums.of(slot);
                           if (sum == nullptr) return;
                           sum->force += impulse.head<3>();
                           sum->torque += impulse.tail<3>();
                         });
  return sums.over(step.clock.dt);
}

}  // namespace scree
