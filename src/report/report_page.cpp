#include "scree/report/report_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <map>
#include <numeric>

#include "page_head.hpp"
#include "scree/base/check.hpp"
#include "scree/config/csv_table.hpp"
#include "scree/config/reader.hpp"
#include "scree/io/hdf5/hdf5.hpp"
#include "scree/io/paraview/snapshot_grains.hpp"
#include "scree/io/run_folder/run_folder.hpp"
#include "scree/io/tables/columns.hpp"
#include "scree/io/tables/markup.hpp"
#include "scree/io/version.hpp"
#include "svg.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostUnsolved = 20;  ///< steps that are listed

/// The keys of the configuration that the page shows. The files that a configuration names may be
/// gone since.
struct RunKeys {
  std::string name;
  double end = 0.0;  ///< s
  double tolerance = 0.0;
};

RunKeys keys_of(const std::string& yaml, const fs::path& file) {
  const auto number = [&](std::string_view key) {
    const std::string text = value_of_key(yaml, file, key);
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size()) return value;
    throw InputError(fmt::format("{}: {}: \"{}\" is no number", file.string(), key, text));
  };
  return {value_of_key(yaml, file, "name"), number("time.end"), number("solver.tolerance")};
}

std::string row(std::string_view name, const std::string& value) {
  return fmt::format("<tr><th>{}</th><td>{}</td></tr>\n", name, escaped(value));
}

std::string section(std::string_view title, const std::string& body) {
  return fmt::format("<h2>{}</h2>\n{}", title, body);
}

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

/// `890 nsgs, 10 pac`, the most frequent first.
std::string counts(const std::vector<std::string>& words) {
  std::map<std::string, int> count;
  for (const std::string& word : words) ++count[word];
  std::vector<std::pair<std::string, int>> list(count.begin(), count.end());
  std::stable_sort(list.begin(), list.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string result;
  for (const auto& [word, n] : list)
    result += fmt::format("{}{} {}", result.empty() ? "" : ", ", n, word);
  return result;
}

std::string summary(const CsvTable& steps, const RunKeys& keys) {
  const std::vector<double> residual = steps.numbers("residual");
  const std::vector<double> times = steps.numbers("time");
  const auto last = [&steps](std::string_view name) { return steps.numbers(name).back(); };
  std::string text = "<table>\n";
  const auto n_steps = static_cast<std::size_t>(last("step"));
  text += row("simulated",
              fmt::format("{:g} s of {:g} s in {} steps", times.back(), keys.end, n_steps));
  if (times.size() < n_steps) {
    text += row("recorded",
                fmt::format("{} of these steps; all that follows is of them", times.size()));
  }
  text += row("grains", fmt::format("{:.0f}, and {:.0f} removed", last("bodies"), last("removed")));
  text += row("contacts", fmt::format("{:.0f} at the end, {:.0f} of them loaded", last("contacts"),
                                      last("active_contacts")));
  text += row("solves", counts(steps.texts("status")));
  text += row("by", counts(steps.texts("solver")));
  text += row("residual",
              fmt::format("at most {:.1e}; asked: {:.1e}",
                          *std::max_element(residual.begin(), residual.end()), keys.tolerance));
  const auto row_of_largest = [&](const char* title, std::string_view column) {
    const std::vector<double> shares = steps.numbers(column);
    return row(title, fmt::format("at most {:.1e} of a radius", std::ranges::max(shares)));
  };
  text += row_of_largest("overlap", "penetration");
  text += row_of_largest("compression of springs", "compression");
  text += row("wall clock", fmt::format("{:.1f} s in steps", sum(steps.numbers("seconds_step"))));
  return text + "</table>\n";
}

/// The worst contact of each row in words; empty where the step was solved, and in tables that do
/// not tell it, as version 0.1 wrote them.
std::vector<std::string> worst_contacts(const CsvTable& steps) {
  if (std::ranges::find(steps.names, "worst_grain") == steps.names.end())
    return std::vector<std::string>(steps.rows.size());
  const auto grain = steps.texts("worst_grain");
  const auto other = steps.texts("worst_other");
  const std::array where{steps.texts("worst_x"), steps.texts("worst_y"), steps.texts("worst_z")};
  std::vector<std::string> words(grain.size());
  for (std::size_t i = 0; i < grain.size(); ++i) {
    if (grain[i].empty()) {
      words[i] = other[i];
      continue;
    }
    const auto at = [&](std::size_t axis) { return std::strtod(where[axis][i].c_str(), nullptr); };
    words[i] = fmt::format("grain {} and {} at ({:.4g}, {:.4g}, {:.4g}) m", grain[i], other[i],
                           at(0), at(1), at(2));
  }
  return words;
}

std::string unsolved(const CsvTable& steps) {
  const auto status = steps.texts("status");
  const auto step = steps.texts("step");
  const auto time = steps.numbers("time");
  const auto residual = steps.numbers("residual");
  const auto reason = steps.texts("reason");
  const auto worst = worst_contacts(steps);
  std::string lines;
  std::size_t n = 0;
  for (std::size_t k = 0; k < status.size(); ++k) {
    if (is_converged(status[k]) || ++n > kMostUnsolved) continue;
    lines += fmt::format(
        "<tr><td>{}</td><td>{:.6g}</td><td>{}</td><td>{:.1e}</td><td>{}</td><td>{}</td></tr>\n",
        step[k], time[k], status[k], residual[k], escaped(reason[k]), escaped(worst[k]));
  }
  if (n == 0) return {};
  return section(
      fmt::format("<span class=\"bad\">Steps that were not solved: {}</span>", n),
      "<table><tr><th>step</th><th>time, s</th><th>status</th><th>residual</th><th>methods</th>"
      "<th>worst contact</th></tr>\n" +
          lines + "</table>\n<p>The whole story of each is in run.log.</p>\n" +
          (n > kMostUnsolved ? fmt::format("<p>and {} more</p>\n", n - kMostUnsolved) : ""));
}

svg::Series series(const CsvTable& steps, std::string_view column, std::string name) {
  return {std::move(name), steps.numbers("time"), steps.numbers(column)};
}

std::string convergence(const CsvTable& steps, double tolerance) {
  svg::Plot residual{"time, s", "residual", true, {series(steps, "residual", "residual")}};
  const std::vector<double>& times = residual.series.front().x;
  residual.series.push_back({"asked", {times.front(), times.back()}, {tolerance, tolerance}});
  return svg::draw(residual) +
         svg::draw(
             {"time, s", "iterations of the method", true, {series(steps, "iterations", "")}}) +
         svg::draw({"time, s",
                    "contacts",
                    false,
                    {series(steps, "contacts", "potential"),
                     series(steps, "active_contacts", "loaded")}});
}

std::string energies(const CsvTable& steps) {
  return svg::draw({"time, s", "kinetic energy, J", false, {series(steps, "kinetic_energy", "")}}) +
         svg::draw(
             {"time, s", "potential energy, J", false, {series(steps, "potential_energy", "")}});
}

/// A plot a tool, in the order of the file.
std::string tool_forces(const CsvTable& tools) {
  constexpr std::array<std::string_view, 3> kColumns{"force_x", "force_y", "force_z"};
  const auto names = tools.texts("tool");
  const auto times = tools.numbers("time");
  std::map<std::string, std::vector<svg::Series>> of;
  std::vector<std::string> order;
  for (std::size_t c = 0; c < kColumns.size(); ++c) {
    const std::vector<double> force = tools.numbers(kColumns[c]);
    for (std::size_t k = 0; k < force.size(); ++k) {
      auto& list = of[names[k]];
      if (list.empty()) order.push_back(names[k]);
      if (list.size() == c) list.push_back({std::string(kColumns[c].substr(6)), {}, {}});
      list[c].x.push_back(times[k]);
      list[c].y.push_back(force[k]);
    }
  }
  std::string text;
  for (const std::string& name : order) {
    text +=
        svg::draw({"time, s", fmt::format("force of the grains on {}, N", name), false, of[name]});
  }
  return text;
}

std::string stages(const CsvTable& steps) {
  constexpr std::array<std::string_view, 6> kStages{"domain", "contacts", "assemble",
                                                    "solve",  "advance",  "output"};
  svg::Plot plot{"time, s", "wall-clock seconds a step", true, {}};
  std::string table = "<table><tr><th>stage</th><th>s</th></tr>\n";
  for (const std::string_view stage : kStages) {
    plot.series.push_back(series(steps, fmt::format("seconds_{}", stage), std::string(stage)));
    table += row(stage, fmt::format("{:.2f}", sum(plot.series.back().y)));
  }
  return table + "</table>\n" + svg::draw(plot) +
         svg::draw({"time, s",
                    "imbalance: heaviest rank's load over the mean",
                    false,
                    {series(steps, "imbalance", "")}});
}

/// The surfaces of walls and tools of a snapshot.
std::vector<svg::WallTriangle> walls_of(const h5::File& file) {
  std::vector<svg::WallTriangle> walls;
  if (!h5::is_group(file.get(), "walls")) return walls;
  const h5::Group group = h5::open_group(file.get(), "walls");
  for (const std::string& name : h5::children(group.get())) {
    const auto points = h5::read<double>(group.get(), name + "/points");
    const auto corners = h5::read<std::int32_t>(group.get(), name + "/triangles");
    const auto point = [&](std::int32_t k) {
      const auto first = 3 * static_cast<std::size_t>(k);
      if (k < 0 || first + 2 >= points.size()) {
        throw InputError(fmt::format("the surface of {} has no point {}", name, k));
      }
      return Vec3(&points[first]);
    };
    for (std::size_t t = 0; t + 2 < corners.size(); t += 3) {
      walls.push_back({point(corners[t]), point(corners[t + 1]), point(corners[t + 2])});
    }
  }
  return walls;
}

std::string picture_of(const fs::path& snapshot) {
  std::vector<svg::Ball> balls;
  for (const SnapshotGrain& grain : read_snapshot_grains(snapshot)) {
    balls.push_back({grain.position, grain.radius, grain.velocity.norm()});
  }
  const h5::File file = h5::open_file(snapshot);
  const double time = h5::read_scalar_attribute<double>(file.get(), "time");
  return section(fmt::format("Grains at {:g} s", time),
                 svg::draw(std::move(balls), "speed, m/s", walls_of(file)));
}

/// The grains of the last snapshot by their speeds, or why they cannot be shown; empty when there
/// is none.
std::string picture(const RunFolder& folder) {
  const std::vector<StepFile> files = step_files(folder.snapshot_files());
  if (files.empty()) return {};
  try {
    return h5::reading(files.back().path, [&] { return picture_of(files.back().path); });
  } catch (const InputError& damaged) {
    return section("Grains", fmt::format("<p>{}</p>\n", escaped(damaged.what())));
  }
}

}  // namespace

std::string report_page(const fs::path& run) {
  const RunFolder folder(run);
  if (!fs::is_regular_file(folder.steps()) || !fs::is_regular_file(folder.config())) {
    throw InputError(fmt::format("{}: is no folder of a run: it has no {}", run.string(),
                                 fs::is_regular_file(folder.config()) ? "steps.csv" : "run.yaml"));
  }
  const std::string yaml = read_text_file(folder.config());
  const RunKeys keys = keys_of(yaml, folder.config());
  const CsvTable steps = read_csv_table(folder.steps());
  std::string page = std::string(kPageBegin) + std::string(kPageHead);
  page += fmt::format("<title>{0}</title></head><body>\n<h1>{0}</h1>\n", escaped(keys.name));
  if (steps.rows.empty()) {
    page += "<p>No step has been taken yet.</p>\n";
  } else {
    page += summary(steps, keys) + picture(folder) + unsolved(steps);
    page += section("Convergence", convergence(steps, keys.tolerance));
    page += section("Energies", energies(steps));
    const CsvTable tools = read_csv_table(folder.tools());
    if (!tools.rows.empty()) page += section("Forces on tools", tool_forces(tools));
    page += section("Where time went", stages(steps));
  }
  page += section(
      "Configuration",
      fmt::format("<details><summary>run.yaml</summary><pre>{}</pre></details>\n", escaped(yaml)));
  return page + fmt::format("<p>scree {}, {}</p>\n</body></html>\n", version(), git_hash());
}

}  // namespace scree
