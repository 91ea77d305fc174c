#include "value_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "quoted.hpp"
#include "scree/config/key_values.hpp"
#include "scree/config/suggest.hpp"

namespace scree::config {
namespace {

using Values = Parsed<std::vector<std::string>>;

constexpr double kMostValues = 100'000;
constexpr std::array<std::string_view, 3> kGrids = {"linear", "log", "range"};

/// The three numbers of a grid, or what is wrong with them.
Parsed<std::array<double, 3>> parse_triple(const Tree& node) {
  if (node.kind != Tree::Kind::list || node.items.size() != 3)
    return {{}, "is no list of three numbers"};
  std::array<double, 3> numbers{};
  for (std::size_t k = 0; k < 3; ++k) {
    const Parsed<double> number = parse_real(node.items[k], {.help = ""});
    if (!number.value) return {{}, number.wrong};
    numbers[k] = *number.value;
  }
  return {numbers, {}};
}

std::string fault_of_count(double count) {
  if (count == std::trunc(count) && count >= 1 && count <= kMostValues) return {};
  return fmt::format("{} is no count; allowed: a whole number from 1 to {}", count, kMostValues);
}

std::string fault_of_log(double first, double last) {
  return first > 0.0 && last > 0.0 ? "" : "has ends that are not above 0";
}

std::string fault_of_range(double first, double last, double step) {
  if (step == 0.0 || (last - first) / step < 0.0)
    return "has a step that does not lead from the first to the last";
  return (last - first) / step < kMostValues ? ""
                                             : fmt::format("has more than {} values", kMostValues);
}

Values grid_values(std::string_view grid, double first, double last, double third) {
  const bool counts = grid != "range";
  std::string wrong = counts ? fault_of_count(third) : fault_of_range(first, last, third);
  if (wrong.empty() && grid == "log") wrong = fault_of_log(first, last);
  if (!wrong.empty()) return {{}, wrong};
  if (!counts) return {range_values(first, last, third), {}};
  const int count = static_cast<int>(third);
  return {grid == "log" ? log_values(first, last, count) : linear_values(first, last, count), {}};
}

Values parse_grid(const Tree& node) {
  if (node.entries.size() != 1) return {{}, "is a map of several keys"};
  const std::string& grid = node.entries[0].key;
  if (std::ranges::find(kGrids, grid) == kGrids.end()) {
    return {{},
            fmt::format("{} is no grid; {}", in_quotes(grid), suggestion_and_list(grid, kGrids))};
  }
  const Parsed<std::array<double, 3>> numbers = parse_triple(node.entries[0].value);
  if (!numbers.value) return {{}, numbers.wrong};
  const auto& [first, last, third] = *numbers.value;
  return grid_values(grid, first, last, third);
}

}  // namespace

Values parse_values(const Tree& node) {
  if (node.kind == Tree::Kind::map) return parse_grid(node);
  if (node.kind != Tree::Kind::list) return {{}, kind_in_words(node)};
  if (node.items.empty()) return {{}, "is an empty list"};
  std::vector<std::string> values;
  for (const Tree& item : node.items) values.push_back(flow_text(item));
  return {values, {}};
}

std::string flow_text(const Tree& tree) {
  std::vector<std::string> parts;
  switch (tree.kind) {
    case Tree::Kind::empty:
      return "null";
    case Tree::Kind::scalar:
      return !tree.quoted && reads_as_is(tree.scalar) ? tree.scalar : double_quoted(tree.scalar);
    case Tree::Kind::list:
      for (const Tree& item : tree.items) parts.push_back(flow_text(item));
      return fmt::format("[{}]", fmt::join(parts, ", "));
    case Tree::Kind::map:
      for (const Tree::Entry& entry : tree.entries) {
        parts.push_back(fmt::format("{}: {}", double_quoted(entry.key), flow_text(entry.value)));
      }
      return fmt::format("{{{}}}", fmt::join(parts, ", "));
  }
  return {};
}

}  // namespace scree::config
