#pragma once

/// Impacts of a step: from the problem to the velocities after it.
///
///     impacts = law.act(problem, contacts)         what impacts do, to impulses and to the problem
///     lambda  = solver(problem)                    the rest of the step
///     v+      = v_free + M^-1 J^T lambda           total impulse: of impacts + lambda
///
/// A problem as it is assembled knows u^- and e of each contact (problem/assemble.hpp) and asks
/// nothing of them. Its solution alone is inelastic. A law either writes into r what it asks of the
/// velocities after the step, or resolves the impacts first, in as many solves as it needs, and
/// leaves the problem of what comes after them.
///
/// To add a law: a class in a file of step/impact, and a row of src/step/impact/list.cpp.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "scree/base/petsc.hpp"
#include "scree/bodies/store.hpp"
#include "scree/contact/contact.hpp"
#include "scree/impact/impact_operator.hpp"
#include "scree/problem/assemble.hpp"
#include "scree/problem/contact_problem.hpp"
#include "scree/solver/driver.hpp"

namespace scree {

class Declaration;

/// The keys under `impact:`.
struct ImpactLawOptions {
  std::string law = "newton";
  ImpactOperatorKind operator_kind = ImpactOperatorKind::gauss_seidel;
  ImpactOrder order = ImpactOrder::worst_first;
  std::int64_t seed = 1;
  double threshold = 0.0;  ///< m/s; 0: the law's own

  void declare(Declaration& d);
};

/// Figures of the impacts of a step that a law resolved before its problem.
struct ImpactFigures {
  std::int64_t rounds = 0;        ///< until no further pair closed
  std::int64_t zones = 0;         ///< resolved, of all rounds
  std::int64_t contacts = 0;      ///< of the largest zone
  std::int64_t applications = 0;  ///< of the impact operator
  std::int64_t programs = 0;      ///< linear programs
  double program_seconds = 0.0;
  double energy_before = 0.0;    ///< kinetic, of the zones before their impacts, summed, J
  double energy_after = 0.0;     ///< the same after them
  double approach_left = 0.0;    ///< largest speed at which contacts of zones still approach, m/s
  std::int64_t cut_off = 0;      ///< zones whose impact was cut off by its last resort
  std::int64_t walls_close = 0;  ///< zones that walls close in on: their impacts are left
  std::string fault;             ///< an impact that did not end, and why; empty: all did

  /// Adds @p round, which came after what is here.
  void add(const ImpactFigures& round);
  /// Collective. Those of all ranks; rounds are the same on each.
  void sum_over_ranks(MPI_Comm comm);
};

/// Impulses of impacts before the problem of the step.
struct ResolvedImpacts {
  petsc::Vector impulse =
      {};  ///< rows of the problem, N s, which the changes have already; empty: none
  ImpactFigures figures = {};   ///< of all ranks
  ProblemChanges changes = {};  ///< of the problem, to that of the rest of the step
};

class ImpactLaw {
 public:
  virtual ~ImpactLaw() = default;
  /// Whether it asks how fast bodies are before forces act (FormulatedStep::v_before).
  virtual bool reads_velocities_before() const { return false; }
  /// What impacts do before the problem of @p step is solved. Collective.
  /// @param contacts those of the problem, in its order
  virtual ResolvedImpacts act(const FormulatedStep& step, std::span<const Contact> contacts,
                              const Goal& goal) const = 0;
};

/// A row of the list of laws.
struct ImpactLawEntry {
  std::string_view name;
  /// @param gravity of the run, m/s^2
  std::shared_ptr<const ImpactLaw> (*make)(const ImpactLawOptions& options, double gravity);
};

/// All laws; the first is the one where nothing is said.
std::span<const ImpactLawEntry> impact_laws();

/// The law that @p options name. @pre they were declared, so that there is one of that name.
std::shared_ptr<const ImpactLaw> make_impact_law(const ImpactLawOptions& options, double gravity);

struct ImpactResult {
  petsc::Vector end_velocity;  ///< v+, six entries a body, m/s and rad/s
  petsc::Vector impulse;       ///< lambda of the problem as it was solved, contact frame, N s
  petsc::Vector with_impacts;  ///< lambda and the impulses of impacts before it; empty without any
  ImpactFigures figures;       ///< of the impacts before it
  SolverReport report;

  /// The whole impulse on the bodies in the step, contact frame, N s.
  Vec total_impulse() const { return with_impacts ? with_impacts.get() : impulse.get(); }
};

/// Collective. @p step is left with the problem that was solved. Where an impact was cut off the
/// step did not converge, whatever the solver says. @param contacts those of the problem, in its
/// order.
/// @param guess start of the impulses; taken over and
/// returned as the result. The result may hold what is not finite: see first_not_finite().
ImpactResult resolve(FormulatedStep& step, std::span<const Contact> contacts, const ImpactLaw& law,
                     SolverDriver& solver, const Goal& goal, petsc::Vector guess);

/// Names the first contact of this rank whose impulse, or else the first body of this rank whose
/// velocity, is not a finite number: such a result must never reach the bodies. Empty when all are
/// finite. Not collective. @param contacts those of the problem, in its order.
std::string first_not_finite(const Store& store, std::span<const Contact> contacts,
                             const Cones& cones, const ImpactResult& result);

}  // namespace scree
