#pragma once

/// The figures of a step's contacts, gathered by blocks of them.

#include <mpi.h>

#include <vector>

#include "contact_results.hpp"
#include "scree/bodies/store.hpp"
#include "scree/step/contact_figures.hpp"

namespace scree {

class FigureSums {
 public:
  /// No body in @p store is smaller than @p smallest_radius.
  FigureSums(const Store& store, double smallest_radius, std::size_t n_contacts);

  /// To be called for all contacts, in their order. Not collective.
  void add(const ResultBlock& block);
  /// Collective.
  ContactFigures of_all_ranks(MPI_Comm comm) const;

 private:
  void add_pairs(const ResultBlock& block);
  void deepen(const ResultBlock& block);

  const Store& store_;
  double smallest_radius_;
  std::int64_t n_contacts_ = 0;
  double penetration_ = 0.0;
  ContactKey last_;
  std::vector<double> of_pairs_;  ///< normal impulse of each pair, summed over its points
};

}  // namespace scree
