#pragma once

/// Which rank keeps which contacts and bodies of an FCLIB file: neighbours stand together, so that
/// few bodies are shared between ranks whatever the file's own order. Ranks get equal numbers of
/// contacts, consecutive in the reverse Cuthill-McKee order of the bodies, or of the contacts where
/// there are no bodies; one rank keeps the file's order.
///
/// Every rank makes the same cut from the same file; nothing is collective.

#include <vector>

#include "fclib_file.hpp"

namespace scree::fclib {

/// Where each thing stands in @p order, which names each once.
std::vector<int> places(const std::vector<int>& order);

/// Things of the file in the order of ranks.
struct Order {
  std::vector<int> number;  ///< number in the file of each thing, in the new order
  std::vector<int> first;   ///< first place of each rank, and the end

  /// The numbers in the file of what @p rank keeps.
  std::vector<int> of_rank(int rank) const;

  /// Sorts what each rank keeps by @p key of a thing's number, and else leaves the order.
  void sort_on_ranks(const std::vector<int>& key);
};

struct Cut {
  Order contacts;
  Order units;  ///< bodies, or single degrees of freedom; empty in matrix form
};

/// The cut of W with @p dim rows a contact.
Cut cut_matrix(const Sparse& w, int dim, int n_ranks);

/// The cut of J with @p dim rows a contact and @p unit columns a body.
Cut cut_product(const Sparse& jacobian, int dim, int unit, int n_ranks);

}  // namespace scree::fclib
