#pragma once

/// The space of the contacts, for N without bodies: N as a matrix whose diagonal blocks are stored
/// whole.

#include <vector>

#include "scree/problem/contact_problem.hpp"

namespace scree::contact_space {

/// Collective. A copy of N in which every entry of the diagonal blocks has its place, zero or not.
petsc::Matrix copy_of_delassus(const ContactProblem& problem);

/// Collective. Adds to each cone's diagonal block of @p matrix, which has places for them, its
/// block of
/// @p blocks (problem/cone_blocks.hpp).
void add_to_diagonal(Mat matrix, const Cones& cones, const std::vector<double>& blocks);

}  // namespace scree::contact_space
