#pragma once

/// The rows of a file for those of a problem. A file has `dim` rows for every contact: a cone of
/// dim 1 leaves its tangents free, and one that does not roll its rolling rows.

#include <cstdint>
#include <vector>

#include "fclib_shares.hpp"
#include "scree/problem/contact_problem.hpp"

namespace scree::fclib {

struct FileRows {
  int dim = 3;
  Shares rows = {};  ///< of the file
  std::vector<std::int32_t> row =
      {};                         ///< row in the file of each of this rank's rows of the problem
  std::vector<double> mu = {};    ///< of this rank's contacts
  std::vector<double> mu_r = {};  ///< m; empty where the file knows no rolling
  bool rolling() const { return dim > 3; }
  /// @p values of this rank's rows of the problem at their places among those of the file. Not
  /// collective. @pre the contacts stand in the order of the ranks.
  std::vector<double> spread(const std::vector<double>& values) const;
};

/// The rows of a file that has the contacts of @p problem in the order of the ranks. Collective.
/// @throws Failure when cones of dim 2 stand beside larger ones, or some are of a kind that FCLIB
/// does not know.
FileRows file_rows(const ContactProblem& problem);

/// The row of each of this rank's rows in a file of @p dim rows a contact: the one that @p problem
/// was read from, or else one that has its contacts in the order of the ranks. Collective.
std::vector<std::int32_t> rows_in_file(const ContactProblem& problem, int dim);

/// This rank's impulses @p lambda of @p problem in the units of a file. Not collective.
std::vector<double> impulses_in_file(const ContactProblem& problem, Vec lambda);

}  // namespace scree::fclib
