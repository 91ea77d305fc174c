#include "scree/tools/load_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <tuple>
#include <utility>

#include "scree/base/check.hpp"
#include "scree/bodies/store.hpp"
#include "scree/config/declaration.hpp"

namespace scree {
namespace {

constexpr std::array<std::string_view, 1> kLoadVariables{"t"};
/// Names of the degrees of freedom, in the order of FixedDof.
constexpr std::array<std::string_view, 6> kDofs{"x", "y", "z", "rx", "ry", "rz"};

/// The first degree of freedom that is @p held and along which @p texts, of the dofs from @p first
/// on, act; empty where there is none.
std::string_view held_but_loaded(const FormulaTexts& texts, std::size_t first, unsigned held) {
  for (std::size_t k = 0; k < texts.size() && first + k < kDofs.size(); ++k) {
    if (texts[k] != "0" && (held >> (first + k) & 1U) != 0) return kDofs[first + k];
  }
  return {};
}

}  // namespace

void LoadMotion::declare(Declaration& d) {
  declare_formulas(d, "force", force, kLoadVariables,
                   {.help = "components of the load at its centre of mass, world frame: formulas "
                            "of t",
                    .unit = "N"});
  declare_formulas(
      d, "torque", torque, kLoadVariables,
      {.help = "components of the load's torque, world frame: formulas of t", .unit = "N m"});
  d.words("free", free, kDofs, {.help = "its free degrees of freedom; the others are held"});
  d.require("free", !free.empty(), "frees nothing; allowed: one or more, or `type: fixed`");
  for (const auto& [key, texts, first] :
       {std::tuple{"force", &force, std::size_t{0}}, {"torque", &torque, std::size_t{3}}}) {
    const std::string_view dof = held_but_loaded(*texts, first, held());
    d.require(
        key, dof.empty(),
        fmt::format("acts along {}, which is held; add it to `free`, or let it be 0 there", dof));
  }
}

void LoadMotion::load() {
  std::vector<Formula> formulas;
  for (const FormulaTexts* texts : {&force, &torque}) {
    for (const std::string& text : *texts) formulas.emplace_back(text, kLoadVariables);
  }
  formulas_ = std::make_shared<const std::vector<Formula>>(std::move(formulas));
}

Vec6 LoadMotion::load_at(double t, std::string_view tool) const {
  if (!formulas_) throw Failure("a motion by a load has no formulas: it was not loaded");
  Vec6 load;
  for (int k = 0; k < 6; ++k) {
    const Formula& formula = (*formulas_)[static_cast<std::size_t>(k)];
    load[k] = formula(std::span(&t, 1));
    if (std::isfinite(load[k])) continue;
    throw InputError(fmt::format(
        "tools.{}.motion.{}: \"{}\" is {} at {:.9g} s; it must have a finite value at all times",
        tool, k < 3 ? "force" : "torque", formula.text(), load[k], t));
  }
  return load;
}

std::uint8_t LoadMotion::held() const {
  unsigned bits = kFixAll;
  for (const std::string& dof : free) {
    const auto at = std::ranges::find(kDofs, dof);
    if (at != kDofs.end()) bits &= ~(1U << (at - kDofs.begin()));
  }
  return static_cast<std::uint8_t>(bits);
}

bool LoadMotion::frees_rotation() const {
  return (held() & kFixRotation) != kFixRotation;
}

}  // namespace scree
