#include "bounds.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

namespace scree::config {

bool within(double value, const About& about) {
  return value >= about.min && value <= about.max && value > about.above && value < about.below;
}

std::string bounds_in_words(const About& about) {
  std::vector<std::string> words;
  const auto add = [&](std::string_view what, double bound) {
    if (std::isfinite(bound)) words.push_back(fmt::format("{} {}", what, bound));
  };
  add("at least", about.min);
  add("above", about.above);
  add("at most", about.max);
  add("below", about.below);
  return fmt::format("{}", fmt::join(words, " and "));
}

std::string allowed_in_words(std::string_view what, const About& about,
                             std::string_view separator) {
  std::string text(what);
  const std::string bounds = bounds_in_words(about);
  if (!bounds.empty()) text += std::string(separator) + bounds;
  if (!about.unit.empty()) text += fmt::format(", in {}", about.unit);
  return text;
}

}  // namespace scree::config
