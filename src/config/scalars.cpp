#include "scalars.hpp"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <cmath>

#include "bounds.hpp"

namespace scree::config {
namespace {

/// The fault where a number was expected and @p node cannot even be looked at as one.
std::string not_plain_scalar(const Tree& node) {
  if (node.kind != Tree::Kind::scalar) return kind_in_words(node);
  if (node.quoted) return in_quotes(node.scalar) + " is text, since it is in quotes";
  return {};
}

bool says_infinity_or_nan(std::string_view text) {
  std::string word;
  for (const char c : text) {
    if (c != '.' && c != '+' && c != '-') {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return word == "nan" || word == "inf" || word == "infinity";
}

/// The number that @p text is as a whole, in decimal notation.
Parsed<double> decimal(std::string_view text) {
  if (says_infinity_or_nan(text)) return {{}, fmt::format("{} is not a finite number", text)};
  std::string_view digits = text;
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
  double value = 0.0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool whole = end == digits.data() + digits.size();
  if (whole && code == std::errc::result_out_of_range) {
    return {{}, fmt::format("{} is beyond what a number can hold", in_quotes(text))};
  }
  if (!whole || code != std::errc{}) return {{}, in_quotes(text) + " is not a number"};
  return {value, {}};
}

}  // namespace

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string shown;
  for (const char c : text.substr(0, kLongest)) {
    shown += std::iscntrl(static_cast<unsigned char>(c)) ? '?' : c;
  }
  return fmt::format("\"{}{}\"", shown, text.size() > kLongest ? "..." : "");
}

std::string kind_in_words(const Tree& node) {
  switch (node.kind) {
    case Tree::Kind::empty:
      return "is empty";
    case Tree::Kind::scalar:
      return in_quotes(node.scalar) + " is a single value";
    case Tree::Kind::list:
      return "is a list";
    case Tree::Kind::map:
      return "is a map of keys";
  }
  return {};
}

Parsed<double> parse_real(const Tree& node, const About& about) {
  if (std::string wrong = not_plain_scalar(node); !wrong.empty()) return {{}, std::move(wrong)};
  Parsed<double> parsed = decimal(node.scalar);
  if (parsed.value && !within(*parsed.value, about)) {
    return {{}, node.scalar + " is out of range"};
  }
  return parsed;
}

Parsed<std::int64_t> parse_integer(const Tree& node, const About& about) {
  if (std::string wrong = not_plain_scalar(node); !wrong.empty()) return {{}, std::move(wrong)};
  std::int64_t value = 0;
  const std::string& text = node.scalar;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size()) {
    const Parsed<double> real = decimal(text);
    if (!real.value) return {{}, real.wrong};
    constexpr double kExactUpTo = 9007199254740992.0;  // 2^53
    if (std::trunc(*real.value) != *real.value) return {{}, text + " is not a whole number"};
    if (std::abs(*real.value) > kExactUpTo) return {{}, text + " is out of range"};
    value = static_cast<std::int64_t>(*real.value);
  }
  if (!within(static_cast<double>(value), about)) return {{}, text + " is out of range"};
  return {value, {}};
}

Parsed<bool> parse_flag(const Tree& node) {
  if (std::string wrong = not_plain_scalar(node); !wrong.empty()) return {{}, std::move(wrong)};
  if (node.scalar == "true") return {true, {}};
  if (node.scalar == "false") return {false, {}};
  return {{}, in_quotes(node.scalar) + " is neither"};
}

Parsed<std::string> parse_text(const Tree& node) {
  if (node.kind != Tree::Kind::scalar) return {{}, kind_in_words(node)};
  return {node.scalar, {}};
}

}  // namespace scree::config
