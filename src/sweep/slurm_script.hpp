#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scree/sweep/sweep_config.hpp"

namespace scree {

/// A batch script for Slurm with one array over the cases @p names: each task runs one by `scree
/// sweep --slurm --case`.
/// @param program, file, folder of scree, the sweep and its output; absolute
std::string slurm_script(const SweepConfig& sweep, const std::filesystem::path& program,
                         const std::filesystem::path& file, const std::filesystem::path& folder,
                         const std::vector<std::string>& names);

/// @p text as one word of a shell.
std::string shell_word(const std::string& text);

}  // namespace scree
