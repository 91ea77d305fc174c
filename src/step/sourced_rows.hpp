#pragma once

/// Rows of a step's sources (step/row_source.hpp), whatever they are: given, started, remembered.

#include <span>
#include <string>
#include <vector>

#include "scree/step/contact_loop.hpp"
#include "scree/step/row_source.hpp"

namespace scree {

/// The rows of all of Setup::sources. Collective. @throws Failure, on every rank, where a source
/// cannot give its rows on any.
SourcedRows rows_of_sources(const State& state, const Setup& setup, const Partition& partition,
                            const StepClock& clock, RowsFor use = RowsFor::velocities);

/// The impulses of these rows, which come last, among @p lambda, this rank's rows of the problem.
template <class Number>
std::span<Number> span_of_sources(const SourcedRows& sourced, std::span<Number> lambda) {
  return lambda.last(sourced.rows.bias.size());
}

/// Writes where a solve starts, @p dt times the forces that are remembered, to @p lambda, likewise.
/// Not collective.
void start_from_memory(const State& state, const Setup& setup, const SourcedRows& sourced,
                       double dt, std::span<double> lambda);

/// The memory of the sources after a step of @p dt that is taken. Not collective.
RowMemory next_row_memory(const State& state, const Setup& setup, const SolvedContacts& step,
                          double dt);

/// Names the first row of a source on this rank whose impulse is not a finite number; empty when
/// all are finite. Not collective.
std::string first_row_not_finite(const Setup& setup, const SolvedContacts& step);

}  // namespace scree
