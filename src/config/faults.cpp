#include "faults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace scree::config {

void Faults::add(Place place, const std::string& path, const std::string& what) {
  const std::string where = place.override < 0
                                ? fmt::format("{}:{}", file_, place.line)
                                : fmt::format("--set {}", overrides_[place.override]);
  const std::string separator = path.empty() ? "" : ": ";
  faults_.push_back({place, fmt::format("{}: {}{}{}", where, path, separator, what)});
}

void Faults::throw_if_any() {
  if (faults_.empty()) return;
  std::stable_sort(faults_.begin(), faults_.end(), [](const Fault& a, const Fault& b) {
    return std::tie(a.place.override, a.place.line) < std::tie(b.place.override, b.place.line);
  });
  std::vector<std::string> lines;
  for (const Fault& fault : faults_) lines.push_back(fault.text);
  throw InputError(fmt::format("{}", fmt::join(lines, "\n")));
}

}  // namespace scree::config
