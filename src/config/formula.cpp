#include "scree/config/formula.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <cctype>
#include <numbers>
#include <utility>

#include "scalars.hpp"
#include "scree/base/check.hpp"
#include "scree/config/suggest.hpp"

namespace scree {
namespace {

constexpr std::size_t kLongest = 1000;

std::string allowed_in(VariableNames variables) {
  const std::vector<std::string_view> functions = known_functions();
  return fmt::format(
      "allowed: numbers, {}, pi, + - * / ^, parentheses, comparisons, &&, ||, a ? b : c, and {}",
      fmt::join(variables.begin(), variables.end(), ", "),
      fmt::join(functions.begin(), functions.end(), ", "));
}

/// Where @p text gives a variable a value, counted from 0; npos: nowhere. muParser would do so.
std::size_t assignment_in(std::string_view text) {
  constexpr std::string_view kBefore = "<>=!";
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '=') continue;
    if (i + 1 < text.size() && text[i + 1] == '=') {
      ++i;
    } else if (i == 0 || kBefore.find(text[i - 1]) == std::string_view::npos) {
      return i;
    }
  }
  return std::string_view::npos;
}

bool is_name(std::string_view token) {
  return !token.empty() && std::all_of(token.begin(), token.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_';
  }) && std::isdigit(static_cast<unsigned char>(token[0])) == 0;
}

std::string about_unknown(const std::string& token, VariableNames variables) {
  const std::vector<std::string_view> functions = known_functions();
  if (std::find(functions.begin(), functions.end(), token) != functions.end()) {
    return "is a function: its arguments follow in parentheses";
  }
  std::vector<std::string_view> known(variables.begin(), variables.end());
  known.insert(known.end(), functions.begin(), functions.end());
  const std::string hint = suggestion(token, known);
  return "is unknown" + (hint.empty() ? hint : "; " + hint);
}

/// muParser's finding in words: of its tokens, and with characters counted from 1.
std::string in_words(const mu::Parser::exception_type& error, VariableNames variables) {
  std::string token = error.GetToken();
  token.erase(token.find_last_not_of(" ") + 1);
  const std::string place =
      fmt::format("{} at character {}", config::in_quotes(token), error.GetPos() + 1);
  switch (error.GetCode()) {
    case mu::ecUNASSIGNABLE_TOKEN:
      if (is_name(token)) return fmt::format("{} {}", place, about_unknown(token, variables));
      return place + " is not understood";
    case mu::ecUNEXPECTED_OPERATOR:
    case mu::ecUNEXPECTED_ARG_SEP:
    case mu::ecUNEXPECTED_ARG:
    case mu::ecUNEXPECTED_VAL:
    case mu::ecUNEXPECTED_VAR:
    case mu::ecUNEXPECTED_FUN:
    case mu::ecUNEXPECTED_PARENS:
    case mu::ecUNEXPECTED_STR:
      return place + " cannot stand there";
    case mu::ecUNEXPECTED_EOF:
      return "it ends where a value is to come";
    case mu::ecMISSING_PARENS:
      return "a parenthesis is not closed";
    case mu::ecTOO_MANY_PARAMS:
      return fmt::format("\"{}\" has too many arguments", token);
    case mu::ecTOO_FEW_PARAMS:
      return fmt::format("\"{}\" has too few arguments", token);
    case mu::ecEMPTY_EXPRESSION:
      return "it is empty";
    default:
      return error.GetMsg();
  }
}

}  // namespace

struct Formula::Compiled {
  std::vector<double> values;  ///< of the variables; the parser has their addresses
  mu::Parser parser;

  Compiled(const std::string& text, VariableNames variables) : values(variables.size(), 0.0) {
    parser.ClearConst();
    parser.DefineConst("pi", std::numbers::pi);
    for (std::size_t i = 0; i < variables.size(); ++i) {
      parser.DefineVar(std::string(variables[i]), &values[i]);
    }
    parser.SetExpr(text);
  }

  /// Reads the formula; gives the number of values that it has.
  int read() {
    int count = 0;
    parser.Eval(count);
    return count;
  }
};

std::vector<std::string_view> known_functions() {
  static const mu::Parser parser;
  std::vector<std::string_view> names;
  for (const auto& [name, function] : parser.GetFunDef()) names.push_back(name);
  return names;
}

std::string fault_of_formula(const std::string& text, VariableNames variables) {
  const auto fault = [&](const std::string& what) {
    return fmt::format("{}: {}; {}", config::in_quotes(text), what, allowed_in(variables));
  };
  if (text.size() > kLongest) return fault(fmt::format("it is longer than {}", kLongest));
  if (const std::size_t i = assignment_in(text); i != std::string_view::npos) {
    return fault(fmt::format("\"=\" at character {} would change a value; == compares", i + 1));
  }
  try {
    const int count = Formula::Compiled(text, variables).read();
    if (count != 1) return fault(fmt::format("it is {} formulas, with commas between", count));
  } catch (const mu::Parser::exception_type& error) {
    return fault(in_words(error, variables));
  }
  return {};
}

Formula::Formula(std::string text, VariableNames variables) : text_(std::move(text)) {
  if (const std::string fault = fault_of_formula(text_, variables); !fault.empty()) {
    throw InputError(fault);
  }
  compiled_ = std::make_unique<Compiled>(text_, variables);
  compiled_->read();
}

Formula::~Formula() = default;
Formula::Formula(Formula&&) noexcept = default;
Formula& Formula::operator=(Formula&&) noexcept = default;

double Formula::operator()(std::span<const double> values) const {
  SCREE_ASSERT(values.size() == compiled_->values.size());
  std::copy(values.begin(), values.end(), compiled_->values.begin());
  return compiled_->parser.Eval();
}

void declare_formulas(Declaration& d, std::string_view key, FormulaTexts& value,
                      VariableNames variables, About about) {
  about.count = 3;
  d.texts(key, value, about);
  for (const std::string& text : value) {
    const std::string fault = fault_of_formula(text, variables);
    d.require(key, fault.empty(), fault);
  }
}

}  // namespace scree
