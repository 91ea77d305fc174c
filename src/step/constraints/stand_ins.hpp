#pragma once

/// Which further constraints of a step take the place of rows that their pair has.
///
/// A point that is found where a solve brings two bodies is often the one that their row had, moved
/// a little. Two rows for it are nearly the same: any share of the force is as good as another, and
/// methods that go from contact to contact take ten to a hundred times the iterations, most of all
/// with friction. So such a point takes the place of the rows of its pair that are like it,
///
///     |n' - n| <= 0.3,      |r' - r| <= 0.3 times the inscribed radius of the smaller grain
///
/// with normals n and arms r of A, and begins with their impulse: the pair is linearised anew,
/// about where the last solve brought it. Where rows of a pair take each other's place in turn, or
/// come to rest slowly, the overlap of the pair goes on; it then keeps its rows, and further ones
/// are added, as paper 001 has it for all.
///
/// Rows of the start stay where an impact or a pull is theirs.

#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "scree/bodies/store.hpp"
#include "scree/contact/contact.hpp"
#include "scree/step/contact_records.hpp"
#include "scree/step/recursion.hpp"

namespace scree {

/// Of one step, and of the pairs of one rank.
class StandIns {
 public:
  /// @param may_go whether a row of the start may be replaced
  explicit StandIns(std::function<bool(const Contact&)> may_go) : may_go_(std::move(may_go)) {}

  /// Erases from @p contacts the rows whose places @p lacking take, and has their impulses act
  /// there: @p impulses, sorted by key. @param overlaps for which each of @p lacking was found, m
  /// @param recovered overlap of the start that the row of each of @p contacts undoes, m. Not
  /// collective.
  void take_places(const Store& bodies, std::span<const Contact> lacking,
                   std::span<const double> overlaps, std::span<const double> recovered,
                   std::vector<Contact>& contacts, std::vector<ContactRecord>& impulses);

  /// Adds the overlaps that rows of the start, since replaced, leave to their pairs.
  void add_to(Allowances& allowed) const;

 private:
  struct Course {
    double overlap = 0.0;  ///< for which rows of the pair were found last, m
    int n_in_vain = 0;     ///< how often it had become little less since the time before
  };
  using Points = std::map<PairKey, std::vector<const Contact*>>;

  Points points_of_pairs_that_go_on(std::span<const Contact> lacking,
                                    std::span<const double> overlaps);

  std::function<bool(const Contact&)> may_go_;
  std::map<PairKey, Course> courses_;
  std::map<PairKey, double> allowed_;  ///< gap that a row of the start left to its pair, m
};

}  // namespace scree
