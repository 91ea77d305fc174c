#include "sourced_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>

#include "formulate_and_solve.hpp"
#include "scree/base/parallel.hpp"
#include "scree/base/petsc.hpp"

namespace scree {
namespace {

const std::vector<RowRecord>& records_of(const RowMemory& memory, const RowSource& source) {
  static const std::vector<RowRecord> kNone;
  const auto found = memory.find(std::string(source.name()));
  return found == memory.end() ? kNone : found->second;
}

/// The cones of the @p source-th source.
struct ConeRange {
  std::size_t first;
  std::size_t end;
};

ConeRange range_of(const SourcedRows& sourced, std::size_t source) {
  return {source == 0 ? 0 : sourced.end[source - 1], sourced.end[source]};
}

/// The box in which the first grain of cone @p i must be in the next step; a cone without grains
/// stays with its rank, and has none.
Box3 box_of(const Store& bodies, const GivenRows& rows, std::size_t i, double slack) {
  const auto begin = rows.slot.begin() + rows.first[i];
  const auto end = rows.slot.begin() + rows.first[i + 1];
  const auto grain =
      std::find_if(begin, end, [&](std::int32_t slot) { return !bodies.is_tool(slot); });
  if (grain == end) return kNowhere;
  const Vec3 reach = Vec3::Constant(slack);
  const Box3& box = bodies.box[*grain];
  return {box.low - reach, box.high + reach};
}

}  // namespace

std::string RowSource::name_of_cone(std::int64_t key,
                                    std::span<const JointFrame> /*joints*/) const {
  return fmt::format("row {} of `{}`", key, name());
}

SourcedRows rows_of_sources(const State& state, const Setup& setup, const Partition& partition,
                            const StepClock& clock, RowsFor use) {
  SourcedRows sourced;
  if (setup.sources.empty()) return sourced;
  std::string fault;
  for (const auto& source : setup.sources) {
    try {
      source->give({.bodies = state.bodies,
                    .partition = partition,
                    .cell = setup.cell,
                    .clock = clock,
                    .memory = records_of(state.rows, *source),
                    .last_dt = state.last_dt,
                    .joints = state.joints,
                    .use = use,
                    .recovery_speed = recovery_speed(state, setup)},
                   sourced.rows);
    } catch (const std::exception& error) {
      fault = fmt::format("{}: {}", clock.name(), error.what());
    }
    sourced.end.push_back(sourced.rows.cones.count());
  }
  fail_together(partition.comm(), fault);
  return sourced;
}

void start_from_memory(const State& state, const Setup& setup, const SourcedRows& sourced,
                       double dt, std::span<double> lambda) {
  const GivenRows& given = sourced.rows;
  const std::span<double> own = span_of_sources(sourced, lambda);
  for (std::size_t s = 0; s < setup.sources.size(); ++s) {
    const std::vector<RowRecord>& records = records_of(state.rows, *setup.sources[s]);
    const auto [first, end] = range_of(sourced, s);
    for (std::size_t i = first; i < end; ++i) {
      const RowRecord* const record = find_record(records, given.key[i]);
      if (record == nullptr) continue;
      const std::size_t row = given.cones.row(i);
      for (int k = 0; k < given.cones.dim(i); ++k) own[row + k] = dt * record->force[k];
    }
  }
}

std::vector<RowResult> row_results(const SolvedContacts& step, std::size_t source, double dt) {
  const GivenRows& given = step.sourced.rows;
  const petsc::ConstView lambda(step.impact.impulse.get());
  const std::span<const double> own = span_of_sources(step.sourced, lambda.span());
  std::vector<RowResult> results;
  const auto [first, end] = range_of(step.sourced, source);
  for (std::size_t i = first; i < end; ++i) {
    RowResult& result = results.emplace_back(RowResult{.key = given.key[i], .dt = dt});
    const std::span<const double> rows = own.subspan(given.cones.row(i), given.cones.dim(i));
    std::ranges::copy(rows, result.impulse.begin());
  }
  return results;
}

RowMemory next_row_memory(const State& state, const Setup& setup, const SolvedContacts& step,
                          double dt) {
  const double slack = 2.0 * state.smallest_radius;
  RowMemory memory;
  for (std::size_t s = 0; s < setup.sources.size(); ++s) {
    const RowSource& source = *setup.sources[s];
    const std::vector<RowRecord>& before = records_of(state.rows, source);
    std::vector<RowRecord>& records = memory[std::string(source.name())];
    std::size_t cone = range_of(step.sourced, s).first;
    for (const RowResult& result : row_results(step, s, dt)) {
      RowRecord& record = records.emplace_back();
      record.key = result.key;
      std::ranges::transform(result.impulse, record.force.begin(),
                             [dt](double impulse) { return impulse / dt; });
      record.state = source.state_after(result, find_record(before, result.key), state.joints);
      record.where = box_of(state.bodies, step.sourced.rows, cone++, slack);
    }
    std::ranges::sort(records, {}, &RowRecord::key);
  }
  return memory;
}

std::string first_row_not_finite(const Setup& setup, const SolvedContacts& step) {
  for (std::size_t s = 0; s < setup.sources.size(); ++s) {
    for (const RowResult& result : row_results(step, s, step.formulated.dt)) {
      if (std::ranges::all_of(result.impulse, [](double x) { return std::isfinite(x); })) continue;
      return fmt::format("the impulse of row {} of `{}` is not finite", result.key,
                         setup.sources[s]->name());
    }
  }
  return {};
}

}  // namespace scree
