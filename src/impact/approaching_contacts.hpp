#pragma once

/// Sets of contacts that approach, g_i < -threshold_i, kept up to date contact by contact: a change
/// and a choice cost the logarithm of their number.

#include <Eigen/Core>
#include <cstdint>
#include <vector>

namespace scree {

/// max(resting_i, @p least) of @p n contacts. @param resting of each; empty: zero.
Eigen::VectorXd thresholds_of(const Eigen::VectorXd& resting, double least, Eigen::Index n);

/// Those that approach, the fastest on top: a heap whose contacts know their places. Of equally
/// fast ones the one of least number is on top, as in a search from the first contact on.
class FastestFirst {
 public:
  /// @param approach, thresholds g and the thresholds, which must outlive this or the next start.
  void start(const Eigen::VectorXd& approach, const Eigen::VectorXd& thresholds);
  void update(std::int32_t contact);
  bool empty() const { return heap_.empty(); }
  /// @pre not empty.
  std::int32_t top() const { return heap_.front().contact; }

 private:
  struct Entry {
    double approach;
    std::int32_t contact;
    bool operator<(const Entry& other) const {
      return approach < other.approach || (approach == other.approach && contact < other.contact);
    }
  };
  void put(std::int32_t place, const Entry& entry);
  void rise(std::int32_t place, const Entry& entry);
  void sink(std::int32_t place, const Entry& entry);

  const Eigen::VectorXd* approach_ = nullptr;
  const Eigen::VectorXd* thresholds_ = nullptr;
  std::vector<Entry> heap_;
  std::vector<std::int32_t> place_;  ///< of each contact in the heap; -1: not there
};

/// Those that approach by their numbers: how many there are, and which is the k-th. A tree of
/// partial counts (Fenwick).
class InOrder {
 public:
  /// @param approach, thresholds g and the thresholds, which must outlive this or the next start.
  void start(const Eigen::VectorXd& approach, const Eigen::VectorXd& thresholds);
  void update(std::int32_t contact);
  std::int32_t size() const { return size_; }
  /// The contact of least number but @p k. @pre 0 <= k < size.
  std::int32_t at(std::int32_t k) const;
  /// All, ascending.
  void list(std::vector<std::int32_t>& contacts) const;

 private:
  const Eigen::VectorXd* approach_ = nullptr;
  const Eigen::VectorXd* thresholds_ = nullptr;
  std::int32_t size_ = 0;
  std::int32_t top_ = 0;             ///< the largest power of two up to the number of contacts
  std::vector<bool> in_;             ///< of each contact
  std::vector<std::int32_t> count_;  ///< of the contacts of each node, from 1
};

}  // namespace scree
