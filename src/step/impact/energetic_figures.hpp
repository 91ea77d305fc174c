#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>
#include <vector>

#include "scree/step/figures.hpp"

namespace scree {

/// Figures of the impacts of a step that the law energetic resolved before its problem.
struct EnergeticFigures {
  std::int64_t rounds = 0;        ///< until no further pair closed
  std::int64_t zones = 0;         ///< resolved, of all rounds
  std::int64_t contacts = 0;      ///< of the largest zone
  std::int64_t applications = 0;  ///< of the impact operator
  std::int64_t programs = 0;      ///< linear programs
  double program_seconds = 0.0;
  double energy_before = 0.0;   ///< kinetic, of the zones before their impacts, summed, J
  double energy_after = 0.0;    ///< the same after them
  double lost_in_gaps = 0.0;    ///< kinetic, since bodies cross their room within the step, J
  double lost_by_length = 0.0;  ///< the same where it is worth a shorter step, J
  double approach_left = 0.0;   ///< largest speed at which contacts of zones still approach, m/s
  std::int64_t cut_off = 0;     ///< zones whose impact was cut off by its last resort
  std::int64_t n_left = 0;      ///< zones of whose impact something is left to the step's problem
  std::string fault;            ///< an impact that did not end, or did worse, and why; else empty

  /// Adds @p round, which came after what is here.
  void add(const EnergeticFigures& round);
  /// Collective. Those of all ranks; rounds are the same on each.
  void sum_over_ranks(MPI_Comm comm);

  /// The columns of the law in steps.csv.
  static std::vector<FigureColumn> columns();
  Figures in_columns() const;
};

}  // namespace scree
