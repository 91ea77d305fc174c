#include "scree/bodies/groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "box_lattice.hpp"
#include "scree/base/check.hpp"
#include "scree/config/suggest.hpp"

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

}  // namespace

void UniformRadii::declare(Declaration& d) {
  d.real("min", min, {.help = "smallest radius", .unit = "m", .above = 0.0, .required = true});
  d.real("max", max, {.help = "largest radius", .unit = "m", .above = 0.0, .required = true});
  d.require("max", max >= min, "is smaller than min");
}

void RadiiList::declare(Declaration& d) {
  d.reals("values", values, {.help = "the radii", .unit = "m", .above = 0.0, .required = true});
  d.require("values", !values.empty(), "needs at least one radius");
}

double smallest_radius(const Radii& radii) {
  if (const auto* uniform = std::get_if<UniformRadii>(&radii)) return uniform->min;
  if (const auto* list = std::get_if<RadiiList>(&radii); list != nullptr && !list->values.empty()) {
    return *std::min_element(list->values.begin(), list->values.end());
  }
  return 0.0;
}

double largest_radius(const Radii& radii) {
  if (const auto* uniform = std::get_if<UniformRadii>(&radii)) return uniform->max;
  if (const auto* list = std::get_if<RadiiList>(&radii); list != nullptr && !list->values.empty()) {
    return *std::max_element(list->values.begin(), list->values.end());
  }
  return 0.0;
}

void BoxPlaces::declare(Declaration& d) {
  d.vector("low", low, {.help = "lowest corner of the box", .unit = "m", .required = true});
  d.vector("high", high, {.help = "highest corner", .unit = "m", .required = true});
  d.integer("count", count,
            {.help = "number of grains", .min = 1, .max = kMaxGrains, .required = true});
  d.integer("seed", seed, {.help = "another seed gives another bed of the same kind", .min = 0});
  d.require("high", (low.array() < high.array()).all(), "must exceed low in every direction");
}

void CsvPlaces::declare(Declaration& d) {
  d.path("file", file, {.help = "the file", .required = true});
}

void PointPlaces::declare(Declaration& d) {
  d.vectors("positions", positions, {.help = "the centres", .unit = "m", .required = true});
  d.require("positions", !positions.empty(), "needs at least one point");
}

void BodyGroup::declare(Declaration& d) {
  d.name_of("materials", "material", material, {.help = "their material", .required = true});
  d.one_of("radii", radii, {.help = "their radii"});
  d.one_of("place", place, {.help = "where they start", .required = true});
  d.words("fix", fix, fix_words(), {.help = "degrees of freedom that are held"});
  d.vector("velocity", velocity, {.help = "velocity at the start", .unit = "m/s"});
  d.vector("angular_velocity", angular_velocity,
           {.help = "angular velocity at the start, world frame", .unit = "rad/s"});
  const bool of_file = std::holds_alternative<RadiiOfFile>(radii);
  const bool file = std::holds_alternative<CsvPlaces>(place);
  d.require("radii", file || !of_file, "are needed: uniform or list");
  d.require("radii", !file || of_file, "are given by the file; leave them out");
  // Without a radius there is a fault already.
  const auto* box = std::get_if<BoxPlaces>(&place);
  if (box != nullptr && largest_radius(radii) > 0.0) {
    d.require("place", BoxLattice::capacity(*box, largest_radius(radii)) >= box->count,
              BoxLattice::does_not_fit(*box, largest_radius(radii)));
  }
}

std::uint8_t BodyGroup::fixed() const {
  std::uint8_t bits = 0;
  for (const std::string& word : fix) {
    const auto entry = std::find_if(kFixWords.begin(), kFixWords.end(),
                                    [&](const FixWord& known) { return known.word == word; });
    if (entry == kFixWords.end()) {
      throw InputError(fmt::format("bodies.{}.fix: \"{}\" is unknown; {}", name, word,
                                   suggestion_and_list(word, fix_words())));
    }
    bits = static_cast<std::uint8_t>(bits | entry->bits);
  }
  return bits;
}

}  // namespace scree
