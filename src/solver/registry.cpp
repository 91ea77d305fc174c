#include "scree/solver/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "scree/config/declaration.hpp"
#include "scree/config/suggest.hpp"
#include "solver/lcp/baraff.hpp"
#include "solver/lcp/lemke.hpp"
#include "solver/newton/pac.hpp"

namespace scree {
namespace {

constexpr Needs kExactFriction{.exact_friction = true};
constexpr Needs kDiagonal{.positive_diagonal = true};
constexpr Needs kLinearForm{.cones = kLcpCones, .exact_friction = true};
constexpr Needs kSymmetricCones{.cones = kSecondOrderCones};

/// A method without options of its own.
template <auto make_method>
constexpr SolverEntry row(std::string_view name, std::string_view help, const Needs& needs) {
  return {name, help, nullptr, needs, [](const SolverOptions&) { return make_method(); }};
}

/// A method whose options are the member @p kOptions.
template <auto kOptions, auto make_method>
constexpr SolverEntry row(std::string_view name, std::string_view help, const Needs& needs) {
  return {name, help,
          [](const SolverEntry& entry, SolverOptions& options, Declaration& d) {
            d.object(entry.name, options.*kOptions, {.help = entry.help});
          },
          needs, [](const SolverOptions& options) { return make_method(options.*kOptions); }};
}

constexpr SolverEntry by_matrices(SolverEntry entry) {
  entry.by_matrices = true;
  return entry;
}

using Keys = SolverOptions;

constexpr std::array kRegistry{
    SolverEntry{
        "auto",
        "bodies without friction: psor (not where rows of a pair are nearly the same), then apgd, "
        "then "
        "ipm; exact friction: nsgs while it makes "
        "progress, then pac; relaxed law: psor (and of balls then apgd), or apgd where N is a "
        "matrix, then ipm; friction by the box: psor; an LCP with zeros on the diagonal: lemke "
        "while it is small, else pac"},
    row<&Keys::nsgs, make_nsgs>("nsgs", "Gauss-Seidel with each contact solved exactly", kDiagonal),
    row<make_pac>("pac", "semismooth Newton with proximal points; exact friction only",
                  kExactFriction),
    by_matrices(row<&Keys::apgd, make_apgd>("apgd", "accelerated projected gradient", kDiagonal)),
    by_matrices(row<&Keys::pgj, make_pgj>("pgj", "projected Gauss-Jacobi", kDiagonal)),
    row<&Keys::pgs, make_pgs>(
        "pgs", "projected Gauss-Seidel: one step a contact, or a row of a box", kDiagonal),
    row<&Keys::psor, make_psor>("psor", "pgs, over-relaxed", kDiagonal),
    row<&Keys::amgs, make_amgs>("amgs", "accelerated modulus-based Gauss-Seidel", kDiagonal),
    by_matrices(row<&Keys::ipm, make_ipm>("ipm", "interior point method in the space of the bodies",
                                          kSymmetricCones)),
    by_matrices(row<&Keys::kleinert, make_kleinert>(
        "kleinert",
        "interior point method among the contacts, as published by Kleinert, Simeon and "
        "Obermayr; relaxed law only",
        {.cones = kSecondOrderCones, .relaxed_friction = true})),
    row<&Keys::minmap, make_minmap>(
        "minmap", "minimum-map Newton, for LCPs: no friction, or that of a pyramid", kLinearForm),
    row<&Keys::fischer, make_fischer>(
        "fischer", "Fischer-Newton, for LCPs: no friction, or that of a pyramid", kLinearForm),
    row<make_lemke>(
        "lemke", "pivoting, dense; for LCPs of up to 1000 rows: no friction, or that of a pyramid",
        {.cones = kLcpCones, .exact_friction = true, .most_rows = kLemkeRows}),
    row<make_baraff>(
        "baraff",
        "incremental pivoting, dense; for LCPs without friction of up to 2000 rows, "
        "symmetric and positive semidefinite",
        {.cones = kSetOf<cones::HalfLine>, .symmetric = true, .most_rows = kBaraffRows}),
};

const SolverEntry* find_or_null(std::string_view name) {
  const auto entry = std::find_if(kRegistry.begin(), kRegistry.end(),
                                  [name](const SolverEntry& e) { return e.name == name; });
  return entry == kRegistry.end() ? nullptr : &*entry;
}

}  // namespace

std::span<const SolverEntry> solver_registry() {
  return kRegistry;
}

const SolverEntry& find_solver(std::string_view name) {
  if (const SolverEntry* entry = find_or_null(name)) return *entry;
  std::vector<std::string_view> names;
  for (const SolverEntry& entry : kRegistry) names.push_back(entry.name);
  const std::string_view nearest = nearest_word(name, names);
  throw InputError(fmt::format("no solver is called `{}`{}; the solvers are {}", name,
                               nearest.empty() ? "" : fmt::format(" (did you mean `{}`?)", nearest),
                               fmt::join(names, ", ")));
}

std::string fault_of_method(std::string_view method, const ProblemTraits& traits) {
  const SolverEntry* entry = find_or_null(method);
  if (entry == nullptr) return {};
  const std::string fault = unmet(entry->needs, traits);
  if (fault.empty()) return {};
  std::vector<std::string_view> others;
  for (const SolverEntry& other : kRegistry) {
    if (unmet(other.needs, traits).empty()) others.push_back(other.name);
  }
  return fmt::format("{} {}; {} would do", method, fault, fmt::join(others, ", "));
}

std::string fault_of_method(std::string_view method, FrictionLaw law) {
  const SolverEntry* entry = find_or_null(method);
  if (entry == nullptr) return {};
  const ProblemTraits without_friction{.cones = kSetOf<cones::HalfLine>};
  const bool is_for_lcps =
      entry->needs.cones == kLcpCones || entry->needs.cones == kSetOf<cones::HalfLine>;
  return fault_of_method(method, is_for_lcps ? without_friction : traits_of(law));
}

}  // namespace scree
