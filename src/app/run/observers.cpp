#include "observers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>
#include <utility>

#include "observer_list.hpp"
#include "scree/base/log_stage.hpp"

namespace scree {

bool ObservedRun::has_changed(std::string_view section) const {
  return std::ranges::any_of(changed_keys, [section](const std::string& key) {
    return key == section || key.starts_with(fmt::format("{}.", section));
  });
}

Observers::Observers(ObservedRun run) : run_(std::move(run)) {
  run_.to_disk = [this] {
    for (const auto& one : all_) one->to_disk();
  };
  const std::span<const ObserverEntry> list = observer_list();
  std::vector<ObserverEntry> by_turn(list.begin(), list.end());
  std::ranges::stable_sort(by_turn, {}, &ObserverEntry::turn);
  for (const ObserverEntry& entry : by_turn) all_.push_back(entry.make(run_));
}

void Observers::start(bool goes_on) {
  if (!goes_on) {
    for (const auto& one : all_) one->start();
    return;
  }
  // Checkpoints, the last, are cut off first: a cut that is itself cut off can then be repeated.
  for (const auto& one : std::views::reverse(all_)) one->go_on();
}

void Observers::after_step(const ObservedStep& step) {
  const LogStage stage(Stage::output);
  const double start = MPI_Wtime();
  for (const auto& one : all_) {
    one->after_part(step);
    if (step.result.clock.ends_step()) one->after_step(step);
  }
  seconds_ += MPI_Wtime() - start;
}

std::string Observers::after_refusal() {
  std::vector<std::string> told;
  for (const auto& one : all_) {
    std::string text = one->after_refusal();
    if (!text.empty()) told.push_back(std::move(text));
  }
  return fmt::format("{}", fmt::join(told, "; "));
}

void Observers::after_giving_up(double elapsed) {
  for (const auto& one : all_) one->after_giving_up(elapsed);
}

void Observers::finish() {
  for (const auto& one : all_) one->finish();
}

double Observers::take_seconds() {
  return std::exchange(seconds_, 0.0);
}

}  // namespace scree
