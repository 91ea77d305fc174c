// Processor seconds of one detection step on one core: boxes, pairs whose boxes meet (found anew,
// and looked through in a list with a skin), contacts. The bed is random and dense: grains of the
// volume of a ball of 1 cm, turned at random, on a cubic lattice from which they are moved at
// random by up to a tenth of its spacing, so that they fill 0.6 of space; speeds of up to a radius
// a second.
//
//     bench_detection SHAPE COUNT REPEATS      medians over the repeats, as a line of JSON
//
// SHAPE: sphere, ellipsoid, capsule, box, polyhedron (a pebble with 40 corners), or mixture: balls
// of 1 cm, and a hundredth of the mass in balls a hundredth as large, which fill the room between
// them from below.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "scree/contact/broadphase.hpp"
#include "scree/contact/narrowphase.hpp"
#include "scree/contact/neighbour_list.hpp"
#include "scree/geometry/hulls/shape_library.hpp"
#include "scree/geometry/shapes/all_grain_shapes.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"
#include "support/hulls.hpp"
#include "support/scenes.hpp"

namespace {

using namespace scree;

constexpr double kRadius = 0.01;  // m
constexpr double kFraction = 0.6;
constexpr double kJitter = 0.1;
constexpr double kSpeed = 1.0;      // radii of the smallest a second
constexpr double kSkin = 0.1;       // of such a radius, as step/stages.cpp has it
constexpr double kFine = 0.01;      // radius of the mixture's small balls, over that of the large
constexpr double kFineMass = 0.01;  // their part of the mass

Shape shape_of(const std::string& name, ShapeLibrary& shapes) {
  if (name == "sphere") return of_size(Ball{}, kRadius);
  if (name == "ellipsoid") return of_size(Ellipsoid{{3, 2, 1.5}}, kRadius);
  if (name == "capsule") return of_size(Capsule{1, 2}, kRadius);
  if (name == "box") return of_size(Box{{1, 1.5, 2}}, kRadius);
  if (name == "polyhedron") {
    std::mt19937_64 random(1);
    const Polyhedron as_it_is{shapes.add(hull_of(test::pebble(40, {1, 0.8, 0.6}, random), name)),
                              1.0};
    return Polyhedron{as_it_is.handle, kRadius / equal_volume_radius(as_it_is, shapes)};
  }
  fmt::print(stderr, "no shape {}\n", name);
  std::exit(2);
}

/// Sites for grains of the volume of a ball of @p radius.
struct Lattice {
  double radius;
  int side;  ///< number of sites along x, and along y

  double spacing() const { return radius * std::cbrt(4.0 / 3.0 * std::numbers::pi / kFraction); }
  Vec3 near_site(int i, test::Uniform& random) const {
    const Vec3 site(i % side, i / side % side, i / (side * side));
    return spacing() * (site + random.vector(-kJitter, kJitter));
  }
};

void append(Store& store, const Shape& shape, const Vec3& place, double smallest_radius,
            test::Uniform& random) {
  append_grain(store, {.id = store.size(),
                       .position = place,
                       .orientation = random.rotation(),
                       .velocity = kSpeed * smallest_radius * random.vector(-1.0, 1.0),
                       .shape = shape,
                       .density = 2600.0});
}

Store bed(const std::string& name, int count) {
  Store store;
  auto shapes = std::make_shared<ShapeLibrary>();
  const Shape shape = shape_of(name, *shapes);
  store.shapes = shapes;
  test::Uniform random(7);
  const Lattice lattice{kRadius, static_cast<int>(std::ceil(std::cbrt(count)))};
  for (int i = 0; i < count; ++i) {
    append(store, shape, lattice.near_site(i, random), kRadius, random);
  }
  return store;
}

/// Whether a ball of @p radius has room at @p place beside balls of kRadius, up to the overlap that
/// neighbours of a lattice may have.
bool has_room(const Store& large, const Vec3& place, double radius) {
  return std::ranges::none_of(large.position, [&](const Vec3& centre) {
    return (place - centre).norm() < kRadius + (1.0 - kJitter) * radius;
  });
}

Store mixture(int count) {
  const double per_large = kFineMass / (1.0 - kFineMass) / (kFine * kFine * kFine);
  const int n_large = std::max(1, static_cast<int>(count / (1.0 + per_large)));
  const double radius = kFine * kRadius;
  const Lattice coarse{kRadius, static_cast<int>(std::ceil(std::cbrt(n_large)))};
  const Lattice fine{radius, static_cast<int>(coarse.side / kFine)};
  test::Uniform random(7);
  Store large;
  for (int i = 0; i < n_large; ++i) {
    append(large, Sphere{kRadius}, coarse.near_site(i, random), radius, random);
  }
  Store store = large;
  for (int i = 0; store.size() < count; ++i) {
    const Vec3 place = fine.near_site(i, random);
    if (has_room(large, place, radius)) append(store, Sphere{radius}, place, radius, random);
  }
  return store;
}

/// Processor seconds of one call: the machine may be busy.
template <class Call>
double seconds(Call&& call) {
  const std::clock_t start = std::clock();
  call();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

struct Times {
  std::vector<double> boxes, search, list, contacts;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "bench_detection SHAPE COUNT REPEATS\n");
    return 2;
  }
  const std::string name = argv[1];
  const int count = std::atoi(argv[2]);
  Store store = name == "mixture" ? mixture(count) : bed(name, count);
  const Reach reach{.dt = 1e-3, .smallest_radius = inscribed_radius(store, store.size() - 1)};
  NeighbourList list;
  Times times;
  std::vector<Pair> pairs;
  ContactList contacts;
  for (int k = -1; k < std::atoi(argv[3]); ++k) {
    const double boxes = seconds([&] { update_boxes(store, reach); });
    const double search = seconds([&] { pairs = broadphase(store); });
    const double listed = seconds([&] {
      if (!list.holds(store)) list.begin(store, kSkin * reach.smallest_radius, reach.dt);
      list.serve(store, [](const Vec3&) { return true; });
      pairs = list.meeting(store);
    });
    const double narrow = seconds([&] { contacts = narrowphase(store, pairs, reach); });
    if (k < 0) continue;  // finds memory, and makes the list
    times.boxes.push_back(boxes);
    times.search.push_back(search);
    times.list.push_back(listed);
    times.contacts.push_back(narrow);
  }
  fmt::print(
      "{{\"boxes_s\": {:.6g}, \"search_s\": {:.6g}, \"list_s\": {:.6g}, \"contacts_s\": {:.6g}, "
      "\"pairs\": {}, \"contacts\": {}}}\n",
      median(times.boxes), median(times.search), median(times.list), median(times.contacts),
      pairs.size(), contacts.size());
  return 0;
}
