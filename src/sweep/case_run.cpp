#include "case_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <fstream>

#include "scree/io/run_folder/whole_file.hpp"
#include "scree/io/version.hpp"
#include "signals.hpp"

namespace scree::sweep {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> words_of(const Launch& launch, const fs::path& config, bool goes_on) {
  // A sweep in a shell that srun has started has the variables of its tasks, of which a case of one
  // rank is none.
  std::vector<std::string> words{"env", "-u", "SLURM_STEP_NUM_TASKS"};
  if (launch.ranks > 1) {
    words = launch.launcher;
    words.insert(words.end(), {"-n", fmt::format("{}", launch.ranks)});
  }
  words.insert(words.end(), {launch.program.string(), "run", config.string(), "--quiet"});
  if (goes_on) words.insert(words.end(), {"--restart", "latest"});
  return words;
}

/// The last reason that a run gave for its failure: its last line, or the last that names scree;
/// mpirun's own words come after a line of dashes.
std::string error_in(const fs::path& log) {
  std::ifstream file(log);
  std::string error;
  std::string last;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("-----") && !last.empty()) break;
    if (!line.empty()) last = line;
    if (line.starts_with("scree: ") && !line.starts_with("scree: warning: "))
      error = line.substr(7);
  }
  return error.empty() ? last : error;
}

CaseStatus status_of(const Ending& ending) {
  if (ending.status == 0) return CaseStatus::done;
  if (ending.status == kStopped || ending.signal() != 0) return CaseStatus::stopped;
  return CaseStatus::failed;
}

std::string error_of(const Ending& ending, const fs::path& log) {
  if (ending.status == 0 || ending.status == kStopped) return {};
  if (ending.signal() == SIGUSR1) return {};  // asked to stop before it could take note of that
  if (ending.signal() != 0)
    return fmt::format("ended by {} ({})", name_of_signal(ending.signal()), ending.signal());
  const std::string said = error_in(log);
  return said.empty() ? fmt::format("ended with status {}; see {}", ending.status, log.string())
                      : said;
}

}  // namespace

CaseRun CaseRun::start(const SweepFolder& folder, const Case& one, const Launch& launch,
                       FileLock lock) {
  CaseRecord record = record_of(folder, one);
  const bool goes_on = record.status == CaseStatus::running || record.status == CaseStatus::stopped;
  if (!goes_on) record = {};
  record.status = CaseStatus::running;
  record.error.clear();
  record.fingerprint = one.fingerprint;
  record.ranks = launch.ranks;
  record.version = version();
  record.commit = git_hash();
  write_whole(folder.config_of(one.name), one.yaml);
  write_record(folder, one.name, record);
  fs::remove(folder.log_of(one.name));
  const Child child = Child::start(words_of(launch, folder.config_of(one.name), goes_on),
                                   folder.log_of(one.name), lock);
  return CaseRun(folder, one, std::move(record), child, std::move(lock));
}

std::optional<CaseRecord> CaseRun::ended() {
  const std::optional<Ending> ending = child_.ended();
  if (!ending) return std::nullopt;
  record_.seconds +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  record_.status = status_of(*ending);
  record_.error = error_of(*ending, folder_->log_of(case_->name));
  write_record(*folder_, case_->name, record_);
  return record_;
}

double CaseRun::share() const {
  constexpr std::streamoff kTail = 4096;  // longer than a row
  std::ifstream file(folder_->run(case_->name).steps(), std::ios::binary | std::ios::ate);
  if (!file) return 0.0;
  file.seekg(std::max<std::streamoff>(0, file.tellg() - kTail));
  std::string tail(static_cast<std::size_t>(kTail), '\0');
  file.read(tail.data(), kTail);
  tail.resize(static_cast<std::size_t>(file.gcount()));
  const std::size_t end = tail.rfind('\n');
  if (end == std::string::npos || end == 0) return 0.0;
  const std::size_t before = tail.rfind('\n', end - 1);
  if (before == std::string::npos) return 0.0;  // the header alone
  double time = 0.0;
  std::from_chars(tail.data() + before + 1, tail.data() + end, time);
  return std::clamp(time / case_->end, 0.0, 1.0);
}

}  // namespace scree::sweep
