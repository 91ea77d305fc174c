#pragma once

/// Groups of grains that are there at the start: what they are and where they start.
///
/// Places are a list of alternatives, each a struct with its word in YAML.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scree/sources/populations.hpp"
#include "scree/sources/regions.hpp"
#include "scree/sources/site_lattice.hpp"

namespace scree {

class Declaration;

/// The most grains of a run: six unknowns each, numbered by 32 bits as in PETSc's usual build.
inline constexpr std::int64_t kMaxGrains = 357'913'941;

/// How a region is filled: from below, at random, without overlap.
struct Filling {
  Arrangement arrangement = Arrangement::loose;
  std::int64_t count = 0;  ///< 0: as many as fit
  std::int64_t seed = 1;
  void declare(Declaration& d);
};

/// Random places in a region.
template <class R>
struct RegionPlaces {
  static constexpr std::string_view kType = R::kType;
  static constexpr std::string_view kHelp = R::kHelp;
  R region;
  Filling filling;
  void declare(Declaration& d) {
    region.declare(d);
    filling.declare(d);
  }
};
using BoxPlaces = RegionPlaces<BoxRegion>;
using CylinderPlaces = RegionPlaces<CylinderRegion>;

/// A file with the columns x,y,z,r and perhaps id, velocities vx,vy,vz,wx,wy,wz and orientations
/// qw,qx,qy,qz.
struct CsvPlaces {
  static constexpr std::string_view kType = "csv";
  static constexpr std::string_view kHelp =
      "from a file with the columns x,y,z,r and perhaps id,vx,vy,vz,wx,wy,wz,qw,qx,qy,qz";
  std::filesystem::path file;
  void declare(Declaration& d);
};

/// How many grains a file or a group has, and the largest of their ids, which count from 0.
struct GrainExtent {
  std::int64_t count = 0;
  std::int64_t largest_id = -1;
};

/// Copies of a bed side by side, such as one that has settled in a periodic cell.
struct Tiles {
  std::vector<std::int64_t> repeat = {1, 1, 1};  ///< copies along x, y, z, the first where it is
  Vec3 period = Vec3::Zero();                    ///< from one copy to the next, m
  void declare(Declaration& d);

  std::int64_t count() const { return repeat[0] * repeat[1] * repeat[2]; }
  /// Where the copy @p tile is, from the first, m.
  Vec3 shift(std::int64_t tile) const;
};

/// A snapshot, or another HDF5 file of grains. Only io reads such files (io/state/grain_file.hpp):
/// it fills in what this rank gets of it.
struct Hdf5Places {
  static constexpr std::string_view kType = "hdf5";
  static constexpr std::string_view kHelp =
      "from a snapshot, or an HDF5 file with the datasets position, radius and perhaps id, "
      "velocity, "
      "angular_velocity, orientation";
  std::filesystem::path file;
  std::string population;  ///< only these, by a snapshot's names; empty: all
  Tiles tiles = {};
  GrainExtent extent = {};      ///< of the file, by io
  bool has_shapes = false;      ///< and not radii alone, by io
  std::vector<Body> mine = {};  ///< this rank's rows: id, place, shape and velocities, by io
  void declare(Declaration& d);
};

struct PointPlaces {
  static constexpr std::string_view kType = "points";
  static constexpr std::string_view kHelp = "at given points";
  std::vector<Vec3> positions;  ///< m
  void declare(Declaration& d);
};

using Places = std::variant<BoxPlaces, CylinderPlaces, CsvPlaces, Hdf5Places, PointPlaces>;

struct BodyGroup : GrainKind {
  Places place;

  void declare(Declaration& d);
};

}  // namespace scree
