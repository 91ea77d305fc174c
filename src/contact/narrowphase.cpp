#include "scree/contact/narrowphase.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <utility>

#include "ball_block.hpp"
#include "paths.hpp"
#include "scree/base/check.hpp"
#include "scree/base/instructions.hpp"
#include "scree/contact/contact_builder.hpp"
#include "scree/contact/penetration.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/pairs/contacts_between.hpp"
#include "scree/geometry/pairs/plane_between.hpp"
#include "scree/geometry/pairs/separation.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"
#include "scree/geometry/shapes/sphere.hpp"
#include "sharing.hpp"

namespace scree {
namespace {

/// Whether an impulse along the normal can move the body: a ball that may only turn cannot give
/// way.
bool can_give_way(const Store& store, std::int32_t slot) {
  if (store.is_prescribed(slot)) return false;
  if (store.fixed[slot] == 0) return true;
  constexpr int kPlace = kFixX | kFixY | kFixZ;
  const bool turns = spin_radius(store.shape[slot], *store.shapes) > 0.0;
  const int held = turns ? static_cast<int>(kFixAll) : kPlace;
  return (store.fixed[slot] & held) != held;
}

ContactList sorted_by_key(const ContactList& contacts, const Store& store) {
  std::vector<ContactKey> keys;
  keys.reserve(contacts.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) keys.push_back(ContactView(contacts).key(i));
  std::vector<std::size_t> order(contacts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&keys](std::size_t i) { return keys[i]; });
  return in_order(contacts, order, store.id);
}

/// Calls `visit(k)` for the points of a manifold in the order of their contacts' keys.
template <class Visit>
void for_each_by_feature(const Manifold& manifold, const Visit& visit) {
  if (manifold.size() == 1) return visit(std::size_t{0});
  std::vector<std::size_t> order(manifold.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&manifold](std::size_t k) { return manifold[k].feature; });
  std::ranges::for_each(order, visit);
}

class Finder {
 public:
  Finder(const Store& store, const Reach& reach, const Surfaces& touching,
         std::span<const Pose> trial = {})
      : store_(store),
        touching_(touching),
        reach_(reach),
        trial_(trial),
        uncapped_((reach.smallest_radius + rest_margin(reach)) * (1.0 - 1e-9)) {
    outline_.reserve(store.box.size());
    for (std::int32_t slot = 0; slot < store.size(); ++slot) outline_.push_back(outline_of(slot));
    for (std::int32_t slot = 0; slot < store.n_tools; ++slot) {
      tool_box_.push_back(is_trial() ? box_of(store.shape[slot], trial[slot], *store.shapes)
                                     : swept_box(store, slot, reach));
    }
  }

  /// How many contacts @p pairs give, by a sample, and some more: many pairs are apart, and memory
  /// that is set aside for them breaks up what there is.
  std::size_t expected(std::span<const Pair> pairs) const {
    constexpr std::size_t kShare = 16;
    constexpr std::size_t kFewPairs = 64 * kShare * kBlock;
    if (pairs.size() < kFewPairs) return pairs.size();
    BallBlock balls;
    std::array<std::size_t, kBlock> near;
    std::size_t found = 0;
    for (std::size_t first = 0; first < pairs.size(); first += kShare * kBlock) {
      found += find_near(block_of(pairs, first), balls, near);
    }
    return std::min(pairs.size(), found * kShare + found * kShare / 64);
  }

  /// The contacts of @p pairs, sorted by key, as those of sorted pairs are found.
  ContactList find(std::span<const Pair> pairs, std::size_t expected) const {
    ContactBuilder contacts(store_.id, expected);
    BallBlock balls;
    for (std::size_t first = 0; first < pairs.size(); first += kBlock) {
      find_of_block(block_of(pairs, first), balls, contacts);
    }
    const bool are_sorted = contacts.are_sorted();
    ContactList found = contacts.take();
    return are_sorted ? found : sorted_by_key(found, store_);
  }

 private:
  static std::span<const Pair> block_of(std::span<const Pair> pairs, std::size_t first) {
    return pairs.subspan(first, std::min(kBlock, pairs.size() - first));
  }

  /// Puts into @p near which of the @p pairs of a block may touch, and gives their number.
  std::size_t find_near(std::span<const Pair> pairs, BallBlock& balls,
                        std::array<std::size_t, kBlock>& near) const {
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      balls.set(i, outline(pairs[i].a).ball, outline(pairs[i].b).ball);
    }
    run_by(instructions_, [&] { balls.work_out(); });
    // most pairs are apart, in no order that a branch could be predicted by
    std::size_t n_near = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      near[n_near] = i;
      n_near += balls.beyond[i] < 0.0 ? 1 : 0;
    }
    return n_near;
  }

  void find_of_block(std::span<const Pair> pairs, BallBlock& balls,
                     ContactBuilder& contacts) const {
    std::array<std::size_t, kBlock> near;
    const std::size_t n_near = find_near(pairs, balls, near);
    for (std::size_t k = 0; k < n_near; ++k) {
      const std::size_t i = near[k];
      if (are_balls(pairs[i])) {
        append_of_balls(pairs[i], balls, i, contacts);
      } else {
        find_of_pair(pairs[i], contacts);
      }
    }
  }

  /// Whether a block knows their contact: grains that are balls, but those about one centre, which
  /// have no normal of their own.
  bool are_balls(const Pair& pair) const {
    const Outline& a = outline(pair.a);
    const Outline& b = outline(pair.b);
    return a.is_ball && b.is_ball && (a.gives_way || b.gives_way) && a.ball.centre != b.ball.centre;
  }

  /// Appends the contact of the pair that is @p i of @p balls: one point without a manifold.
  void append_of_balls(const Pair& pair, const BallBlock& balls, std::size_t i,
                       ContactBuilder& contacts) const {
    const bool is_on_path = !(balls.gap[i] < margins_of(pair));
    if (is_on_path && !may_close({pair, pose_at(pair.b), wraps_of(pair.b)}, balls.gap[i])) return;
    contacts.add(BallContact{.normal = balls.normal[i],
                             .gap = balls.gap[i],
                             .a = pair.a,
                             .b = pair.b,
                             .arm_a = balls.arm_a[i],
                             .arm_b = balls.arm_b[i],
                             .image = image_of(pair, wraps_of(pair.b)),
                             .on_path = is_on_path});
  }

  /// Appends the contacts of a pair of any shapes.
  void find_of_pair(const Pair& pair, ContactBuilder& contacts) const {
    const Outline& a = outline(pair.a);
    const Outline& b = outline(pair.b);
    if (!a.gives_way && !b.gives_way) return;
    if (!store_.is_tool(pair.b)) {
      if (surely_apart(a, b)) return;
      return find_at({pair, pose_at(pair.b), wraps_of(pair.b)}, contacts);
    }
    const Pose pose_b = pose_at(pair.b);
    if (surely_off_wall(pair, pose_b)) return;
    if (!reach_.cell.repeats()) return find_at({pair, pose_b, Vec3i::Zero()}, contacts);
    const Box3& target = store_.box[pair.a];
    const Box3& tool = tool_box_[pair.b];
    reach_.cell.for_each_image(tool, target, [&](const Vec3i& image) {
      const Pose shifted{pose_b.position + reach_.cell.shift(image), pose_b.orientation};
      find_at({pair, shifted, -image}, contacts);
    });
  }

  /// The numbers by which most pairs are judged, side by side, since their bodies are anywhere in
  /// memory.
  struct Outline {
    /// The least about the centre that holds the body; it reaches as far as its margin where that
    /// tells all that the body may touch, as it does of a ball that is not capped.
    BallOutline ball;
    double margin;  ///< m
    bool capped;    ///< the body may go further than its margin
    bool gives_way;
    bool is_ball;  ///< and a grain
  };

  Outline outline_of(std::int32_t slot) const {
    const auto* ball = store_.shape[slot].get_if<Sphere>();
    const double radius = ball ? ball->radius : bounding_radius(store_.shape[slot], *store_.shapes);
    const double reached = is_trial() ? 0.0 : margin(store_, slot, reach_);
    const bool capped = reached >= uncapped_;
    const bool is_ball = ball != nullptr && !store_.is_tool(slot);
    const double reach = is_ball && !capped ? reached : std::numeric_limits<double>::infinity();
    return {{pose_at(slot).position, radius, reach},
            reached,
            capped,
            can_give_way(store_, slot),
            is_ball};
  }

  bool is_trial() const { return !trial_.empty(); }

  /// Where the body in @p slot is looked at.
  Pose pose_at(std::int32_t slot) const {
    return is_trial() ? trial_[slot] : pose_of(store_, slot);
  }

  const Outline& outline(std::int32_t slot) const { return outline_[slot]; }

  /// Whether one of the two may go further than its margin.
  bool is_capped(const Pair& pair) const {
    return outline(pair.a).capped || outline(pair.b).capped;
  }

  /// Whether not even the balls that hold the bodies are within their margins, beyond rounding, nor
  /// will be.
  bool surely_apart(const Outline& a, const Outline& b) const {
    constexpr double kRounding = 1e-12;
    const double near = a.ball.radius + b.ball.radius + a.margin + b.margin;
    return !a.capped && !b.capped &&
           (a.ball.centre - b.ball.centre).squaredNorm() > near * near * (1.0 + kRounding);
  }

  /// Whether not even the ball that holds the grain A is within the margins of a hole B, nor will
  /// be: a hole's box is mostly endless, so that it is paired with all grains.
  bool surely_off_wall(const Pair& pair, const Pose& pose_b) const {
    const Outline& a = outline(pair.a);
    const RoundHole* hole = hole_of(store_.shape[pair.b]);
    if (hole == nullptr || reach_.cell.repeats()) return false;
    const double apart = hole->nearest(pose_b.to_body(a.ball.centre)).distance - a.ball.radius;
    if (apart <= margins_of(pair)) return false;
    if (!is_capped(pair)) return true;
    const double speed = closing_speed(path_of(store_, pair.a, pose_of(store_, pair.a)),
                                       a.ball.radius, path_of(store_, pair.b, pose_b), reach_.dt);
    return apart - touch() >= speed * reach_.dt;
  }

  /// A pair with B where it is met.
  struct Meeting {
    Pair pair;
    Pose pose_b;
    Vec3i wraps_b;
  };

  const Vec3i& wraps_of(std::int32_t slot) const { return store_.wraps[slot]; }

  /// Whether no triangle of a mesh B is within the margins of the ball that holds the grain A, nor
  /// will be: a mesh's box is mostly empty, so that it is paired with grains that are far from it.
  bool surely_off_mesh(const Meeting& meeting) const {
    const auto* mesh = store_.shape[meeting.pair.b].get_if<Mesh>();
    const Outline& a = outline(meeting.pair.a);
    if (mesh == nullptr || is_capped(meeting.pair)) return false;
    const Vec3 centre = meeting.pose_b.to_body(a.ball.centre);
    const Vec3 half = Vec3::Constant(a.ball.radius + margins_of(meeting.pair));
    return !touching_.library.geometry_of(*mesh).surface.tree.any_in(
        {centre - half, centre + half});
  }

  /// Whether a plane shows that bodies whose boxes meet are further apart than their margins, and
  /// will be.
  bool has_plane_between(const Meeting& meeting, const Pose& pose_a) const {
    const Pair& pair = meeting.pair;
    if (is_capped(pair)) return false;
    return is_plane_between(shape_of(pair.a), pose_a, shape_of(pair.b), meeting.pose_b,
                            touching_.library, margins_of(pair));
  }

  void find_at(const Meeting& meeting, ContactBuilder& contacts) const {
    if (surely_off_mesh(meeting)) return;
    const Pose pose_a = pose_at(meeting.pair.a);
    if (has_plane_between(meeting, pose_a)) return;
    const double margins = margins_of(meeting.pair);
    const double reach = kSharingReach * smaller_radius(store_, meeting.pair.a, meeting.pair.b);
    const Manifold manifold = contacts_between(
        shape_of(meeting.pair.a), pose_a, shape_of(meeting.pair.b), meeting.pose_b,
        touching_.library, margins + reach, is_capped(meeting.pair) ? kNeverFar : margins);
    if (manifold.size() == 0) return;
    require_solved(meeting.pair, manifold);
    if (!may_close(meeting, manifold.deepest().gap)) return;
    const bool of_balls = meet_as_balls(store_, meeting.pair.a, meeting.pair.b);
    std::vector<double> sharing;
    if (manifold.size() > 1) sharing = sharing_counts(manifold, reach);
    for_each_by_feature(manifold, [&](std::size_t k) {
      if (k > 0 && manifold[k].gap >= margins) return;
      Contact contact = contact_at(meeting.pair, meeting.wraps_b, manifold[k], pose_a.position,
                                   meeting.pose_b.position);
      if (!sharing.empty()) contact.sharing = sharing[k];
      contacts.add(contact, of_balls);
    });
  }

  const Shape& shape_of(std::int32_t slot) const { return touching_.shapes[slot]; }

  void require_solved(const Pair& pair, const Manifold& manifold) const {
    if (manifold.status == SeparationStatus::solved) return;
    throw Failure(fmt::format("bodies {} and {}: their nearest points were not found",
                              store_.id[pair.a], store_.id[pair.b]));
  }

  /// The contact at the point @p s of two bodies with these centres.
  Contact contact_at(const Pair& pair, const Vec3i& wraps_b, const ContactPoint& s,
                     const Vec3& centre_a, const Vec3& centre_b) const {
    const Vec3 point = contact_point(pair, s);
    return {.normal = s.normal,
            .gap = s.gap,
            .a = pair.a,
            .b = pair.b,
            .arm_a = point - centre_a,
            .arm_b = point - centre_b,
            .key = key_of(pair, wraps_b, s.feature),
            .on_path = s.gap >= margins_of(pair)};
  }

  std::int32_t image_of(const Pair& pair, const Vec3i& wraps_b) const {
    return reach_.cell.repeats() ? image_code(wraps_of(pair.a) - wraps_b) : 0;
  }

  ContactKey key_of(const Pair& pair, const Vec3i& wraps_b, std::int64_t feature) const {
    return {store_.id[pair.a], store_.id[pair.b], feature, image_of(pair, wraps_b)};
  }

  /// Between moving bodies one point, halfway, so that momentum is kept to rounding; against
  /// prescribed tools, which no impulse turns, the grain's own, however wide the gap.
  Vec3 contact_point(const Pair& pair, const ContactPoint& s) const {
    return store_.is_prescribed(pair.b) ? s.point_a : Vec3(0.5 * (s.point_a + s.point_b));
  }

  double margins_of(const Pair& pair) const {
    return outline(pair.a).margin + outline(pair.b).margin;
  }

  bool may_close(const Meeting& meeting, double gap) const {
    const Pair& pair = meeting.pair;
    if (is_trial()) return gap < 0.0;
    if (gap < margins_of(pair)) return true;
    // Margins that are not capped reach as far as the paths do.
    if (!is_capped(pair)) return false;
    return paths_touch(touching_.library, path_of(store_, pair.a, pose_of(store_, pair.a)),
                       shape_of(pair.a), path_of(store_, pair.b, meeting.pose_b), shape_of(pair.b),
                       gap, touch(), reach_.dt);
  }

  /// Paths that come nearer than this touch, m.
  double touch() const { return 2.0 * kRestMargin * reach_.smallest_radius; }

  const Instructions instructions_ = instructions();
  const Store& store_;
  const Surfaces touching_;
  const Reach& reach_;
  std::span<const Pose> trial_;  ///< where bodies are looked at; empty: where they are
  double uncapped_;              ///< a margin below this is not capped
  std::vector<Outline> outline_;
  std::vector<Box3> tool_box_;  ///< with ends in periodic directions, unlike the store's
};

}  // namespace

ContactList narrowphase(const Store& store, const std::vector<Pair>& pairs, const Reach& reach,
                        const Surfaces& touching) {
  const Finder finder(store, reach, touching);
  return finder.find(pairs, finder.expected(pairs));
}

std::vector<Contact> overlaps(const Store& store, const std::vector<Pair>& pairs,
                              std::span<const Pose> trial, const Reach& reach) {
  SCREE_ASSERT(trial.size() == store.id.size());
  return Finder(store, reach, surfaces_of(store), trial).find(pairs, 0).copy();
}

}  // namespace scree
