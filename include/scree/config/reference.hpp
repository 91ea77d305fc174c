#pragma once

/// The key reference of a declared struct: a Markdown table with a row for each key.
///
/// Objects whose keys are always there have no row of their own. In the keys NAME stands for a name
/// that the user gives and N for the place in a list; a key that exists for one `type:` only says
/// so. Not collective.

#include <functional>
#include <string>

#include "scree/config/declaration.hpp"

namespace scree {

/// Table of what @p declare declares. It fills the declared lists and maps with one item each.
std::string reference_of_declared(const std::function<void(Declaration&)>& declare);

template <class T>
std::string key_reference() {
  T value{};
  return reference_of_declared([&value](Declaration& d) { value.declare(d); });
}

}  // namespace scree
