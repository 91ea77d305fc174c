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
/// To add a law: a class in a file of step/impact, and a row of src/step/impact/list.cpp. The keys
/// under `impact:`, the columns of steps.csv and what a run refuses follow from the row.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scree/base/petsc.hpp"
#include "scree/bodies/store.hpp"
#include "scree/contact/contact_list.hpp"
#include "scree/problem/assemble.hpp"
#include "scree/problem/contact_problem.hpp"
#include "scree/solver/driver.hpp"
#include "scree/step/figures.hpp"
#include "scree/step/impact_options.hpp"

namespace scree {

/// Impulses of impacts before the problem of the step.
struct ResolvedImpacts {
  /// Rows of the problem, N s, which the changes have already; empty: none.
  petsc::Vector impulse = {};
  ProblemChanges changes = {};   ///< of the problem, to that of the rest of the step
  Figures figures = {};          ///< of the law's columns, of all ranks
  std::string fault = {};        ///< an impact that did not end, or did worse, and why; else empty
  bool leaves_unsolved = false;  ///< whether the step did not converge for it
  /// Kinetic energy that impacts lose for the length of the step, of all ranks, J; a shorter one
  /// loses less.
  double lost_by_length = 0.0;
};

/// A class of laws has kName and kHelp; where it has keys or columns, or needs inertia, it has the
/// static members below, too, which the list takes (src/step/impact/list.cpp).
class ImpactLaw {
 public:
  /// A struct with declare(), fault(), as ImpactLawEntry has them, and operator==; a law that has
  /// one is made of it and of the gravity.
  using Options = NoOptions;
  static constexpr bool kNeedsInertia = false;
  static std::vector<FigureColumn> columns() { return {}; }

  virtual ~ImpactLaw() = default;
  /// Whether it asks how fast bodies are before forces act (FormulatedStep::v_before).
  virtual bool reads_velocities_before() const { return false; }
  /// The effect of the impacts before the problem of @p step is solved. Collective.
  /// @param contacts those of the problem, in its order
  virtual ResolvedImpacts act(const FormulatedStep& step, ContactView contacts,
                              const Goal& goal) const = 0;
};

/// A row of the list of laws.
struct ImpactLawEntry {
  std::string_view name;
  std::string_view help;  ///< for the key `impact.law`
  bool needs_inertia;     ///< whether overdamped runs refuse it
  void (*add_options)(OptionSet& all);
  void (*declare)(Declaration& d, OptionSet& all);
  /// Whether the keys of the law have their defaults, as those of a law that is not chosen must.
  bool (*is_default)(const OptionSet& all);
  /// Why the keys of the law do not fit each other; empty when they do.
  std::string (*fault)(const OptionSet& all);
  std::vector<FigureColumn> (*columns)();  ///< its columns of steps.csv
  /// @param gravity of the run, m/s^2
  std::shared_ptr<const ImpactLaw> (*make)(const OptionSet& all, double gravity);
};

/// All laws; the first is the one where nothing is said.
std::span<const ImpactLawEntry> impact_laws();

/// The columns of all laws, in the order of their list.
std::vector<FigureColumn> impact_columns();

/// The law that @p options name. @pre they were declared, so that there is one of that name.
std::shared_ptr<const ImpactLaw> make_impact_law(const ImpactLawOptions& options, double gravity);

struct ImpactResult {
  petsc::Vector end_velocity;   ///< v+, six entries a body, m/s and rad/s
  petsc::Vector impulse;        ///< lambda of the problem as it was solved, contact frame, N s
  petsc::Vector with_impacts;   ///< lambda and the impulses of impacts before it; empty without any
  Figures figures;              ///< of the impacts before it
  std::string fault;            ///< ResolvedImpacts::fault
  double lost_by_length = 0.0;  ///< ResolvedImpacts::lost_by_length, J
  SolverReport report;

  /// The whole impulse on the bodies in the step, contact frame, N s.
  Vec total_impulse() const { return with_impacts ? with_impacts.get() : impulse.get(); }
};

/// Collective. @p step is left with the problem that was solved. Where an impact was cut off the
/// step did not converge, whatever the solver says. @param contacts those of the problem, in its
/// order. @param guess start of the impulses; taken over and returned as the result. The result may
/// hold what is not finite: see first_not_finite().
ImpactResult resolve(FormulatedStep& step, ContactView contacts, const ImpactLaw& law,
                     SolverDriver& solver, const Goal& goal, petsc::Vector guess);

/// Names the first contact of this rank whose impulse, or else the first body of this rank whose
/// velocity, is not a finite number: such a result must never reach the bodies. Empty when all are
/// finite. Not collective. @param contacts those of the problem, in its order.
std::string first_not_finite(const Store& store, ContactView contacts,
                             const ContactProblem& problem, const ImpactResult& result);

}  // namespace scree
