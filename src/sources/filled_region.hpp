#pragma once

#include <cstdint>
#include <string>

#include "scree/sources/groups.hpp"
#include "scree/sources/site_lattice.hpp"

namespace scree {

/// Why @p region cannot be filled with grains of @p diameter, site by site: it is too many of them
/// wide; empty when it can.
std::string fault_of_width(const Region& region, double diameter);

/// Why @p filling cannot be: no grain of radius @p largest fits, or fewer than its count; empty
/// when it can.
std::string fault_of_filling(const Region& region, const Filling& filling, double largest);

/// A region filled from below: one site a grain, the grain at random within half a spacing of it.
///
/// The spacing leaves a grain of middle size a play of 15 % of its diameter, dense ones 2 % of the
/// largest; less when the count fits only so. The sites used in the last layer are spread over it.
class FilledRegion {
 public:
  /// @pre fault_of_filling() is empty.
  FilledRegion(const Region& region, const Filling& filling, double smallest, double largest);

  std::int64_t count() const { return count_; }
  /// Centre of grain @p i, of radius @p radius. @p random: three numbers in [0, 1).
  Vec3 place(std::int64_t i, double radius, const Vec3& random) const;

 private:
  std::int64_t count_;
  SiteLattice lattice_;
};

}  // namespace scree
