#include "scree/sweep/sweep_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "scree/config/declaration.hpp"
#include "scree/config/reader.hpp"
#include "scree/config/reference.hpp"
#include "scree/config/schema.hpp"

namespace scree {
namespace {

constexpr double kMostRepeats = 10'000;

/// The lengths of the lists of values where they differ, `2, 3, 3`; empty where all are the same.
std::string different_lengths(const std::vector<KeyValues>& parameters) {
  std::vector<std::size_t> lengths;
  for (const KeyValues& each : parameters) lengths.push_back(each.values.size());
  const bool same =
      std::ranges::adjacent_find(lengths, std::ranges::not_equal_to()) == lengths.end();
  return same ? "" : fmt::format("{}", fmt::join(lengths, ", "));
}

/// Letters, digits, _ and -, as the names of other maps: these name a folder and columns.
bool is_plain(std::string_view name) {
  return std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

}  // namespace

void RepeatOptions::declare(Declaration& d) {
  d.integer("times", times, {.help = "how often each case is run", .min = 1, .max = kMostRepeats});
  d.integer("first", first,
            {.help = "the first number; then one more each time", .min = 0, .max = 1e9});
  d.texts("keys", keys, {.help = "keys that take the number, as `bodies.bed.place.seed`"});
  d.require("times", times == 1 || !keys.empty(),
            "asks for more than one run, and `keys` names nothing that would differ; allowed: the "
            "keys of the seeds");
}

void SlurmOptions::declare(Declaration& d) {
  d.integer("at_once", at_once,
            {.help = "cases that run at once, at most; 0: as many as Slurm lets", .min = 0});
  d.texts("launcher", launcher,
          {.help = "words that start a case on several ranks; `-n RANKS` follows"});
  d.texts("options", options,
          {.help = "further lines `#SBATCH ...` of the script, as `--time=02:00:00`"});
  const bool one_line = std::ranges::all_of(options, [](const std::string& o) {
    return o.starts_with("--") && o.find('\n') == std::string::npos;
  });
  d.require("options", one_line,
            "has an entry that is no option of sbatch; allowed: --NAME=VALUE each");
}

void SweepConfig::declare(Declaration& d) {
  d.text("name", name, {.help = "name of the sweep and of its folder; empty: that of its file"});
  d.path("base", base,
         {.help = "the configuration that cases are variations of", .required = true});
  d.values_of_keys(
      "parameters", parameters,
      {.help = "keys of the configuration (`time.dt`, `friction[gravel,steel].mu`), each with its "
               "values: "
               "a list, `{linear: [first, last, count]}`, `{log: [first, last, count]}` or "
               "`{range: [first, last, step]}`"});
  static constexpr std::array<std::string_view, 2> kWays = {"all", "zip"};
  d.word("combine", combine, kWays,
         {.help = "all combinations of the parameters, or their first values together, their "
                  "second, and so on"});
  d.path("table", table,
         {.help = "CSV file whose columns are keys and whose rows are cases; with parameters or "
                  "repeats, each row with each of these"});
  d.object("repeat", repeat, {.help = "runs that differ by seeds"});
  d.named("observables", observables, {.help = "numbers taken of each run, by name"});
  d.integer("ranks", ranks, {.help = "ranks of each case", .min = 1, .max = 1e6});
  d.texts("launcher", launcher,
          {.help = "words that start a case on several ranks; `-n RANKS` follows"});
  d.object("slurm", slurm, {.help = "of the script that --slurm writes"});
  d.require("name", is_plain(name),
            fmt::format("\"{}\" cannot name a folder; allowed: letters, digits, _ and -", name));
  d.require(
      "base", !parameters.empty() || !table.empty() || repeat.times > 1,
      "is all there is: nothing varies; allowed: one or more of parameters, table and repeat");
  const std::string lengths = different_lengths(parameters);
  d.require(
      "combine", combine == "all" || lengths.empty(),
      fmt::format(
          "is zip, and the parameters have {} values; allowed: as many of each, or combine: all",
          lengths));
  d.require("launcher", !launcher.empty() && !slurm.launcher.empty(),
            "is empty; allowed: the words of a program that starts ranks");
}

SweepConfig read_sweep(const std::filesystem::path& file) {
  SweepConfig sweep;
  read_yaml(read_text_file(file), file, {}, sweep);
  if (!sweep.name.empty()) return sweep;
  sweep.name = file.stem().string();
  for (char& c : sweep.name) c = is_plain(std::string_view(&c, 1)) ? c : '_';
  return sweep;
}

bool is_sweep(const std::filesystem::path& file) {
  try {
    value_of_key(read_text_file(file), file, "base");
    return true;
  } catch (const InputError&) {
    return false;  // what is wrong with the file is told by the reader of configurations
  }
}

int sweep_schema_command(bool markdown) {
  if (markdown) {
    fmt::print("{}", key_reference<SweepConfig>());
  } else {
    fmt::print("{}\n", json_schema<SweepConfig>("file of `scree sweep`").dump(2));
  }
  return 0;
}

}  // namespace scree
