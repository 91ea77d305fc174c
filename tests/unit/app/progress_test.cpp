#include "scree/app/run/progress.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <initializer_list>
#include <string>
#include <utility>

#include "support/temporary_folder.hpp"

namespace scree {
namespace {

std::string progress_text(const std::filesystem::path& path) {
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
  record.measures.velocity_error = 2e-4;
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

/// The lines that ten steps, of which five do not converge, leave in run.log and on the standard
/// error stream.
std::pair<std::string, std::string> log_and_errors_of(Verbosity verbosity) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "run.log";
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  {
    Progress progress(MPI_COMM_SELF, path, verbosity, 1e9, PaceMeter(0.0, 1.0));
    progress.message("begins");
    for (int step = 1; step <= 10; ++step) {
      progress.step(record_of(step, step % 2 == 0 ? "iteration_limit" : "converged"));
    }
    progress.finish();
  }
  const std::string out = testing::internal::GetCapturedStdout();
  EXPECT_EQ(out.empty(), verbosity == Verbosity::quiet) << out;
  return {progress_text(path), testing::internal::GetCapturedStderr()};
}

void expect_parts(const std::string& text, std::initializer_list<const char*> parts) {
  for (const char* part : parts) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  }
}

TEST(Progress, FirstStepsThatDoNotConvergeAreToldAndTheirNumber) {
  const auto [log, errors] = log_and_errors_of(Verbosity::quiet);
  for (const std::string& text : {log, errors}) {
    expect_parts(text, {"step 2 at", "step 4 at", "step 6 at", "residual 3.0e-03",
                        "velocity_error 2.0e-04 m/s", "5 of 10 steps did not converge"});
    EXPECT_EQ(text.find("step 8 at"), std::string::npos) << text;
  }
  expect_parts(log, {"info: begins", "info: 0.1/1 s", "info: 1/1 s"});
  EXPECT_EQ(log.find("debug"), std::string::npos) << log;
  EXPECT_EQ(log.find("0.2/1 s"), std::string::npos) << log;
}

TEST(Progress, VerboseLogHoldsEveryStep) {
  const std::string log = log_and_errors_of(Verbosity::verbose).first;
  expect_parts(log, {"debug: step 8 at", "debug: step 10 at", "info: 0.2/1 s", "info: 1/1 s"});
  EXPECT_EQ(log.find("info: 1/1 s"), log.rfind("info: 1/1 s")) << log;
}

TEST(Progress, ABatchJobGetsALineAtTheStartEveryIntervalAndAtTheEnd) {
  const test::TemporaryFolder folder;
  for (const auto& [interval, lines] : {std::pair{1e9, 1}, std::pair{0.0, 4}}) {
    testing::internal::CaptureStdout();
    Progress progress(MPI_COMM_SELF, folder.path() / "run.log", Verbosity::normal, interval,
                      PaceMeter(0.0, 1.0));
    for (int step = 1; step <= 4; ++step) progress.step(record_of(step, "converged"));
    const std::string text = testing::internal::GetCapturedStdout();
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), lines) << text;
    EXPECT_EQ(text.find('\r'), std::string::npos);
    testing::internal::CaptureStdout();
    progress.finish();
    const std::string end = testing::internal::GetCapturedStdout();
    EXPECT_EQ(end.starts_with("0.4/1 s  40 %"), interval > 0.0) << end;
    expect_parts(end, {"4 steps in"});
    EXPECT_EQ(end.find("removed"), std::string::npos) << end;
  }
}

TEST(Progress, EndSaysHowManyGrainsWereRemoved) {
  const test::TemporaryFolder folder;
  for (const auto& [removed, text] : {std::pair{1, "1 grain left keep_inside and was removed"},
                                      std::pair{3, "3 grains left keep_inside and were removed"}}) {
    testing::internal::CaptureStdout();
    Progress progress(MPI_COMM_SELF, folder.path() / "run.log", Verbosity::normal, 1e9,
                      PaceMeter(0.0, 1.0));
    StepRecord record = record_of(1, "converged");
    record.removed.left = removed;
    progress.step(record);
    progress.finish();
    expect_parts(testing::internal::GetCapturedStdout(), {text});
  }
}

TEST(Progress, EndSaysWhatCameInAndWhatWaits) {
  const test::TemporaryFolder folder;
  for (const double waiting : {0.1, 4.0}) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    Progress progress(MPI_COMM_SELF, folder.path() / "run.log", Verbosity::normal, 1e9,
                      PaceMeter(0.0, 1.0));
    StepRecord record = record_of(1, "converged");
    record.inserted = 12;
    record.inserted_mass = 6.0;
    record.waiting_mass = waiting;
    record.removed = {.left = 0, .discharged = 2, .discharged_mass = 0.5};
    progress.step(record);
    progress.finish();
    expect_parts(
        testing::internal::GetCapturedStdout(),
        {"12 grains came in: 6 kg", "2 grains came into removal boxes and were removed: 0.5 kg"});
    const std::string warning = testing::internal::GetCapturedStderr();
    EXPECT_EQ(warning.find("4 kg that were due to come in found no room") != std::string::npos,
              waiting == 4.0)
        << warning;
  }
}

TEST(Progress, ALogThatCannotBeWrittenIsAFailure) {
  const test::TemporaryFolder folder;
  EXPECT_THROW(Progress(MPI_COMM_SELF, folder.path(), Verbosity::quiet, 1.0, PaceMeter(0.0, 1.0)),
               Failure);
}

}  // namespace
}  // namespace scree
