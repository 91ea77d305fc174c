#pragma once

/// Options of the rows of a list (observers, impact laws, constraints): a struct of its own type
/// for each row. Copied with the configuration.

#include <any>
#include <utility>
#include <vector>

#include "scree/base/check.hpp"

namespace scree {

/// The options of a row that has no keys.
struct NoOptions {};

class OptionSet {
 public:
  /// @pre none of that type is here
  template <class Options>
  void add(Options options) {
    all_.emplace_back(std::move(options));
  }

  /// @pre add()
  template <class Options>
  const Options& of() const {
    for (const std::any& one : all_) {
      if (const auto* options = std::any_cast<Options>(&one)) return *options;
    }
    throw Failure("no row of the list has these options");
  }
  template <class Options>
  Options& of() {
    return const_cast<Options&>(std::as_const(*this).template of<Options>());
  }

 private:
  std::vector<std::any> all_;
};

}  // namespace scree
