#pragma once

/// Impacts of a step: from the problem to the velocities after it.
///
///     struck  = law.act(problem)                   what impacts do, to impulses and to the problem
///     lambda  = solver(problem)                    the rest of the step
///     v+      = v_free + M^-1 J^T lambda           total impulse: struck + lambda
///
/// A problem as it is assembled knows u^- and e of each contact (problem/assemble.hpp) and asks nothing of them. Its
/// solution alone is inelastic. A law either writes into r what it asks of the velocities after the step, or resolves
/// the impacts first, in as many solves as it needs, and leaves the problem of what comes after them.
///
/// To add a law: a class in a file of step/impact, and a row of src/step/impact/list.cpp.

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "scree/base/petsc.hpp"
#include "scree/bodies/store.hpp"
#include "scree/contact/contact.hpp"
#include "scree/problem/assemble.hpp"
#include "scree/problem/contact_problem.hpp"
#include "scree/solver/driver.hpp"

namespace scree {

class ImpactLaw {
 public:
  virtual ~ImpactLaw() = default;
  /// Lets impacts act on @p step before its problem is solved: on r, R and v_free, nothing else. A law that solves the
  /// problem after a change of its own calls forget_scales() first. Collective.
  /// @returns the impulses of impacts that are over then, which v_free and r have already, rows of the problem, N s;
  /// empty: none
  virtual petsc::Vector act(PosedStep& step, SolverDriver& solver) const = 0;
};

/// A row of the list of laws.
struct ImpactLawEntry {
  std::string_view name;
  std::string_view help;
  std::shared_ptr<const ImpactLaw> (*make)();
};

/// All laws; the first is the one of every run.
std::span<const ImpactLawEntry> impact_laws();

struct ImpactResult {
  petsc::Vector end_velocity;  ///< v+, six entries a body, m/s and rad/s
  petsc::Vector impulse;       ///< lambda of the problem as it was solved, contact frame, N s
  petsc::Vector with_struck;   ///< lambda and what struck before it; empty where that is nothing
  SolverReport report;

  /// What the bodies felt in the step, contact frame, N s.
  Vec total_impulse() const { return with_struck ? with_struck.get() : impulse.get(); }
};

/// Collective. @p step is left with the problem that was solved. @param guess start of the impulses; taken over and
/// returned as the result. The result may hold what is not finite: see first_not_finite().
ImpactResult resolve(PosedStep& step, const ImpactLaw& law, SolverDriver& solver,
                     petsc::Vector guess);

/// Names the first contact of this rank whose impulse, or else the first body of this rank whose
/// velocity, is not a finite number: such a result must never reach the bodies. Empty when all are
/// finite. Not collective. @param contacts those of the problem, in its order.
std::string first_not_finite(const Store& store, std::span<const Contact> contacts,
                             const Cones& cones, const ImpactResult& result);

}  // namespace scree
