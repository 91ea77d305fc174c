#include "scree/config/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <vector>

namespace scree {
namespace {

bool same(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);  // row i - 2
  std::vector<std::size_t> last(b.size() + 1);    // row i - 1
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, last);
    std::swap(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = last[j - 1] + (same(a[i - 1], b[j - 1]) ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, substituted});
      const bool exchanged = i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]);
      if (exchanged) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

std::string_view nearest_word(std::string_view word, std::span<const std::string_view> known) {
  // A text this long is no misspelling, and the distance costs the product of the lengths.
  constexpr std::size_t kLongest = 80;
  if (word.empty() || word.size() > kLongest) return {};
  std::string_view best;
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (const std::string_view candidate : known) {
    if (candidate.size() > kLongest) continue;
    const std::size_t d = distance(word, candidate);
    const std::size_t allowed = (std::max(word.size(), candidate.size()) + 2) / 3;
    if (d < least && d <= allowed && d < candidate.size()) {
      least = d;
      best = candidate;
    }
  }
  return best;
}

std::string suggestion(std::string_view word, std::span<const std::string_view> known) {
  const std::string_view near = nearest_word(word, known);
  return near.empty() ? std::string{} : fmt::format("did you mean \"{}\"?", near);
}

std::string suggestion_and_list(std::string_view word, std::span<const std::string_view> known) {
  const std::string hint = suggestion(word, known);
  const std::string list =
      known.empty() ? "nothing" : fmt::format("{}", fmt::join(known.begin(), known.end(), ", "));
  return fmt::format("{}{}allowed: {}", hint, hint.empty() ? "" : " ", list);
}

}  // namespace scree
