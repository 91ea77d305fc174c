#pragma once

/// The solves of a step with the constraints that each of them is found to lack
/// (step/recursion.hpp).
///
/// A solve may be loose, since the bodies are looked at where it brings them: the first, of which
/// nothing is known, may err by half the square root of the tolerance, the others such that normals
/// should miss by a tenth of the overlap that is to be removed, at the least by 0.4 of the
/// tolerance, all relative to radii. An overlap that the solve left itself, by missing rows that
/// the pair has, asks for a tighter solve and not for another row (step/solve_error.hpp).
///
/// A solve that does not converge has velocities to which nothing may be added. One that misses by
/// less than the overlap that it was to remove is used to look for overlaps, once a step, and taken
/// where it leaves none. Else its constraints are taken away again, the step has the impulses of
/// the last solve that converged, and counts as not solved. Where the first solve does not converge
/// there is no such one, and the step is as it would be without recursions.

#include <optional>

#include "formulate_and_solve.hpp"
#include "scree/step/worst_contact.hpp"

namespace scree {

/// @param velocity_error by which a contact may miss its law whatever the overlaps, m/s.
/// Collective.
void solve_with_recursions(const StepWork& work, const std::vector<Pair>& pairs,
                           double velocity_error, SolvedContacts& step);

/// The pair for whose overlap the step counts as not solved, at one of its contacts, or else at the
/// centre of A; none where it does not. The same on every rank. Collective.
std::optional<WorstContact> pair_left(MPI_Comm comm, const Store& bodies,
                                      const SolvedContacts& step);

}  // namespace scree
