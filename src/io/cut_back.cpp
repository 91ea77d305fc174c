#include "scree/io/cut_back.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <utility>
#include <vector>

#include "scree/io/snapshot.hpp"
#include "scree/io/whole_file.hpp"

namespace scree {
namespace fs = std::filesystem;
namespace {

/// The place of a column in the line of names. Those before it hold numbers, which have no commas.
std::size_t commas_before(const std::string& header, const std::string& column) {
  const std::size_t at = ("," + header + ",").find("," + column + ",");
  SCREE_ASSERT(at != std::string::npos);
  return std::count(header.begin(), header.begin() + static_cast<std::ptrdiff_t>(at), ',');
}

/// What a row says in a column. @throws std::out_of_range where it has too few.
std::string entry(const std::string& row, std::size_t commas) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < commas; ++i) {
    at = row.find(',', at);
    if (at == std::string::npos) throw std::out_of_range("a row with too few columns");
    ++at;
  }
  return row.substr(at);
}

/// Whether a row is of a step, or a part of one, that is done at @p point.
class IsDone {
 public:
  IsDone(const fs::path& path, const std::string& header, const RunPoint& point)
      : path_(path),
        step_(commas_before(header, "step")),
        time_(commas_before(header, "time")),
        point_(point) {}

  bool operator()(const std::string& row) const {
    try {
      return std::stoll(entry(row, step_)) <= point_.steps ||
             std::stod(entry(row, time_)) <= point_.time;
    } catch (const std::exception&) {
      throw InputError(fmt::format("{}: the row \"{}\" names no step; remove it, or the file",
                                   path_.string(), row));
    }
  }

 private:
  const fs::path& path_;
  std::size_t step_;
  std::size_t time_;
  RunPoint point_;
};

/// The length of the part of the file that stays.
std::uintmax_t kept_length(const fs::path& path, const std::string& header, const RunPoint& point) {
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
  const IsDone is_done(path, header, point);
  kept = row.size() + 1;
  while (std::getline(file, row) && !file.eof() && is_done(row)) {
    kept += row.size() + 1;
  }
  return kept;
}

bool is_later(const StepFile& file, const RunPoint& point) {
  const std::int64_t whole = file.share < 1.0 ? file.step - 1 : file.step;
  const double share = file.share < 1.0 ? file.share : 0.0;
  return std::pair(whole, share) > std::pair(point.steps, point.share);
}

void remove_later(const std::vector<StepFile>& files, const RunPoint& point) {
  for (const StepFile& file : files) {
    if (is_later(file, point)) fs::remove(file.path);
  }
}

/// What was being written when the run ended.
void remove_unfinished(const fs::path& folder, const std::string& prefix,
                       const std::string& ending) {
  for (const StepFile& file : step_files(folder, prefix, ending + ".part")) fs::remove(file.path);
}

}  // namespace

void cut_table(const fs::path& path, const std::string& header, const RunPoint& point) {
  if (!fs::exists(path)) return;
  const std::uintmax_t kept = kept_length(path, header, point);
  if (kept == fs::file_size(path)) return;
  fs::resize_file(path, kept);
  flush_to_disk(path);
}

void cut_checkpoints(const RunFolder& folder, const RunPoint& point) {
  for (const StepFile& file : step_files(folder.checkpoints(), "checkpoint", "h5")) {
    if (file.step > point.steps) fs::remove(file.path);
  }
  remove_unfinished(folder.checkpoints(), "checkpoint", "h5");
}

XdmfIndex cut_snapshots(const RunFolder& folder, const RunPoint& point) {
  const std::vector<StepFile> files = step_files(folder.snapshots(), "snapshot", "hdf");
  std::vector<SnapshotInfo> snapshots;
  for (const StepFile& file : files) {
    if (!is_later(file, point)) snapshots.push_back(read_snapshot_info(file.path));
  }
  XdmfIndex index(folder.xdmf(), std::move(snapshots));
  if (!files.empty()) index.write();
  remove_later(files, point);
  remove_unfinished(folder.snapshots(), "snapshot", "hdf");
  fs::remove(part_of(folder.xdmf()));
  return index;
}

std::vector<FieldImageInfo> cut_field_images(const RunFolder& folder, const std::string& name,
                                             const RunPoint& point) {
  const std::vector<StepFile> files = step_files(folder.fields(), name, "hdf");
  std::vector<FieldImageInfo> images;
  for (const StepFile& file : files) {
    if (!is_later(file, point)) images.push_back(read_field_image_info(file.path));
  }
  if (!files.empty()) {
    write_whole(folder.field_index(name), field_index_text(folder.fields(), images));
  }
  remove_later(files, point);
  remove_unfinished(folder.fields(), name, "hdf");
  return images;
}

void cut_problems(const RunFolder& folder, const RunPoint& point) {
  remove_later(step_files(folder.problems(), "step", "hdf5"), point);
}

}  // namespace scree
