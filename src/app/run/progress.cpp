#include "scree/app/run/progress.hpp"

#include <fmt/format.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/spdlog.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "scree/base/parallel.hpp"

namespace scree {
namespace fs = std::filesystem;
namespace {

constexpr double kRedrawSeconds = 0.2;
constexpr std::int64_t kPrintedWarnings = 3;
/// Part of the mass due that may wait at the end without a word: a few grains.
constexpr double kNotableWait = 0.05;

std::size_t terminal_width() {
  winsize size{};
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 100;
}

}  // namespace

bool console_is_terminal() {
  const char* term = std::getenv("TERM");
  if (term == nullptr || std::string_view(term) == "dumb") return false;
  if (std::getenv("OMPI_COMM_WORLD_SIZE") == nullptr) return isatty(STDOUT_FILENO) == 1;
  std::error_code code;
  const std::string console =
      fs::read_symlink(fmt::format("/proc/{}/fd/1", getppid()), code).string();
  return !code && (console.starts_with("/dev/pts/") || console.starts_with("/dev/tty"));
}

struct Progress::State {
  using Clock = std::chrono::steady_clock;

  std::shared_ptr<spdlog::logger> log;
  Verbosity verbosity;
  bool terminal;
  double log_interval;
  double end_time;
  PaceMeter pace;
  Clock::time_point start = Clock::now();
  double last_log = 0.0;     ///< s since the start
  double last_redraw = 0.0;  ///< s since the start
  bool drawn = false;        ///< a line of progress stands on the console
  std::int64_t steps = 0;
  std::int64_t unconverged = 0;
  bool accepts_unconverged = false;
  double worst_residual = 0.0;
  double largest_compression = 0.0;  ///< of a spring, over the smaller radius of its pair
  StepRecord last{};                 ///< record of the last step
  bool last_is_logged = true;  ///< whether the line of progress of the last step stands in the log

  double seconds() const { return std::chrono::duration<double>(Clock::now() - start).count(); }

  void erase() {
    if (drawn) fmt::print("\r\033[K");
    drawn = false;
  }

  void redraw(const std::string& line) {
    fmt::print("\r\033[K{}", line.substr(0, terminal_width() - 1));
    std::fflush(stdout);
    drawn = true;
  }

  void print(std::FILE* stream, std::string_view text) {
    erase();
    std::fflush(stdout);
    fmt::print(stream, "{}\n", text);
    std::fflush(stream);
  }

  void show(const StepRecord& record) {
    last = record;
    last_is_logged = false;
    const double now = seconds();
    const bool verbose = verbosity == Verbosity::verbose;
    const bool log_due = verbose || steps == 1 || now - last_log >= log_interval;
    const bool redraw_due = terminal && verbosity == Verbosity::normal &&
                            (steps == 1 || now - last_redraw >= kRedrawSeconds);
    if (!log_due && !redraw_due) return;
    pace.update(record.step, record.time, now);
    const std::string line = progress_line(record, end_time, pace);
    if (log_due) {
      last_log = now;
      last_is_logged = true;
      log->info(line);
      if (verbose || (verbosity == Verbosity::normal && !terminal)) print(stdout, line);
    }
    if (redraw_due) {
      last_redraw = now;
      redraw(line);
    }
  }

  /// The line of progress after the last step, where it does not stand yet. A terminal's is redrawn
  /// no more, and stays.
  void show_last() {
    if (steps == 0) return;
    const bool shown = verbosity != Verbosity::normal || (last_is_logged && !terminal);
    if (shown && last_is_logged) return;
    pace.update(last.step, last.time, seconds());
    const std::string line = progress_line(last, end_time, pace);
    if (!last_is_logged) log->info(line);
    if (!shown) print(stdout, line);
    last_is_logged = true;
  }
};

Progress::Progress(MPI_Comm comm, const fs::path& log_file, Verbosity verbosity,
                   double log_interval, const PaceMeter& pace, bool append) {
  std::string problem;
  if (rank_of(comm) == 0) {
    try {
      auto sink = std::make_shared<spdlog::sinks::basic_file_sink_st>(log_file.string(), !append);
      auto log = std::make_shared<spdlog::logger>("run", std::move(sink));
      log->set_pattern("%Y-%m-%d %H:%M:%S %l: %v");
      const auto level =
          verbosity == Verbosity::verbose ? spdlog::level::debug : spdlog::level::info;
      log->set_level(level);
      log->flush_on(level);
      state_.reset(new State{.log = std::move(log),
                             .verbosity = verbosity,
                             .terminal = console_is_terminal(),
                             .log_interval = log_interval,
                             .end_time = pace.end_time(),
                             .pace = pace});
    } catch (const spdlog::spdlog_ex& error) {
      problem = fmt::format("{}: cannot be written: {}", log_file.string(), error.what());
    }
  }
  fail_together(comm, problem);
}

Progress::~Progress() {
  if (state_) state_->erase();
}

Progress::Progress(Progress&&) noexcept = default;

Progress& Progress::operator=(Progress&&) noexcept = default;

void Progress::step(const StepRecord& record) {
  if (!state_) return;
  State& s = *state_;
  ++s.steps;
  s.largest_compression = std::max(s.largest_compression, record.compression);
  if (!is_converged(record.status)) {
    ++s.unconverged;
    s.worst_residual = std::max(s.worst_residual, record.measures.residual);
    const std::string text = fmt::format(
        "step {} at {:.6g} s: {} ended with {}, residual {:.1e}, velocity_error {:.1e} m/s{}",
        record.step, record.time, record.solver, record.status, record.measures.residual,
        record.measures.velocity_error, worst_in_words(record));
    if (s.unconverged <= kPrintedWarnings) {
      unconverged(text);
    } else {
      detail(text);
    }
  }
  s.show(record);
}

void Progress::message(std::string_view text) {
  if (!state_) return;
  state_->log->info(text);
  if (state_->verbosity != Verbosity::quiet) state_->print(stdout, text);
}

void Progress::warning(std::string_view text) {
  if (!state_) return;
  state_->log->warn(text);
  state_->print(stderr, fmt::format("scree: warning: {}", text));
}

void Progress::unconverged(std::string_view text) {
  if (!state_) return;
  if (state_->accepts_unconverged) {
    detail(text);
  } else {
    warning(text);
  }
}

void Progress::accept_unconverged() {
  if (state_) state_->accepts_unconverged = true;
}

void Progress::failure(std::string_view text) {
  if (state_) state_->log->error(text);
}

void Progress::detail(std::string_view text) {
  if (!state_) return;
  state_->log->debug(text);
  if (state_->verbosity == Verbosity::verbose) state_->print(stdout, text);
}

void Progress::note(std::string_view text) {
  if (!state_) return;
  state_->log->info(text);
  if (state_->verbosity == Verbosity::verbose) state_->print(stdout, text);
}

void Progress::report_grains(const StepRecord& last) {
  const auto grains = [](std::int64_t n) { return fmt::format("{} grain{}", n, n > 1 ? "s" : ""); };
  const auto verb = [](std::int64_t n) { return n > 1 ? "were" : "was"; };
  if (last.inserted > 0) {
    message(fmt::format("{} came in: {:.4g} kg", grains(last.inserted), last.inserted_mass));
  }
  if (last.waiting_mass > kNotableWait * (last.inserted_mass + last.waiting_mass)) {
    warning(
        fmt::format("{:.4g} kg that were due to come in found no room: a larger region, a higher "
                    "velocity or a lower rate helps",
                    last.waiting_mass));
  }
  if (last.removed.discharged > 0) {
    message(fmt::format("{} came into removal boxes and {} removed: {:.4g} kg",
                        grains(last.removed.discharged), verb(last.removed.discharged),
                        last.removed.discharged_mass));
  }
  if (last.removed.left > 0) {
    message(fmt::format("{} left keep_inside and {} removed", grains(last.removed.left),
                        verb(last.removed.left)));
  }
}

void Progress::finish() {
  if (!state_) return;
  State& s = *state_;
  s.show_last();
  message(fmt::format("{} steps in {:.3g} s", s.steps, s.seconds()));
  report_grains(s.last);
  if (s.largest_compression > 0.0) {
    message(
        fmt::format("springs were compressed by up to {:.2g} of a radius", s.largest_compression));
  }
  if (s.unconverged > 0) {
    const std::string text = fmt::format(
        "{} of {} steps did not converge; largest residual {:.1e} (column status "
        "of steps.csv)",
        s.unconverged, s.steps, s.worst_residual);
    if (s.accepts_unconverged) {
      message(text);
    } else {
      warning(text);
    }
  }
}

}  // namespace scree
