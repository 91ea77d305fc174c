#include "slips.hpp"

#include "scree/problem/natural_map.hpp"

namespace scree {
namespace {

/// A contact slips where rho times its slip, by which the natural map would change the impulse, is
/// more than this share of it. A contact without friction slips.
constexpr double kSlipping = 1e-3;

}  // namespace

std::vector<Slip> slips_of(const StepResult& result) {
  const ContactProblem& problem = result.formulated.problem;
  const std::vector<double>& rho = cone_scales(problem);
  std::vector<Slip> slips(result.contacts.size());
  for_each_natural_point(problem, result.impact.impulse.get(),
                         [&](std::size_t number, const auto& impulse, const auto& at) {
                           if (number >= slips.size() || impulse.size() < 3)
                             return;  // of another source, or without friction
                           const auto slip = at.velocity.segment(1, 2);
                           const double speed = slip.norm();
                           slips[number] = {
                               .speed = speed,
                               .slips = rho[number] * speed > kSlipping * impulse.norm(),
                               .work = -slip.dot(impulse.segment(1, 2))};
                         });
  return slips;
}

}  // namespace scree
