#include "scree/io/run_folder/cut_back.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "scree/io/run_folder/whole_file.hpp"

namespace scree {
namespace fs = std::filesystem;
namespace {

/// The cells of a row; commas within quotes part none.
std::vector<std::string_view> cells_of(std::string_view row) {
  std::vector<std::string_view> cells;
  std::size_t begin = 0;
  bool quoted = false;
  for (std::size_t k = 0; k <= row.size(); ++k) {
    if (k < row.size() && row[k] == '"') quoted = !quoted;
    if (k < row.size() && (row[k] != ',' || quoted)) continue;
    cells.push_back(row.substr(begin, k - begin));
    begin = k + 1;
  }
  return cells;
}

/// Reads the rows of one table.
class Rows {
 public:
  Rows(const fs::path& path, const std::string& header, const RunPoint& point)
      : path_(path), names_(cells_of(header)), point_(point) {}

  /// The step of @p row where it is done, wholly or in part, at the point; none where it is later.
  std::optional<std::int64_t> step_if_done(std::string_view row) {
    ++line_;
    const std::vector<std::string_view> cells = cells_of(row);
    if (cells.size() != names_.size()) {
      refuse(fmt::format("{} values under {} names", cells.size(), names_.size()));
    }
    const auto step = number<std::int64_t>(cells, "step");
    const auto time = number<double>(cells, "time");
    if (step <= point_.steps || time <= point_.time) return step;
    return std::nullopt;
  }

  [[noreturn]] void refuse(const std::string& fault) const {
    throw InputError(
        fmt::format("{}:{}: {}: the table is damaged; correct the row, or move the file away, and "
                    "the table begins anew",
                    path_.string(), line_, fault));
  }

 private:
  template <class T>
  T number(const std::vector<std::string_view>& cells, std::string_view column) const {
    const auto at = std::ranges::find(names_, column) - names_.begin();
    SCREE_ASSERT(at < static_cast<std::ptrdiff_t>(names_.size()));
    const std::string_view text = cells[static_cast<std::size_t>(at)];
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) {
      refuse(fmt::format("\"{}\" is no {}", text, column));
    }
    return value;
  }

  const fs::path& path_;
  std::vector<std::string_view> names_;
  RunPoint point_;
  std::int64_t line_ = 1;  ///< of the header
};

bool is_later(const StepFile& file, const RunPoint& point) {
  const std::int64_t whole = file.share < 1.0 ? file.step - 1 : file.step;
  const double share = file.share < 1.0 ? file.share : 0.0;
  return std::pair(whole, share) > std::pair(point.steps, point.share);
}

}  // namespace

KeptTable kept_of_table(const fs::path& path, const std::string& header, const RunPoint& point) {
  KeptTable kept;
  std::ifstream file(path, std::ios::binary);
  std::string row;
  if (!std::getline(file, row) || file.eof()) return kept;  // no whole line
  if (row != header) {
    throw InputError(
        fmt::format("{}: its columns are not those of this version of scree; give another folder "
                    "with --output DIR, or remove the file",
                    path.string()));
  }
  Rows rows(path, header, point);
  kept.bytes = row.size() + 1;
  bool later = false;
  std::optional<InputError> fault;  // of the first row that is none
  while (std::getline(file, row) && !file.eof()) {
    std::optional<std::int64_t> step;
    try {
      step = rows.step_if_done(row);
    } catch (const InputError& error) {
      if (!fault) fault = error;
      continue;
    }
    if (step && fault) throw *fault;
    if (step && (later || (!kept.steps.empty() && *step < kept.steps.back()))) {
      rows.refuse(fmt::format("step {} stands behind a later one", *step));
    }
    later = later || !step;
    if (later || fault) continue;
    kept.bytes += row.size() + 1;
    kept.steps.push_back(*step);
  }
  return kept;
}

std::string missing_rows(const KeptTable& kept, const ExpectedRows& expected) {
  std::int64_t missing = 0;
  std::int64_t first = 0;
  auto at = kept.steps.begin();
  for (std::int64_t step = expected.every; step <= expected.steps; step += expected.every) {
    const auto begin = std::lower_bound(at, kept.steps.end(), step);
    at = std::upper_bound(begin, kept.steps.end(), step);
    if (at - begin >= expected.rows) continue;
    if (missing++ == 0) first = step;
  }
  if (missing == 0) return {};
  return fmt::format(
      "rows are missing, of {} of the {} steps until {} that should have them; the first is step "
      "{}",
      missing, expected.steps / expected.every, expected.steps, first);
}

void cut_table(const fs::path& path, const std::string& header, const RunPoint& point) {
  if (!fs::exists(path)) return;
  const std::uintmax_t kept = kept_of_table(path, header, point).bytes;
  if (kept == fs::file_size(path)) return;
  fs::resize_file(path, kept);
  flush_to_disk(path);
}

std::vector<StepFile> kept_files(const StepFileNames& names, const RunPoint& point) {
  std::vector<StepFile> files = step_files(names);
  std::erase_if(files, [&point](const StepFile& file) { return is_later(file, point); });
  return files;
}

void remove_later(const StepFileNames& names, const RunPoint& point) {
  for (const StepFile& file : step_files(names)) {
    if (is_later(file, point)) fs::remove(file.path);
  }
}

void remove_unfinished(const StepFileNames& names) {
  for (const StepFile& file : unfinished_files(names)) fs::remove(file.path);
}

}  // namespace scree
