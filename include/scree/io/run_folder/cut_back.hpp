#pragma once

/// Takes the folder of a run back to a point from which it goes on. Not collective: rank 0.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "scree/io/paraview/xdmf.hpp"
#include "scree/io/run_folder/run_folder.hpp"

namespace scree {

/// How far a run is.
struct RunPoint {
  std::int64_t steps = 0;  ///< whole ones
  double share = 0.0;      ///< of the next one, that is done
  double time = 0.0;       ///< s
};

/// The part of a table that is kept in a run that goes on from a point.
struct KeptTable {
  std::uintmax_t bytes = 0;
  std::vector<std::int64_t> steps;  ///< of the rows, ascending
};

/// The rows of a CSV file of columns @p header until @p point; none where there is no file, or no
/// whole line.
/// @throws InputError, naming the line, when it is damaged: another header, a row with other than
/// as many values, without a step or a time, or behind a later one. A last line that was not
/// finished is no damage, nor are lines behind all that is kept: a machine that went down leaves
/// what it will of a tail that had not reached the disk.
KeptTable kept_of_table(const std::filesystem::path& path, const std::string& header,
                        const RunPoint& point);

/// The rows that a table should have: so many of each step that is a multiple of @p every.
struct ExpectedRows {
  std::int64_t steps = 0;  ///< whole ones until the point
  std::int64_t every = 1;
  std::int64_t rows = 1;  ///< of a step
};

/// Which of them @p kept does not have, in words; empty when all are there.
std::string missing_rows(const KeptTable& kept, const ExpectedRows& expected);

/// Cuts off what stands in a CSV file for later (its columns `step` and `time`), and a last line
/// that was not finished. The rows before are not touched: the file is shortened in one call. A
/// file that is not there is left so.
/// @throws InputError as kept_of_table, Failure.
void cut_table(const std::filesystem::path& path, const std::string& header, const RunPoint& point);

/// The files of these names until @p point.
std::vector<StepFile> kept_files(const StepFileNames& names, const RunPoint& point);

/// Removes the files of these names that are later.
void remove_later(const StepFileNames& names, const RunPoint& point);

/// Removes what a run that was killed left of those that it was writing.
void remove_unfinished(const StepFileNames& names);

/// The files that are kept, each as @p read reads it. @throws InputError for one that is damaged,
/// as @p read does.
template <class Info>
std::vector<Info> kept_infos(const StepFileNames& names, const RunPoint& point,
                             Info (*read)(const std::filesystem::path&)) {
  std::vector<Info> kept;
  for (const StepFile& file : kept_files(names, point)) kept.push_back(read(file.path));
  return kept;
}

/// Removes later files, from @p index first, which is then of those that are @p kept. @throws
/// Failure.
template <class Info>
void cut_indexed(const StepFileNames& names, const std::vector<Info>& kept, const RunPoint& point,
                 XdmfIndex& index) {
  if (!step_files(names).empty()) index.write(kept);
  remove_later(names, point);
  remove_unfinished(names);
}

}  // namespace scree
