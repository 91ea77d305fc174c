#include "strays.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "formulate_and_solve.hpp"
#include "scree/contact/broadphase.hpp"
#include "scree/contact/passing.hpp"
#include "scree/contact/strays.hpp"
#include "scree/domain/packing.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"
#include "scree/step/contact_loop.hpp"
#include "scree/step/joints.hpp"

namespace scree {
namespace {

using Slots = std::vector<std::int32_t>;

Box3 hull(const Box3& a, const Box3& b) {
  return {a.low.cwiseMin(b.low), a.high.cwiseMax(b.high)};
}

/// The bodies that stray, and those that they may meet at the end of the step. A body that may
/// leave its box is known to each rank whose region its end meets, one that does not to each whose
/// region its skin meets: so where two overlap, the rank that has the place knows both.
class Surroundings {
 public:
  /// Collective.
  Surroundings(const State& state, const Setup& setup, Machinery& machinery, const SolvedEnds& ends)
      : state_(state),
        setup_(setup),
        reach_(reach_of(state, setup, ends.dt)),
        is_solved_(ends.is_solved) {
    add_strays(machinery, ends.trial);
    add_others(ends.trial);
    poses_.reserve(velocities_.size());
    for (std::int32_t slot = 0; slot < near_.size(); ++slot) {
      const Vec6& v = velocities_[slot];
      poses_.push_back(moved(pose_of(near_, slot), v.head<3>(), v.tail<3>(), reach_.dt));
      // images of tools are looked for where the box of a grain is
      near_.box[slot] = hull(near_.box[slot], near_.skin[slot]);
    }
  }

  const Store& bodies() const { return near_; }
  Ends ends() const { return {poses_, velocities_, setup_.cell, is_solved_}; }

  /// The fastest of those that stray, as one that is too far.
  Travel fastest() const {
    Travel result;
    for (std::int32_t slot = 0; slot < near_.size(); ++slot) {
      if (strays_[slot] == Strays{}) continue;
      const double speed = velocities_[slot].head<3>().norm();
      if (speed >= result.speed) {
        result = {kTooFar, speed, near_.id[slot], near_.position[slot]};
      }
    }
    return result;
  }

  /// Where two bodies of which the step knows no contact are too deep in each other at its end. Not
  /// collective.
  std::vector<Contact> unknown_overlaps() const {
    std::vector<Contact> deep =
        too_deep(near_, overlaps(near_, pairs_at_end(), poses_, reach_), ends());
    std::vector<Pair> pairs;
    pairs.reserve(deep.size());
    for (const Contact& contact : deep) pairs.push_back({contact.a, contact.b});
    std::set<PairKey> known;  // these are judged by their points (contact/passing.hpp)
    for (const Contact& contact : narrowphase(near_, pairs, reach_)) {
      known.insert(pair_of(contact.key));
    }
    std::erase_if(deep, [&](const Contact& end) { return known.contains(pair_of(end.key)); });
    return deep;
  }

 private:
  /// Whether the body may end where this rank's ghosts do not tell of it.
  bool may_leave(std::int32_t slot, const Trial& trial) const {
    return excursion(state_.bodies, slot, trial.velocities[slot], reach_).may_leave_box();
  }

  Strays strays_of(const Store& bodies, std::int32_t slot, const Vec6& velocity) const {
    return strays(excursion(bodies, slot, velocity, reach_), tolerated_stray(state_));
  }

  /// Appends copies of the bodies in @p slots, whose skins are boxes about their ends.
  void append(const Slots& slots, const Trial& trial) {
    const std::int32_t first = near_.size();
    unpack(near_, pack(state_.bodies, slots, Sync::ghost), Sync::ghost);
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const std::int32_t slot = first + static_cast<std::int32_t>(i);
      const Box3 box = box_of(near_.shape[slot], trial.poses[slots[i]], *near_.shapes);
      near_.skin[slot] = near_.is_tool(slot) ? with_images(box, setup_.cell) : box;
      velocities_.push_back(trial.velocities[slots[i]]);
    }
  }

  /// Tools, and the grains of all ranks that may leave their boxes into this rank's region.
  /// Collective.
  void add_strays(Machinery& machinery, const Trial& trial) {
    const Store& bodies = state_.bodies;
    Slots slots;
    for (std::int32_t slot = 0; slot < bodies.end_owned(); ++slot) {
      if (bodies.is_tool(slot) || may_leave(slot, trial)) slots.push_back(slot);
    }
    near_.shapes = bodies.shapes;
    near_.n_tools = bodies.n_tools;
    append(slots, trial);
    near_.n_owned = near_.size() - near_.n_tools;
    Exchange exchange(machinery.comm);
    exchange.ghosts(near_, machinery.partition, setup_.cell, bodies);
    velocities_.resize(static_cast<std::size_t>(near_.size()));
    exchange.update(velocities_);
    machinery.exchange.add_traffic(exchange.traffic());
    for (std::int32_t slot = 0; slot < near_.size(); ++slot) {
      strays_.push_back(strays_of(near_, slot, velocities_[slot]));
    }
  }

  /// Bodies that stray alike.
  struct Group {
    Strays kind;
    Slots slots;
  };
  using Groups = std::array<Group, 4>;

  /// The bodies that this rank knows and that do not leave their boxes.
  Groups others(const Trial& trial) const {
    const Store& bodies = state_.bodies;
    Groups groups{
        Group{{false, false}, {}}, {{true, false}, {}}, {{false, true}, {}}, {{true, true}, {}}};
    for (std::int32_t slot = bodies.first_owned(); slot < bodies.size(); ++slot) {
      if (may_leave(slot, trial)) continue;
      const Strays kind = strays_of(bodies, slot, trial.velocities[slot]);
      std::ranges::find(groups, kind, &Group::kind)->slots.push_back(slot);
    }
    return groups;
  }

  /// A box about the end of a body.
  Box3 box_at_end(std::int32_t slot, const Trial& trial) const {
    const Vec3 half = Vec3::Constant(bounding_radius(state_.bodies, slot));
    const Vec3& centre = trial.poses[slot].position;
    return {centre - half, centre + half};
  }

  /// Bodies with which one of a kind may be a deep pair.
  struct Targets {
    Slots near;    ///< of near_
    Slots others;  ///< of the state's
  };

  Targets targets_of(const Strays& kind, const Groups& others) const {
    Targets targets;
    for (std::int32_t slot = 0; slot < near_.size(); ++slot) {
      if ((kind | strays_[slot]).may_meet()) targets.near.push_back(slot);
    }
    for (const Group& other : others) {
      if (!(kind | other.kind).may_meet()) continue;
      targets.others.insert(targets.others.end(), other.slots.begin(), other.slots.end());
    }
    return targets;
  }

  /// Those of a group whose boxes at the end meet one of the @p targets.
  Slots meeting_targets(const Slots& group, const Targets& targets, const Trial& trial) const {
    const auto& [near, others] = targets;
    const BoxList boxes{group.size(), [&](std::size_t i) { return box_at_end(group[i], trial); }};
    const BoxList of_targets{near.size() + others.size(), [&](std::size_t i) {
                               return i < near.size() ? near_.skin[near[i]]
                                                      : box_at_end(others[i - near.size()], trial);
                             }};
    Slots met;
    for (const std::int32_t i : meeting_any(boxes, of_targets)) met.push_back(group[i]);
    return met;
  }

  /// Those of the others that meet a body with which they may be a deep pair: of most, none is
  /// asked for its box.
  void add_others(const Trial& trial) {
    const Groups groups = others(trial);
    Slots met;
    for (const Group& group : groups) {
      if (group.slots.empty()) continue;
      const Targets targets = targets_of(group.kind, groups);
      if (targets.near.empty() && targets.others.empty()) continue;
      const Slots of_group = meeting_targets(group.slots, targets, trial);
      met.insert(met.end(), of_group.begin(), of_group.end());
    }
    append(met, trial);
    for (const std::int32_t slot : met) {
      strays_.push_back(strays_of(state_.bodies, slot, trial.velocities[slot]));
    }
  }

  /// Pairs that may be deep and that meet at the end.
  std::vector<Pair> pairs_at_end() const {
    std::vector<Pair> pairs = broadphase(near_, near_.skin, setup_.laws.meetings());
    std::erase_if(pairs, [this](const Pair& pair) {
      return near_.id[pair.a] == near_.id[pair.b] ||
             !(strays_[pair.a] | strays_[pair.b]).may_meet();
    });
    drop_joined(state_.joints, near_, setup_.cell, pairs);
    return pairs;
  }

  const State& state_;
  const Setup& setup_;
  Reach reach_;
  bool is_solved_;
  Store near_;  ///< as the bodies are at the start of the step
  std::vector<Vec6> velocities_;
  std::vector<Strays> strays_;
  std::vector<Pose> poses_;  ///< at its end
};

}  // namespace

double tolerated_stray(const State& state) {
  return 0.5 * kDeepest * state.smallest_radius;  // two bodies may stray into each other
}

Travel furthest_of_strays(const State& state, const Setup& setup, Machinery& machinery,
                          const SolvedEnds& ends) {
  const Surroundings near(state, setup, machinery, ends);
  const auto met = narrowed(machinery.comm, [&] { return near.unknown_overlaps(); });
  // an end at which nearest points are not found is no end to be at: other pairs may be deep there
  if (!met.fault.empty()) return near.fastest();
  return furthest_of_unknown(near.bodies(), met.contacts, near.ends());
}

}  // namespace scree
