#pragma once

/// Which rank owns which part of space: recursive coordinate bisection by Zoltan.
///
/// Regions are boxes that cover all of space without overlap; a cut at x = c gives x <= c to its
/// lower side, so a region is low < x <= high, with infinite sides outermost. A body belongs to the
/// rank whose region held its centre when bodies last went to their owners (domain/exchange.hpp),
/// wherever they were when the cuts were made. Regions may be empty (more ranks than bodies, bodies
/// on one spot). Before the first cut rank 0 owns all space.
///
/// Zoltan_RCB_Box gives a rank's region as a box, but it is wrong on one rank and for empty
/// regions: Zoltan_LB_Point_Assign decides, a walk down the tree of cuts. It is asked about the
/// corners of that box, and where the rank owns both, what lies within is its own without a walk.
///
/// The cuts stay until cut() or rebalance() makes new ones; all ranks know all of them (one number
/// and a direction a rank), so that owner() and ranks_meeting() need no communication.

#include <mpi.h>

#include <memory>
#include <span>
#include <vector>

#include "scree/bodies/store.hpp"

struct Zoltan_Struct;

namespace scree {

class Declaration;

/// The keys under `balance:`.
struct BalanceOptions {
  double bound = 1.1;

  void declare(Declaration& d);
};

/// Whether to cut anew. @p achieved is the imbalance that the present cuts had at first: where
/// bodies are too few for the ranks, cutting every step would not help. Not collective.
bool needs_new_cuts(const BalanceOptions& options, double imbalance, double achieved);

/// The largest over the mean of all ranks' @p local_weight; 1 when there is no work. Collective.
double imbalance(MPI_Comm comm, double local_weight);

class Partition {
 public:
  /// Collective.
  explicit Partition(MPI_Comm comm);

  /// New cuts that give each rank about the same sum of @p weights, one a owned body in the order
  /// of slots, positive. Collective. The bodies stay where they are: see Exchange::migrate.
  /// Without bodies on any rank the cuts stay as they are. @throws Failure for a body whose
  /// position is not finite, or when Zoltan fails.
  void cut(const Store& store, std::span<const double> weights);

  /// Measures the imbalance of @p weights and cuts anew when needs_new_cuts() says so, and at the
  /// first call. Collective. True when there are new cuts.
  bool rebalance(const Store& store, std::span<const double> weights,
                 const BalanceOptions& options);
  /// The imbalance of the weights last given to rebalance(), before it cut.
  double measured_imbalance() const { return imbalance_; }

  /// The rank that owns @p point. Not collective.
  int owner(const Vec3& point) const;
  /// The owner of each owned slot's centre. Not collective. @throws Failure that names a body whose
  /// position is not finite.
  std::vector<int> owners(const Store& store) const;
  /// Whether this rank owns @p point. Not collective.
  bool holds(const Vec3& point) const { return owner(point) == rank_; }
  /// Whether this is the first rank, which has what belongs to no region. Not collective.
  bool is_first() const { return rank_ == 0; }
  /// Whether this rank owns every point of @p box (regions are boxes: two corners tell). Then no
  /// other rank need know what is in it. Not collective.
  bool holds_all(const Box3& box) const { return holds(box.low) && holds(box.high); }
  /// Replaces @p ranks by all whose region meets the closed box, this rank among them if so; for
  /// every point of the box its owner is in the list. Sides may be infinite. Not collective.
  void ranks_meeting(const Box3& box, std::vector<int>& ranks) const;

  MPI_Comm comm() const { return comm_; }

 private:
  struct Destroy {
    void operator()(Zoltan_Struct* zoltan) const;
  };

  void find_region();

  MPI_Comm comm_;
  int rank_;
  int size_;
  std::unique_ptr<Zoltan_Struct, Destroy> zoltan_;
  bool has_cuts_ = false;
  Box3 region_ = kNowhere;  ///< every point of it is this rank's; kNowhere where none is known
  bool fresh_ = false;      ///< no imbalance has been measured with the present cuts
  double achieved_ = 1.0;
  double imbalance_ = 1.0;
};

}  // namespace scree
