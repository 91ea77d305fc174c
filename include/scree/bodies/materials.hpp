#pragma once

/// Materials, and the friction and restitution between each two of them.
///
/// Both belong to a pair. A pair of materials that can meet (grains with grains, grains with
/// tools) must be named; a pair that cannot need not be. Indices are those of the list of materials.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scree/config/declaration.hpp"

namespace scree {

struct Material {
  std::string name;
  double density = 0.0;  ///< kg/m^3

  void declare(Declaration& d);
};

/// One row of the table in YAML: `{between: [gravel, steel], mu: 0.4, restitution: 0.2}`.
struct FrictionPair {
  std::vector<std::string> between;
  double mu = 0.0;
  double restitution = 0.0;

  void declare(Declaration& d);
};

/// @throws InputError when there is none of that name.
std::int32_t material_index(std::span<const Material> materials, std::string_view name);

/// mu and restitution of each pair of materials; symmetric.
class FrictionTable {
 public:
  FrictionTable() = default;
  /// @throws InputError for a name that is no material, and for a pair that is named twice.
  FrictionTable(std::span<const Material> materials, std::span<const FrictionPair> pairs);

  /// @throws InputError naming every pair that can meet and is not in the table.
  void require_pairs(std::span<const std::int32_t> of_grains,
                     std::span<const std::int32_t> of_tools) const;

  /// Friction coefficient of two materials. @pre the pair is in the table.
  double mu(std::int32_t a, std::int32_t b) const { return mu_[index(a, b)]; }
  /// Part of the speed of approach with which two materials part again. @pre as mu().
  double restitution(std::int32_t a, std::int32_t b) const { return restitution_[index(a, b)]; }
  bool has(std::int32_t a, std::int32_t b) const;

 private:
  std::size_t index(std::int32_t a, std::int32_t b) const {
    return static_cast<std::size_t>(a) * names_.size() + static_cast<std::size_t>(b);
  }

  std::vector<std::string> names_;
  std::vector<double> mu_;           ///< full square; NaN where not named
  std::vector<double> restitution_;  ///< full square
};

}  // namespace scree
