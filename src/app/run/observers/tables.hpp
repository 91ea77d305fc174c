#pragma once

#include "app/run/observer.hpp"
#include "scree/io/tables/csv.hpp"

namespace scree {

/// The keys under `output.csv`.
struct CsvOptions {
  std::int64_t every = 1;  ///< steps

  void declare(Declaration& d);
};

/// Whether tables that follow `output.csv.every` have rows of @p part.
bool has_rows(const ObservedRun& run, const ObservedStep& part);

/// Cuts off what stands in a table of @p run for later, and tells of rows that should be there, @p
/// rows a step, unless a key under `output.csv` or @p section is other than it was. Not collective:
/// rank 0. @throws InputError, Failure.
void go_on_with_table(const ObservedRun& run, const std::filesystem::path& path,
                      const std::string& header, std::int64_t rows, std::string_view section);

/// steps.csv and tools.csv: rows of each part of every `output.csv.every`th step.
class Tables final : public Observer {
 public:
  using Options = CsvOptions;
  static void declare(Declaration& d, Options& options);
  static void add_files(const RunFolder& folder, RunFiles& files);
  static void check_files(const RunFolder& folder, const RunConfig& config, const RunPoint& point);
  static std::vector<TableHelp> tables();

  using Observer::Observer;
  void start() override;
  void go_on() override;
  void after_part(const ObservedStep& part) override;
  void to_disk() override;

 private:
  void open(bool append);

  CsvWriter<StepRecord> steps_;
  CsvWriter<ToolRecord> tools_;
};

}  // namespace scree
