#pragma once

/// The table of methods: YAML, the key reference, `scree solve` and the tests iterate it. Every
/// method takes any N, symmetric or not; what else it needs, its row says.

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "scree/solver/needs.hpp"
#include "scree/solver/options.hpp"
#include "scree/solver/solver.hpp"

namespace scree {

class Declaration;

struct SolverEntry {
  std::string_view name;
  std::string_view help;
  /// Declares the method's own options, the member of @p options that is called as it is, under its
  /// name. Null: it has none.
  void (*declare)(const SolverEntry& entry, SolverOptions& options, Declaration& d) = nullptr;
  Needs needs = {};
  /// Null for `auto`, which is a choice among the others: solver/driver.hpp makes it.
  std::unique_ptr<Solver> (*make)(const SolverOptions& options) = nullptr;
  /// Whether it needs of a problem no more than products with J and M^-1 and systems made of them,
  /// and so takes SolverOptions::matrices `petsc`.
  bool by_matrices = false;
};

/// All methods, `auto` first.
std::span<const SolverEntry> solver_registry();

/// The fault of @p method for problems of @p traits, and which methods would do; empty when there
/// is none.
std::string fault_of_method(std::string_view method, const ProblemTraits& traits);
/// The fault of @p method under @p law, whatever the problem; empty when there is none.
std::string fault_of_method(std::string_view method, FrictionLaw law);

/// The entry called @p name. @throws InputError that lists the names, with the nearest first.
const SolverEntry& find_solver(std::string_view name);

}  // namespace scree
