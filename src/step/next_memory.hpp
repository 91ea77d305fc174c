#pragma once

/// The memory of contacts for the next step, gathered contact by contact.

#include <vector>

#include "contact_results.hpp"
#include "scree/bodies/materials.hpp"
#include "scree/bodies/store.hpp"

namespace scree {

class NextMemory {
 public:
  /// For the contacts of @p outcome in a step of @p dt; all arguments must outlive this.
  /// Collective.
  /// @param slack how far a contact's owning point may move until the next step, m
  /// @param storage vectors whose memory is used again
  NextMemory(const Store& store, const ContactLaws& laws, const ContactOutcome& outcome, double dt,
             double slack, ContactRecords storage);

  /// To be called for all contacts, in their order. Not collective, as the others here.
  void add(const ContactResult& result);
  /// The records, sorted by key. Ends this.
  ContactRecords take();

 private:
  std::int32_t place_of_box(std::int32_t slot);
  bool touches(const ContactResult& result) const;

  const Store& store_;
  const ContactLaws& laws_;
  double per_dt_;
  double slack_;
  std::vector<bool> closed_;          ///< each contact, where any pair pulls
  ContactRecords records_;            ///< of contacts of the start; the first are filled
  std::int32_t last_ = -1;            ///< slot of the grain of the last box
  std::size_t n_records_ = 0;         ///< filled
  bool is_sorted_ = true;             ///< those that are filled, by key
  std::vector<ContactRecord> later_;  ///< of springs that were found within the step
};

}  // namespace scree
