#pragma once

/// Numbers of bodies between their owner and the ranks that know them as ghosts: one message to
/// each neighbour and way, and no collective operation once the exchange is made.

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace scree {

struct BodyPattern;

class BodyExchange {
 public:
  /// Collective. Exchanges numbers of the bodies of @p pattern.
  BodyExchange(MPI_Comm comm, const BodyPattern& pattern);

  /// The bodies that other ranks know too: this rank's own that are ghosts elsewhere, then its
  /// ghosts; ascending.
  std::vector<std::size_t> shared() const;
  /// The exchange of these alone: its body s is body shared()[s] of this one. Not collective.
  BodyExchange of_shared() const;

  // Values are as many for each local body, and as many on all ranks; the ghosts' come last.

  /// Collective. The ghosts' @p values are overwritten by the owners'.
  void to_ghosts(std::span<double> values);
  /// Collective. Adds the ghosts' @p values to the owners', rank by rank; the ghosts' are kept.
  void add_to_owners(std::span<double> values);
  /// Collective. Gives owners the least of their @p values and those of their ghosts, which are
  /// kept.
  void lower_owners(std::span<double> values);

  // The sum over all that know a body, add_to_owners() and then to_ghosts(), in three calls with
  // other work between them. All three are of the same values, which may not be touched meanwhile,
  // nor may anything else be exchanged by this object.

  /// Collective. Sends the ghosts' @p values.
  void begin_sum(std::span<double> values);
  /// Collective. Adds them to the owners' as add_to_owners() does, and sends these.
  void pass_sum_on(std::span<double> values);
  /// Collective. Waits until the ghosts have the owners' sums.
  void end_sum();

 private:
  /// Own bodies that are ghosts of another rank, in its order.
  struct Copied {
    int rank;
    std::vector<std::int32_t> bodies;
  };
  /// Ghosts that another rank owns, which follow each other.
  struct Ghosts {
    int rank;
    std::size_t first;
    std::size_t count;
  };

  BodyExchange() = default;
  void find_owners(const BodyPattern& pattern);
  /// How many of the @p values are those of one body.
  std::size_t width_of(std::span<double> values) const;
  void send_to_owners(std::span<double> values);
  template <class Take>
  void take_from_ghosts(std::span<double> values, const Take& take);
  void send_to_ghosts(std::span<double> values);
  void wait();

  MPI_Comm comm_ = MPI_COMM_NULL;
  std::size_t n_bodies_ = 0;
  std::vector<Copied> copied_;  ///< by rank
  std::vector<Ghosts> ghosts_;  ///< by rank
  std::vector<double> packed_;  ///< scratch: the values of copied_
  std::vector<MPI_Request> requests_;
};

}  // namespace scree
