#pragma once

/// The memory of contacts for the next step, gathered by blocks of contacts.

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
  void add(const ResultBlock& block);
  /// The records, sorted by key. Ends this.
  ContactRecords take();

 private:
  void write_boxes(const Store& store, double slack);
  ContactRecord record_of(const ResultBlock& block, std::size_t i, bool sprung) const;
  bool is_one_point_of_balls(std::size_t number) const;
  bool touches(const ContactResult& result) const;

  const Store& store_;
  const ContactLaws& laws_;
  double per_dt_;
  ContactView contacts_;
  bool are_of_balls_;                 ///< all of them
  std::vector<bool> closed_;          ///< each contact, where any pair pulls
  ContactRecords records_;            ///< of contacts of the start
  std::vector<ContactRecord> later_;  ///< of springs that were found within the step
};

}  // namespace scree
