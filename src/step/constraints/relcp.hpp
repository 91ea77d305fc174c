#pragma once

/// The solves of a step with the constraints that each of them is found to lack
/// (step/recursion.hpp).
///
/// A solve may be loose, since the bodies are looked at where it brings them: the first, of which
/// nothing is known, may err by half the square root of the tolerance, each later one such that
/// normals miss by a tenth of the overlap found before it, or by 0.4 of the tolerance where that is
/// more, all relative to radii; with compliant contacts that is the bound of the first, too. An
/// overlap that the solve left itself, by missing rows that the pair has, asks for a tighter solve
/// and not for another row (step/solve_error.hpp).
///
/// The velocities of a solve that does not converge are no basis for further constraints. One that
/// misses by less than the overlap that it was to remove is used to look for overlaps, once a step,
/// and taken where it leaves none. Otherwise the constraints added since the last solve that
/// converged are dropped, the step has the impulses of the last solve that converged, and counts as
/// not solved. Where the first solve does not converge there is no such one, and the step is as it
/// would be without recursions.

#include <cstdint>

#include "scree/step/constraints.hpp"

namespace scree {

/// The keys of the way under `contact:`.
struct RelcpOptions {
  std::int64_t max_recursions = 50;  ///< in a step

  void declare(Declaration& d);
};

class RelcpConstraints final : public Constraints {
 public:
  using Options = RelcpOptions;
  static constexpr std::string_view kName = "relcp";
  static constexpr std::string_view kHelp =
      "the manifold and each point where the step would make them overlap, until none is left "
      "(ReLCP)";
  static std::vector<FigureColumn> columns();

  explicit RelcpConstraints(const ConstraintOptions& options)
      : overlap_tolerance_(options.overlap_tolerance),
        max_recursions_(options.of_ways.of<Options>().max_recursions) {}
  /// Bodies that give way where they crowd, as cells of a colony, go a radius aside, and their ends
  /// as far again, in however short a step.
  double spare() const override { return 2.0; }
  bool finds_within_step() const override { return true; }
  SolvedContacts solve(const StepWork& work, ContactList contacts) const override;

 private:
  double overlap_tolerance_;  ///< over the inscribed radius of a pair's smaller grain
  std::int64_t max_recursions_;
};

}  // namespace scree
