#pragma once

/// Where two bodies of a store touch, as their spring sees it (contact/stiffness.hpp). Not
/// collective.

#include "scree/bodies/store.hpp"
#include "scree/contact/contact.hpp"
#include "scree/contact/stiffness.hpp"

namespace scree {

/// The radius of the surface that a contact bends, m: of the ball of a grain's volume; kFlat for
/// walls but balls.
double bent_radius(const Store& store, std::int32_t slot);

/// The two bodies of @p contact as they begin to touch, as one point. The mass is that of the
/// contact's own speed, which turns the bodies where it is off their centres.
ContactSite site_of(const Store& store, const Contact& contact);

}  // namespace scree
