#pragma once

/// Which rank keeps which contacts and bodies of an FCLIB file: neighbours stand together, so that
/// few bodies are shared between ranks whatever the file's own order. Ranks get equal numbers of
/// contacts (within 1/4096 of all contacts, and exactly where a rank's share of the file has
/// fewer), consecutive in the order of the places of their bodies in the graph of the contacts
/// (fclib_graph.hpp), or of their own places where there are no bodies; one rank keeps the file's
/// order.

#include <cstdint>
#include <vector>

#include "fclib_matrix.hpp"

namespace scree::fclib {

/// The numbers in the file of what a rank keeps, in its order.
struct Cut {
  std::vector<std::int32_t> contacts;  ///< sorted by the dims of cones
  std::vector<std::int32_t> dofs;      ///< those of a body one after another; none in matrix form
};

/// The contacts of a file, in its order.
struct FileContacts {
  Shares shares;
  int dim = 3;                          ///< rows of the file
  std::vector<std::int32_t> dims = {};  ///< rows of the cones of this rank's share
};

/// The degrees of freedom of a file, in its order, in units of consecutive ones: bodies, or single
/// degrees of freedom where bodies are of other numbers of them.
struct FileDofs {
  int unit = 1;
  Shares units;
  std::vector<std::int32_t> body = {};  ///< the lowest unit of the body of each unit of this rank
};

/// The cut of W. Collective.
Cut cut_matrix(MPI_Comm comm, Mat w, const FileContacts& contacts);

/// The cut of J. Collective.
Cut cut_product(MPI_Comm comm, Mat jacobian, const FileContacts& contacts, const FileDofs& dofs);

}  // namespace scree::fclib
