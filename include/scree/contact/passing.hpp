#pragma once

/// Bodies that a step would take into, or through, each other, so that it is to be cut.
///
/// The problem of a step knows a pair by its points at the start. Two convex bodies that do not
/// turn are held apart by that: a plane that parts them goes on to part them. Bodies that turn come
/// through that plane beside their points, and a step that was not solved takes anything anywhere.
/// So after the solve each pair of convex bodies is to have a plane between them still. The normals
/// n that are tried are those of the pair's contacts, as they are and as they turn with A and with
/// B. Where these fail at the start by more than the pair may be deep, that of its own points there
/// is tried, too, but for rings and planes: rows of `relcp` may have those of later recursions. Of
/// these, one that fails at the start by more than kOtherSide does not count at the end: it belongs
/// to where a recursion brought the pair, which may be the other side. A pair whose nearest points
/// are not found counts as endlessly deep. The bodies are
///
///     apart = max_n  n.(x_A - x_B) - h_A(-n) - h_B(n)         h: the support function
///
/// at least, where the step brings them. Negative, it is a depth. In a solved step the own gap of a
/// pair without a ring or a plane counts in its place, where the depth is no more than kOtherSide:
/// as one capsule goes round the end of another it comes through all of these planes, but has
/// another between them. What passes another comes through by more. A pair may be no deeper than
/// kDeepest, than it was at the start, by more than kFurther, or than its springs are compressed
/// by; in a step that was not solved, kOtherSide stands for kDeepest.
///
/// A ring is convex but for its hole: where something stands in it, no plane parts the two. Then
/// their own gap counts in the place of `apart`, and they go no further than kThreaded along each
/// other's surface in a step. The linking number of two rings stays what it is. The solid around a
/// round hole is not convex, either: with it the gap counts, too. So it does with a mesh, whose
/// surface grains may come into by going along it as by turning; and no grain's centre may come
/// through one. With a clump the gap counts, and since that does not tell what is past a part, no
/// point of one body goes further against the other in a step than the inscribed radius.
///
/// A wall that is around a body falls behind the planes of its points as the body goes along it or
/// across (contact/sides.hpp): where it goes so far that this may bring it deeper, its gap is
/// looked at, too.
///
/// Pairs of which the step knew no point, since they were not to meet, and which impulses bring
/// together (contact/strays.hpp), are no deeper than kDeepest, by their gap.
///
/// All in the smaller inscribed radius of the pair, that of a tool among them. Whether pairs
/// without a known point are looked at is told by the smallest grain's radius: where a tool is
/// thinner, its pairs may be as deep as a tenth of that.

#include <span>
#include <vector>

#include "scree/contact/closing.hpp"
#include "scree/contact/contact_list.hpp"

namespace scree {

inline constexpr double kDeepest = 0.1;
inline constexpr double kOtherSide = 0.5;
inline constexpr double kFurther = 1e-3;
inline constexpr double kThreaded = 0.5;

/// Which pairs are looked at: all, those of a body in a wall (contact/sides.hpp), or of a ball
/// there.
enum class Judged { all, in_walls, balls_in_walls };

/// The bodies at the end of a step, for each slot.
struct Ends {
  std::span<const Pose> poses;
  std::span<const Vec6> velocities;  ///< in the step: linear, then angular
  const PeriodicCell& cell;
  bool is_solved;  ///< whether the step is
  Judged judged = Judged::all;

  double depth() const { return is_solved ? kDeepest : kOtherSide; }
  bool is_judged(const Store& store, std::int32_t a, std::int32_t b) const;
};

/// Whether this rank has a body that turns so far in the step, or, among meshes and clumps or as a
/// ring, goes so far, that it may come deeper into another than kDeepest. Not collective. @param
/// end_velocity six numbers for each block row
bool any_turns_far(const Store& store, std::span<const double> end_velocity, double smallest_radius,
                   double dt);

/// The grain of this rank's @p contacts that comes furthest into a body, where that is too far.
/// Not collective. @pre contacts of a pair follow each other
/// @param yields whether a contact's normal has a spring
Travel furthest_into(const Store& store, ContactView contacts, const std::vector<bool>& yields,
                     const Ends& ends, double dt);

/// The grain that comes furthest into another of a pair of which the step knows no point; @p found:
/// overlaps() of such pairs at the end (contact/narrowphase.hpp). Not collective.
Travel furthest_of_unknown(const Store& store, ContactView found, const Ends& ends);

/// Those of @p found that are too deep for such a pair. Not collective.
std::vector<Contact> too_deep(const Store& store, ContactView found, const Ends& ends);

/// Whether any body is a ring or a mesh: only pairs of these are told by through_meshes() and
/// relinked(). Not collective.
bool any_ring_or_mesh(const Store& store);

/// A grain of @p pairs whose centre comes through the surface of a mesh, to the other side of a
/// sheet or into a solid. Not collective.
Travel through_meshes(const Store& store, std::span<const Pair> pairs, const Ends& ends);

/// A ring of @p pairs that would be linked with another, or no longer. Not collective.
Travel relinked(const Store& store, std::span<const Pair> pairs, const Ends& ends);

}  // namespace scree
