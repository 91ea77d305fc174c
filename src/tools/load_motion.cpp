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

double value_of(const Formula& formula, double t, std::string_view tool, std::string_view key) {
  const double value = formula(std::span(&t, 1));
  if (std::isfinite(value)) return value;
  throw InputError(fmt::format(
      "tools.{}.motion.{}: \"{}\" is {} at {:.9g} s; it must have a finite value at all times",
      tool, key, formula.text(), value, t));
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
  d.text("pressure", pressure,
         {.help =
              "of a plane, to its free side: a formula of t; it acts on `area`, or within the cell "
              "that `within` names",
          .unit = "Pa"});
  d.real("area", area,
         {.help = "area on which the pressure acts; 0: see `within`", .unit = "m^2", .min = 0.0});
  d.names_of("tools", "within", within,
             {.help = "four planes, two that face each other and two across these: the pressure "
                      "acts on the area between "
                      "them as they move"});
  const std::string fault = fault_of_formula(pressure, kLoadVariables);
  d.require("pressure", fault.empty(), fault);
  d.require("pressure", !presses() || (area > 0.0) != (within.size() == 4),
            "acts on an area: give `area` in m^2, or four planes in `within`, and not both");
  d.require("within", within.empty() || (presses() && within.size() == 4),
            "is of four planes, for a `pressure`");
  d.require("area", area == 0.0 || presses(), "is for a `pressure`, which is missing");
  d.words("free", free, kDofs, {.help = "its free degrees of freedom; the others are held"});
  events.declare(d);
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
  formulas.emplace_back(pressure, kLoadVariables);
  formulas_ = std::make_shared<const std::vector<Formula>>(std::move(formulas));
}

Vec6 LoadMotion::load_at(double t, std::string_view tool) const {
  if (!formulas_) throw Failure("a motion by a load has no formulas: it was not loaded");
  Vec6 load;
  for (int k = 0; k < 6; ++k) {
    load[k] =
        value_of((*formulas_)[static_cast<std::size_t>(k)], t, tool, k < 3 ? "force" : "torque");
  }
  return load;
}

double LoadMotion::pressure_at(double t, std::string_view tool) const {
  if (!formulas_) throw Failure("a motion by a load has no formulas: it was not loaded");
  return value_of(formulas_->back(), t, tool, "pressure");
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
