#include "faults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "quoted.hpp"

namespace scree::config {

void Faults::add(Place place, const std::string& path, const std::string& what) {
  const std::string separator = path.empty() ? "" : ": ";
  faults_.push_back({place, fmt::format("{}: {}{}{}", in_words(place), path, separator, what)});
}

std::string Faults::in_words(Place place) const {
  if (place.override < 0) return fmt::format("{}:{}", file_, place.line);
  const Override& override = overrides_[place.override];
  return override.place.empty() ? fmt::format("--set {}", override.assignment) : override.place;
}

void Faults::throw_if_any() {
  if (faults_.empty()) return;
  std::stable_sort(faults_.begin(), faults_.end(), [](const Fault& a, const Fault& b) {
    return std::tie(a.place.override, a.place.line) < std::tie(b.place.override, b.place.line);
  });
  std::vector<std::string> lines;
  for (const Fault& fault : faults_) lines.push_back(fault.text);
  throw InputError(printable(fmt::format("{}", fmt::join(lines, "\n"))));
}

}  // namespace scree::config
