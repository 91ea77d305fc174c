#include "schedule.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scree/io/run_folder/file_lock.hpp"

namespace scree::sweep {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kPollSeconds = 0.5;            ///< time between two looks at what runs
constexpr std::chrono::seconds kGrace{60};      ///< for a checkpoint, before a run is killed
constexpr std::chrono::seconds kWriteEvery{5};  ///< time between two tables of results

}  // namespace

Schedule::Schedule(const SweepFolder& folder, Results& results,
                   const std::vector<const Case*>& waiting, Tally tally, ScheduleOptions options,
                   SweepProgress& progress)
    : folder_(folder),
      results_(results),
      waiting_(waiting.begin(), waiting.end()),
      tally_(tally),
      options_(std::move(options)),
      progress_(progress) {}

int Schedule::run() {
  const Signals signals;
  while (true) {
    if (stop_.signal == 0) start_what_fits();
    if (running_.empty() && (waiting_.empty() || stop_.signal != 0)) break;
    if (running_.empty()) say_who_holds();
    progress_.redraw(tally());
    if (const int signal = signals.wait(kPollSeconds)) ask_to_stop(signal);
    kill_late();
    reap();
    write_results(false);
  }
  write_results(true);
  return stop_.signal;
}

void Schedule::start_what_fits() {
  for (auto one = waiting_.begin(); one != waiting_.end() && running_.size() < options_.jobs;) {
    one = begin(**one) ? waiting_.erase(one) : one + 1;
  }
}

bool Schedule::begin(const Case& one) {
  std::optional<FileLock> lock = FileLock::take(folder_.lock_of(one.name));
  if (!lock) return false;
  const CaseRecord record = record_of(folder_, one);
  if (record.status == CaseStatus::done) {
    take(one, record);
  } else {
    running_.push_back(CaseRun::start(folder_, one, options_.launch, std::move(*lock)));
  }
  return true;
}

void Schedule::reap() {
  for (auto run = running_.begin(); run != running_.end();) {
    if (const std::optional<CaseRecord> record = run->ended()) {
      take(run->of(), *record);
      run = running_.erase(run);
    } else {
      ++run;
    }
  }
}

void Schedule::take(const Case& one, const CaseRecord& record) {
  results_.take(one, record);
  tally_.count(record.status);
  progress_.case_ended(one.name, results_.record_of(one), tally_);
}

void Schedule::ask_to_stop(int signal) {
  const bool again = stop_.signal != 0;
  stop_.signal = signal;
  stop_.kill_at = again ? Clock::now() : Clock::now() + kGrace;
  if (again) return;
  progress_.message(fmt::format(
      "{}: stopping {} case{}, which write their checkpoints; a second signal kills them",
      name_of_signal(signal), running_.size(), running_.size() == 1 ? "" : "s"));
  for (const CaseRun& run : running_) run.child().ask_to_stop();
}

void Schedule::kill_late() {
  if (stop_.signal == 0 || stop_.killed || Clock::now() < stop_.kill_at) return;
  stop_.killed = true;
  for (const CaseRun& run : running_) run.child().kill();
}

void Schedule::write_results(bool at_once) {
  if (!options_.writes_results) return;
  if (!at_once && Clock::now() < written_ + kWriteEvery) return;
  results_.write();
  written_ = Clock::now();
}

void Schedule::say_who_holds() {
  if (told_of_holder_) return;
  told_of_holder_ = true;
  const std::string& name = waiting_.front()->name;
  progress_.message(fmt::format("waiting for {} of another sweep, and {} more cases: {}", name,
                                waiting_.size() - 1, holder_of(folder_.lock_of(name))));
}

Tally Schedule::tally() const {
  Tally now = tally_;
  now.running = running_.size();
  for (const CaseRun& run : running_) now.running_share += run.share();
  return now;
}

}  // namespace scree::sweep
