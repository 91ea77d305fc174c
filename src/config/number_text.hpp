#pragma once

#include <string>

namespace scree::config {

/// The shortest decimal number that reads back as @p value, in a form that every YAML reader takes
/// as a number: those of YAML 1.1, PyYAML among them, take 1e-08 as text and 1.0e-08 as a number.
std::string number_text(double value);

}  // namespace scree::config
