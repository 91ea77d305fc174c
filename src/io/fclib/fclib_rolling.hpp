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

/// How a contact of a file becomes a cone.
struct ConeShape {
  std::int32_t dim = 3;  ///< rows of the cone: the first of the file's
  double mu = 0.0;
  double mu_r = 0.0;    ///< m
  double length = 0.0;  ///< ContactProblem::rolling_length
};

/// A contact without friction has its normal alone, one whose bodies cannot roll against each other
/// (N_rr = 0, mu_r = 0) no rolling rows. @p diagonal: of N, by the file's rows of these contacts;
/// not read where the file knows no rolling.
std::vector<ConeShape> cone_shapes(const Header& header, const FrictionOfContacts& friction,
                                   const std::vector<double>& diagonal);

/// l in the rolling rows of the file, @p dim a contact, 1 elsewhere.
std::vector<double> row_lengths(const std::vector<ConeShape>& shapes, int dim);

void append_cone(Cones& cones, const ConeShape& shape, const Friction& friction);

/// l in this rank's rolling rows, 1 elsewhere.
std::vector<double> row_lengths(const ContactProblem& problem);

/// mu_r of this rank's cones in a file, m; 0 where a cone does not roll.
std::vector<double> rolling_coefficients(const ContactProblem& problem);

}  // namespace scree::fclib
