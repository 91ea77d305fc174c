#pragma once

/// The goal of a solve: the errors that its result may have at most, and when it is given up. An
/// argument of each solve, the same on every rank but for give_up.

#include <functional>
#include <limits>

#include "scree/base/check.hpp"
#include "scree/problem/measure.hpp"

namespace scree {

/// Whether this rank wants a solve to be given up; null: never.
using GiveUp = std::function<bool()>;

struct Goal {
  double residual = 1e-4;  ///< largest Measures::residual
  /// Largest Measures::velocity_error, m/s: a residual relative to large impulses can hide a
  /// contact that is far from its law.
  double velocity_error = std::numeric_limits<double>::infinity();
  /// Largest error of a contact in its own units (problem/contact_error.hpp), where no size of the
  /// bodies tells a bound on velocities, as of problems from files.
  double contact_error = std::numeric_limits<double>::infinity();
  /// Seconds that are left for the solve, the same on every rank; infinite: no limit.
  double max_seconds = std::numeric_limits<double>::infinity();
  /// Whether this rank wants the solve to be given up, asked where time is looked at: what one rank
  /// wants, all do. Null on all ranks or on none.
  GiveUp give_up = {};
};

/// Whether @p m reaches the @p goal: by the residual, with every contact within the velocity error,
/// and not only because impulses, to which the residual is relative, grew without bound: at most a
/// tenth of the error without impulses may remain. The errors of contacts in their own units are
/// beside it: Goal::contact_error.
bool solved(const Measures& m, const Goal& goal);

/// A solve that was given up because it was asked for (Goal::give_up): no result, and no fault of
/// the method's.
struct GivenUp : Failure {
  using Failure::Failure;
};

/// For work that takes long between solves. Collective. @throws GivenUp, on every rank, where one
/// wants it.
void throw_if_given_up(MPI_Comm comm, const Goal& goal);

}  // namespace scree
