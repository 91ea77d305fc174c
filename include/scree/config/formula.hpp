#pragma once

/// Formulas in a configuration: `-2e-6*(x - 0.01)`, `t < 1 ? 0 : sin(2*pi*t)`.
///
/// A formula holds numbers, named variables, the constant pi, + - * / ^ (a power; -x^2 is -(x^2)),
/// parentheses, the comparisons < <= > >= == !=, && and ||, `condition ? a : b`, and the functions
/// that known_functions() gives (angles in radians; log is the natural logarithm, as ln). It is
/// read once and then evaluated many times. Not collective. muParser is behind this door only.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scree/config/declaration.hpp"

namespace scree {

using VariableNames = std::span<const std::string_view>;

class Formula {
 public:
  /// @throws InputError with fault_of_formula() when @p text is no formula of these variables.
  Formula(std::string text, VariableNames variables);
  ~Formula();
  Formula(Formula&&) noexcept;
  Formula& operator=(Formula&&) noexcept;

  /// The value with the variables at @p values, in the order of their names. What is not defined
  /// (1/0, sqrt(-1)) is infinite or no number.
  double operator()(std::span<const double> values) const;
  const std::string& text() const { return text_; }

 private:
  struct Compiled;
  friend std::string fault_of_formula(const std::string& text, VariableNames variables);
  std::string text_;
  std::unique_ptr<Compiled> compiled_;
};

/// The fault of @p text as a formula of @p variables: what, where, and what is allowed; empty when
/// nothing is.
std::string fault_of_formula(const std::string& text, VariableNames variables);

/// Names of the functions that formulas can call.
std::vector<std::string_view> known_functions();

/// The three components of a vector, a formula each.
using FormulaTexts = std::vector<std::string>;

/// Declares three formulas under @p key; a faulty one is a fault of the file.
void declare_formulas(Declaration& d, std::string_view key, FormulaTexts& value,
                      VariableNames variables, About about);

}  // namespace scree
