#include <array>

#include "app/run/observer.hpp"
#include "app/run/observer_list.hpp"
#include "checkpoints.hpp"
#include "contact_files.hpp"
#include "fields.hpp"
#include "followed.hpp"
#include "joint_table.hpp"
#include "pairs.hpp"
#include "problems.hpp"
#include "progress_lines.hpp"
#include "snapshots.hpp"
#include "tables.hpp"
#include "wear.hpp"

namespace scree {
namespace {

template <class One>
constexpr ObserverEntry row(ObserverSection section, Turn turn) {
  using Options = typename One::Options;
  return {.section = section,
          .turn = turn,
          .add_options = [](OptionSet& all) { all.add(Options{}); },
          .declare = [](Declaration& d, OptionSet& all) { One::declare(d, all.of<Options>()); },
          .require = One::require,
          .add_files = One::add_files,
          .check_files = One::check_files,
          .check_bodies = One::check_bodies,
          .tables = One::tables,
          .make = [](const ObservedRun& run) -> std::unique_ptr<Observer> {
            return std::make_unique<One>(run);
          }};
}

/// One row an observer.
constexpr std::array kObservers{
    row<Snapshots>(ObserverSection::output, Turn::files),
    row<ContactFiles>(ObserverSection::output, Turn::files),
    row<Checkpoints>(ObserverSection::output, Turn::checkpoints),
    row<Tables>(ObserverSection::output, Turn::rows),
    row<JointTable>(ObserverSection::output, Turn::rows),
    row<Fields>(ObserverSection::output, Turn::files),
    row<Wear>(ObserverSection::output, Turn::files),
    row<Pairs>(ObserverSection::output, Turn::rows),
    row<Followed>(ObserverSection::output, Turn::rows),
    row<ProgressLines>(ObserverSection::output, Turn::log),
    row<Problems>(ObserverSection::debug, Turn::log),
};

}  // namespace

std::span<const ObserverEntry> observer_list() {
  return kObservers;
}

}  // namespace scree
