#include "scree/domain/insertion.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "scree/base/parallel.hpp"
#include "scree/geometry/pairs/contacts_between.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"
#include "scree/sources/counter_random.hpp"

namespace scree {
namespace {

/// Which of a grain's random numbers is for what; from kSite on one an attempt.
enum RandomNumber : std::uint64_t { kSize, kX, kY, kZ, kSite, kTurn = std::uint64_t{1} << 32 };

/// Play of the largest grain in its site, relative to its diameter.
constexpr double kPlay = 0.25;

/// Sites that a region has at most: a larger one uses its lowest.
constexpr std::int64_t kMostSites = 1'000'000;

SiteLattice lattice_of(const InsertionSpec& spec) {
  const double tight = 2.0 * spec.largest();
  SiteLattice wide(spec.region, Arrangement::loose, (1.0 + kPlay) * tight, kMostSites);
  if (wide.n_sites() > 0) return wide;
  return {spec.region, Arrangement::loose, tight, kMostSites};
}

/// Whether @p body overlaps a tool that meets its material, or an image of one.
bool overlaps_a_tool(const Store& store, const PeriodicCell& cell, const Body& body,
                     const MeetingMaterials& meetings) {
  const Pose place{body.position, body.orientation};
  const Box3 box = box_of(body.shape, place, *store.shapes);
  bool overlaps = false;
  for (std::int32_t slot = 0; slot < store.n_tools && !overlaps; ++slot) {
    if (!meetings.meet(body.material, store.material[slot])) continue;
    const Shape& tool = store.shape[slot];
    const Pose pose = pose_of(store, slot);
    cell.for_each_image(box_of(tool, pose, *store.shapes), box, [&](const Vec3i& image) {
      const Pose shifted{pose.position + cell.shift(image), pose.orientation};
      const Manifold points =
          contacts_between(body.shape, place, tool, shifted, *store.shapes, 0.0);
      overlaps = overlaps || points.deepest().gap < 0.0;
    });
  }
  return overlaps;
}

double mass_of(const Body& body, const ShapeLibrary& shapes) {
  return body.density * volume(body.shape, shapes);
}

}  // namespace

Insertion::Insertion(const InsertionSpec& spec, std::span<const Material> materials,
                     std::int32_t first_population, MeetingMaterials meetings)
    : spec_(spec),
      grains_(spec, materials, first_population),
      lattice_(lattice_of(spec)),
      meetings_(std::move(meetings)) {}

Body Insertion::grain(std::int64_t i) const {
  return grains_.grain(
      nested_number(static_cast<std::uint64_t>(spec_.seed), static_cast<std::uint64_t>(i), kSize));
}

double Insertion::due_mass(double t) const {
  return spec_.rate * std::max(0.0, std::min(t, spec_.stop) - spec_.start);
}

double Insertion::waiting_mass(const InsertionState& state, double t) const {
  if (state.ended || t > spec_.stop) return 0.0;
  return std::max(0.0, due_mass(t) - state.mass);
}

std::int64_t Insertion::insert(InsertionState& state, Store& store, const Partition& partition,
                               const PeriodicCell& cell, double t, std::int64_t next_id) const {
  if (state.ended) return 0;
  const std::int64_t first = state.count;
  std::vector<FreeSites> free;
  for (Body body = grain(first); state.mass + mass_of(body, *store.shapes) <= due_mass(t);
       body = grain(state.count)) {
    if (state.count == first) free = free_sites(partition.comm(), store, cell);
    if (!take_site(state.count, body, free, store, cell)) break;
    body.id = next_id + state.count - first;
    if (partition.holds(body.position)) append_grain(store, body);
    state.mass += mass_of(body, *store.shapes);
    ++state.count;
    if (state.count == spec_.count) {
      state.ended = true;
      break;
    }
  }
  if (t >= spec_.stop) state.ended = true;
  return state.count - first;
}

std::vector<Insertion::FreeSites> Insertion::free_sites(MPI_Comm comm, const Store& store,
                                                        const PeriodicCell& cell) const {
  std::set<std::int32_t> materials;
  for (std::size_t k = 0; k < spec_.all_populations().size(); ++k) {
    materials.insert(grains_.prototype(k).material);
  }
  std::vector<FreeSites> free;
  for (const std::int32_t material : materials) {
    free.push_back({material, sites_for(material, comm, store, cell)});
    if (meetings_.all()) break;
  }
  return free;
}

std::vector<std::int64_t> Insertion::sites_for(std::int32_t material, MPI_Comm comm,
                                               const Store& store, const PeriodicCell& cell) const {
  std::vector<std::uint8_t> taken(lattice_.n_sites(), 0);
  const Box3 bounds = bounds_of(spec_.region);
  for (std::int32_t slot = store.first_owned(); slot < store.end_owned(); ++slot) {
    if (!meetings_.meet(material, store.material[slot])) continue;
    const Vec3& centre = store.position[slot];
    const Vec3 reach = Vec3::Constant(bounding_radius(store, slot));
    cell.for_each_image({centre - reach, centre + reach}, bounds, [&](const Vec3i& image) {
      lattice_.visit_near(centre + cell.shift(image), reach.x() + 0.5 * lattice_.spacing(),
                          [&](std::int64_t i) { taken[i] = 1; });
    });
  }
  or_over_ranks(comm, taken);
  std::vector<std::int64_t> sites;
  for (std::int64_t i = 0; i < lattice_.n_sites(); ++i) {
    if (taken[i] == 0) sites.push_back(i);
  }
  return sites;
}

bool Insertion::take_site(std::int64_t i, Body& body, std::vector<FreeSites>& free,
                          const Store& store, const PeriodicCell& cell) const {
  const auto own = std::ranges::find(free, body.material, &FreeSites::material);
  const auto used = own == free.end() ? free.begin() : own;
  const std::optional<std::int64_t> site = place(i, body, used->sites, store, cell);
  if (!site) return false;
  for (FreeSites& other : free) {
    if (&other != &*used) std::erase(other.sites, *site);
  }
  return true;
}

std::optional<std::int64_t> Insertion::place(std::int64_t i, Body& body,
                                             std::vector<std::int64_t>& sites, const Store& store,
                                             const PeriodicCell& cell) const {
  const auto seed = static_cast<std::uint64_t>(spec_.seed);
  const auto item = static_cast<std::uint64_t>(i);
  grains_.turn(body, uniform_vector(seed, item, kTurn));
  const Vec3 random(uniform_number(seed, item, kX), uniform_number(seed, item, kY),
                    uniform_number(seed, item, kZ));
  const double play = 0.5 * lattice_.spacing() - bounding_radius(body.shape, *store.shapes);
  for (std::uint64_t attempt = 0; !sites.empty(); ++attempt) {
    const double pick = uniform_number(seed, item, kSite + attempt);
    std::int64_t& picked =
        sites[static_cast<std::size_t>(pick * static_cast<double>(sites.size()))];
    const std::int64_t site = picked;
    body.position = lattice_.site(site) + in_ball(play, random);
    picked = sites.back();
    sites.pop_back();
    if (!overlaps_a_tool(store, cell, body, meetings_)) return site;
  }
  return std::nullopt;
}

void Insertion::end_at_height(InsertionState& state, MPI_Comm comm, const Store& store,
                              std::span<const double> end_velocity,
                              std::span<const double> by_weight, const Vec3& gravity) const {
  if (state.ended || spec_.height == kNever) return;
  const Box3 bounds = bounds_of(spec_.region);
  int reached = 0;
  for (std::int32_t slot = store.first_owned(); slot < store.end_owned(); ++slot) {
    const Vec3& centre = store.position[slot];
    const double r = bounding_radius(store, slot);
    const bool below = centre.x() >= bounds.low.x() && centre.x() <= bounds.high.x() &&
                       centre.y() >= bounds.low.y() && centre.y() <= bounds.high.y() &&
                       centre.z() + r < bounds.low.z();
    if (!below || centre.z() + r <= spec_.height) continue;
    const auto owned = static_cast<std::size_t>(slot - store.first_owned());
    const Vec3 velocity(&end_velocity[6 * owned]);
    const Vec3 by_contacts = velocity - store.free_velocity[slot];
    const bool slow = velocity.squaredNorm() < gravity.norm() * r;
    const bool borne = by_weight[owned] > 0.0 && by_contacts.norm() >= 0.5 * by_weight[owned];
    if (slow && borne) reached = 1;
  }
  state.ended = max_over_ranks(comm, reached) == 1;
}

}  // namespace scree
