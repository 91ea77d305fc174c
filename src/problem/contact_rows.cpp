#include "contact_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <span>
#include <utility>

#include "row_block.hpp"
#include "scree/base/instructions.hpp"
#include "scree/contact/reach.hpp"
#include "scree/contact/site.hpp"

namespace scree {
namespace {

[[noreturn, gnu::noinline]] void refuse_pair(const ContactKey& key, std::int32_t a,
                                             std::int32_t b) {
  throw Failure(fmt::format(
      "bodies {} and {} meet, but the table of friction has no entry for their materials {} and {}",
      key.id_a, key.id_b, a, b));
}

/// The speed that forces give the body in @p slot in the step, m/s.
double given_speed(const Store& store, std::int32_t slot) {
  return (store.free_velocity[slot] - store.velocity[slot]).norm();
}

/// How many of @p contacts are in the block from @p first on.
std::size_t count_of(const ContactList& contacts, std::size_t first) {
  return std::min(kBlock, contacts.size() - first);
}

}  // namespace

ContactRows::ContactRows(const Store& store, const LocalBodies& bodies, const ContactLaws& laws,
                         const AssembleInput& input)
    : store_(store), laws_(laws), input_(input), any_compliant_(laws.any_compliant()) {
  sides_.reserve(store.size());
  for (std::int32_t slot = 0; slot < store.size(); ++slot) {
    const bool is_prescribed = store.is_prescribed(slot);
    sides_.push_back({.body = bodies(slot),
                      .material = store.material[slot],
                      .radius = any_compliant_ ? bent_radius(store, slot) : 0.0,
                      .per_mass = is_prescribed ? 0.0 : 1.0 / store.mass[slot],
                      .size = inscribed_radius(store, slot),
                      .given = is_prescribed ? 0.0 : given_speed(store, slot),
                      .velocity = store.velocity[slot],
                      .is_prescribed = is_prescribed,
                      .is_ball = store.shape[slot].is<Sphere>()});
  }
}

void ContactRows::reserve(std::size_t n_contacts) {
  constexpr std::size_t kRows = cones::Circular::kDim;
  cones.offset.reserve(n_contacts + 1);
  bias.assign(kRows * n_contacts, 0.0);
  compliance.assign(kRows * n_contacts, 0.0);
  terms.reserve(n_contacts);
}

void ContactRows::append(const ContactList& contacts, const HistoryBlocks& histories) {
  reserve(contacts.size());
  std::vector<FrameBodies> bodies(contacts.blocks().size());
  const auto block = std::make_unique<Block>(input_.dt);
  run_by(instructions(), [&] {
    for (std::size_t first = 0; first < contacts.size(); first += kBlock) {
      const ContactView some = ContactView(contacts).part(first, count_of(contacts, first));
      histories.write(first, some.size(), block->histories);
      set_pairs(some, bodies[first / kBlock], *block);
      if (any_compliant_) {
        block->springs.work_out(contacts.blocks()[first / kBlock], block->histories);
      }
      if (block->any_rigid) set_gaps(some, *block);
      if (block->is_plain) {
        append_plain(some, *block);
        continue;
      }
      for (std::size_t i = 0; i < some.size(); ++i) append(some[i], i, *block);
    }
  });
  bias.resize(cones.rows());
  compliance.resize(cones.rows());
  if (!impacts.empty()) impacts.resize(terms.size());
  blocks.set_frames(contacts, std::move(bodies));
  blocks.frame_length = rolling_length;
}

/// Looks at the two bodies of each contact of a block, once, for its law, local bodies and spring.
void ContactRows::set_pairs(const ContactView& contacts, FrameBodies& bodies, Block& block) {
  bool is_plain = rolling_length.empty();
  bool any_rigid = false;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Side& a = sides_[contacts.a(i)];
    const Side& b = sides_[contacts.b(i)];
    const PairLaw& law = law_of(contacts, i, a, b);
    const bool is_sprung = law.elasticity.compliant();
    block.law[i] = &law;
    bodies.a[i] = a.body;
    bodies.b[i] = b.body;
    block.is_sprung[i] = is_sprung;
    is_plain = is_plain && known_is_plain_;
    any_rigid = any_rigid || !is_sprung;
    if (is_sprung) set_spring(contacts, {a, b, law}, i, block);
  }
  block.is_plain = is_plain;
  block.any_rigid = any_rigid;
}

/// Puts the rigid contacts among the springs of a block.
void ContactRows::set_gaps(const ContactView& contacts, Block& block) const {
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (block.is_sprung[i]) continue;
    block.springs.set_rigid(i, gap_bias_of(contacts[i], block.histories[i]));
  }
}

/// Contacts that resist rolling have more rows than reserve() has made room for.
void ContactRows::make_room() {
  if (cones.rows() <= bias.size()) return;
  bias.resize(2 * cones.rows(), 0.0);
  compliance.resize(2 * cones.rows(), 0.0);
}

/// Appends the @p contact at @p place of a block.
void ContactRows::append(const Contact& contact, std::size_t place, const Block& block) {
  const PairLaw& law = *block.law[place];
  append_terms(contact, law, block.histories[place]);
  append_friction(contact, law, block.springs.tangential_compliance[place]);
  append_parts(block.springs, place);
}

const PairLaw& ContactRows::law_of(const ContactView& contacts, std::size_t i, const Side& a,
                                   const Side& b) {
  if (a.material != known_a_ || b.material != known_b_) {  // most pairs are like the one before
    known_a_ = a.material;
    known_b_ = b.material;
    known_law_ = &laws_.law(a.material, b.material);
    if (std::isnan(known_law_->mu)) refuse_pair(contacts.key(i), a.material, b.material);
    known_is_plain_ = is_plain(*known_law_);
  }
  return *known_law_;
}

/// @p softness: R of each tangent, 1/kg.
void ContactRows::append_friction(const Contact& contact, const PairLaw& law, double softness) {
  const bool resists = law.rolling > 0.0 || law.spinning > 0.0;
  length_ = resists ? rolling_length_of(contact, softness) : 0.0;
  if (resists || !rolling_length.empty()) {
    rolling_length.resize(terms.size(), 0.0);
    rolling_length.back() = length_;
  }
  if (resists && law.spinning > 0.0) {
    append_rows(contact, cones::Spinning{{law.mu, law.rolling / length_, law.spinning / length_}});
  } else if (resists) {
    append_rows(contact, cones::Rolling{{law.mu, law.rolling / length_}});
  } else if (law.mu == 0.0) {
    append_rows(contact, cones::HalfLine{});
  } else if (input_.friction.law == FrictionLaw::box) {
    append_rows(contact, cones::Pyramid{{law.mu, law.mu}});
  } else {
    append_rows(contact, cones::Circular{{law.mu}});
  }
}

template <class Cone>
void ContactRows::append_rows(const Contact& contact, const Cone& cone) {
  cones.append_by(input_.friction, cone);
  make_room();
  if (store_.is_tool(contact.b)) {
    put_motion_of_tool<Cone::kDim>(contact, cones.rows() - Cone::kDim);
  }
}

/// Puts the spring of the contact at @p place of a block into it.
void ContactRows::set_spring(const ContactView& contacts, const PairSides& sides, std::size_t place,
                             Block& block) const {
  const auto& [a, b, law] = sides;
  const bool is_of_start = contacts.key(place).recursion == 0;
  const double gap = is_of_start ? contacts.gap(place) : block.histories.stiffness_gap[place];
  const bool has_secant = input_.has_secants && is_hertz(law.elasticity);
  block.springs.set(place, law.elasticity,
                    {.radius_a = a.radius,
                     .radius_b = b.radius,
                     .mass = mass_at(contacts, place, sides),
                     .gap = gap - block.histories.rest_gap[place],
                     .sharing = contacts.sharing(place)},
                    has_secant ? approach_of(contacts[place]) : 0.0);
}

/// The mass that a spring moves, kg: of the two bodies in series. What a restitution asks is of the
/// contact's own speed, which turns bodies too where it is off their centres; points that share a
/// stiffness stop a face that lands flat.
double ContactRows::mass_at(const ContactView& contacts, std::size_t place,
                            const PairSides& sides) const {
  const auto& [a, b, law] = sides;
  const double in_series = 1.0 / (a.per_mass + b.per_mass);
  const bool are_balls = a.is_ball && (b.is_ball || b.is_prescribed);
  const bool turns = law.elasticity.has_restitution && !are_balls && contacts.sharing(place) == 1.0;
  return turns ? mass_with_turning(contacts[place], sides, in_series) : in_series;
}

/// The speed at which the two bodies of a contact would approach each other without it, m/s.
double ContactRows::approach_of(const Contact& contact) const {
  const auto velocity = [this](std::int32_t slot, const Vec3& arm) -> Vec3 {
    const Vec3& linear = predicted_velocity(store_, slot);
    return sides_[slot].is_ball ? linear : linear + store_.angular_velocity[slot].cross(arm);
  };
  return contact.normal.dot(velocity(contact.b, contact.arm_b) -
                            velocity(contact.a, contact.arm_a));
}

/// The gap's part of the bias of a rigid contact, m/s.
double ContactRows::gap_bias_of(const Contact& contact, const ContactHistory& history) const {
  // what a later constraint may leave of an overlap is in its gap already (step/recursion.hpp)
  const bool recovers = contact.key.recursion == 0;
  const double speed = contact.gap / input_.dt;
  const bool is_undone = recovers && speed < 0.0;
  return is_undone ? std::max(speed, -recovery_of(contact, history)) : speed;
}

/// The speed at which an overlap of a rigid contact is undone at most, m/s: what forces and the
/// curving of paths give the two in a step. Bodies move straight in it: one that turns with w about
/// an arm r comes w^2 r dt^2/2 too deep, but a ball; one that goes with v along a surface of the
/// radius R v^2/(2 R) dt^2. R is the grain's own, or what the turn of the normal in the last step
/// tells, v dt/R: a ball in a narrow hole has the little radius of its centre's path.
double ContactRows::recovery_of(const Contact& contact, const ContactHistory& history) const {
  constexpr double kLargestTurn = 0.5;  // beyond it the normal is another feature's
  if (!input_.has_inertia) return input_.recovery_speed;
  const Side& a = sides_[contact.a];
  const Side& b = sides_[contact.b];
  const auto speed_of = [this](std::int32_t slot, const Side& side, const Vec3& arm) {
    if (side.is_ball) return side.given;
    return input_.dt * store_.angular_velocity[slot].squaredNorm() * arm.norm() + side.given;
  };
  const auto velocity = [this](std::int32_t slot, const Side& side, const Vec3& arm) -> Vec3 {
    return side.is_ball ? side.velocity : point_velocity(slot, arm);
  };
  const double speed =
      (velocity(contact.a, a, contact.arm_a) - velocity(contact.b, b, contact.arm_b)).norm();
  const double turn = history.turn <= kLargestTurn ? history.turn : 0.0;
  const double sliding = speed * std::max(turn, input_.dt * speed / a.size);
  return std::min(input_.recovery_speed, sliding + speed_of(contact.a, a, contact.arm_a) +
                                             speed_of(contact.b, b, contact.arm_b));
}

/// The parts of the bias and of R of the contact at @p place among @p springs. @pre the rows of the
/// contact are appended.
void ContactRows::append_parts(const SpringBlock& springs, std::size_t place) {
  const std::size_t row = cones.row(cones.count() - 1);
  bias[row] += springs.normal_bias[place];
  if (input_.keeps_gap_bias) terms.set_gap_bias(terms.size() - 1, springs.normal_bias[place]);
  compliance[row] = springs.normal_compliance[place];
  const int dim = std::min(cones.dim(cones.count() - 1), kForceRows);
  for (int k = 1; k < dim; ++k) {
    compliance[row + k] = springs.tangential_compliance[place];
    bias[row + k] += k == 1 ? springs.bias1[place] : springs.bias2[place];
  }
}

/// Appends the terms but for the bias of the gap.
void ContactRows::append_terms(const Contact& contact, const PairLaw& law,
                               const ContactHistory& history) {
  ContactTerms known;
  known.compliant = law.elasticity.compliant();
  known.touched = history.touched;
  known.rest_gap = history.rest_gap;
  if (law.cohesion > 0.0 && history.touched && contact.gap <= law.rupture_distance) {
    known.pull = input_.dt * law.cohesion;
  }
  terms.push_back(known);
  // springs give back by themselves what the restitution asks for
  const bool is_impact = law.restitution > 0.0 && !known.compliant && contact.key.recursion == 0;
  if (is_impact) append_impact(contact, law.restitution);
}

/// @pre the terms of the contact are appended.
void ContactRows::append_impact(const Contact& contact, double restitution) {
  impacts.resize(terms.size());
  impacts.back() = {restitution, contact.normal.dot(point_velocity(contact.a, contact.arm_a) -
                                                    velocity_before(contact))};
}

Vec3 ContactRows::point_velocity(std::int32_t slot, const Vec3& arm) const {
  return store_.velocity[slot] + store_.angular_velocity[slot].cross(arm);
}

/// Velocity of B's contact point at the start of the step.
Vec3 ContactRows::velocity_before(const Contact& contact) const {
  if (!store_.is_prescribed(contact.b) || input_.tools_before.empty()) {
    return point_velocity(contact.b, contact.arm_b);
  }
  const Velocities& tool = input_.tools_before[contact.b];
  return tool.linear + tool.angular.cross(contact.arm_b);
}

}  // namespace scree
