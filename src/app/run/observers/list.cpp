#include <array>

#include "app/run/observers.hpp"
#include "checkpoints.hpp"
#include "contact_files.hpp"
#include "fields.hpp"
#include "problems.hpp"
#include "progress_lines.hpp"
#include "snapshots.hpp"
#include "tables.hpp"

namespace scree {
namespace {

template <class One>
std::unique_ptr<Observer> make(const ObservedRun& run) {
  return std::make_unique<One>(run);
}

/// One row an observer. Checkpoints are last: what they continue stands in the files before they do.
constexpr std::array kObservers{
    make<Tables>,        make<Snapshots>, make<Fields>,      make<ContactFiles>,
    make<ProgressLines>, make<Problems>,  make<Checkpoints>,
};

}  // namespace

std::span<const MakeObserver> observer_list() {
  return kObservers;
}

}  // namespace scree
