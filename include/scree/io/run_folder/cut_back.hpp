#pragma once

/// Takes the folder of a run back to a point from which it goes on. Not collective: rank 0.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "scree/io/paraview/contact_file.hpp"
#include "scree/io/paraview/field_image.hpp"
#include "scree/io/paraview/xdmf.hpp"
#include "scree/io/run_folder/run_folder.hpp"

namespace scree {

/// How far a run is.
struct RunPoint {
  std::int64_t steps = 0;  ///< whole ones
  double share = 0.0;      ///< of the next one, that is done
  double time = 0.0;       ///< s
};

/// What is kept of a table of a run that goes on from a point.
struct KeptTable {
  std::uintmax_t bytes = 0;
  std::vector<std::int64_t> steps;  ///< of the rows, ascending
};

/// What stands in a CSV file of columns @p header until @p point; nothing where there is no file, or no whole line.
/// @throws InputError, naming the line, when it is damaged: another header, a row with other than as many values, without
/// a step or a time, or behind a later one. A last line that was not finished is no damage, nor are lines behind all that is
/// kept: a machine that went down leaves what it will of a tail that had not reached the disk.
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
/// that was not finished. The rows before are not touched: the file is shortened in one call. A file
/// that is not there is left so.
/// @throws InputError as kept_of_table, Failure.
void cut_table(const std::filesystem::path& path, const std::string& header, const RunPoint& point);

/// Removes later checkpoints. They go before all else, so that a cut that is itself cut off can be repeated.
void cut_checkpoints(const RunFolder& folder, const RunPoint& point);

/// The snapshots until @p point. @throws InputError for one that is damaged.
std::vector<SnapshotInfo> kept_snapshots(const RunFolder& folder, const RunPoint& point);

/// Removes later snapshots, from @p index first, which is then of those that are left. @throws InputError, Failure.
void cut_snapshots(const RunFolder& folder, const RunPoint& point, XdmfIndex& index);

/// Removes later contact problems.
void cut_problems(const RunFolder& folder, const RunPoint& point);

/// Removes later files of contacts, from @p index first. @throws InputError, Failure.
void cut_contacts(const RunFolder& folder, const RunPoint& point, XdmfIndex& index);

/// The files of contacts, and the images of the fields @p name, until @p point. @throws InputError for one that is damaged.
std::vector<ContactFileInfo> kept_contacts(const RunFolder& folder, const RunPoint& point);
std::vector<FieldImageInfo> kept_field_images(const RunFolder& folder, const std::string& name,
                                              const RunPoint& point);

/// Removes later images of the fields @p name, from @p index first. @throws InputError, Failure.
void cut_field_images(const RunFolder& folder, const std::string& name, const RunPoint& point,
                      XdmfIndex& index);

}  // namespace scree
