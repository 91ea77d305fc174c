#include "quoted.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace scree::config {

std::string double_quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += c;
    }
  }
  return result + '"';
}

bool reads_as_is(std::string_view text) {
  const auto in_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '+' || c == '-';
  };
  return !text.empty() && text != "-" && text != "null" && text != "Null" && text != "NULL" &&
         !text.starts_with("--") && !text.starts_with("...") && std::ranges::all_of(text, in_word);
}

std::string printable(std::string text) {
  std::ranges::replace(text, '\0', '?');
  return text;
}

}  // namespace scree::config
