#include "number_text.hpp"

#include <fmt/format.h>

namespace scree::config {

std::string number_text(double value) {
  std::string text = fmt::format("{}", value);
  const std::size_t exponent = text.find('e');
  if (exponent != std::string::npos && text.find('.') == std::string::npos) {
    text.insert(exponent, ".0");
  }
  return text;
}

}  // namespace scree::config
