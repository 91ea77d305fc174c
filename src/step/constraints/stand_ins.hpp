#pragma once

/// Which further constraints of a step take the place of rows that their pair has.
///
/// A point that is found where a solve brings two bodies is often the one that their row had, moved
/// a little. Two rows for it are nearly the same: any share of the force is as good as another, and
/// methods that go from contact to contact take many times the iterations, most of all with
/// friction. So such a point takes the place of the nearest row of its pair that is like it,
///
///     |n' - n| <= 0.3,      |r' - r| <= 0.3 times the inscribed radius of the smaller grain
///
/// with normals n and arms r of A, and begins with its impulse: the pair is linearised anew, about
/// where the last solve brought it. A pair keeps its rows, and further ones are added, as paper 001
/// has it for all, once this has made its overlap little less five times in a step: its rows take
/// each other's place in turn, or come to rest slowly.
///
/// Rows of the start stay where their pair has restitution or cohesion, and under a law of impacts
/// that reads the velocities before. Any other is known after the step's last solve by the row that
/// stands in for it, which then has its key and gap.

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "scree/bodies/store.hpp"
#include "scree/contact/contact_list.hpp"
#include "scree/step/contact_records.hpp"
#include "scree/step/recursion.hpp"

namespace scree {

/// The rows of one step, and of the pairs of one rank, that others stand in for.
class StandIns {
 public:
  /// @param may_go whether a row of the start may be replaced
  explicit StandIns(std::function<bool(const Contact&)> may_go) : may_go_(std::move(may_go)) {}

  /// Erases from @p contacts the rows whose places @p lacking take, and has their impulses act
  /// there: @p impulses, sorted by key. @param overlaps of each of @p lacking, beyond what its pair
  /// is allowed, m @param recovered overlap of the start that the row of each of @p contacts
  /// undoes, m. Not collective.
  void take_places(const Store& bodies, std::span<const Contact> lacking,
                   std::span<const double> overlaps, std::span<const double> recovered,
                   std::vector<Contact>& contacts, std::vector<ContactRecord>& impulses);

  /// Adds the overlaps that rows of the start, since replaced, leave to their pairs.
  void add_to(Allowances& allowed) const;

  /// @p contacts in their order, of which those that stand in for rows of the start have the keys
  /// and gaps of these.
  ContactList known_by_the_start(ContactList contacts) const;

 private:
  /// A row of the start.
  struct Start {
    ContactKey key;
    double gap = 0.0;
    bool on_path = false;
  };
  struct Course {
    std::optional<double> overlap;  ///< of the pair when it was last found to lack a row, m
    int n_in_vain = 0;              ///< how often it had become little less since the time before
  };
  using Points = std::map<PairKey, std::vector<const Contact*>>;

  Points points_of_pairs_that_go_on(std::span<const Contact> lacking,
                                    std::span<const double> overlaps);
  void keep_start(const Contact& row, const ContactKey& successor, double recovered);

  std::function<bool(const Contact&)> may_go_;
  std::map<PairKey, Course> courses_;
  std::map<PairKey, double> allowed_;   ///< gap that a row of the start left to its pair, m
  std::map<ContactKey, Start> starts_;  ///< that rows of these keys stand in for
};

}  // namespace scree
