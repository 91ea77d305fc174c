#pragma once

#include "app/run/observer.hpp"
#include "scree/io/tables/csv.hpp"
#include "scree/step/joints.hpp"

namespace scree {

/// One row of joints.csv: a joint in a step, or in a part of one that was cut.
struct JointRecord {
  double time = 0.0;  ///< at the end of the step, s
  std::int64_t step = 0;
  double dt = 0.0;  ///< s
  std::string joint;
  JointForce force;
  double slide = 0.0;   ///< place along the axis, or stretch, m; 0 where it is not free
  double turn = 0.0;    ///< rad; 0 where it is not free
  double swing = 0.0;   ///< angle between the axes of its bodies, rad; 0 but of a ball
  double misfit = 0.0;  ///< the largest of what it holds, m
};

/// joints.csv: the forces in joints, as often as steps.csv has rows, in runs that have joints.
class JointTable final : public Observer {
 public:
  struct Options {};
  static void declare(Declaration& /*d*/, Options& /*options*/) {}
  static void add_files(const RunFolder& folder, RunFiles& files);
  static void check_files(const RunFolder& folder, const RunConfig& config, const RunPoint& point);
  static std::vector<TableHelp> tables();

  using Observer::Observer;
  void start() override;
  void go_on() override;
  void after_part(const ObservedStep& part) override;
  void to_disk() override;

 private:
  bool is_due() const { return !run_.config().joints.empty(); }
  void open(bool append);

  CsvWriter<JointRecord> table_;
};

}  // namespace scree
