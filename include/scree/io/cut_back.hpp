#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "scree/io/run_folder.hpp"
#include "scree/io/xdmf.hpp"

namespace scree {

/// Cuts off what stands in a CSV file for steps after @p step (its column `step`), and a last line
/// that was not finished. The rows before are not touched: the file is shortened in one call. A file
/// that is not there is left so. Not collective.
/// @throws InputError when its first line is not @p header, Failure.
void cut_table(const std::filesystem::path& path, const std::string& header, std::int64_t step);

/// Takes the folder of a run back to the state after @p step, from which it goes on: later
/// checkpoints first, so that a cut that is itself cut off can be repeated, then later rows of the
/// tables, entries of the index, snapshots and problems. Not collective: rank 0.
/// Returns the index of the snapshots that are left. @throws InputError, Failure.
XdmfIndex cut_back(const RunFolder& folder, std::int64_t step);

}  // namespace scree
