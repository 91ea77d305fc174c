#include "scree/contact/narrowphase.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "scree/base/check.hpp"
#include "scree/contact/penetration.hpp"
#include "scree/geometry/pairs/contacts_between.hpp"
#include "scree/geometry/pairs/separation.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"
#include "scree/geometry/shapes/sphere.hpp"
#include "sharing.hpp"

namespace scree {
namespace {

struct Motion {
  Pose start;
  Vec3 velocity;
  Vec3 angular_velocity;

  Pose at(double t) const { return moved(start, velocity, angular_velocity, t); }
};

Motion motion_of(const Store& store, std::int32_t slot, const Pose& start) {
  return {start, predicted_velocity(store, slot), store.angular_velocity[slot]};
}

/// Whether an impulse along the normal can move the body: a ball that may only turn cannot give
/// way.
bool can_give_way(const Store& store, std::int32_t slot) {
  if (store.is_tool(slot)) return false;
  constexpr int kPlace = kFixX | kFixY | kFixZ;
  const bool turns = spin_radius(store.shape[slot], *store.shapes) > 0.0;
  const int held = turns ? static_cast<int>(kFixAll) : kPlace;
  return (store.fixed[slot] & held) != held;
}

/// Bounds how fast the gap of the pair can shrink within the step: seen from B's frame, A's centre
/// moves with the relative velocity and turns about B's centre.
double closing_speed(const Motion& a, double spin_radius_a, const Motion& b, double dt) {
  const Vec3 relative = a.velocity - b.velocity;
  double speed = relative.norm();
  const double turn_b = b.angular_velocity.norm();
  if (turn_b > 0.0) {
    speed += turn_b * ((a.start.position - b.start.position).norm() + relative.norm() * dt);
  }
  return speed + spin_radius_a * (a.angular_velocity.norm() + turn_b);
}

/// Whether the predicted paths bring the pair within @p touch of each other before the step ends.
/// Goes forward in time by what is safe at the closing speed (conservative advancement), so that it
/// cannot jump over a thin body.
bool paths_touch(const ShapeLibrary& shapes, const Motion& a, const Shape& shape_a, const Motion& b,
                 const Shape& shape_b, double gap, double touch, double dt) {
  constexpr int kSteps = 64;
  const double speed = closing_speed(a, spin_radius(shape_a, shapes), b, dt);
  double t = 0.0;
  for (int k = 0; k < kSteps; ++k) {
    if (gap <= touch) return true;
    if (gap - touch >= speed * (dt - t)) return false;
    t += (gap - 0.5 * touch) / speed;
    gap = contacts_between(shape_a, a.at(t), shape_b, b.at(t), shapes, 0.0).deepest().gap;
  }
  return true;  // grazing for so long is as good as touching
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
      tool_box_.push_back(swept_box(store, slot, reach));
    }
  }

  /// Appends the contacts of @p pair.
  void find(const Pair& pair, std::vector<Contact>& contacts) const {
    const Outline& a = outline(pair.a);
    const Outline& b = outline(pair.b);
    if (!a.gives_way && !b.gives_way) return;
    if (!store_.is_tool(pair.b)) {
      if (surely_apart(a, b)) return;
      // those about one centre have no normal of their own
      const bool are_balls = a.is_ball && b.is_ball && a.centre != b.centre;
      return are_balls ? find_of_balls(pair, contacts)
                       : find_at({pair, pose_at(pair.b), wraps_of(pair.b)}, contacts);
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

 private:
  /// The numbers by which most pairs are judged, side by side, since their bodies are anywhere in
  /// memory.
  struct Outline {
    Vec3 centre;
    double radius;  ///< of the least ball about the centre that holds the body, m
    double margin;  ///< m
    bool capped;    ///< the body may go further than its margin
    bool is_ball;
    bool gives_way;
  };

  Outline outline_of(std::int32_t slot) const {
    const auto* ball = store_.shape[slot].get_if<Sphere>();
    const double radius = ball ? ball->radius : bounding_radius(store_.shape[slot], *store_.shapes);
    const double reached = is_trial() ? 0.0 : margin(store_, slot, reach_);
    return {pose_at(slot).position, radius,          reached,
            reached >= uncapped_,   ball != nullptr, can_give_way(store_, slot)};
  }

  bool is_trial() const { return !trial_.empty(); }

  /// Where the body in @p slot is looked at.
  Pose pose_at(std::int32_t slot) const {
    return is_trial() ? trial_[slot] : pose_of(store_, slot);
  }

  const Outline& outline(std::int32_t slot) const { return outline_[slot]; }

  /// Whether not even the balls that hold the bodies are within their margins, beyond rounding, nor
  /// will be.
  bool surely_apart(const Outline& a, const Outline& b) const {
    constexpr double kRounding = 1e-12;
    const double near = a.radius + b.radius + a.margin + b.margin;
    return !a.capped && !b.capped &&
           (a.centre - b.centre).squaredNorm() > near * near * (1.0 + kRounding);
  }

  /// Whether not even the ball that holds the grain A is within the margins of a hole B, nor will
  /// be: a hole's box is mostly endless, so that it is paired with all grains.
  bool surely_off_wall(const Pair& pair, const Pose& pose_b) const {
    const RoundHole* hole = hole_of(store_.shape[pair.b]);
    if (hole == nullptr || reach_.cell.repeats()) return false;
    const Outline& a = outline(pair.a);
    const double apart = hole->nearest(pose_b.to_body(a.centre)).distance - a.radius;
    if (apart <= margins_of(pair)) return false;
    if (!a.capped && !outline(pair.b).capped) return true;
    const double speed = closing_speed(motion_of(store_, pair.a, pose_of(store_, pair.a)), a.radius,
                                       motion_of(store_, pair.b, pose_b), reach_.dt);
    return apart - touch() >= speed * reach_.dt;
  }

  /// A pair with B where it is met.
  struct Meeting {
    Pair pair;
    Pose pose_b;
    Vec3i wraps_b;
  };

  const Vec3i& wraps_of(std::int32_t slot) const { return store_.wraps[slot]; }

  void find_at(const Meeting& meeting, std::vector<Contact>& contacts) const {
    const Pose pose_a = pose_at(meeting.pair.a);
    const double margins = margins_of(meeting.pair);
    const double reach = kSharingReach * smaller_radius(store_, meeting.pair.a, meeting.pair.b);
    const Manifold manifold =
        contacts_between(shape_of(meeting.pair.a), pose_a, shape_of(meeting.pair.b), meeting.pose_b,
                         touching_.library, margins + reach);
    require_solved(meeting.pair, manifold);
    if (!may_close(meeting, manifold.deepest().gap)) return;
    std::vector<double> sharing;
    if (manifold.size() > 1) sharing = sharing_counts(manifold, reach);
    for (std::size_t k = 0; k < manifold.size(); ++k) {
      if (k > 0 && manifold[k].gap >= margins) continue;
      contacts.push_back(contact_at(meeting.pair, meeting.wraps_b, manifold[k], pose_a.position,
                                    meeting.pose_b.position));
      if (!sharing.empty()) contacts.back().sharing = sharing[k];
    }
  }

  /// Two grains that are balls, as in most pairs: one point without a manifold, from outlines.
  void find_of_balls(const Pair& pair, std::vector<Contact>& contacts) const {
    const Outline& a = outline(pair.a);
    const Outline& b = outline(pair.b);
    const Vec3 apart = a.centre - b.centre;
    const double distance = apart.norm();
    const double gap = distance - (a.radius + b.radius);
    if (gap >= a.margin + b.margin || is_trial()) {
      const Meeting meeting{pair, pose_at(pair.b), wraps_of(pair.b)};
      if (!may_close(meeting, gap)) return;
    }
    const Vec3 normal = apart / distance;
    const ContactPoint point{gap, normal, a.centre - a.radius * normal,
                             b.centre + b.radius * normal, 0};
    contacts.push_back(contact_at(pair, wraps_of(pair.b), point, a.centre, b.centre));
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
    const std::int32_t image = reach_.cell.repeats() ? image_code(wraps_of(pair.a) - wraps_b) : 0;
    return {.normal = s.normal,
            .gap = s.gap,
            .a = pair.a,
            .b = pair.b,
            .arm_a = point - centre_a,
            .arm_b = point - centre_b,
            .key = {store_.id[pair.a], store_.id[pair.b], image, s.feature},
            .on_path = s.gap >= margins_of(pair)};
  }

  /// Between moving bodies one point, halfway, so that momentum is kept to rounding; against walls
  /// and tools, which no impulse turns, the grain's own, however wide the gap.
  Vec3 contact_point(const Pair& pair, const ContactPoint& s) const {
    return store_.is_tool(pair.b) ? s.point_a : Vec3(0.5 * (s.point_a + s.point_b));
  }

  double margins_of(const Pair& pair) const {
    return outline(pair.a).margin + outline(pair.b).margin;
  }

  bool may_close(const Meeting& meeting, double gap) const {
    const Pair& pair = meeting.pair;
    if (is_trial()) return gap < 0.0;
    if (gap < margins_of(pair)) return true;
    // Margins that are not capped reach as far as the paths do.
    if (!outline(pair.a).capped && !outline(pair.b).capped) return false;
    return paths_touch(touching_.library, motion_of(store_, pair.a, pose_of(store_, pair.a)),
                       shape_of(pair.a), motion_of(store_, pair.b, meeting.pose_b),
                       shape_of(pair.b), gap, touch(), reach_.dt);
  }

  /// Paths that come nearer than this touch, m.
  double touch() const { return 2.0 * kRestMargin * reach_.smallest_radius; }

  const Store& store_;
  const Surfaces touching_;
  const Reach& reach_;
  std::span<const Pose> trial_;  ///< where bodies are looked at; empty: where they are
  double uncapped_;              ///< a margin below this is not capped
  std::vector<Outline> outline_;
  std::vector<Box3> tool_box_;  ///< with ends in periodic directions, unlike the store's
};

/// Sorts keys, then moves each contact once; contacts are large. Sorted pairs give sorted contacts.
std::vector<Contact> sorted_by_key(std::vector<Contact> contacts) {
  const auto before = [](const Contact& a, const Contact& b) { return a.key < b.key; };
  if (std::is_sorted(contacts.begin(), contacts.end(), before)) return contacts;
  std::vector<std::pair<ContactKey, std::size_t>> order;
  order.reserve(contacts.size());
  for (const Contact& contact : contacts) order.emplace_back(contact.key, order.size());
  std::sort(order.begin(), order.end());
  std::vector<Contact> sorted;
  sorted.reserve(contacts.size());
  for (const auto& [key, i] : order) sorted.push_back(contacts[i]);
  return sorted;
}

}  // namespace

std::vector<Contact> narrowphase(const Store& store, const std::vector<Pair>& pairs,
                                 const Reach& reach, const Surfaces& touching) {
  const Finder finder(store, reach, touching);
  std::vector<Contact> contacts;
  contacts.reserve(pairs.size());
  for (const Pair& pair : pairs) finder.find(pair, contacts);
  return sorted_by_key(std::move(contacts));
}

std::vector<Contact> overlaps(const Store& store, const std::vector<Pair>& pairs,
                              std::span<const Pose> trial, const Reach& reach) {
  SCREE_ASSERT(trial.size() == store.id.size());
  const Finder finder(store, reach, surfaces_of(store), trial);
  std::vector<Contact> contacts;
  for (const Pair& pair : pairs) finder.find(pair, contacts);
  return sorted_by_key(std::move(contacts));
}

}  // namespace scree
