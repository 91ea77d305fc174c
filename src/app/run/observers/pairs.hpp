#pragma once

#include <cstdint>
#include <optional>
#include <set>

#include "app/run/observer.hpp"
#include "scree/io/tables/csv.hpp"
#include "scree/step/contact_forces.hpp"

namespace scree {

/// An entry under `output.pairs`: two sets of bodies whose forces on each other are told.
struct PairSpec {
  std::string name;
  std::vector<std::string> between;    ///< names of groups, populations, insertions or tools
  std::vector<std::string> materials;  ///< or of materials

  void declare(Declaration& d);
  /// Whether one of the lists has two names, and the other none.
  bool names_two() const;
};

/// The entries under `output.pairs`.
struct PairOptions {
  std::vector<PairSpec> pairs;
};

/// Bodies that have a name in common.
struct BodySet {
  std::set<std::int32_t> populations;  ///< as RunConfig::population_names counts them
  std::optional<std::int32_t> tool;    ///< its place in the configuration
  std::optional<std::int32_t>
      material;  ///< likewise; then it is the bodies of that material, tools among them

  bool has(const BodyKind& kind) const;
};

/// One row of pairs.csv: a pair in a step, or in a part of one that was cut.
struct PairRecord {
  double time = 0.0;  ///< at the end of the step, s
  std::int64_t step = 0;
  double dt = 0.0;  ///< s
  std::string pair;
  Vec3 force =
      Vec3::Zero();  ///< of the second on the first: impulse of the step over dt, world frame, N
  std::int64_t contacts = 0;  ///< loaded ones
};

/// pairs.csv: the forces between the bodies that `output.pairs` names, as often as steps.csv has
/// rows.
class Pairs final : public Observer {
 public:
  using Options = PairOptions;
  static void declare(Declaration& d, Options& options);
  /// Refuses names of nothing, and two sets that are not apart or never meet.
  static void require(Declaration& d, const RunConfig& config);
  static void add_files(const RunFolder& folder, RunFiles& files);
  static void check_files(const RunFolder& folder, const RunConfig& config, const RunPoint& point);
  static std::vector<TableHelp> tables();

  explicit Pairs(const ObservedRun& run);
  void start() override;
  void go_on() override;
  void after_part(const ObservedStep& part) override;
  void to_disk() override;

 private:
  struct Sides {
    BodySet first;
    BodySet second;
  };

  void open(bool append);

  const std::vector<PairSpec>& specs_;
  std::vector<Sides> sides_;  ///< of each
  CsvWriter<PairRecord> table_;
};

}  // namespace scree
