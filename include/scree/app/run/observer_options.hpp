#pragma once

/// The options of a run's observers (tables, snapshots, ...). Each observer has a struct of its
/// own, which stands beside it and which it declares; the list of observers
/// (src/app/run/observers/list.cpp) says under which key.

#include "scree/config/option_set.hpp"

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
    return all_.of<Options>();
  }
  template <class Options>
  Options& of() {
    return all_.of<Options>();
  }

 private:
  ObserverSection section_;
  OptionSet all_;
};

}  // namespace scree
