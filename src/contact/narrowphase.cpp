#include "scree/contact/narrowphase.hpp"

#include <algorithm>
#include <utility>

#include "scree/geometry/separation.hpp"
#include "scree/geometry/shape_queries.hpp"

namespace scree {
namespace {

struct Motion {
  Pose start;
  Vec3 velocity;
  Vec3 angular_velocity;

  Pose at(double t) const { return moved(start, velocity, angular_velocity, t); }
};

Motion motion_of(const Store& store, std::int32_t slot, const Reach& reach) {
  return {pose_of(store, slot), predicted_velocity(store, slot, reach),
          store.angular_velocity[static_cast<std::size_t>(slot)]};
}

/// Whether an impulse along the normal can move the body: a ball that may only turn cannot give way.
bool can_give_way(const Store& store, std::int32_t slot) {
  constexpr int kHeld = kFixX | kFixY | kFixZ;
  return !store.is_tool(slot) && (store.fixed[static_cast<std::size_t>(slot)] & kHeld) != kHeld;
}

/// Bounds how fast the gap of the pair can shrink within the step: seen from B's frame, A's centre
/// moves with the relative velocity and turns about B's centre.
double closing_speed(const Motion& a, const Shape& shape_a, const Motion& b, double dt) {
  const Vec3 relative = a.velocity - b.velocity;
  double speed = relative.norm();
  const double turn_b = b.angular_velocity.norm();
  if (turn_b > 0.0) {
    speed += turn_b * ((a.start.position - b.start.position).norm() + relative.norm() * dt);
  }
  const double turn_a = a.angular_velocity.norm();
  const double spin = turn_a > 0.0 ? spin_radius(shape_a) : 0.0;
  return spin > 0.0 ? speed + turn_a * spin : speed;
}

/// Whether the predicted paths bring the pair within @p touch of each other before the step ends.
/// Goes forward in time by what is safe at the closing speed (conservative advancement), so that it
/// cannot jump over a thin body.
bool paths_touch(const Motion& a, const Shape& shape_a, const Motion& b, const Shape& shape_b,
                 double gap, double touch, double dt) {
  constexpr int kSteps = 64;
  const double speed = closing_speed(a, shape_a, b, dt);
  double t = 0.0;
  for (int k = 0; k < kSteps; ++k) {
    if (gap <= touch) return true;
    if (gap - touch >= speed * (dt - t)) return false;
    t += (gap - 0.5 * touch) / speed;
    gap = separation(shape_a, a.at(t), shape_b, b.at(t)).gap;
  }
  return true;  // grazing for so long is as good as touching
}

class Finder {
 public:
  Finder(const Store& store, const Reach& reach, const OwnsPoint& owns)
      : store_(store),
        reach_(reach),
        owns_(owns),
        uncapped_((1.0 + kRestMargin) * reach.smallest_radius * (1.0 - 1e-9)),
        margin_(store.box.size()) {
    for (std::int32_t slot = 0; slot < store.size(); ++slot) {
      margin_[static_cast<std::size_t>(slot)] = margin(store, slot, reach);
    }
  }

  /// Appends the contact of @p pair when there is one and it is this rank's.
  void find(const Pair& pair, std::vector<Contact>& contacts) const {
    if (!can_give_way(store_, pair.a) && !can_give_way(store_, pair.b)) return;
    const auto a = static_cast<std::size_t>(pair.a);
    const auto b = static_cast<std::size_t>(pair.b);
    const Separation s = separation(store_.shape[a], pose_of(store_, pair.a), store_.shape[b],
                                    pose_of(store_, pair.b));
    if (!may_close(pair, s.gap) || !is_ours(pair)) return;
    contacts.push_back(contact_of(pair, s, 0));
    if (const RoundHole* hole = hole_of(store_.shape[b])) find_around(pair, *hole, contacts);
  }

 private:
  Contact contact_of(const Pair& pair, const Separation& s, std::int32_t feature) const {
    const auto a = static_cast<std::size_t>(pair.a);
    const auto b = static_cast<std::size_t>(pair.b);
    Contact contact;
    contact.key = {store_.id[a], store_.id[b], 0, feature};
    contact.a = pair.a;
    contact.b = pair.b;
    contact.gap = s.gap;
    contact.normal = s.normal;
    tangent_frame(s.normal, contact.tangent1, contact.tangent2);
    const Vec3 point = 0.5 * (s.point_a + s.point_b);
    contact.arm_a = point - store_.position[a];
    contact.arm_b = point - store_.position[b];
    return contact;
  }

  /// The other sides of a hole that is narrow for the grain.
  void find_around(const Pair& pair, const RoundHole& hole, std::vector<Contact>& contacts) const {
    const auto a = static_cast<std::size_t>(pair.a);
    const auto b = static_cast<std::size_t>(pair.b);
    std::int32_t feature = 0;
    for (const Separation& s :
         further_separations(std::get<Sphere>(store_.shape[a]), pose_of(store_, pair.a), hole,
                             pose_of(store_, pair.b))) {
      ++feature;
      if (s.gap < margin_[a] + margin_[b]) contacts.push_back(contact_of(pair, s, feature));
    }
  }

  bool may_close(const Pair& pair, double gap) const {
    const auto a = static_cast<std::size_t>(pair.a);
    const auto b = static_cast<std::size_t>(pair.b);
    if (gap < margin_[a] + margin_[b]) return true;
    // Margins that are not capped reach as far as the paths do.
    if (margin_[a] < uncapped_ && margin_[b] < uncapped_) return false;
    const double touch = 2.0 * kRestMargin * reach_.smallest_radius;
    return paths_touch(motion_of(store_, pair.a, reach_), store_.shape[a],
                       motion_of(store_, pair.b, reach_), store_.shape[b], gap, touch, reach_.dt);
  }

  bool is_ours(const Pair& pair) const {
    if (store_.is_tool(pair.b)) return store_.is_owned(pair.a);
    const Box3& a = store_.box[static_cast<std::size_t>(pair.a)];
    const Box3& b = store_.box[static_cast<std::size_t>(pair.b)];
    return owns_(a.low.cwiseMax(b.low));
  }

  const Store& store_;
  const Reach& reach_;
  const OwnsPoint& owns_;
  double uncapped_;  ///< a margin below this is not capped
  std::vector<double> margin_;
};

/// Sorts keys, then moves each contact once; contacts are large.
std::vector<Contact> sorted_by_key(const std::vector<Contact>& contacts) {
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
                                 const Reach& reach, const OwnsPoint& owns) {
  const Finder finder(store, reach, owns);
  std::vector<Contact> contacts;
  for (const Pair& pair : pairs) finder.find(pair, contacts);
  return sorted_by_key(contacts);
}

}  // namespace scree
