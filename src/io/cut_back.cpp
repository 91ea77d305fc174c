#include "scree/io/cut_back.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <vector>

#include "scree/io/csv.hpp"
#include "scree/io/records.hpp"
#include "scree/io/snapshot.hpp"
#include "scree/io/whole_file.hpp"

namespace scree {
namespace fs = std::filesystem;
namespace {

/// The place of the column `step` in the line of names. Those before it hold numbers, which have no
/// commas.
std::size_t commas_before_step(const std::string& header) {
  const std::size_t at = ("," + header + ",").find(",step,");
  SCREE_ASSERT(at != std::string::npos);
  return std::count(header.begin(), header.begin() + static_cast<std::ptrdiff_t>(at), ',');
}

std::int64_t step_of(const fs::path& path, const std::string& row, std::size_t commas) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < commas && at != std::string::npos; ++i) at = row.find(',', at) + 1;
  try {
    return std::stoll(row.substr(at));
  } catch (const std::exception&) {
    throw InputError(fmt::format("{}: the row \"{}\" names no step; remove it, or the file",
                                 path.string(), row));
  }
}

/// The length of the part of the file that stays.
std::uintmax_t kept_length(const fs::path& path, const std::string& header, std::int64_t step) {
  std::ifstream file(path, std::ios::binary);
  std::string row;
  std::uintmax_t kept = 0;
  if (!std::getline(file, row) || file.eof()) return kept;  // no whole line
  if (row != header) {
    throw InputError(
        fmt::format("{}: its columns are not those of this version of scree; give another folder "
                    "with --output DIR, or remove the file",
                    path.string()));
  }
  const std::size_t commas = commas_before_step(header);
  kept = row.size() + 1;
  while (std::getline(file, row) && !file.eof() && step_of(path, row, commas) <= step) {
    kept += row.size() + 1;
  }
  return kept;
}

void remove_later(const std::vector<StepFile>& files, std::int64_t step) {
  for (const StepFile& file : files) {
    if (file.step > step) fs::remove(file.path);
  }
}

/// What was being written when the run ended.
void remove_unfinished(const RunFolder& folder) {
  remove_later(step_files(folder.snapshots(), "snapshot", "hdf.part"), -1);
  remove_later(step_files(folder.checkpoints(), "checkpoint", "h5.part"), -1);
  for (const fs::path& path : {folder.xdmf(), folder.config()}) fs::remove(part_of(path));
}

}  // namespace

void cut_table(const fs::path& path, const std::string& header, std::int64_t step) {
  if (!fs::exists(path)) return;
  const std::uintmax_t kept = kept_length(path, header, step);
  if (kept == fs::file_size(path)) return;
  fs::resize_file(path, kept);
  flush_to_disk(path);
}

XdmfIndex cut_back(const RunFolder& folder, std::int64_t step) {
  remove_later(step_files(folder.checkpoints(), "checkpoint", "h5"), step);
  cut_table(folder.steps(), csv_header(step_columns()), step);
  cut_table(folder.tools(), csv_header(tool_columns()), step);
  const std::vector<StepFile> files = step_files(folder.snapshots(), "snapshot", "hdf");
  std::vector<SnapshotInfo> snapshots;
  for (const StepFile& file : files) {
    if (file.step <= step) snapshots.push_back(read_snapshot_info(file.path));
  }
  XdmfIndex index(folder.xdmf(), std::move(snapshots));
  if (!files.empty()) index.write();
  remove_later(files, step);
  remove_later(step_files(folder.problems(), "step", "hdf5"), step);
  remove_unfinished(folder);
  return index;
}

}  // namespace scree
