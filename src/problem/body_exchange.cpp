#include "scree/problem/body_exchange.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "scree/base/check.hpp"
#include "scree/base/parallel.hpp"
#include "scree/base/sparse_exchange.hpp"
#include "scree/problem/block_rows.hpp"

namespace scree {
namespace {

constexpr int kBodyTag = 7303;

int message_length(std::size_t count) {
  if (!std::in_range<int>(count)) {
    throw Failure("a message between two ranks exceeds 2^31 numbers: use more ranks");
  }
  return static_cast<int>(count);
}

}  // namespace

BodyExchange::BodyExchange(MPI_Comm comm, const BodyPattern& pattern)
    : comm_(comm), n_bodies_(pattern.n_bodies()) {
  if (size_of(comm) > 1) find_owners(pattern);
}

/// Each rank tells the owners of its ghosts, in their own numbers, which bodies it knows.
void BodyExchange::find_owners(const BodyPattern& pattern) {
  std::vector<std::int64_t> ends = gathered_over_ranks(comm_, std::int64_t{pattern.n_owned});
  std::inclusive_scan(ends.begin(), ends.end(), ends.begin());
  RankBytes wishes;
  for (std::size_t g = 0; g < pattern.ghosts.size(); ++g) {
    const std::int64_t global = pattern.ghosts[g];
    const auto owner = std::upper_bound(ends.begin(), ends.end(), global) - ends.begin();
    const auto rank = static_cast<int>(owner);
    const std::int64_t first = rank == 0 ? 0 : ends[rank - 1];
    if (ghosts_.empty() || ghosts_.back().rank != rank) {
      ghosts_.push_back({rank, pattern.n_owned + g, 0});
    }
    ++ghosts_.back().count;
    append_record(wishes[rank], static_cast<std::int32_t>(global - first));
  }
  for (const auto& [rank, message] : sparse_exchange(comm_, wishes)) {
    read_records(message, copied_.emplace_back(Copied{rank, {}}).bodies);
  }
}

std::vector<std::size_t> BodyExchange::shared() const {
  std::vector<std::size_t> bodies;
  for (const Copied& copy : copied_) {
    bodies.insert(bodies.end(), copy.bodies.begin(), copy.bodies.end());
  }
  std::sort(bodies.begin(), bodies.end());
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  for (const Ghosts& from : ghosts_) {
    for (std::size_t k = 0; k < from.count; ++k) bodies.push_back(from.first + k);
  }
  return bodies;
}

BodyExchange BodyExchange::of_shared() const {
  const std::vector<std::size_t> bodies = shared();
  const auto number_of = [&bodies](std::size_t body) {
    return std::lower_bound(bodies.begin(), bodies.end(), body) - bodies.begin();
  };
  BodyExchange result;
  result.comm_ = comm_;
  result.n_bodies_ = bodies.size();
  result.copied_ = copied_;
  result.ghosts_ = ghosts_;
  for (Copied& copy : result.copied_) {
    for (std::int32_t& body : copy.bodies) body = static_cast<std::int32_t>(number_of(body));
  }
  for (Ghosts& from : result.ghosts_) from.first = number_of(from.first);
  return result;
}

std::size_t BodyExchange::width_of(std::span<double> values) const {
  if (n_bodies_ == 0) return 0;
  SCREE_ASSERT(values.size() % n_bodies_ == 0);
  return values.size() / n_bodies_;
}

void BodyExchange::wait() {
  SCREE_MPI(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE));
  requests_.clear();
}

void BodyExchange::send_to_ghosts(std::span<double> values) {
  SCREE_ASSERT(requests_.empty());
  const std::size_t width = width_of(values);
  for (const Ghosts& from : ghosts_) {
    SCREE_MPI(MPI_Irecv(&values[width * from.first], message_length(width * from.count), MPI_DOUBLE,
                        from.rank, kBodyTag, comm_, &requests_.emplace_back()));
  }
  packed_.clear();
  for (const Copied& copy : copied_) {
    for (const std::int32_t body : copy.bodies) {
      const auto at = values.begin() + static_cast<std::ptrdiff_t>(width * body);
      packed_.insert(packed_.end(), at, at + static_cast<std::ptrdiff_t>(width));
    }
  }
  const double* part = packed_.data();
  for (const Copied& copy : copied_) {
    const std::size_t count = width * copy.bodies.size();
    SCREE_MPI(MPI_Isend(part, message_length(count), MPI_DOUBLE, copy.rank, kBodyTag, comm_,
                        &requests_.emplace_back()));
    part += count;
  }
}

void BodyExchange::send_to_owners(std::span<double> values) {
  SCREE_ASSERT(requests_.empty());
  const std::size_t width = width_of(values);
  std::size_t total = 0;
  for (const Copied& copy : copied_) total += width * copy.bodies.size();
  packed_.resize(total);
  double* part = packed_.data();
  for (const Copied& copy : copied_) {
    const std::size_t count = width * copy.bodies.size();
    SCREE_MPI(MPI_Irecv(part, message_length(count), MPI_DOUBLE, copy.rank, kBodyTag, comm_,
                        &requests_.emplace_back()));
    part += count;
  }
  for (const Ghosts& from : ghosts_) {
    SCREE_MPI(MPI_Isend(&values[width * from.first], message_length(width * from.count), MPI_DOUBLE,
                        from.rank, kBodyTag, comm_, &requests_.emplace_back()));
  }
}

/// Waits for what was sent to owners, and calls `take(own, ghost)` with each number of an own body
/// and of its ghosts.
template <class Take>
void BodyExchange::take_from_ghosts(std::span<double> values, const Take& take) {
  wait();
  const std::size_t width = width_of(values);
  const double* ghost = packed_.data();
  for (const Copied& copy : copied_) {
    for (const std::int32_t body : copy.bodies) {
      double* own = &values[width * static_cast<std::size_t>(body)];
      for (std::size_t k = 0; k < width; ++k) take(own[k], *ghost++);
    }
  }
}

void BodyExchange::to_ghosts(std::span<double> values) {
  send_to_ghosts(values);
  wait();
}

void BodyExchange::add_to_owners(std::span<double> values) {
  send_to_owners(values);
  take_from_ghosts(values, [](double& own, double ghost) { own += ghost; });
}

void BodyExchange::lower_owners(std::span<double> values) {
  send_to_owners(values);
  take_from_ghosts(values, [](double& own, double ghost) { own = std::min(own, ghost); });
}

void BodyExchange::begin_sum(std::span<double> values) {
  send_to_owners(values);
}

void BodyExchange::pass_sum_on(std::span<double> values) {
  take_from_ghosts(values, [](double& own, double ghost) { own += ghost; });
  send_to_ghosts(values);
}

void BodyExchange::end_sum() {
  wait();
}

}  // namespace scree
