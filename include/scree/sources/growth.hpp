#pragma once

/// Grains that lengthen and divide: cells of a colony (paper 001, section 4.3).
///
/// A capsule grows along its axis, its radius staying what it is, and when it is as long as it may
/// become it gives way to two halves, which lie where it lay, end to end. With its whole length l,
/// half balls included,
///
///     dl/dt = rate l,     so that in a step  l+ = l exp(rate dt)
///     division where      l >= L (1 + spread (2 u_1 - 1))
///     daughters           of length l/2, centres at x -+ l/4 along the axis, with the mother's spin and the velocities that
///                         she had there, each turned by the angle  turn (2 u_2 - 1)  about an axis by chance, of those
///                         about which grains of its group may turn
///
/// Mass and inertia follow. One daughter keeps the mother's id, the other has a new one and the
/// mother's as its parent; both count a generation more. The random numbers u are a function of the
/// seed, the id and the generation alone, and new ids follow the order of the mothers' ids: a
/// colony has the same cells on any number of ranks.
///
/// | symbol | meaning                         | unit |
/// | ---    | ---                             | ---  |
/// | l, L   | length, mean length at division | m    |
/// | u      | random numbers in [0, 1)        | 1    |

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scree/base/parallel.hpp"
#include "scree/bodies/materials.hpp"
#include "scree/bodies/store.hpp"

namespace scree {

class Declaration;

/// An entry of `growth:`.
struct GrowthSpec {
  std::string name = {};
  std::vector<std::string> groups = {};  ///< of bodies, or insertions
  double rate = 0.0;                     ///< 1/s
  double division_length = 0.0;          ///< m
  double spread = 0.0;                   ///< of the division length, relative
  double turn = 0.0;                     ///< rad
  std::int64_t seed = 1;

  void declare(Declaration& d);
  double shortest_division() const { return (1.0 - spread) * division_length; }
  /// The length that no grain exceeds after a step of @p dt, unless it came in so, m.
  double longest(double dt) const;
};

/// Why grains of @p shape cannot grow in steps of @p dt as @p spec says; empty when they can.
std::string fault_of_growth(const GrowthSpec& spec, const Shape& shape, double dt);

class Growth {
 public:
  /// @param populations which of Body::group grow. @throws InputError for an unknown material.
  Growth(const GrowthSpec& spec, std::span<const Material> materials,
         std::vector<std::int32_t> populations);

  const GrowthSpec& spec() const { return spec_; }
  /// Whether grains of the population @p group grow.
  bool has(std::int32_t group) const;
  /// Lengthens the owned grains that grow by what a time of @p dt gives them. Not collective, as
  /// all here.
  void lengthen(Store& store, double dt) const;
  /// The owned slots whose grains have reached their length.
  std::vector<std::int32_t> due(const Store& store) const;
  /// Divides the grain in @p slot; the daughter with the id @p daughter is appended to the owned
  /// slots. Drops ghosts.
  void divide(Store& store, std::int32_t slot, std::int64_t daughter) const;

 private:
  double division_length(const Store& store, std::int32_t slot) const;
  void turn(Store& store, std::int32_t slot) const;

  GrowthSpec spec_;
  std::vector<double> densities_;  ///< of the materials, kg/m^3
  std::vector<std::int32_t> populations_;
};

/// Divides all that are due, of all ranks; new ids count from @p next_id on. Gives the mothers'
/// ids, in order, on every rank. Collective.
std::vector<std::int64_t> divide_all(MPI_Comm comm, Store& store, std::span<const Growth> growths,
                                     std::int64_t next_id);

}  // namespace scree
