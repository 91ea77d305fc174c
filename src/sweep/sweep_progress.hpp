#pragma once

/// Messages of a sweep while it goes: a line for each case that has ended, and below them, on a
/// terminal, one of progress that is drawn again and again.

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "case_record.hpp"

namespace scree::sweep {

/// How many cases there are of each sort.
struct Tally {
  std::size_t cases = 0;
  std::size_t done = 0;
  std::size_t failed = 0;
  std::size_t stopped = 0;
  std::size_t running = 0;
  double running_share = 0.0;  ///< shares of the running cases that are behind them, added up

  void count(CaseStatus status);
  std::size_t ended() const { return done + failed + stopped; }
};

/// `12 of 48 done, 1 failed, 2 running, 29 %, 4 min 10 s left`: from what has been done since the
/// start, in which @p begun was done already. @param begun, seconds share of all cases then, and
/// time since then
std::string progress_line(const Tally& tally, double begun, double seconds);

class SweepProgress {
 public:
  SweepProgress(bool quiet, const Tally& at_start);
  ~SweepProgress();
  SweepProgress(const SweepProgress&) = delete;
  SweepProgress& operator=(const SweepProgress&) = delete;

  void message(std::string_view text);
  /// Also where it is quiet.
  void warning(std::string_view text);
  void case_ended(const std::string& name, const CaseRecord& record, const Tally& tally);
  void redraw(const Tally& tally);

 private:
  void erase();

  bool quiet_;
  bool terminal_;
  bool drawn_ = false;
  double begun_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace scree::sweep
