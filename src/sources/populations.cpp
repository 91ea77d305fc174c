#include "scree/sources/populations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "scree/base/check.hpp"
#include "scree/config/declaration.hpp"
#include "scree/config/suggest.hpp"
#include "scree/geometry/shapes/shape_queries.hpp"

namespace scree {
namespace {

struct FixWord {
  std::string_view word;
  std::uint8_t bits;
};

constexpr std::array<FixWord, 8> kFixWords{{{"x", kFixX},
                                            {"y", kFixY},
                                            {"z", kFixZ},
                                            {"rotation_x", kFixRotationX},
                                            {"rotation_y", kFixRotationY},
                                            {"rotation_z", kFixRotationZ},
                                            {"rotation", kFixRotation},
                                            {"all", kFixAll}}};

std::vector<std::string_view> fix_words() {
  std::vector<std::string_view> words;
  for (const FixWord& entry : kFixWords) words.push_back(entry.word);
  return words;
}

bool of_file(const Radii& radii) {
  return std::holds_alternative<RadiiOfFile>(radii);
}

/// The radii given, or the one that the shape has as it stands.
Radii sizes_of(const Radii& radii, const GrainShape& shape) {
  const double own = own_radius(shape);
  if (of_file(radii) && own > 0.0) return RadiiList{{own}};
  return radii;
}

}  // namespace

void Population::declare(Declaration& d) {
  d.name_of("materials", "material", material, {.help = "their material", .required = true});
  d.real("share", share,
         {.help = "of the group's mass, relative to the other populations",
          .above = 0.0,
          .required = true});
  declare_shape(d, shape, "shape of the grains");
  d.one_of(
      "radii", radii,
      {.help =
           "radii of the grains, as of balls of the same volume; none: the shape in its own size"});
  d.require("radii", !of_file(sizes_of(radii, shape)),
            "are needed: uniform, normal, lognormal, sieve, table or list");
}

void GrainKind::declare_grains(Declaration& d) {
  d.name_of("materials", "material", material,
            {.help = "their material; none where there are populations"});
  declare_shape(d, shape, "shape of the grains");
  d.one_of(
      "radii", radii,
      {.help =
           "radii of the grains, as of balls of the same volume; none: the shape in its own size"});
  d.named("populations", populations, {.help = "kinds of grains that are mixed, by name"});
}

void GrainKind::declare_start(Declaration& d) {
  d.optional_object("orientation", orientation,
                    {.help = "orientation of all grains; none: random in regions, as the file has "
                             "it, else along the world's axes"});
  d.words("fix", fix, fix_words(), {.help = "degrees of freedom that are held"});
  d.vector("velocity", velocity, {.help = "velocity at the start", .unit = "m/s"});
  d.vector("angular_velocity", angular_velocity,
           {.help = "angular velocity at the start, world frame", .unit = "rad/s"});
}

void GrainKind::require_sizes(Declaration& d, bool file) const {
  if (!populations.empty()) {
    d.require("material", material.empty(), "is given by the populations; leave it out");
    d.require("radii", of_file(radii), "are given by the populations; leave them out");
    d.require("shape", is_ball(shape), "is given by the populations; leave it out");
    d.require("populations", !file, "cannot be placed by a file; allowed: material");
    return;
  }
  d.require("material", !material.empty(),
            "is needed: the name of one of the materials, or populations");
  d.require("radii", file || !of_file(sizes_of(radii, shape)),
            "are needed: uniform, normal, lognormal, sieve, table or list; or populations");
  d.require("radii", !file || of_file(radii), "are given by the file; leave them out");
}

std::vector<Population> GrainKind::all_populations() const {
  std::vector<Population> all = populations;
  if (all.empty()) all.push_back({"", material, 1.0, radii, shape});
  for (Population& one : all) one.radii = sizes_of(one.radii, one.shape);
  return all;
}

double GrainKind::smallest() const {
  double smallest = std::numeric_limits<double>::infinity();
  for (const Population& one : all_populations()) {
    smallest = std::min(smallest, bounding_ratio(one.shape) * smallest_radius(one.radii));
  }
  return smallest;
}

double GrainKind::largest() const {
  double largest = 0.0;
  for (const Population& one : all_populations()) {
    largest = std::max(largest, bounding_ratio(one.shape) * largest_radius(one.radii));
  }
  return largest;
}

double GrainKind::smallest_inscribed() const {
  double smallest = std::numeric_limits<double>::infinity();
  for (const Population& one : all_populations()) {
    smallest = std::min(smallest, inscribed_ratio(one.shape) * smallest_radius(one.radii));
  }
  return smallest;
}

std::vector<std::string> GrainKind::materials() const {
  if (populations.empty()) return {material};
  std::vector<std::string> names;
  for (const Population& one : populations) names.push_back(one.material);
  return names;
}

std::vector<std::string> GrainKind::population_names() const {
  if (populations.empty()) return {name};
  std::vector<std::string> names;
  for (const Population& one : populations) names.push_back(fmt::format("{}.{}", name, one.name));
  return names;
}

std::uint8_t GrainKind::fixed() const {
  std::uint8_t bits = 0;
  for (const std::string& word : fix) {
    const auto entry = std::find_if(kFixWords.begin(), kFixWords.end(),
                                    [&](const FixWord& known) { return known.word == word; });
    if (entry == kFixWords.end()) {
      throw InputError(fmt::format("{}.fix: \"{}\" is unknown; {}", name, word,
                                   suggestion_and_list(word, fix_words())));
    }
    bits = static_cast<std::uint8_t>(bits | entry->bits);
  }
  return bits;
}

Mixture::Mixture(const GrainKind& kind, std::span<const Material> materials,
                 std::int32_t first_group)
    : oriented_(kind.orientation.has_value()) {
  double numbers = 0.0;
  for (const Population& one : kind.all_populations()) {
    Body body;
    body.material = material_index(materials, one.material);
    body.density = materials[body.material].density;
    body.velocity = kind.velocity;
    body.angular_velocity = kind.angular_velocity;
    body.fixed = kind.fixed();
    if (kind.orientation) body.orientation = kind.orientation->rotation();
    body.orientation = body.orientation * frame_of(one.shape).orientation;
    body.group = first_group + static_cast<std::int32_t>(parts_.size());
    // Numbers of the share's mass over 4 pi / 3 of the first density: no power of ten of that is
    // too far out.
    const double first_density = parts_.empty() ? body.density : parts_.front().prototype.density;
    const double density = body.density / first_density;
    if (!of_file(one.radii)) numbers += one.share / (density * mean_cube(one.radii));
    parts_.push_back({body, one.radii, one.shape, numbers});
  }
  for (Part& part : parts_) part.end /= numbers;
}

Body Mixture::grain(double p) const {
  double begin = 0.0;
  std::size_t k = 0;
  while (k + 1 < parts_.size() && p >= parts_[k].end) begin = parts_[k++].end;
  const Part& part = parts_[k];
  constexpr double kLast = 1.0 - 0x1.0p-53;
  Body body = part.prototype;
  const double within = std::clamp((p - begin) / (part.end - begin), 0.0, kLast);
  body.shape = of_size(part.shape, scree::radius_at(part.radii, within));
  return body;
}

const Mixture::Part& Mixture::part_of(const Body& body) const {
  return parts_[body.group - parts_.front().prototype.group];
}

void Mixture::resize(Body& body, double radius) const {
  body.shape = of_size(part_of(body).shape, radius);
}

void Mixture::turn(Body& body, const Vec3& random) const {
  const bool is_ball = scree::is_ball(part_of(body).shape);
  if (!oriented_ && !is_ball) body.orientation = random_rotation(random);
}

}  // namespace scree
