#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "cases.hpp"
#include "scree/base/fingerprint.hpp"

namespace scree {
namespace {

constexpr std::size_t kLongestName = 80;
constexpr std::size_t kDigits = 8;  ///< digits of a fingerprint that a name takes

/// `friction[gravel,steel].mu` is friction, gravel-steel, mu.
std::vector<std::string> words_of(std::string_view key) {
  std::vector<std::string> words(1);
  for (const char c : key) {
    if (c == '.' || c == '[') {
      words.emplace_back();
    } else if (c != ']' && c != ' ') {
      words.back() += c == ',' ? '-' : c;
    }
  }
  return words;
}

std::string last_words(const std::vector<std::string>& words, std::size_t count) {
  const std::size_t first = words.size() - std::min(count, words.size());
  return fmt::format(
      "{}", fmt::join(words.begin() + static_cast<std::ptrdiff_t>(first), words.end(), "."));
}

/// @p text as a number in six digits, without characters that a name cannot hold; the text itself
/// where it is none.
std::string short_number(const std::string& text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return text;
  std::string result = fmt::format("{:.6g}", value);
  const std::size_t e = result.find('e');
  if (e == std::string::npos) return result;
  std::string exponent = result.substr(e + 1);
  const bool negative = exponent[0] == '-';
  exponent.erase(0, exponent.find_first_not_of("+-0"));
  return result.substr(0, e) + (negative ? "e-" : "e") + exponent;
}

/// A value with what is neither letter, digit, `.` nor `-` as `_`; of a path its last part.
std::string in_name(std::string_view value) {
  std::string text = short_number(bare(value));
  text.erase(0, text.find_last_of('/') + 1);
  std::string result;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '.' || c == '-';
    if (plain) result += c;
    if (!plain && !result.empty() && result.back() != '_') result += '_';
  }
  if (result.ends_with('_')) result.pop_back();
  return result;
}

}  // namespace

std::string bare(std::string_view value) {
  if (value.size() < 2 || value.front() != '"') return std::string(value);
  std::string text;
  for (std::size_t k = 1; k + 1 < value.size(); ++k) {
    if (value[k] == '\\' && k + 2 < value.size()) ++k;
    text += value[k];
  }
  return text;
}

std::vector<std::string> short_keys(const std::vector<std::string>& keys) {
  std::vector<std::vector<std::string>> words;
  for (const std::string& key : keys) words.push_back(words_of(key));
  std::vector<std::string> result;
  for (const auto& own : words) {
    std::size_t count = 1;
    const auto taken = [&](const auto& other) {
      return other != own && last_words(other, count) == last_words(own, count);
    };
    while (count < own.size() && std::ranges::any_of(words, taken)) ++count;
    result.push_back(last_words(own, count));
  }
  return result;
}

std::string case_name(const std::vector<std::string>& keys, const std::vector<Setting>& settings) {
  std::vector<std::string> parts;
  std::string whole;
  for (std::size_t k = 0; k < settings.size(); ++k) {
    parts.push_back(fmt::format("{}_{}", keys[k], in_name(settings[k].value)));
    whole += fmt::format("{}={}\n", settings[k].key, settings[k].value);
  }
  std::string name = fmt::format("{}", fmt::join(parts, "-"));
  if (name.size() <= kLongestName) return name;
  name.resize(kLongestName - kDigits - 1);
  return name + fmt::format("-{:016x}", fingerprint(whole)).substr(0, kDigits + 1);
}

}  // namespace scree
