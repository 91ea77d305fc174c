/// Entry of every test program: starts MPI and PETSc; with several ranks only rank 0 reports what
/// passes, every rank what fails, and the program fails when any rank does.

#include <gtest/gtest.h>

#include "scree/base/parallel.hpp"
#include "scree/base/runtime.hpp"

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  const scree::Runtime runtime;
  if (scree::rank_of(runtime.comm()) != 0) {
    auto& listeners = ::testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    struct FailurePrinter : ::testing::EmptyTestEventListener {
      void OnTestPartResult(const ::testing::TestPartResult& result) override {
        if (!result.failed()) return;
        std::fprintf(stderr, "rank %d: %s:%d: %s\n", scree::rank_of(MPI_COMM_WORLD),
                     result.file_name() ? result.file_name() : "", result.line_number(),
                     result.message());
      }
    };
    listeners.Append(new FailurePrinter);
  }
  const int failed = RUN_ALL_TESTS();
  return scree::max_over_ranks(runtime.comm(), failed);
}
