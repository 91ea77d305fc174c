#pragma once

/// JSON Schema (draft 2020-12) of a declared struct, for editors that check and complete YAML:
/// types, defaults, bounds, words; help and units in the descriptions; no keys besides the declared
/// ones. Names that refer to other parts of a file, and checks over several keys, are beyond JSON
/// Schema: `scree check` is the authority. Not collective.

#include <functional>
#include <nlohmann/json.hpp>
#include <string_view>

#include "scree/config/declaration.hpp"

namespace scree {

/// Schema of what @p declare declares. It fills the declared lists and maps with one item each.
nlohmann::ordered_json schema_of_declared(std::string_view title,
                                          const std::function<void(Declaration&)>& declare);

template <class T>
nlohmann::ordered_json json_schema(std::string_view title) {
  T value{};
  return schema_of_declared(title, [&value](Declaration& d) { value.declare(d); });
}

}  // namespace scree
