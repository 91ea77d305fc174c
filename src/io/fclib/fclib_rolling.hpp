#pragma once

/// Rolling friction in FCLIB files, whose contacts have five rows: normal, two tangents, two of
/// rolling. In a file the rolling rows are torques' impulses (N m s) and angular velocities (1/s);
/// in a ContactProblem they are over a length l of the contact, in the unit of its other rows:
///
///     l^2 = tr N_tt / tr N_rr,     lambda = r / l,   u = l u_file,   J = l H^T,   R = l^2 R_file,   limit mu_r / l
///
/// Nothing is collective. Reference: DESIGN, section 5.

#include <vector>

#include "fclib_file.hpp"
#include "scree/problem/contact_problem.hpp"

namespace scree::fclib {

/// How the contacts of a file become cones.
struct ConeShapes {
  std::vector<int> dim;        ///< rows of the cone: the first of the file's
  std::vector<double> length;  ///< ContactProblem::rolling_length, of the file's contacts
};

/// A contact without friction has its normal alone, one whose bodies cannot roll against each other
/// (N_rr = 0, mu_r = 0) no rolling rows. @p diagonal: of N, by the file's rows; not read where the
/// file knows no rolling.
ConeShapes cone_shapes(const Header& header, const Dense& diagonal);

/// l in the rolling rows of the file, 1 elsewhere.
Dense row_lengths(const Header& header, const ConeShapes& shapes);

/// The cone of contact @p number of the file.
void append_cone(Cones& cones, const Header& header, const ConeShapes& shapes, int number,
                 const Friction& friction);

/// l in this rank's rolling rows, 1 elsewhere.
std::vector<double> row_lengths(const ContactProblem& problem);

/// mu_r of this rank's cones in a file, m; 0 where a cone does not roll.
std::vector<double> rolling_coefficients(const ContactProblem& problem);

}  // namespace scree::fclib
