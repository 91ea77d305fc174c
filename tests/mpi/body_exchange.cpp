// ranks: 1 2 4
//
// An exchange of bodies does as one rank would that knew the numbers of all: sums and
// minima over a body's owner and ghosts, and the owner's number on each ghost.

#include "scree/problem/body_exchange.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "scree/base/parallel.hpp"
#include "scree/problem/block_rows.hpp"

namespace scree::body_exchange_test {
namespace {

const MPI_Comm kWorld = MPI_COMM_WORLD;

/// Rank r owns 3 + 2 r bodies, and none where r % 4 = 2.
std::int32_t n_owned_by(int rank) {
  return rank % 4 == 2 ? 0 : 3 + 2 * rank;
}

std::int64_t first_of(int rank) {
  std::int64_t first = 0;
  for (int r = 0; r < rank; ++r) first += n_owned_by(r);
  return first;
}

std::int64_t n_global() {
  return first_of(size_of(kWorld));
}

/// Whether a rank has a body of another as a ghost: the first body of a rank is known to all, some
/// others to some.
bool knows(int rank, std::int64_t body) {
  const bool owns = body >= first_of(rank) && body < first_of(rank + 1);
  return !owns && (body % 5 == 0 || (body + rank) % 3 == 0);
}

/// The global numbers of a rank's local bodies.
std::vector<std::int64_t> bodies_of(int rank) {
  std::vector<std::int64_t> bodies;
  for (std::int64_t b = first_of(rank); b < first_of(rank + 1); ++b) bodies.push_back(b);
  for (std::int64_t b = 0; b < n_global(); ++b) {
    if (knows(rank, b)) bodies.push_back(b);
  }
  return bodies;
}

BodyPattern pattern() {
  BodyPattern result;
  const int rank = rank_of(kWorld);
  result.n_owned = n_owned_by(rank);
  for (std::int64_t b = 0; b < n_global(); ++b) {
    if (knows(rank, b)) result.ghosts.push_back(static_cast<PetscInt>(b));
  }
  return result;
}

/// The k-th number that a rank has of a body.
double value(int rank, std::int64_t body, int k) {
  return 1000.0 * rank + 10.0 * static_cast<double>((body * 7) % 11) + k;
}

std::vector<double> values(const std::vector<std::int64_t>& bodies, int width) {
  std::vector<double> result;
  for (const std::int64_t body : bodies) {
    for (int k = 0; k < width; ++k) result.push_back(value(rank_of(kWorld), body, k));
  }
  return result;
}

int owner_of(std::int64_t body) {
  int rank = 0;
  while (body >= first_of(rank + 1)) ++rank;
  return rank;
}

/// @p combine of the numbers of a body's owner and of all ranks that know it.
template <class Combine>
double over_ranks(std::int64_t body, int k, const Combine& combine) {
  double result = value(owner_of(body), body, k);
  for (int rank = 0; rank < size_of(kWorld); ++rank) {
    if (knows(rank, body)) result = combine(result, value(rank, body, k));
  }
  return result;
}

/// Owners have what @p combine makes, and ghosts what they had.
template <class Combine>
void expect_combined(const std::vector<double>& found, int width, const Combine& combine) {
  const std::vector<std::int64_t> bodies = bodies_of(rank_of(kWorld));
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const bool is_own = owner_of(bodies[b]) == rank_of(kWorld);
    for (int k = 0; k < width; ++k) {
      const double expected =
          is_own ? over_ranks(bodies[b], k, combine) : value(rank_of(kWorld), bodies[b], k);
      EXPECT_EQ(found[width * b + k], expected) << "body " << bodies[b] << ", number " << k;
    }
  }
}

TEST(BodyExchange, ghosts_get_the_numbers_of_owners) {
  BodyExchange exchange(kWorld, pattern());
  const std::vector<std::int64_t> bodies = bodies_of(rank_of(kWorld));
  for (const int width : {1, 6, 36}) {
    std::vector<double> found = values(bodies, width);
    exchange.to_ghosts(found);
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      for (int k = 0; k < width; ++k) {
        EXPECT_EQ(found[width * b + k], value(owner_of(bodies[b]), bodies[b], k));
      }
    }
  }
}

TEST(BodyExchange, owners_get_sums_and_minima) {
  BodyExchange exchange(kWorld, pattern());
  for (const int width : {1, 3, 6}) {
    std::vector<double> sums = values(bodies_of(rank_of(kWorld)), width);
    exchange.add_to_owners(sums);
    expect_combined(sums, width, [](double a, double b) { return a + b; });
    std::vector<double> least = values(bodies_of(rank_of(kWorld)), width);
    exchange.lower_owners(least);
    expect_combined(least, width, [](double a, double b) { return std::min(a, b); });
  }
}

TEST(BodyExchange, the_exchange_of_shared_bodies_does_as_that_of_all) {
  constexpr int kWidth = 6;
  BodyExchange all(kWorld, pattern());
  BodyExchange few = all.of_shared();
  const std::vector<std::size_t> shared = all.shared();
  std::vector<double> whole = values(bodies_of(rank_of(kWorld)), kWidth);
  std::vector<double> part;
  for (const std::size_t b : shared) {
    const auto at = whole.begin() + static_cast<std::ptrdiff_t>(kWidth * b);
    part.insert(part.end(), at, at + kWidth);
  }
  all.add_to_owners(whole);
  all.to_ghosts(whole);
  few.add_to_owners(part);
  few.to_ghosts(part);
  for (std::size_t s = 0; s < shared.size(); ++s) {
    for (int k = 0; k < kWidth; ++k) {
      EXPECT_EQ(part[kWidth * s + k], whole[kWidth * shared[s] + k]) << "body " << shared[s];
    }
  }
}

TEST(BodyExchange, a_sum_in_three_calls_is_that_of_two_exchanges) {
  for (const int width : {1, 6}) {
    BodyExchange exchange(kWorld, pattern());
    std::vector<double> at_once = values(bodies_of(rank_of(kWorld)), width);
    std::vector<double> in_parts = at_once;
    exchange.add_to_owners(at_once);
    exchange.to_ghosts(at_once);
    exchange.begin_sum(in_parts);
    exchange.pass_sum_on(in_parts);
    exchange.end_sum();
    EXPECT_EQ(in_parts, at_once);
  }
}

TEST(BodyExchange, shared_bodies_are_those_that_two_ranks_know) {
  const std::vector<std::int64_t> bodies = bodies_of(rank_of(kWorld));
  std::vector<std::size_t> expected;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    int n = 1;
    for (int rank = 0; rank < size_of(kWorld); ++rank) n += knows(rank, bodies[b]) ? 1 : 0;
    if (n > 1) expected.push_back(b);
  }
  EXPECT_EQ(BodyExchange(kWorld, pattern()).shared(), expected);
}

}  // namespace
}  // namespace scree::body_exchange_test
