#include "scree/app/run/stop_request.hpp"

#include <gtest/gtest.h>

#include <csignal>

#include "scree/base/check.hpp"

namespace scree {
namespace {

TEST(WallLimit, IsSecondsOrAClock) {
  EXPECT_EQ(parse_wall_limit("3600"), 3600.0);
  EXPECT_EQ(parse_wall_limit("0.5"), 0.5);
  EXPECT_EQ(parse_wall_limit("01:02:03"), 3723.0);
  EXPECT_EQ(parse_wall_limit("100:00:00"), 360000.0);
}

TEST(WallLimit, AnythingElseIsRefusedWithWhatIsAllowed) {
  for (const char* text : {"", "0", "-1", "nan", "inf", "1h", "1:2:3", "00:00:00", "01:60:00",
                           "01:00", "1e400", " 5", "5 "}) {
    try {
      parse_wall_limit(text);
      ADD_FAILURE() << '"' << text << "\" was taken";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("hh:mm:ss"), std::string::npos) << error.what();
    }
  }
}

TEST(StopRequest, NotesASignalOfOneRankForAll) {
  for (const int signal : {SIGTERM, SIGINT, SIGUSR1}) {
    const StopRequest request(0.0);
    EXPECT_EQ(request.reason(request.agree(MPI_COMM_WORLD, 0.0)), "");
    std::raise(signal);
    const Moment moment = request.agree(MPI_COMM_WORLD, 2.5);
    EXPECT_EQ(moment.signal, signal);
    EXPECT_EQ(moment.output, 2.5);
    EXPECT_TRUE(request.reason(moment).starts_with("SIG"));
  }
}

TEST(StopRequest, GivesSignalsTheirEffectBack) {
  static volatile std::sig_atomic_t seen = 0;
  const auto handler = std::signal(SIGUSR1, [](int) { seen = 1; });
  { const StopRequest request(0.0); }
  std::raise(SIGUSR1);
  EXPECT_EQ(seen, 1);
  std::signal(SIGUSR1, handler);
}

TEST(StopRequest, ASecondInterruptEndsTheProgram) {
  EXPECT_EXIT(
      {
        const StopRequest request(0.0);
        std::raise(SIGINT);
        std::raise(SIGINT);
      },
      ::testing::KilledBySignal(SIGINT), "");
}

TEST(StopRequest, StopsAtTheLimitAndNotBefore) {
  const StopRequest request(60.0);
  EXPECT_EQ(request.reason({.elapsed = 59.0}), "");
  EXPECT_EQ(request.reason({.elapsed = 60.0}), "--wall-limit");
}

TEST(StopRequest, IsDueToOneRankByItsOwnClockAndSignals) {
  {
    const StopRequest none(0.0);
    EXPECT_FALSE(none.is_due());
    std::raise(SIGUSR1);
    EXPECT_TRUE(none.has_signal());
    EXPECT_TRUE(none.is_due());
  }
  EXPECT_FALSE(StopRequest(3600.0).is_due());
  const StopRequest over(1e-9);
  EXPECT_TRUE(over.is_due());
  EXPECT_FALSE(over.has_signal());
}

}  // namespace
}  // namespace scree
