#pragma once

/// The options of a run's observers (tables, snapshots, ...). Each observer has a struct of its
/// own, which stands beside it and which it declares; the list of observers
/// (src/app/run/observers/list.cpp) says under which key.

#include <any>
#include <utility>
#include <vector>

#include "scree/base/check.hpp"

namespace scree {

class Declaration;

/// The key of the configuration under which an observer's keys stand.
enum class ObserverSection { output, debug };

/// The options of the observers of one section, in the order of their list. Copied with the
/// configuration.
class ObserverOptions {
 public:
  /// As they are where a file says nothing.
  explicit ObserverOptions(ObserverSection section);
  void declare(Declaration& d);

  /// @pre an observer of the section has options of that type
  template <class Options>
  const Options& of() const {
    for (const std::any& one : all_) {
      if (const auto* options = std::any_cast<Options>(&one)) return *options;
    }
    throw Failure("no observer has these options");
  }
  template <class Options>
  Options& of() {
    return const_cast<Options&>(std::as_const(*this).template of<Options>());
  }

 private:
  ObserverSection section_;
  std::vector<std::any> all_;
};

}  // namespace scree
