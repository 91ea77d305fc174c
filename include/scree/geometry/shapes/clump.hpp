#pragma once

/// Rigid bodies of several convex shapes: dumbbells, L-shaped tools, rocks that are not convex.
///
/// A clump is the union of its parts. Where two parts meet its surface is concave or flat, and what
/// is inside of another part is not of its surface: contacts there are left out
/// (clump_contact.hpp).

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "scree/base/copy_on_write.hpp"
#include "scree/geometry/orientation.hpp"
#include "scree/geometry/pose.hpp"
#include "scree/geometry/shapes/shape.hpp"
#include "scree/geometry/shapes/shape_list.hpp"

namespace scree {

class Declaration;
class ShapeLibrary;
struct AnyPartShape;
struct ClumpSpec;

/// One of the shape library's clumps, scaled.
struct Clump {
  static constexpr std::string_view kType = "clump";
  static constexpr std::string_view kHelp = "several convex shapes that move as one body";
  using Declared = ClumpSpec;  ///< what a configuration says of it

  std::int32_t handle = 0;
  double scale = 1.0;
};

/// The parts of a clump in the body's frame, and what integrals over their union give.
struct ClumpParts {
  struct Part {
    Shape
        shape;  ///< convex; the handle of a polyhedron is that of the library that holds the clump
    Pose pose;
    double bounding_radius = 0.0;   ///< m, about the part's origin
    double inscribed_radius = 0.0;  ///< m
  };

  std::vector<Part> parts;
  double volume = 0.0;                   ///< of the union, m^3
  Vec3 inertia_per_mass = Vec3::Zero();  ///< principal moments over mass, m^2
  double bounding_radius = 0.0;   ///< m, about the centre of mass: of balls that hold the parts
  double inscribed_radius = 0.0;  ///< m, the least of the parts': the centre of mass may be outside
  Pose in_file;                   ///< where the body's frame is in that of the configuration
};

/// The most parts of a clump, and features of one: together they are numbered in the features of
/// contact points.
inline constexpr std::size_t kMostParts = 2047;
inline constexpr int kBitsOfPartFeature = 20;
inline constexpr std::size_t kMostPartFeatures = std::size_t{1} << kBitsOfPartFeature;

/// The clump of @p parts, given in any frame with their radii to be filled in, in the shape library
/// @p library that holds their hulls. Integrals over the union are exact where no parts overlap;
/// what is in several parts counts once, its volume to some 5e-4 of the smaller part
/// (union_mass.hpp).
/// @throws InputError for no parts, too many, one of too many features, or a union without a volume
ClumpParts clump_of(std::vector<ClumpParts::Part> parts, const ShapeLibrary& library);

/// A clump with its geometry. Valid as long as the library.
struct ScaledClump {
  static constexpr std::string_view kType = Clump::kType;

  const ClumpParts& clump;
  const ShapeLibrary& library;
  double scale;

  std::size_t size() const { return clump.parts.size(); }
  /// The part @p i as large as it is here, and its place where the clump is at @p pose.
  Shape part(std::size_t i) const;
  Pose pose_of(std::size_t i, const Pose& pose) const;
  /// The part that a feature on the clump's side of a contact point is of.
  static std::size_t part_of_feature(std::int64_t feature) {
    return static_cast<std::size_t>(feature >> kBitsOfPartFeature);
  }
  double inscribed_radius_of(std::size_t i) const {
    return scale * clump.parts[i].inscribed_radius;
  }
  double bounding_radius_of(std::size_t i) const { return scale * clump.parts[i].bounding_radius; }

  /// Outside the nearest point of the union; inside that of the part whose surface is farthest.
  SurfacePoint nearest(const Vec3& p) const;
  Box3 bounds(const Mat3& rotation) const;
  double bounding_radius() const { return scale * clump.bounding_radius; }
  double inscribed_radius() const { return scale * clump.inscribed_radius; }
  double volume() const { return scale * scale * scale * clump.volume; }
  Vec3 inertia_per_mass() const { return scale * scale * clump.inertia_per_mass; }
};

/// Any convex shape as a configuration says it. Which there are: all_part_shapes.hpp.
using PartShape = CopyOnWrite<AnyPartShape>;

struct ClumpPart {
  PartShape shape;
  Vec3 position = Vec3::Zero();  ///< of its origin, m
  AxisAngle orientation;

  void declare(Declaration& d);
};

/// A clump as a configuration says it.
struct ClumpSpec {
  static constexpr std::string_view kType = Clump::kType;
  static constexpr std::string_view kHelp = Clump::kHelp;

  std::vector<ClumpPart> parts;
  std::filesystem::path spheres;      ///< parts that are balls, from a file
  std::filesystem::path hulls;        ///< parts that are the convex hulls of a file's groups
  double scale = 1.0;                 ///< length of the files' unit, m
  std::vector<ClumpPart> of_spheres;  ///< what the files give
  std::vector<ClumpPart> of_hulls;
  /// A library that holds the clump and the hulls of its parts, and no more; until there are parts
  /// the clump of a ball, so that sizes can be asked of a faulty configuration.
  std::shared_ptr<const ShapeLibrary> own = unread();
  std::vector<std::byte> made_of;  ///< the parts of that one
  std::int32_t handle = -1;        ///< of the clump, once it is in the library of the run

  void declare(Declaration& d);

  ScaledClump geometry() const;
  Clump scaled(double factor) const { return {handle, factor}; }
  /// Where the clump's frame is in that of its parts.
  Pose frame() const { return geometry().clump.in_file; }

 private:
  static std::shared_ptr<const ShapeLibrary> unread();
};

}  // namespace scree
