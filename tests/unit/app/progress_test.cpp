#include "scree/app/progress.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "support/temporary_folder.hpp"

namespace scree {
namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

StepRecord record_of(std::int64_t step, const std::string& status) {
  StepRecord record;
  record.step = step;
  record.time = 0.1 * static_cast<double>(step);
  record.contacts = 7;
  record.solver = "nsgs";
  record.status = status;
  record.measures.residual = 3e-3;
  return record;
}

TEST(Progress, DurationsReadAsPeopleSayThem) {
  EXPECT_EQ(duration(44.6), "45 s");
  EXPECT_EQ(duration(200), "3 min 20 s");
  EXPECT_EQ(duration(7500), "2 h 05 min");
  EXPECT_EQ(duration(273600), "3 d 4 h");
}

TEST(Progress, PaceOfASteadyRunIsExact) {
  PaceMeter pace(0.0, 2.0);
  EXPECT_FALSE(pace.seconds_left());
  for (int i = 1; i <= 10; ++i) pace.update(10 * i, 0.01 * i, 0.5 * i);
  EXPECT_NEAR(pace.steps_per_second(), 20.0, 1e-12);
  EXPECT_NEAR(pace.seconds_left().value(), (2.0 - 0.1) / 0.02, 1e-9);
}

TEST(Progress, PaceForgetsASlowStart) {
  PaceMeter pace(0.0, 1.0);
  pace.update(1, 0.001, 10.0);
  for (int i = 1; i <= 300; ++i) pace.update(1 + 10 * i, 0.001 + 1e-3 * i, 10.0 + 0.1 * i);
  EXPECT_NEAR(pace.steps_per_second(), 100.0, 1.0);
}

TEST(Progress, LineSaysTimePaceContactsResidualAndTimeLeft) {
  PaceMeter pace(0.0, 2.0);
  pace.update(100, 0.1, 1.0);
  EXPECT_EQ(progress_line(record_of(1, "converged"), 2.0, pace),
            "0.1/2 s  5 %  100 steps/s  7 contacts  residual 3.0e-03  19 s left");
}

TEST(Progress, LogHoldsEveryWarningAndTheirNumber) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "run.log";
  {
    Progress progress(MPI_COMM_SELF, path, Verbosity::quiet, 1e9, 0.0, 1.0);
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    progress.message("begins");
    for (int step = 1; step <= 10; ++step) {
      progress.step(record_of(step, step % 2 == 0 ? "iteration_limit" : "converged"));
    }
    progress.finish();
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
    const std::string errors = testing::internal::GetCapturedStderr();
    EXPECT_NE(errors.find("5 of 10 steps did not converge"), std::string::npos) << errors;
    EXPECT_NE(errors.find("step 6 at"), std::string::npos) << errors;
    EXPECT_EQ(errors.find("step 8 at"), std::string::npos) << errors;
  }
  const std::string log = text_of(path);
  for (const char* part : {"info: begins", "step 2 at", "step 10 at", "5 of 10 steps"}) {
    EXPECT_NE(log.find(part), std::string::npos) << part << " in\n" << log;
  }
}

TEST(Progress, ABatchJobGetsALineAtTheStartAndEveryInterval) {
  const test::TemporaryFolder folder;
  for (const auto& [interval, lines] : {std::pair{1e9, 1}, std::pair{0.0, 4}}) {
    testing::internal::CaptureStdout();
    Progress progress(MPI_COMM_SELF, folder.path() / "run.log", Verbosity::normal, interval, 0.0,
                      1.0);
    for (int step = 1; step <= 4; ++step) progress.step(record_of(step, "converged"));
    const std::string text = testing::internal::GetCapturedStdout();
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), lines) << text;
    EXPECT_EQ(text.find('\r'), std::string::npos);
  }
}

TEST(Progress, ALogThatCannotBeWrittenIsAFailure) {
  const test::TemporaryFolder folder;
  EXPECT_THROW(Progress(MPI_COMM_SELF, folder.path(), Verbosity::quiet, 1.0, 0.0, 1.0), Failure);
}

}  // namespace
}  // namespace scree
