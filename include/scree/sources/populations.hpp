#pragma once

/// The make-up of grains: one material and one distribution of sizes, or several populations
/// that are mixed.
///
/// A grain is a function of one number p in [0, 1): its population by the populations' numbers, and
/// its radius within that population. Populations are told apart by Body::group, which counts them
/// over all groups: a group without populations is one.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scree/bodies/materials.hpp"
#include "scree/bodies/store.hpp"
#include "scree/geometry/orientation.hpp"
#include "scree/geometry/shapes/grain_shape.hpp"
#include "scree/sources/grain_sizes.hpp"

namespace scree {

class Declaration;

/// Grains of one kind within a group.
struct Population {
  std::string name;
  std::string material;
  double share = 0.0;  ///< of the group's mass, relative to the other populations
  Radii radii;
  GrainShape shape;

  void declare(Declaration& d);
};

/// The keys that groups of bodies and insertions have in common: what grains, and how they start.
struct GrainKind {
  std::string name;
  std::string material;  ///< empty when there are populations
  Radii radii;           ///< radii of balls of the grains' volume, m
  GrainShape shape;
  std::optional<AxisAngle> orientation;  ///< none: random in regions
  std::vector<Population> populations;
  std::vector<std::string> fix;          ///< words: x ... rotation_z, rotation, all
  Vec3 velocity = Vec3::Zero();          ///< at the start, m/s
  Vec3 angular_velocity = Vec3::Zero();  ///< at the start, world frame, rad/s

  /// material, shape, radii and populations.
  void declare_grains(Declaration& d);
  /// fix and the velocities.
  void declare_start(Declaration& d);
  /// Checks that material and sizes are given once: by the group, its populations or, for @p
  /// of_file, the file that places the grains.
  void require_sizes(Declaration& d, bool of_file) const;

  // Bounding radii, m, and the smallest inscribed one; 0 for those of a file and faulty ones.
  double smallest() const;
  double largest() const;
  double smallest_inscribed() const;
  /// The populations of this kind, or itself as the only one, with the radii that they have.
  std::vector<Population> all_populations() const;
  std::vector<std::string> materials() const;  ///< names
  /// Names of its populations, as files have them: NAME or NAME.POPULATION.
  std::vector<std::string> population_names() const;
  /// FixedDof bits of `fix`. @throws InputError for a word that is none.
  std::uint8_t fixed() const;
};

/// The grains of a kind as a function of p.
class Mixture {
 public:
  /// @p first_group: Body::group of the first population. @throws InputError for a material that is
  /// unknown, and a word of `fix` that is none.
  Mixture(const GrainKind& kind, std::span<const Material> materials, std::int32_t first_group);

  /// A grain without place and id. @pre the radii are not those of a file; p in [0, 1).
  Body grain(double p) const;
  /// Gives @p body, of this mixture, the volume of a ball of @p radius, m.
  void resize(Body& body, double radius) const;
  /// Turns @p body by chance, unless it is a ball or the kind has an orientation. @p random: three
  /// numbers in [0, 1).
  void turn(Body& body, const Vec3& random) const;
  /// The body that all grains of population @p k are made after.
  const Body& prototype(std::size_t k = 0) const { return parts_[k].prototype; }

 private:
  struct Part {
    Body prototype;
    Radii radii;
    GrainShape shape;
    double end;  ///< share of the numbers of grains up to and with this population
  };
  const Part& part_of(const Body& body) const;

  std::vector<Part> parts_;
  bool oriented_ = false;
};

}  // namespace scree
