/// The sweeps of a settled bed allocate nothing: every call of operator new of this program is
/// counted.

#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "pair_bed.hpp"
#include "solver/sweeps/pair_iteration.hpp"

namespace {

std::size_t n_allocations = 0;

void* counted(std::size_t size, std::size_t alignment) {
  ++n_allocations;
  const std::size_t whole = (size + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, whole > 0 ? whole : alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t size) {
  return counted(size, alignof(std::max_align_t));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}

namespace scree {
namespace {

using test::make_bed;
using test::PairBed;

/// As a solve does: from zero impulses, sweeps with measurements in between, the last of them
/// in double.
void solve(PairIteration& iteration, const PairRows& rows, const PairRanks& alone,
           std::vector<double>& lambda) {
  lambda.assign(lambda.size(), 0.0);
  iteration.start(rows, alone, {}, lambda);
  for (std::int64_t done = 10; done <= 300; done += 10) {
    iteration.run(10);
    iteration.take_impulses();
    iteration.go_on();
    iteration.judge(1e-6, done);  // a residual at which single precision is left
  }
}

TEST(PairIteration, AllocatesNothingWhereTheBedIsAsLargeAsBefore) {
  for (const double flat : {0.0, 0.3}) {
    const PairBed bed = make_bed({.side = 8, .flat = flat, .compliance = 40.0});
    const test::FormOfBed own(bed);
    ASSERT_EQ(own.form(), flat == 0.0 ? PairForm::spheres : PairForm::points);
    const std::vector<PairFrame> frames = frames_of(bed.rows());
    const PairRows rows = bed.rows(own.form(), frames, own.masses());
    PairRanks alone;
    alone.shared.sharers = bed.sharers;
    std::vector<double> lambda(bed.velocity.size());
    PairIteration iteration;
    const std::size_t before = n_allocations;
    solve(iteration, rows, alone, lambda);
    EXPECT_GT(n_allocations, before);  // the count counts
    const std::size_t first = n_allocations;
    solve(iteration, rows, alone, lambda);
    EXPECT_EQ(n_allocations - first, 0U);
    EXPECT_NE(iteration.precision(), PairIteration::Precision::single);
  }
}

}  // namespace
}  // namespace scree
