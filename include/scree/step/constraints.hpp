#pragma once

/// Ways of constraints: what keeps two bodies apart in a step. A way finds the contacts of the
/// step's start, and solves the step with them, once or again with others.
///
/// To add a way: a class in a file of src/step/constraints, and a row of its list.cpp. Its keys
/// under `contact:`, its columns of steps.csv and the grains that a run refuses follow from the
/// row.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scree/bodies/store.hpp"
#include "scree/contact/contact.hpp"
#include "scree/contact/narrowphase.hpp"
#include "scree/contact/reach.hpp"
#include "scree/step/constraint_options.hpp"
#include "scree/step/figures.hpp"

namespace scree {

struct SolvedContacts;
struct StepWork;

/// A class of ways has kName and kHelp; where it has keys or columns, it has the static members
/// below, too, which the list takes. It is default-made, or made of the options.
class Constraints {
 public:
  /// A struct with declare().
  using Options = NoOptions;
  static std::vector<FigureColumn> columns() { return {}; }

  virtual ~Constraints() = default;
  /// Why these constraints are not for a grain of that shape; empty when they are. Not collective.
  virtual std::string fault_of_grain(const Shape& /*shape*/) const { return {}; }
  /// Whether bodies are looked at where a step brings them, so that they must be in their boxes
  /// there: what boxes have to spare for that (Reach::spare), in smallest inscribed radii. 0: not.
  virtual double spare() const { return 0.0; }
  /// Whether they hold the bodies' own shapes apart, so that a step that does not is cut.
  virtual bool holds_shapes_apart() const { return true; }
  /// Whether further constraints are found within a step, where a solve brings the bodies: what
  /// they are made of is kept until then, and the next step starts from their impulses, too.
  virtual bool finds_within_step() const { return false; }
  /// The contacts of this rank's @p pairs at the step's start, sorted by key. Not collective. @pre
  /// as narrowphase()
  virtual ContactList find(const Store& bodies, const std::vector<Pair>& pairs,
                           const Reach& reach) const;
  /// Formulates and solves the step with the @p contacts that find() gave. Collective.
  virtual SolvedContacts solve(const StepWork& work, ContactList contacts) const = 0;
};

/// A row of the list of ways.
struct ConstraintsEntry {
  std::string_view name;
  std::string_view help;  ///< for the key `contact.constraints`
  void (*add_options)(OptionSet& all);
  void (*declare)(Declaration& d, OptionSet& all);
  std::vector<FigureColumn> (*columns)();  ///< its columns of steps.csv
  std::shared_ptr<const Constraints> (*make)(const ConstraintOptions& options);
};

/// All ways; the first is the one where nothing is said.
std::span<const ConstraintsEntry> ways_of_constraints();

/// The columns of all ways, in the order of their list, and kOverlapColumn (step/end_overlap.hpp).
std::vector<FigureColumn> constraint_columns();

/// The way that @p options name. @pre they were declared, so that there is one of that name.
std::shared_ptr<const Constraints> make_constraints(const ConstraintOptions& options);

}  // namespace scree
