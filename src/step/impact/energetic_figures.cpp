#include "energetic_figures.hpp"

#include <algorithm>
#include <array>

#include "scree/base/parallel.hpp"

namespace scree {
namespace {

using Energetic = EnergeticFigures;

constexpr std::array<FigureOf<Energetic>, 11> kColumns{{
    {{"impact_rounds", "1",
      "rounds of impacts before the solve, until no further pair closed (energetic)"},
     [](const Energetic& f) { return static_cast<double>(f.rounds); }},
    {{"impact_zones", "1", "zones of connected contacts that were resolved, of all rounds"},
     [](const Energetic& f) { return static_cast<double>(f.zones); }},
    {{"impact_contacts", "1", "contacts of the largest zone"},
     [](const Energetic& f) { return static_cast<double>(f.contacts); }},
    {{"impact_applications", "1", "applications of the impact operator"},
     [](const Energetic& f) { return static_cast<double>(f.applications); }},
    {{"impact_programs", "1", "linear programs that looked for implicit equalities"},
     [](const Energetic& f) { return static_cast<double>(f.programs); }},
    {{"impact_program_seconds", "s", "spent in them"},
     [](const Energetic& f) { return f.program_seconds; }},
    {{"impact_energy_before", "J",
      "kinetic energy of the zones before their impacts, summed over zones and rounds"},
     [](const Energetic& f) { return f.energy_before; }},
    {{"impact_energy_after", "J", "the same after them"},
     [](const Energetic& f) { return f.energy_after; }},
    {{"impact_lost_in_gaps", "J",
      "kinetic energy that impacts lose since bodies cross the room between contacts within the "
      "step; below a hundredth of what an inelastic impact takes it cuts none"},
     [](const Energetic& f) { return f.lost_in_gaps; }},
    {{"impact_approach", "m/s",
      "largest speed at which contacts of zones still approach after them"},
     [](const Energetic& f) { return f.approach_left; }},
    {{"impact_unresolved", "1",
      "zones whose impact was cut off (the step is not converged), that walls squeeze, or whose "
      "inelastic outcome was not found"},
     [](const Energetic& f) { return static_cast<double>(f.cut_off + f.n_left); }},
}};

}  // namespace

void EnergeticFigures::add(const EnergeticFigures& round) {
  rounds += round.rounds;
  zones += round.zones;
  contacts = std::max(contacts, round.contacts);
  applications += round.applications;
  programs += round.programs;
  program_seconds += round.program_seconds;
  energy_before += round.energy_before;
  energy_after += round.energy_after;
  lost_in_gaps += round.lost_in_gaps;
  lost_by_length += round.lost_by_length;
  approach_left = std::max(approach_left, round.approach_left);
  if (fault.empty() || (cut_off == 0 && round.cut_off > 0)) fault = round.fault;
  cut_off += round.cut_off;
  n_left += round.n_left;
}

void EnergeticFigures::sum_over_ranks(MPI_Comm comm) {
  if (rounds == 0) return;
  zones = scree::sum_over_ranks(comm, zones);
  contacts = max_over_ranks(comm, contacts);
  applications = scree::sum_over_ranks(comm, applications);
  programs = scree::sum_over_ranks(comm, programs);
  program_seconds = scree::sum_over_ranks(comm, program_seconds);
  energy_before = scree::sum_over_ranks(comm, energy_before);
  energy_after = scree::sum_over_ranks(comm, energy_after);
  lost_in_gaps = scree::sum_over_ranks(comm, lost_in_gaps);
  lost_by_length = scree::sum_over_ranks(comm, lost_by_length);
  approach_left = max_over_ranks(comm, approach_left);
  cut_off = scree::sum_over_ranks(comm, cut_off);
  n_left = scree::sum_over_ranks(comm, n_left);
  fault = first_text(comm, fault);
}

std::vector<FigureColumn> EnergeticFigures::columns() {
  return columns_of<EnergeticFigures>(kColumns);
}

Figures EnergeticFigures::in_columns() const {
  return figures_of<EnergeticFigures>(kColumns, *this);
}

}  // namespace scree
