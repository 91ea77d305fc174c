#pragma once

/// Enumerations whose values have names: in YAML, tables, messages and files alike.
///
///     enum class Arrangement { loose, dense };
///     template <>
///     inline constexpr std::array kNamesOf<Arrangement> = names("loose", "dense");
///
/// The names stand once, beside the enumeration and in the order of its values, which count from 0
/// without gaps. To ask for the name of a value that has none throws std::out_of_range.

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>

namespace scree {

/// Names of the values of @p E, by value; none for an enumeration that has not given them.
template <class E>
inline constexpr std::array<std::string_view, 0> kNamesOf{};

template <class E>
concept NamedEnumeration = std::is_enum_v<E> &&(!kNamesOf<E>.empty());

template <std::convertible_to<std::string_view>... Name>
constexpr std::array<std::string_view, sizeof...(Name)> names(Name... name) {
  return {name...};
}

/// Place of @p value in a table by the enumeration's values.
template <class E>
requires std::is_enum_v<E>
constexpr std::size_t index_of(E value) {
  return static_cast<std::size_t>(value);
}

template <NamedEnumeration E>
constexpr std::string_view to_string(E value) {
  return kNamesOf<E>.at(index_of(value));
}

/// The value that is called @p name; none where no value is.
template <NamedEnumeration E>
constexpr std::optional<E> value_named(std::string_view name) {
  const auto found = std::find(kNamesOf<E>.begin(), kNamesOf<E>.end(), name);
  if (found == kNamesOf<E>.end()) return std::nullopt;
  return static_cast<E>(found - kNamesOf<E>.begin());
}

}  // namespace scree
