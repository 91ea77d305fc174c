#include "case_record.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>

#include "scree/base/check.hpp"
#include "scree/config/compare.hpp"
#include "scree/config/reader.hpp"
#include "scree/io/run_folder/whole_file.hpp"

namespace scree::sweep {
namespace {

constexpr std::array<std::string_view, 5> kWords{"waiting", "running", "stopped", "failed", "done"};

CaseRecord read(const std::filesystem::path& file) {
  const nlohmann::json json = nlohmann::json::parse(std::ifstream(file));
  CaseRecord record;
  const auto word = std::ranges::find(kWords, json.at("status").get<std::string>());
  if (word == kWords.end()) return record;
  record.status = static_cast<CaseStatus>(word - kWords.begin());
  record.error = json.at("error");
  record.fingerprint = json.at("fingerprint");
  record.seconds = json.at("seconds");
  record.ranks = json.at("ranks");
  record.version = json.at("version");
  record.commit = json.at("commit");
  return record;
}

/// Is what stands in the folder the run of @p one? The folder may have been moved.
bool is_run_of(const RunFolder& run, const Case& one) {
  const auto is_place = [](const Difference& d) { return d.key == "output.directory"; };
  return std::ranges::all_of(differences(read_text_file(run.config()), one.yaml), is_place);
}

}  // namespace

std::string_view to_string(CaseStatus status) {
  return kWords[static_cast<std::size_t>(status)];
}

CaseRecord record_of(const SweepFolder& folder, const Case& one) {
  try {
    const CaseRecord record = read(folder.record_of(one.name));
    if (record.fingerprint != one.fingerprint) return {};
    // A run that failed may have done so before it made its folder.
    if (record.status == CaseStatus::failed) return record;
    return is_run_of(folder.run(one.name), one) ? record : CaseRecord{};
  } catch (const nlohmann::json::exception&) {
    return {};  // there is no record, or it is damaged: the case is run anew
  } catch (const InputError&) {
    return {};  // the run is gone
  }
}

void write_record(const SweepFolder& folder, const std::string& name, const CaseRecord& record) {
  const nlohmann::ordered_json json = {{"status", to_string(record.status)},
                                       {"error", record.error},
                                       {"fingerprint", record.fingerprint},
                                       {"seconds", record.seconds},
                                       {"ranks", record.ranks},
                                       {"version", record.version},
                                       {"commit", record.commit}};
  write_whole(folder.record_of(name),
              json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

}  // namespace scree::sweep
