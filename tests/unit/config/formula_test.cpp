#include "scree/config/formula.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "scree/base/check.hpp"
#include "scree/config/reader.hpp"

namespace scree {
namespace {

constexpr std::array<std::string_view, 2> kNames = {"x", "time"};

double value_of(const std::string& text, double x = 0.0, double time = 0.0) {
  return Formula(text, kNames)(std::array{x, time});
}

TEST(Formula, HasTheValueOfItsText) {
  EXPECT_DOUBLE_EQ(value_of("-2e-6*(x - 0.01)", 0.51), -1e-6);
  EXPECT_DOUBLE_EQ(value_of("sin(2*pi*time) + x^2", 3.0, 0.25), 10.0);
  EXPECT_DOUBLE_EQ(value_of("-x^2", 3.0), -9.0);
  EXPECT_DOUBLE_EQ(value_of("2^3^2"), 512.0);
  EXPECT_DOUBLE_EQ(value_of("time < 1 && x >= 2 ? 7 : log(x)", 2.0, 0.5), 7.0);
  EXPECT_DOUBLE_EQ(value_of("time < 1 && x >= 2 ? 7 : log(x)", 2.0, 1.0), std::numbers::ln2);
  EXPECT_DOUBLE_EQ(value_of("x == 2 || x != x", 2.0), 1.0);
}

TEST(Formula, IsEvaluatedAgainAndMoves) {
  Formula first("x - time", kNames);
  EXPECT_DOUBLE_EQ(first(std::array{3.0, 1.0}), 2.0);
  const Formula second = std::move(first);
  EXPECT_DOUBLE_EQ(second(std::array{1.0, 3.0}), -2.0);
  EXPECT_EQ(second.text(), "x - time");
}

TEST(Formula, WhatIsNotDefinedIsNotFinite) {
  EXPECT_TRUE(std::isinf(value_of("1/x")));
  EXPECT_TRUE(std::isnan(value_of("sqrt(x)", -1.0)));
}

/// The refusal of @p text before the list of what is allowed.
std::string fault(const std::string& text) {
  const std::string whole = fault_of_formula(text, kNames);
  const std::size_t end = whole.find("; allowed: numbers, x, time, pi, + - * / ^");
  EXPECT_NE(end, std::string::npos) << whole;
  EXPECT_NE(whole.find("sqrt"), std::string::npos) << whole;
  return whole.substr(0, end);
}

TEST(Formula, FaultsNamePlaceAndReason) {
  EXPECT_EQ(fault_of_formula("x", kNames), "");
  EXPECT_EQ(fault("2*k*x"), "\"2*k*x\": \"k\" at character 3 is unknown");
  EXPECT_EQ(fault("tim*x"), "\"tim*x\": \"tim\" at character 1 is unknown; did you mean \"time\"?");
  EXPECT_EQ(fault("sin x"),
            "\"sin x\": \"sin\" at character 1 is a function: its arguments follow in parentheses");
  EXPECT_EQ(fault("2x"), "\"2x\": \"x\" at character 2 cannot stand there");
  EXPECT_EQ(fault("x**2"), "\"x**2\": \"*\" at character 3 cannot stand there");
  EXPECT_EQ(fault("x%2"), "\"x%2\": \"%2\" at character 2 is not understood");
  EXPECT_EQ(fault("x +"), "\"x +\": it ends where a value is to come");
  EXPECT_EQ(fault("(x"), "\"(x\": a parenthesis is not closed");
  EXPECT_EQ(fault("sin()"), "\"sin()\": \"sin\" has too few arguments");
  EXPECT_EQ(fault("sin(1, 2)"), "\"sin(1, 2)\": \"sin\" has too many arguments");
  EXPECT_EQ(fault(""), "\"\": it is empty");
  EXPECT_EQ(fault("x, 2"), "\"x, 2\": it is 2 formulas, with commas between");
  EXPECT_EQ(fault("x = 2"), "\"x = 2\": \"=\" at character 3 would change a value; == compares");
  EXPECT_NE(fault(std::string(2000, '(') + "x").find("longer than 1000"), std::string::npos);
  EXPECT_THROW(Formula("k", kNames), InputError);
}

struct Field {
  FormulaTexts force{"0", "0", "0"};
  void declare(Declaration& d) { declare_formulas(d, "force", force, kNames, {.help = "force"}); }
};

TEST(Formula, AFaultyOneIsAFaultOfTheFile) {
  Field field;
  read_yaml("force: [-2*x, 0, \"time\"]", "c.yaml", {}, field);
  EXPECT_EQ(field.force, (FormulaTexts{"-2*x", "0", "time"}));
  try {
    read_yaml("\nforce: [-2*x, 0, k]", "c.yaml", {}, field);
    FAIL() << "not refused";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).find("c.yaml:2: force: \"k\": \"k\" at character 1"), 0U)
        << error.what();
  }
  EXPECT_THROW(read_yaml("force: [x, 0]", "c.yaml", {}, field), InputError);
}

}  // namespace
}  // namespace scree
