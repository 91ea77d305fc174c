#pragma once

#include "app/run/observer.hpp"
#include "scree/io/tables/csv.hpp"

namespace scree {

/// steps.csv and tools.csv: rows of each part of every `output.csv.every`th step.
class Tables final : public Observer {
 public:
  using Observer::Observer;
  void start() override;
  void go_on() override;
  void after_part(const ObservedStep& part) override;
  void to_disk() override;

 private:
  void open(bool append);
  /// Cuts off what is later, and tells of rows of @p path that should be there, @p rows a step.
  template <class Record>
  void go_on(const std::filesystem::path& path, std::span<const Column<Record>> columns,
             std::int64_t rows);

  CsvWriter<StepRecord> steps_;
  CsvWriter<ToolRecord> tools_;
};

}  // namespace scree
