#pragma once

/// The faults of one reading, gathered to be thrown together.

#include <string>
#include <string_view>
#include <vector>

#include "scree/config/reader.hpp"
#include "tree.hpp"

namespace scree::config {

class Faults {
 public:
  Faults(std::string file, const Overrides& overrides)
      : file_(std::move(file)), overrides_(overrides) {}

  /// `place: path: what`; the path may be empty.
  void add(Place place, const std::string& path, const std::string& what);
  std::size_t count() const { return faults_.size(); }
  /// `trench.yaml:3`, or where an override was given.
  std::string in_words(Place place) const;
  /// @throws InputError with a line for each fault: those of the file in its order, then those of
  /// the overrides.
  void throw_if_any();

 private:
  struct Fault {
    Place place;
    std::string text;
  };

  std::string file_;
  const Overrides& overrides_;
  std::vector<Fault> faults_;
};

}  // namespace scree::config
