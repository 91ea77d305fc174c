#include "scree/app/run/pace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

constexpr double kPaceSeconds = 5.0;  ///< time in which earlier seconds lose their weight, s

}  // namespace

void PaceMeter::update(std::int64_t step, double time, double wall) {
  const double elapsed = wall - wall_;
  if (elapsed <= 0.0) return;
  const double steps = static_cast<double>(step - step_) / elapsed;
  const double times = (time - time_) / elapsed;
  const double weight = wall_ == 0.0 ? 1.0 : -std::expm1(-elapsed / kPaceSeconds);
  step_rate_ += weight * (steps - step_rate_);
  time_rate_ += weight * (times - time_rate_);
  step_ = step;
  time_ = time;
  wall_ = wall;
}

std::optional<double> PaceMeter::seconds_left() const {
  if (time_rate_ <= 0.0) return std::nullopt;
  return std::max(0.0, end_ - time_) / time_rate_;
}

std::string duration(double seconds) {
  const auto s = static_cast<std::int64_t>(std::llround(std::max(0.0, seconds)));
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {:02} s", s / 60, s % 60);
  if (s < 86400) return fmt::format("{} h {:02} min", s / 3600, s % 3600 / 60);
  return fmt::format("{} d {} h", s / 86400, s % 86400 / 3600);
}

std::string progress_line(const StepRecord& record, double end_time, const PaceMeter& pace) {
  const double part = end_time > 0.0 ? std::clamp(record.time / end_time, 0.0, 1.0) : 1.0;
  const auto left = pace.seconds_left();
  return fmt::format("{:.6g}/{:.6g} s  {:.0f} %  {:.3g} steps/s  {} contacts  residual {:.1e}{}",
                     record.time, end_time, 100.0 * part, pace.steps_per_second(), record.contacts,
                     record.measures.residual, left ? "  " + duration(*left) + " left" : "");
}

}  // namespace scree
