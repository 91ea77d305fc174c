#include "scree/geometry/shapes/clump.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/clumps/clump_files.hpp"
#include "geometry/clumps/union_mass.hpp"
#include "scree/base/check.hpp"
#include "scree/config/declaration.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/shapes/all_part_shapes.hpp"
#include "scree/geometry/shapes/all_shapes.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"

namespace scree {
namespace {

/// Whether the hull of a part has more features than are numbered.
bool has_too_many_features(const Hull& hull) {
  return hull.vertices.size() + hull.edges.size() + hull.faces.size() >= kMostPartFeatures;
}

void require_countable(const std::vector<ClumpParts::Part>& parts, const ShapeLibrary& library) {
  if (parts.empty() || parts.size() > kMostParts) {
    throw InputError(
        fmt::format("a clump of {} parts; allowed: 1 to {}", parts.size(), kMostParts));
  }
  for (const ClumpParts::Part& part : parts) {
    const auto* polyhedron = part.shape.get_if<Polyhedron>();
    if (polyhedron == nullptr || !has_too_many_features(library.hull(polyhedron->handle))) continue;
    throw InputError(
        fmt::format("a part of a clump has {} or more vertices, edges and faces; give a coarser "
                    "mesh",
                    kMostPartFeatures));
  }
}

Pose placed_in(const Pose& frame, const Pose& pose) {
  return {frame.to_body(pose.position), frame.orientation.conjugate() * pose.orientation};
}

/// The body's hold of a part, whose hull is added to @p library.
Shape held(const PartShape& shape, ShapeLibrary& library) {
  return std::visit(
      [&library]<class S>(const S& s) -> Shape {
        if constexpr (ListedShape<S>) {
          return s;
        } else {
          return Polyhedron{library.add(s.hull), s.scale};
        }
      },
      *shape);
}

Pose frame_of(const PartShape& shape) {
  return std::visit([](const auto& s) { return declared_frame(s); }, *shape);
}

/// The library of a clump alone.
std::shared_ptr<const ShapeLibrary> library_of(std::span<const ClumpPart> spec) {
  auto library = std::make_shared<ShapeLibrary>();
  std::vector<ClumpParts::Part> parts;
  for (const ClumpPart& one : spec) {
    const Pose placed{one.position, one.orientation.rotation()};
    const Pose frame = frame_of(one.shape);
    parts.push_back({held(one.shape, *library),
                     {placed.to_world(frame.position), placed.orientation * frame.orientation}});
  }
  library->add(clump_of(std::move(parts), *library), *library);
  return library;
}

/// The geometry of a part as it stands.
template <class S>
auto geometry_as_given(const S& s) {
  if constexpr (requires { s.geometry(); }) {
    return s.geometry();
  } else {
    return s;
  }
}

/// Whether each of them has a size, which is a number.
bool have_sizes(std::span<const ClumpPart> parts) {
  return std::ranges::all_of(parts, [](const ClumpPart& part) {
    return std::visit(
        [](const auto& s) {
          const auto geometry = geometry_as_given(s);
          return geometry.inscribed_radius() > 0.0 && std::isfinite(geometry.volume());
        },
        *part.shape);
  });
}

bool have_few_features(std::span<const ClumpPart> parts) {
  return std::ranges::none_of(parts, [](const ClumpPart& part) {
    const auto* polyhedron = std::get_if<MeshPolyhedron>(&*part.shape);
    return polyhedron != nullptr && has_too_many_features(*polyhedron->hull);
  });
}

/// Bytes that tell clumps apart before they are made: numbers of the parts, and which hulls they
/// have.
std::vector<std::byte> fingerprint(std::span<const ClumpPart> parts) {
  std::vector<std::byte> bytes;
  const auto add = [&bytes](const auto& value) {
    const auto of_value = std::as_bytes(std::span(&value, 1));
    bytes.insert(bytes.end(), of_value.begin(), of_value.end());
  };
  for (const ClumpPart& part : parts) {
    add(part.shape->index());
    std::visit(
        [&add]<class S>(const S& s) {
          if constexpr (ListedShape<S>) {
            add(s);
          } else {
            add(s.hull.get());
            add(s.scale);
          }
        },
        static_cast<const AnyPartShape::Variant&>(*part.shape));
    for (const double x : part.position) add(x);
    for (const double x : part.orientation.axis) add(x);
    add(part.orientation.angle);
  }
  return bytes;
}

}  // namespace

ClumpParts clump_of(std::vector<ClumpParts::Part> parts, const ShapeLibrary& library) {
  require_countable(parts, library);
  for (ClumpParts::Part& part : parts) {
    part.bounding_radius = bounding_radius(part.shape, library);
    part.inscribed_radius = inscribed_radius(part.shape, library);
  }
  const MassProperties mass = mass_of_union(parts, library);
  if (!(mass.size > 0.0) || !mass.covariance.allFinite()) {
    throw InputError("a clump has no volume that is a number; give parts of finite size");
  }
  const Mat3 axes = principal_axes(mass.covariance);
  const Vec3 squares = (axes.transpose() * mass.covariance * axes).diagonal();
  ClumpParts clump;
  clump.volume = mass.size;
  clump.inertia_per_mass = Vec3::Constant(squares.sum()) - squares;
  clump.in_file = {mass.centre, Quat(axes).normalized()};
  clump.inscribed_radius = std::numeric_limits<double>::infinity();
  for (ClumpParts::Part& part : parts) {
    part.pose = placed_in(clump.in_file, part.pose);
    clump.bounding_radius =
        std::max(clump.bounding_radius, part.pose.position.norm() + part.bounding_radius);
    clump.inscribed_radius = std::min(clump.inscribed_radius, part.inscribed_radius);
  }
  clump.parts = std::move(parts);
  return clump;
}

Shape ScaledClump::part(std::size_t i) const {
  const Shape& shape = clump.parts[i].shape;
  if (scale == 1.0) return shape;
  return visit(
      [this]<class S>(const S& s) -> Shape {
        if constexpr (requires { s.scaled(1.0); }) {
          return s.scaled(scale);
        } else {
          throw Failure(fmt::format("a {} as a part of a clump", S::kType));
        }
      },
      shape);
}

Pose ScaledClump::pose_of(std::size_t i, const Pose& pose) const {
  const Pose& own = clump.parts[i].pose;
  return {pose.to_world(scale * own.position), pose.orientation * own.orientation};
}

SurfacePoint ScaledClump::nearest(const Vec3& p) const {
  SurfacePoint best{};
  best.distance = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < size(); ++i) {
    const Pose own = pose_of(i, Pose{});
    if ((p - own.position).norm() - bounding_radius_of(i) > best.distance) continue;
    const SurfacePoint found = nearest_of(part(i), own.to_body(p), library);
    if (found.distance >= best.distance) continue;
    best = {own.to_world(found.point), own.orientation * found.normal, found.distance};
  }
  return best;
}

Box3 ScaledClump::bounds(const Mat3& rotation) const {
  const Pose turned{Vec3::Zero(), Quat(rotation)};
  Box3 box = box_of(part(0), pose_of(0, turned), library);
  for (std::size_t i = 1; i < size(); ++i) {
    const Box3 own = box_of(part(i), pose_of(i, turned), library);
    box = {box.low.cwiseMin(own.low), box.high.cwiseMax(own.high)};
  }
  return box;
}

void ClumpPart::declare(Declaration& d) {
  d.one_of("shape", shape.change(), {.help = "its shape", .required = true});
  d.vector("position", position, {.help = "where its origin is placed", .unit = "m"});
  d.object("orientation", orientation, {.help = "rotation from the clump's axes"});
}

std::shared_ptr<const ShapeLibrary> ClumpSpec::unread() {
  static const auto kBall = [] {
    auto library = std::make_shared<ShapeLibrary>();
    library->add(clump_of({{Sphere{1.0}, {}}}, *library), *library);
    return std::shared_ptr<const ShapeLibrary>(library);
  }();
  return kBall;
}

ScaledClump ClumpSpec::geometry() const {
  return own->geometry_of(Clump{0, 1.0});
}

void ClumpSpec::declare(Declaration& d) {
  d.list("parts", parts,
         {.help = "convex shapes, which may overlap: what is in several parts counts once"});
  d.real("scale", scale,
         {.help = "length of the unit of `spheres` and `hulls`", .unit = "m", .above = 0.0});
  d.file("spheres", spheres,
         [this](std::string_view bytes) { of_spheres = parts_of_spheres(spheres, bytes, scale); },
         {.help = "further parts that are balls: a text file of lines `x y z radius`"});
  d.file("hulls", hulls,
         [this](std::string_view bytes) { of_hulls = parts_of_hulls(hulls, bytes, scale); },
         {.help = "further parts: the convex hull of each group (`g` or `o`) of an OBJ, or of all "
                  "vertices of an OFF, STL or PLY"});
  std::vector<ClumpPart> all = parts;
  all.insert(all.end(), of_spheres.begin(), of_spheres.end());
  all.insert(all.end(), of_hulls.begin(), of_hulls.end());
  const bool is_countable = !all.empty() && all.size() <= kMostParts;
  const bool has_size = is_countable && have_sizes(all);
  const bool is_fine = has_size && have_few_features(all);
  d.require("parts", is_countable,
            fmt::format("are {} with those of `spheres` and `hulls`; allowed: 1 to {}", all.size(),
                        kMostParts));
  d.require("parts", has_size || !is_countable,
            "have one whose volume is 0 or beyond all numbers; allowed: parts of a size");
  d.require("parts", is_fine || !has_size,
            fmt::format("have a polyhedron of {} or more vertices, edges and faces; give a coarser "
                        "mesh",
                        kMostPartFeatures));
  if (!is_fine) return;
  // that takes its time, and declarations are asked for again and again
  std::vector<std::byte> given = fingerprint(all);
  if (given == made_of) return;
  own = library_of(all);
  made_of = std::move(given);
}

}  // namespace scree
