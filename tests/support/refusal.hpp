#pragma once

/// The refusal of a piece of work.

#include <string>

#include "scree/base/check.hpp"

namespace scree::test {

/// The message of the InputError that @p work throws; "(accepted)" where it throws none.
template <class Work>
std::string refusal_of(Work&& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "(accepted)";
}

}  // namespace scree::test
