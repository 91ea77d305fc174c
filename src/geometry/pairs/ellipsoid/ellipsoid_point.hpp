#pragma once

#include "ellipsoid_contacts.hpp"
#include "ellipsoid_features.hpp"

namespace scree {

/// The manifold of the one point nearest to the feature that @p found is the distance to, with @p
/// radius around the feature, m.
Manifold ellipsoid_point(const Ellipsoid& a, const Pose& pose_a, const FeatureDistance& found,
                         double radius);

}  // namespace scree
