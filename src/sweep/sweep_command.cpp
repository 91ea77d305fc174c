#include "scree/sweep/sweep_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <thread>

#include "cases.hpp"
#include "child.hpp"
#include "schedule.hpp"
#include "scree/base/check.hpp"
#include "scree/config/emit.hpp"
#include "scree/config/suggest.hpp"
#include "scree/io/run_folder/file_lock.hpp"
#include "scree/io/run_folder/whole_file.hpp"
#include "scree/sweep/sweep_config.hpp"
#include "slurm_script.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;
using sweep::CaseStatus;
using sweep::kStopped;
using sweep::SweepFolder;

constexpr int kDone = 0;
constexpr int kFailed = 1;

fs::path folder_of(const SweepConfig& config, const fs::path& output) {
  return fs::absolute(output.empty() ? fs::path("output") / config.name : output)
      .lexically_normal();
}

/// The runs would find themselves among the ranks of the launcher that started the sweep.
void refuse_launcher() {
  for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"}) {
    if (std::getenv(variable) == nullptr) continue;
    throw InputError(
        "sweep: was started by mpirun or srun; allowed: scree sweep by itself, which starts its "
        "cases on `ranks` ranks each");
  }
}

/// Refuses a folder of @p output that holds files of something else than a sweep.
void check_folder(const SweepFolder& folder) {
  if (fs::exists(folder.config()) || !fs::exists(folder.root()) || fs::is_empty(folder.root()))
    return;
  const std::set<std::string> own{"sweep.lock", "cases",
                                  "runs"};  // of a sweep that was killed at its very beginning
  for (const auto& entry : fs::directory_iterator(folder.root())) {
    if (own.contains(entry.path().filename().string())) continue;
    throw InputError(fmt::format("{}: holds {}, and no sweep; give a new folder with --output DIR",
                                 folder.root().string(), entry.path().filename().string()));
  }
}

void make_folders(const SweepFolder& folder) {
  std::error_code code;
  for (const fs::path& path : {folder.runs(), folder.cases()}) {
    if (!code) fs::create_directories(path, code);
  }
  if (code) {
    throw InputError(fmt::format(
        "{}: the folder of the sweep cannot be made: {}; give another with --output DIR",
        folder.root().string(), code.message()));
  }
}

/// The sweep's own lock: one process at a time decides what is run in a folder. @throws InputError.
FileLock lock_of(const SweepFolder& folder) {
  if (std::optional<FileLock> lock = FileLock::take(folder.lock())) return std::move(*lock);
  throw InputError(
      fmt::format("{}: another sweep works there: {}; wait for it, stop it, or give another folder "
                  "with --output DIR",
                  folder.root().string(), holder_of(folder.lock())));
}

bool is_to_run(const sweep::CaseRecord& record, bool retry) {
  return record.status != CaseStatus::done && (record.status != CaseStatus::failed || retry);
}

std::vector<const Case*> cases_to_run(const std::vector<Case>& cases, const sweep::Results& results,
                                      bool retry) {
  std::vector<const Case*> waiting;
  for (const Case& one : cases) {
    if (is_to_run(results.record_of(one), retry)) waiting.push_back(&one);
  }
  return waiting;
}

/// Runs of earlier forms of the sweep, which belong to no case.
std::size_t other_runs(const SweepFolder& folder, const std::vector<Case>& cases) {
  std::set<std::string> names;
  for (const Case& one : cases) names.insert(one.name);
  std::size_t others = 0;
  for (const auto& entry : fs::directory_iterator(folder.runs())) {
    if (!names.contains(entry.path().filename().string())) ++others;
  }
  return others;
}

std::size_t default_jobs(std::int64_t ranks) {
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  return std::max<std::size_t>(1, cores / static_cast<std::size_t>(ranks));
}

sweep::Launch launch_of(const SweepConfig& config, const SweepArguments& arguments) {
  return {.program = sweep::own_program(),
          .ranks = config.ranks,
          .launcher = arguments.slurm ? config.slurm.launcher : config.launcher};
}

sweep::Tally tally_of(const std::vector<Case>& cases, const sweep::Results& results, bool retry) {
  sweep::Tally tally{.cases = cases.size()};
  for (const Case& one : cases) {
    const sweep::CaseRecord& record = results.record_of(one);
    if (!is_to_run(record, retry)) tally.count(record.status);
  }
  return tally;
}

/// The exit status of what the cases have become.
int status_of(const std::vector<Case>& cases, const sweep::Results& results) {
  const bool all = std::ranges::all_of(
      cases, [&](const Case& one) { return results.record_of(one).status == CaseStatus::done; });
  return all ? kDone : kFailed;
}

/// One of the cases alone. @throws InputError for a name that none has.
std::vector<Case> alone(std::vector<Case> cases, const std::string& name) {
  std::vector<std::string_view> names;
  for (const Case& one : cases) names.push_back(one.name);
  const auto found = std::ranges::find(cases, name, &Case::name);
  if (found == cases.end()) {
    throw InputError(fmt::format("--case: \"{}\" is no case of the sweep; {}", name,
                                 suggestion_and_list(name, names)));
  }
  return {std::move(*found)};
}

std::string n_cases(std::size_t n) {
  return fmt::format("{} case{}", n, n == 1 ? "" : "s");
}

int write_script(const SweepConfig& config, const SweepFolder& folder,
                 const std::vector<const Case*>& waiting, const fs::path& file) {
  std::vector<std::string> names;
  for (const Case* one : waiting) names.push_back(one->name);
  if (names.empty()) {
    fmt::print("all cases have been run\n");
    return kDone;
  }
  write_whole(folder.script(),
              slurm_script(config, sweep::own_program(), fs::absolute(file), folder.root(), names));
  fmt::print("{}: sbatch {}\n", n_cases(names.size()), folder.script().string());
  return kDone;
}

std::string in_words(const sweep::Tally& tally, std::size_t to_run) {
  std::string text = n_cases(tally.cases);
  if (tally.done > 0) text += fmt::format(", {} done before", tally.done);
  if (tally.failed > 0)
    text += fmt::format(", {} failed before (--retry runs them again)", tally.failed);
  return text + fmt::format(", {} to run", to_run);
}

/// Runs what is to be run of @p cases, and tells of it.
int run_cases(const SweepConfig& config, const SweepFolder& folder, const std::vector<Case>& cases,
              const std::vector<const Case*>& waiting, sweep::Results& results,
              const SweepArguments& arguments) {
  const sweep::Tally tally = tally_of(cases, results, arguments.retry);
  const std::size_t jobs = arguments.jobs > 0 ? arguments.jobs : default_jobs(config.ranks);
  sweep::SweepProgress progress(arguments.quiet, tally);
  progress.message(fmt::format("{}, {} at once; writing to {}", in_words(tally, waiting.size()),
                               jobs, folder.root().string()));
  if (const std::size_t others = other_runs(folder, cases); others > 0 && arguments.only.empty()) {
    progress.message(
        fmt::format("{} runs in {} are of no case of this sweep; they are left as they are", others,
                    folder.runs().string()));
  }
  sweep::Schedule schedule(folder, results, waiting, tally,
                           {.jobs = jobs,
                            .launch = launch_of(config, arguments),
                            .writes_results = arguments.only.empty()},
                           progress);
  const int signal = schedule.run();
  sweep::Tally end = tally_of(cases, results, false);
  progress.message(fmt::format("{} of {} done, {} failed{}", end.done, end.cases, end.failed,
                               arguments.only.empty() ? "; " + folder.results_csv().string() : ""));
  if (signal == 0) return status_of(cases, results);
  progress.message(
      fmt::format("stopped by {}; the same command goes on", sweep::name_of_signal(signal)));
  return kStopped;
}

}  // namespace

int sweep_command(const SweepArguments& arguments) {
  refuse_launcher();
  const SweepConfig config = read_sweep(arguments.sweep);
  const SweepFolder folder(folder_of(config, arguments.output));
  std::vector<Case> cases = prepare(config, arguments.sweep, folder.runs());
  if (!arguments.only.empty()) cases = alone(std::move(cases), arguments.only);
  check_folder(folder);
  make_folders(folder);
  // A task that runs one case shares the folder with others: each has the lock of its case.
  std::optional<FileLock> lock;
  if (arguments.only.empty()) lock = lock_of(folder);
  sweep::Results results(config, folder, cases);
  const std::vector<const Case*> waiting = cases_to_run(cases, results, arguments.retry);
  if (arguments.only.empty()) write_whole(folder.config(), emit_yaml(config));
  if (arguments.slurm && arguments.only.empty())
    return write_script(config, folder, waiting, arguments.sweep);
  if (!arguments.collect) return run_cases(config, folder, cases, waiting, results, arguments);
  results.write();
  fmt::print("{}\n", folder.results_csv().string());
  return status_of(cases, results);
}

int check_sweep(const fs::path& file) {
  const SweepConfig config = read_sweep(file);
  const SweepFolder folder(folder_of(config, {}));
  const std::vector<Case> cases = prepare(config, file, folder.runs());
  fmt::print("{}: valid, {} of {}\n", file.string(), n_cases(cases.size()), config.base.string());
  for (const Case& one : cases) {
    const CaseStatus status = sweep::record_of(folder, one).status;
    fmt::print("  {:<11}{}\n", status == CaseStatus::waiting ? "to run" : sweep::to_string(status),
               one.name);
  }
  return 0;
}

}  // namespace scree
