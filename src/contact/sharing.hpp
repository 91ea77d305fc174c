#pragma once

/// How the points of one pair share its stiffness k. Point i has k/n_i, where n_i is how many
/// points bear as it does:
///
///     n_i = sum over the points j of  max(0, n_j . n_i)  clamp(1 - (phi_j - phi_i)/l, 0, 1),     l = reach
///
/// with gaps phi and normals n. Those that are as deep as i or deeper count, and those that are
/// shallower by less than l in part. So a face that lies flat is as stiff as one point, and so is
/// an edge; while the body tips from one to the other its stiffness changes smoothly. Points on
/// sides of a hole that look at each other do not share.
///
/// Gaps are those of the shapes: points of one pair that were placed overlapping, each with its own
/// gap at rest, count as unequally deep until those gaps have decayed.
///
/// Points that are shallower than i by l or more do not count, whether detection lists them or not:
/// how far it looks is of no matter. Springs of k/n_i conserve energy while the n_i stay, which
/// they do where compression is small beside l.

#include <vector>

#include "scree/geometry/pairs/manifold.hpp"

namespace scree {

/// l over the smaller inscribed radius of the pair: a face of that size counts as flat within a
/// hundredth of an angle.
inline constexpr double kSharingReach = 0.02;

/// n_i of each point; at least 1. @p reach: l, m. @pre @p manifold has all points up to l beyond
/// those of interest.
std::vector<double> sharing_counts(const Manifold& manifold, double reach);

}  // namespace scree
