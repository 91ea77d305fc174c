#pragma once

/// A run on one page of HTML.

#include <filesystem>
#include <string>
#include <string_view>

namespace scree {

/// How a page begins.
inline constexpr std::string_view kPageBegin = "<!DOCTYPE html>";

/// The page: what was run, how steps converged, energies, forces on tools, seconds by stage,
/// imbalance, the last snapshot, and the configuration. HTML that needs no other file. Of a run
/// that is still going on, or of which a snapshot is damaged, what there is; of tables with a row
/// every so many steps, those steps. Not collective. @throws InputError when @p run is no folder of
/// a run, or a file in it cannot be read.
std::string report_page(const std::filesystem::path& run);

}  // namespace scree
