#pragma once

/// The bodies that a rank knows: structure of arrays, with one table of fields that drives
/// migration, ghosts, snapshots and checkpoints.
///
/// Slots are ordered   tools | owned | ghosts :
///
/// - [0, n_tools): tools, the same on every rank and written on all ranks alike. A prescribed one
///   has infinite mass, no columns in J, and is written by its motion. A free one has a mass, six
///   columns, which the first rank owns (domain/numbering.hpp), and moves as a grain does.
/// - [n_tools, n_tools + n_owned): the grains that this rank owns, six columns in J each; written
///   by predict and advance, insertion and removal.
/// - [n_tools + n_owned, size): ghosts, read-only copies of grains of other ranks, with their
///   owner's columns; written by domain/exchange only. In a periodic cell some are images of grains,
///   of this rank's own as well, shifted by whole periods.
///
/// Fields that are not saved belong to a step. Those that stay here do since copies of bodies need
/// them as they need the body: free_velocity and box go to ghosts in the one message that a step
/// with kept ghosts sends to a neighbour, image is made with ghosts and stays as long, skin as long
/// or until the pair list is mended. So does work, which is saved: the partition of a run that goes
/// on begins with it.
///
/// Tools and walls have ids from kFirstToolId up, so that in a contact the grain, which has the
/// lower id, is always the first body A. All vectors are in the world frame, SI units.

#include <cmath>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "scree/base/math.hpp"
#include "scree/base/slot_vector.hpp"
#include "scree/geometry/periodic.hpp"
#include "scree/geometry/pose.hpp"
#include "scree/geometry/shapes/shape_list.hpp"

namespace scree {

class ShapeLibrary;

/// Ids of tools start here; ids of grains are below.
inline constexpr std::int64_t kFirstToolId = std::int64_t{1} << 62;

/// Which copies of a field follow the owner's, and when; each kind more often than the one before.
enum class Sync {
  migrate,  ///< moves with the body to a new owner; not meaningful on ghosts
  ghost,    ///< also sent to ghosts when they are made, and stays for as long as they are kept
  skin,     ///< also sent to ghosts that are kept, in each step in which some have new skins
  growth,   ///< also sent to ghosts that are kept, in each step in which grains grow
  motion,   ///< also sent to ghosts that are kept, in each step
};

/// One row of the field table.
struct FieldInfo {
  std::string_view name;
  std::string_view unit;
  Sync sync;
  bool saved;  ///< part of snapshots and checkpoints
};

/// Degrees of freedom, as bits of Store::fixed: a set bit holds that one (a zero row of M^-1).
enum FixedDof : std::uint8_t {
  kFixX = 1,
  kFixY = 2,
  kFixZ = 4,
  kFixRotationX = 8,
  kFixRotationY = 16,
  kFixRotationZ = 32,
  kFixRotation = kFixRotationX | kFixRotationY | kFixRotationZ,
  kFixAll = 63,
};

/// The library of no geometry.
const std::shared_ptr<const ShapeLibrary>& empty_library();

struct Store {
  std::int32_t n_tools = 0;
  std::int32_t n_owned = 0;
  /// The geometry that handles of shapes stand for; the same on every rank.
  std::shared_ptr<const ShapeLibrary> shapes = empty_library();

  SlotVector<std::int64_t> id;
  SlotVector<Vec3> position;          ///< centre of mass, m
  SlotVector<Quat> orientation;       ///< body to world
  SlotVector<Vec3> velocity;          ///< m/s
  SlotVector<Vec3> angular_velocity;  ///< world frame, rad/s
  SlotVector<Vec3> free_velocity;     ///< linear part of v_free (step/stepper.hpp), m/s; not of
                                      ///< prescribed tools
  SlotVector<Shape> shape;
  SlotVector<double> mass;              ///< kg; infinite for prescribed tools
  SlotVector<Vec3> inertia;             ///< principal moments, body frame, kg m^2
  SlotVector<std::int32_t> material;    ///< index into the table of materials
  SlotVector<std::int32_t> group;       ///< index of the group of grains, or of the tool
  SlotVector<std::uint8_t> fixed;       ///< FixedDof bits
  SlotVector<Box3> box;                 ///< inflated by what the step can close (contact/reach.hpp)
  SlotVector<Box3> skin;                ///< box of the pair list (contact/neighbour_list.hpp)
  SlotVector<std::int64_t> parent;      ///< id of the grain that it split off from; -1: of none
  SlotVector<std::int32_t> generation;  ///< how often it and those it came from have divided
  SlotVector<Vec3i> wraps;  ///< periods taken off the position: with them it is where it went
  SlotVector<Vec3i> image;  ///< periods by which a ghost is shifted; zero for all others
  /// Cost of a grain in a step: itself and its contacts, in those of two balls, for the partition.
  SlotVector<double> work;

  std::int32_t size() const { return static_cast<std::int32_t>(id.size()); }
  std::int32_t first_owned() const { return n_tools; }
  std::int32_t end_owned() const { return n_tools + n_owned; }
  /// Whether every rank knows the body, alike.
  bool is_tool(std::int32_t slot) const { return slot < n_tools; }
  /// Whether the body is a tool that goes its way, whatever pushes it.
  bool is_prescribed(std::int32_t slot) const { return is_tool(slot) && std::isinf(mass[slot]); }
  bool is_free_tool(std::int32_t slot) const { return is_tool(slot) && !std::isinf(mass[slot]); }
  bool is_owned(std::int32_t slot) const { return slot >= n_tools && slot < end_owned(); }
  bool is_ghost(std::int32_t slot) const { return slot >= end_owned(); }
};

/// The field table: calls `visit(FieldInfo, SlotVector<T>&)` for each field, in a fixed order.
template <class S, class Visit>
void for_each_field(S& s, Visit&& visit) {
  visit(FieldInfo{"id", "1", Sync::ghost, true}, s.id);
  visit(FieldInfo{"position", "m", Sync::motion, true}, s.position);
  visit(FieldInfo{"orientation", "1", Sync::motion, true}, s.orientation);
  visit(FieldInfo{"velocity", "m/s", Sync::motion, true}, s.velocity);
  visit(FieldInfo{"angular_velocity", "rad/s", Sync::motion, true}, s.angular_velocity);
  visit(FieldInfo{"free_velocity", "m/s", Sync::motion, false}, s.free_velocity);
  visit(FieldInfo{"shape", "m", Sync::growth, true}, s.shape);
  visit(FieldInfo{"mass", "kg", Sync::growth, true}, s.mass);
  visit(FieldInfo{"inertia", "kg m^2", Sync::growth, true}, s.inertia);
  visit(FieldInfo{"material", "1", Sync::ghost, true}, s.material);
  visit(FieldInfo{"group", "1", Sync::ghost, true}, s.group);
  visit(FieldInfo{"fixed", "1", Sync::ghost, true}, s.fixed);
  visit(FieldInfo{"box", "m", Sync::motion, false}, s.box);
  visit(FieldInfo{"skin", "m", Sync::skin, false}, s.skin);
  visit(FieldInfo{"parent", "1", Sync::migrate, true}, s.parent);
  visit(FieldInfo{"generation", "1", Sync::migrate, true}, s.generation);
  visit(FieldInfo{"wraps", "1", Sync::skin, true}, s.wraps);
  visit(FieldInfo{"image", "1", Sync::ghost, false}, s.image);
  visit(FieldInfo{"work", "1", Sync::migrate, true}, s.work);
}

/// Resizes every field to @p size slots; new slots hold default values.
void resize(Store& store, std::int32_t size);

/// Keeps of the owned slots those with `keep[slot - first_owned]`, in order, and drops all ghosts.
void keep_owned(Store& store, const std::vector<bool>& keep);

/// A body as one record, for insertion and tests.
struct Body {
  std::int64_t id = -1;
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
  Vec3 velocity = Vec3::Zero();
  Vec3 angular_velocity = Vec3::Zero();
  Shape shape = {};
  double density = 0.0;  ///< kg/m^3; 0: infinite mass (a tool)
  std::int32_t material = 0;
  std::int32_t group = 0;
  std::uint8_t fixed = 0;
};

/// Appends a grain to the owned slots (drops ghosts first); mass and inertia follow from shape and
/// density. Not collective. @throws InputError when the mass is not positive and finite.
void append_grain(Store& store, const Body& body);
/// Appends a grain like the owned one in @p slot to the owned slots (drops ghosts first), and gives
/// its slot: its id, and what else differs, is the caller's to set. Not collective.
std::int32_t append_copy(Store& store, std::int32_t slot);
/// Gives the grain in @p slot the @p shape, and mass and inertia by @p density, kg/m^3. Not
/// collective.
void set_shape(Store& store, std::int32_t slot, const Shape& shape, double density);
/// Appends a prescribed tool to the tool slots: infinite mass, whatever the density. @pre body.id
/// >= kFirstToolId.
void append_tool(Store& store, const Body& body);
/// Appends a free tool, likewise. @param mass kg  @param inertia principal, body frame, kg m^2
void append_free_tool(Store& store, const Body& body, double mass, const Vec3& inertia);

/// Calls `visit(slot, i)` for the bodies that impulses of this rank's rows of M^-1 move, @p n_rows
/// of them in their order: its grains, then, on the rank that has rows for them, the free tools.
template <class Visit>
void for_each_row(const Store& store, std::int64_t n_rows, Visit&& visit) {
  std::int64_t i = 0;
  for (std::int32_t slot = store.first_owned(); slot < store.end_owned(); ++slot) visit(slot, i++);
  for (std::int32_t slot = 0; slot < store.n_tools && i < n_rows; ++slot) {
    if (store.is_free_tool(slot)) visit(slot, i++);
  }
}

std::int32_t count_free_tools(const Store& store);

inline Pose pose_of(const Store& store, std::int32_t slot) {
  return {store.position[slot], store.orientation[slot]};
}

/// Puts the owned grains into the cell, and counts. Not collective.
void wrap_into(Store& store, const PeriodicCell& cell);

/// Where the grain in @p slot would be if space did not repeat, m.
Vec3 unwrapped(const Store& store, const PeriodicCell& cell, std::int32_t slot);

/// Appends a ghost: the owned grain in @p slot shifted by whole periods, its boxes with it.
void append_image(Store& store, const PeriodicCell& cell, std::int32_t slot, const Vec3i& image);
/// Shifts the ghost in @p slot, whose fields of the kind @p sent have its owner's values, to where
/// its image is. Those that stay with a ghost are shifted already.
void shift_to_image(Store& store, const PeriodicCell& cell, std::int32_t slot, Sync sent);

/// Radii of the grain in @p slot, m: of the least ball about its centre that holds it, the largest
/// inside it, and the ball of its volume.
double bounding_radius(const Store& store, std::int32_t slot);
double inscribed_radius(const Store& store, std::int32_t slot);
double equal_volume_radius(const Store& store, std::int32_t slot);

}  // namespace scree
