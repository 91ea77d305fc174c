#include "slurm_script.hpp"

#include <fmt/format.h>

namespace scree {

std::string shell_word(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string slurm_script(const SweepConfig& sweep, const std::filesystem::path& program,
                         const std::filesystem::path& file, const std::filesystem::path& folder,
                         const std::vector<std::string>& names) {
  const std::string limit = sweep.slurm.at_once > 0 ? fmt::format("%{}", sweep.slurm.at_once) : "";
  std::string text = "#!/bin/sh\n";
  text += fmt::format("#SBATCH --job-name={}\n", sweep.name);
  text += fmt::format("#SBATCH --array=0-{}{}\n", names.size() - 1, limit);
  text += fmt::format("#SBATCH --ntasks={}\n", sweep.ranks);
  text += fmt::format("#SBATCH --output=\"{}/slurm-%A_%a.log\"\n", (folder / "cases").string());
  // Slurm signals this script two minutes before the end of its time; the sweep, which the script
  // becomes, passes it on.
  text += "#SBATCH --signal=B:USR1@120\n";
  for (const std::string& option : sweep.slurm.options) text += fmt::format("#SBATCH {}\n", option);
  text +=
      "\n# The cases that were to be run when this was written. A task that was stopped goes on "
      "when it is submitted again.\nset --";
  for (const std::string& name : names) text += fmt::format(" \\\n  {}", shell_word(name));
  text += "\nshift \"$SLURM_ARRAY_TASK_ID\"\n";
  return text + fmt::format("exec {} sweep {} --output {} --slurm --case \"$1\"\n",
                            shell_word(program.string()), shell_word(file.string()),
                            shell_word(folder.string()));
}

}  // namespace scree
