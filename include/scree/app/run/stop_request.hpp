#pragma once

/// Requests to stop a run before its end: a signal (SIGTERM, SIGINT, SIGUSR1) or the limit of
/// wall-clock time. A signal is only noted; the run looks at the end of each step, where all ranks
/// agree, and while a step is solved (Goal::give_up), so that no step delays the stop.

#include <mpi.h>

#include <string>
#include <string_view>

namespace scree {

/// A moment of the run as all ranks know it.
struct Moment {
  double elapsed = 0.0;  ///< s of wall clock since the run was started, the slowest clock's
  int signal = 0;        ///< signal that one rank or more has got; 0: none
  double output = 0.0;   ///< see StopRequest::agree
};

class StopRequest {
 public:
  /// Notes signals from here on. A second SIGINT ends the program as if it were
  /// not noted. Not collective. @param wall_limit s; 0: none. @param start of the clock, as
  /// MPI_Wtime gives it.
  /// @pre there is no other one.
  explicit StopRequest(double wall_limit, double start = MPI_Wtime());
  /// Gives signals the effect that they had before.
  ~StopRequest();
  StopRequest(const StopRequest&) = delete;
  StopRequest& operator=(const StopRequest&) = delete;

  /// One reduction for all that ranks must agree on at the end of a step. Collective.
  /// @param output wall seconds that this rank spent on output; the largest is given back
  Moment agree(MPI_Comm comm, double output) const;

  /// Whether this rank has got a signal. Not collective.
  bool has_signal() const;
  /// Whether this rank has got a signal, or finds that the limit is over. Not collective.
  bool is_due() const;

  /// Why the run is to stop, in words; empty when it is not. The same on all ranks.
  std::string reason(const Moment& moment) const;

 private:
  double wall_limit_;
  double start_;
};

/// Seconds in `3600`, `90.5` or `hh:mm:ss`. @throws InputError for anything else, and for zero.
double parse_wall_limit(std::string_view text);

}  // namespace scree
