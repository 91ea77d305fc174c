#pragma once

/// The figures of a step's contacts, gathered contact by contact.

#include <mpi.h>

#include <algorithm>
#include <vector>

#include "contact_results.hpp"
#include "scree/base/instructions.hpp"
#include "scree/bodies/store.hpp"
#include "scree/contact/penetration.hpp"
#include "scree/step/contact_figures.hpp"

namespace scree {

class FigureSums {
 public:
  /// No body in @p store is smaller than @p smallest_radius.
  FigureSums(const Store& store, double smallest_radius, std::size_t n_contacts);

  /// To be called for all contacts, in their order. Not collective.
  SCREE_INLINE void add(const ContactResult& result);
  /// Collective.
  ContactFigures of_all_ranks(MPI_Comm comm) const;

 private:
  SCREE_INLINE void deepen(const ContactResult& result);

  const Store& store_;
  double smallest_radius_;
  std::int64_t n_contacts_ = 0;
  double penetration_ = 0.0;
  ContactKey last_;
  std::vector<double> of_pairs_;  ///< normal impulse of each pair, summed over its points
};

SCREE_INLINE void FigureSums::add(const ContactResult& result) {
  const ContactKey& key = result.contact.key;
  if (of_pairs_.empty() || !of_one_pair(key, last_)) of_pairs_.push_back(0.0);
  of_pairs_.back() += result.total.normal;
  last_ = key;
  ++n_contacts_;
  // the gap of a later constraint is that of the trial configuration that it was found in
  if (key.recursion == 0) deepen(result);
}

SCREE_INLINE void FigureSums::deepen(const ContactResult& result) {
  const Contact& contact = result.contact;
  const bool sprung = result.terms.compliant;
  const double of_spring = sprung ? std::max(result.terms.rest_gap - contact.gap, 0.0) : 0.0;
  const double depth = -contact.gap - of_spring;
  if (depth <= penetration_ * smallest_radius_) return;  // whatever the radii of the two
  const double radius = smaller_radius(store_, contact.a, contact.b);
  penetration_ = std::max(penetration_, depth / radius);
}

}  // namespace scree
