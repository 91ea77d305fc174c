#pragma once

/// Groups of grains: what they are, how large, where they start, what holds them.
///
/// Radii and places are lists of alternatives, each a struct with its word in YAML.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scree/bodies/store.hpp"
#include "scree/config/declaration.hpp"

namespace scree {

/// The most grains of a run: six unknowns each, numbered by 32 bits as in PETSc's usual build.
inline constexpr std::int64_t kMaxGrains = 357'913'941;

/// The radii come with the places.
struct RadiiOfFile {
  static constexpr std::string_view kType = "file";
  static constexpr std::string_view kHelp = "given by the file that places the grains";
  void declare(Declaration&) {}
};

/// Each radius between two bounds equally likely.
struct UniformRadii {
  static constexpr std::string_view kType = "uniform";
  static constexpr std::string_view kHelp = "each radius from min to max equally likely";
  double min = 0.0;  ///< m
  double max = 0.0;  ///< m
  void declare(Declaration& d);
};

/// Given radii: in a box each equally likely for each grain, at given points one after another.
struct RadiiList {
  static constexpr std::string_view kType = "list";
  static constexpr std::string_view kHelp =
      "in a box drawn from these values, at points taken in turn";
  std::vector<double> values;  ///< m
  void declare(Declaration& d);
};

using Radii = std::variant<RadiiOfFile, UniformRadii, RadiiList>;

double smallest_radius(const Radii& radii);  ///< m; 0 for those of a file and an empty list
double largest_radius(const Radii& radii);   ///< m; 0 for those of a file and an empty list

/// Random places in a box without overlap, filled from the bottom (generators.hpp).
struct BoxPlaces {
  static constexpr std::string_view kType = "box";
  static constexpr std::string_view kHelp = "at random in a box, without overlap, from below";
  Vec3 low = Vec3::Zero();   ///< m
  Vec3 high = Vec3::Zero();  ///< m
  std::int64_t count = 0;
  std::int64_t seed = 1;
  void declare(Declaration& d);
};

/// A file with the columns x,y,z,r and perhaps id and velocities vx,vy,vz,wx,wy,wz.
struct CsvPlaces {
  static constexpr std::string_view kType = "csv";
  static constexpr std::string_view kHelp =
      "from a file with the columns x,y,z,r and perhaps id,vx,vy,vz,wx,wy,wz";
  std::filesystem::path file;
  void declare(Declaration& d);
};

struct PointPlaces {
  static constexpr std::string_view kType = "points";
  static constexpr std::string_view kHelp = "at given points";
  std::vector<Vec3> positions;  ///< m
  void declare(Declaration& d);
};

using Places = std::variant<BoxPlaces, CsvPlaces, PointPlaces>;

struct BodyGroup {
  std::string name;
  std::string material;
  Radii radii;
  Places place;
  std::vector<std::string> fix;          ///< words: x ... rotation_z, rotation, all
  Vec3 velocity = Vec3::Zero();          ///< at the start, m/s
  Vec3 angular_velocity = Vec3::Zero();  ///< at the start, world frame, rad/s

  void declare(Declaration& d);
  /// FixedDof bits of `fix`. @throws InputError for a word that is none.
  std::uint8_t fixed() const;
};

}  // namespace scree
