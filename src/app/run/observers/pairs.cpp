#include "pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "scree/base/parallel.hpp"
#include "scree/config/declaration.hpp"
#include "scree/config/suggest.hpp"
#include "scree/io/run_folder/whole_file.hpp"
#include "tables.hpp"

namespace scree {
namespace {

std::vector<Column<PairRecord>> all_pair_columns() {
  return {
      {"time", "s", "simulated time at the end of the step",
       [](const PairRecord& r) { return csv_text(r.time); }},
      {"step", "1", "number of the step, from 1",
       [](const PairRecord& r) { return csv_text(r.step); }},
      {"dt", "s", "length of the step, or of the part where it was cut",
       [](const PairRecord& r) { return csv_text(r.dt); }},
      {"pair", "", "name of the pair", [](const PairRecord& r) { return csv_text(r.pair); }},
      {"force_x", "N",
       "force of the second on the first, cohesion included: impulse of the step over dt, world "
       "frame",
       [](const PairRecord& r) { return csv_text(r.force.x()); }},
      {"force_y", "N", "", [](const PairRecord& r) { return csv_text(r.force.y()); }},
      {"force_z", "N", "", [](const PairRecord& r) { return csv_text(r.force.z()); }},
      {"loaded_contacts", "1", "contacts between the two that bear a force",
       [](const PairRecord& r) { return csv_text(r.contacts); }},
  };
}

std::span<const Column<PairRecord>> pair_columns() {
  static const std::vector<Column<PairRecord>> columns = all_pair_columns();
  return columns;
}

std::filesystem::path table_in(const RunFolder& folder) {
  return folder.root() / "pairs.csv";
}

template <class Named>
std::optional<std::int32_t> place_of(const std::string& name, const std::vector<Named>& list) {
  const auto at = std::ranges::find(list, name, &Named::name);
  if (at == list.end()) return std::nullopt;
  return static_cast<std::int32_t>(at - list.begin());
}

/// The bodies called @p name; none where nothing is.
BodySet bodies_named(const std::string& name, const RunConfig& config) {
  BodySet set;
  std::int32_t population = 0;
  for (const GrainKind* kind : config.grain_kinds()) {
    for (const std::string& one : kind->population_names()) {
      if (kind->name == name || one == name) set.populations.insert(population);
      ++population;
    }
  }
  set.tool = place_of(name, config.tools);
  return set;
}

bool is_empty(const BodySet& set) {
  return set.populations.empty() && !set.tool && !set.material;
}

/// The first and the second of the two, which have names of something.
std::array<BodySet, 2> sets_of(const PairSpec& spec, const RunConfig& config) {
  std::array<BodySet, 2> sets;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (spec.materials.empty()) {
      sets[i] = bodies_named(spec.between[i], config);
    } else {
      sets[i].material = place_of(spec.materials[i], config.materials);
    }
  }
  return sets;
}

/// Whether a body is in both of two sets that are named alike.
bool overlap(const BodySet& a, const BodySet& b) {
  std::vector<std::int32_t> common;
  std::ranges::set_intersection(a.populations, b.populations, std::back_inserter(common));
  return !common.empty() || (a.tool && a.tool == b.tool) ||
         (a.material && a.material == b.material);
}

/// The names that `between` takes.
std::vector<std::string> names_of_bodies(const RunConfig& config) {
  std::vector<std::string> names;
  for (const GrainKind* kind : config.grain_kinds()) names.push_back(kind->name);
  for (const std::string& one : config.population_names()) {
    if (std::ranges::find(names, one) == names.end()) names.push_back(one);
  }
  for (const ToolSpec& tool : config.tools) names.push_back(tool.name);
  return names;
}

/// Why there are no forces to tell of; empty when there are, and where the entry itself has a
/// fault.
std::string fault_of(const PairSpec& spec, const RunConfig& config) {
  if (!spec.names_two()) return {};
  const std::vector<std::string> names = names_of_bodies(config);
  const std::vector<std::string_view> known(names.begin(), names.end());
  for (const std::string& name : spec.between) {
    if (!is_empty(bodies_named(name, config))) continue;
    return fmt::format("\"{}\" is no group of bodies, no population, no insertion and no tool; {}",
                       name, suggestion_and_list(name, known));
  }
  const auto [first, second] = sets_of(spec, config);
  if (overlap(first, second)) {
    return "has bodies that are on both sides, whose forces on each other cancel; allowed: two "
           "names that have no body in common";
  }
  if (first.tool && second.tool) {
    return "is of two tools, which do not meet; allowed: one tool at most";
  }
  return {};
}

}  // namespace

void PairSpec::declare(Declaration& d) {
  d.texts("between", between,
          {.help = "two names of groups, populations (GROUP.POPULATION), insertions or tools: the "
                   "force is that of the second on the first"});
  d.names_of("materials", "materials", materials,
             {.help = "in place of `between`: two materials, whose grains and tools are meant"});
  d.require("between", names_two(),
            "and materials name no pair; allowed: two names in one of them");
}

bool PairSpec::names_two() const {
  return between.size() + materials.size() == 2 && between.size() != 1;
}

bool BodySet::has(const BodyKind& kind) const {
  if (material) return kind.material == *material;
  return kind.is_tool ? tool == kind.group : populations.contains(kind.group);
}

void Pairs::declare(Declaration& d, Options& options) {
  d.named("pairs", options.pairs,
          {.help = "forces between bodies by name: the table pairs.csv, as often as output.csv"});
}

void Pairs::require(Declaration& d, const RunConfig& config) {
  for (const PairSpec& spec : config.output.of<PairOptions>().pairs) {
    const std::string fault = fault_of(spec, config);
    d.require("output", fault.empty(), fmt::format("pairs.{}: {}", spec.name, fault));
  }
}

void Pairs::add_files(const RunFolder& folder, RunFiles& files) {
  files.single.push_back(table_in(folder));
}

void Pairs::check_files(const RunFolder& folder, const RunConfig& /*config*/,
                        const RunPoint& point) {
  static_cast<void>(kept_of_table(table_in(folder), csv_header(pair_columns()), point));
}

std::vector<TableHelp> Pairs::tables() {
  return {table_help("pairs.csv", "table of forces between pairs of bodies", pair_columns())};
}

Pairs::Pairs(const ObservedRun& run)
    : Observer(run), specs_(run.config().output.of<PairOptions>().pairs) {
  for (const PairSpec& spec : specs_) {
    const auto [first, second] = sets_of(spec, run.config());
    sides_.push_back({first, second});
  }
}

/// @pre on the rank that speaks
void Pairs::open(bool append) {
  if (specs_.empty()) return;
  table_ = CsvWriter<PairRecord>(table_in(run_.folder), pair_columns(), append);
}

void Pairs::start() {
  together(run_.comm(), [this] {
    if (run_.is_speaker()) open(false);
  });
}

void Pairs::go_on() {
  together(run_.comm(), [this] {
    if (!run_.is_speaker()) return;
    go_on_with_table(run_, table_in(run_.folder), csv_header(pair_columns()),
                     static_cast<std::int64_t>(specs_.size()), "output.pairs");
    open(true);
  });
}

void Pairs::after_part(const ObservedStep& part) {
  if (specs_.empty() || !has_rows(run_, part)) return;
  constexpr std::size_t kSums = 4;  // force, number of loaded contacts
  std::vector<double> sums(kSums * sides_.size(), 0.0);
  for (const ContactForce& contact : contact_forces(part.result)) {
    if (contact.force.isZero(0.0)) continue;
    for (std::size_t i = 0; i < sides_.size(); ++i) {
      const auto& [first, second] = sides_[i];
      const bool on_a = first.has(contact.kind_a) && second.has(contact.kind_b);
      const bool on_b = first.has(contact.kind_b) && second.has(contact.kind_a);
      if (!on_a && !on_b) continue;
      Eigen::Map<Eigen::Vector<double, kSums>> sum(sums.data() + kSums * i);
      sum.head<3>() += on_a ? contact.force : Vec3(-contact.force);
      sum[3] += 1.0;
    }
  }
  sum_over_ranks(run_.comm(), sums);
  together(run_.comm(), [&] {
    const StepClock& clock = part.result.clock;
    for (std::size_t i = 0; i < sides_.size(); ++i) {
      const double* sum = sums.data() + kSums * i;
      table_.write({.time = clock.end,
                    .step = clock.step,
                    .dt = clock.dt,
                    .pair = specs_[i].name,
                    .force = Vec3(sum[0], sum[1], sum[2]),
                    .contacts = static_cast<std::int64_t>(sum[3])});
    }
  });
}

void Pairs::to_disk() {
  together(run_.comm(), [this] { table_.flush_to_disk(); });
}

}  // namespace scree
