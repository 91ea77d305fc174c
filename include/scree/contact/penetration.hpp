#pragma once

#include <span>

#include "scree/bodies/store.hpp"
#include "scree/contact/contact_list.hpp"

namespace scree {

/// How deep bodies overlap at worst.
struct Penetration {
  double relative = 0.0;  ///< largest overlap over the smaller radius of its pair; 0: none overlap
  double depth = 0.0;     ///< depth of that overlap, m
  std::int32_t a = 0;     ///< slots of that pair
  std::int32_t b = 0;
};

/// The smaller inscribed radius of the grain in slot @p a and the body in slot @p b, m; a tool has
/// none, and the grain's counts. Not collective.
double smaller_radius(const Store& store, std::int32_t a, std::int32_t b);

/// Over @p contacts, with the gaps that they were found with: at the start of a run, whether the
/// bodies were placed apart. A tool has no radius: the grain's counts. Not collective.
Penetration penetration(const Store& store, ContactView contacts);

}  // namespace scree
