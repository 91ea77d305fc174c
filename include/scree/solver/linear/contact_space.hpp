#pragma once

/// The space of the contacts, for N without bodies: N as a matrix whose diagonal blocks are stored
/// whole, and points of three numbers a cone as its rows and back.

#include <vector>

#include "scree/base/math.hpp"
#include "scree/problem/contact_problem.hpp"

namespace scree::contact_space {

/// Collective. A copy of N in which every entry of the diagonal blocks has its place, zero or not.
petsc::Matrix copy_of_delassus(const ContactProblem& problem);

/// Collective. Adds one block to each cone's diagonal block of @p matrix, which has places for them.
void add_to_diagonal(Mat matrix, const Cones& cones, const std::vector<Mat3>& blocks);

/// Not collective. Numbers of @p x beyond a cone's dimension are dropped, and come back as zeros.
void to_rows(const std::vector<Vec3>& x, const Cones& cones, Vec rows);
void from_rows(Vec rows, const Cones& cones, std::vector<Vec3>& x);

}  // namespace scree::contact_space
