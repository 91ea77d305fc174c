#pragma once

/// The effective configuration: every key of a declared struct with the value in force, as YAML
/// with help, range and unit in comments.
///
/// Reading the text back gives the same values, bit for bit (numbers are printed with as many
/// digits as tell them from their neighbours). An infinite default, which a file cannot say, is
/// left out and noted in a comment. Not collective.

#include <functional>
#include <string>

#include "scree/config/declaration.hpp"

namespace scree {

/// The keys that @p declare declares, as YAML.
std::string emit_declared(const std::function<void(Declaration&)>& declare);

/// @p value as YAML.
template <class T>
std::string emit_yaml(T value) {
  return emit_declared([&value](Declaration& d) { value.declare(d); });
}

}  // namespace scree
