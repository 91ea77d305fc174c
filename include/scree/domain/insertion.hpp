#pragma once

/// Puts grains into a running simulation, the same on any number of ranks.
///
/// Grain i of an insertion, its size and population, is a function of the insertion and i alone.
/// They come in this order, each as soon as the mass that is due,
///
///     rate (min(t, stop) - start),
///
/// holds it too, so that the mass that has come in follows the rate to within a grain. One that
/// finds no room waits, and those after it with it.
///
/// Places are the sites of a lattice (sources/site_lattice.hpp) as wide as the largest grain with
/// some play. A site is free for a grain when none that meets its material reaches into the site's
/// ball. Of the free ones each grain takes one at random, and lies at random in the ball; there it
/// must not overlap a tool that meets its material. Two that come in together take two sites.

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "scree/bodies/meeting_materials.hpp"
#include "scree/bodies/store.hpp"
#include "scree/domain/partition.hpp"
#include "scree/sources/insertion.hpp"
#include "scree/sources/site_lattice.hpp"

namespace scree {

/// The state of an insertion. The same on every rank.
struct InsertionState {
  std::int64_t count = 0;  ///< grains that have come in
  double mass = 0.0;       ///< mass of these grains, kg
  bool ended = false;      ///< it is over, whatever time it is
};

class Insertion {
 public:
  /// @p first_population: Body::group of its first population. Not collective.
  /// @throws InputError for a material that is unknown.
  Insertion(const InsertionSpec& spec, std::span<const Material> materials,
            std::int32_t first_population, MeetingMaterials meetings = {});

  /// Appends what is due at the time @p t to the owned slots of the rank whose region has it, with
  /// the ids @p next_id, @p next_id + 1, ... Drops ghosts. Collective. Returns how many, on all
  /// ranks.
  /// @pre tools are at their places; the region lies in @p cell.
  std::int64_t insert(InsertionState& state, Store& store, const Partition& partition,
                      const PeriodicCell& cell, double t, std::int64_t next_id) const;

  /// Ends it when a grain below the region rests with its top above the height. A grain rests that
  /// its contacts bear with half its weight at least and that is slower than a fall of half its
  /// radius makes it. @p end_velocity: of the owned slots after the step, six each; the store is at
  /// the step's start. @p by_weight: speed that each owned grain's weight gives it in the step,
  /// m/s. Collective.
  void end_at_height(InsertionState& state, MPI_Comm comm, const Store& store,
                     std::span<const double> end_velocity, std::span<const double> by_weight,
                     const Vec3& gravity) const;

  /// Mass that is due at the time @p t and has not come in, kg: part of a grain, or for want of
  /// room.
  double waiting_mass(const InsertionState& state, double t) const;

 private:
  /// The sites that are free for grains of a material.
  struct FreeSites {
    std::int32_t material;
    std::vector<std::int64_t> sites;
  };

  /// Grain @p i without place and id.
  Body grain(std::int64_t i) const;
  double due_mass(double t) const;
  /// For each material of its grains; all share the first where all materials meet. Collective.
  std::vector<FreeSites> free_sites(MPI_Comm comm, const Store& store,
                                    const PeriodicCell& cell) const;
  std::vector<std::int64_t> sites_for(std::int32_t material, MPI_Comm comm, const Store& store,
                                      const PeriodicCell& cell) const;
  /// Places @p body, grain @p i, in a site that is @p free for it, and takes the site. Returns
  /// whether there is one.
  bool take_site(std::int64_t i, Body& body, std::vector<FreeSites>& free, const Store& store,
                 const PeriodicCell& cell) const;
  /// A place for @p body, grain @p i, in one of @p sites, which is used up, as are those in which
  /// it overlaps a tool; none when there is no place.
  std::optional<std::int64_t> place(std::int64_t i, Body& body, std::vector<std::int64_t>& sites,
                                    const Store& store, const PeriodicCell& cell) const;

  InsertionSpec spec_;
  Mixture grains_;
  SiteLattice lattice_;
  MeetingMaterials meetings_;
};

}  // namespace scree
