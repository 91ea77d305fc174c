#include "sweep_progress.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "scree/app/run/pace.hpp"
#include "scree/app/run/progress.hpp"

namespace scree::sweep {
namespace {

double share_of(const Tally& tally) {
  return (static_cast<double>(tally.ended()) + tally.running_share) /
         static_cast<double>(tally.cases);
}

}  // namespace

void Tally::count(CaseStatus status) {
  if (status == CaseStatus::done) ++done;
  if (status == CaseStatus::failed) ++failed;
  if (status == CaseStatus::stopped) ++stopped;
}

std::string progress_line(const Tally& tally, double begun, double seconds) {
  const double share = share_of(tally);
  std::string line = fmt::format("{} of {} done", tally.done, tally.cases);
  if (tally.failed > 0) line += fmt::format(", {} failed", tally.failed);
  if (tally.stopped > 0) line += fmt::format(", {} stopped", tally.stopped);
  if (tally.running > 0) line += fmt::format(", {} running", tally.running);
  line += fmt::format(", {:.0f} %", 100.0 * share);
  if (share > begun && share < 1.0)
    line += fmt::format(", {} left", duration(seconds * (1.0 - share) / (share - begun)));
  return line;
}

SweepProgress::SweepProgress(bool quiet, const Tally& at_start)
    : quiet_(quiet), terminal_(console_is_terminal()), begun_(share_of(at_start)) {}

SweepProgress::~SweepProgress() {
  erase();
}

void SweepProgress::erase() {
  if (drawn_) fmt::print("\r\033[K");
  std::fflush(stdout);
  drawn_ = false;
}

void SweepProgress::message(std::string_view text) {
  if (quiet_) return;
  erase();
  fmt::print("{}\n", text);
  std::fflush(stdout);
}

void SweepProgress::warning(std::string_view text) {
  erase();
  fmt::print(stderr, "scree: warning: {}\n", text);
}

void SweepProgress::case_ended(const std::string& name, const CaseRecord& record,
                               const Tally& tally) {
  std::string text =
      fmt::format("[{}/{}] {}: {}", tally.ended(), tally.cases, name, to_string(record.status));
  if (record.status == CaseStatus::done) text += fmt::format(", {:.3g} s", record.seconds);
  if (!record.error.empty()) text += ": " + record.error.substr(0, record.error.find('\n'));
  message(text);
}

void SweepProgress::redraw(const Tally& tally) {
  if (quiet_ || !terminal_) return;
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  fmt::print("\r\033[K{}", progress_line(tally, begun_, seconds));
  std::fflush(stdout);
  drawn_ = true;
}

}  // namespace scree::sweep
