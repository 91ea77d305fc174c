#pragma once

/// Loads on bodies in a step besides weight and contacts: force fields on grains, and the flow that
/// drags them; the loads of free tools.

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "scree/base/math.hpp"
#include "scree/bodies/store.hpp"
#include "scree/loads/fluid.hpp"
#include "scree/loads/force_field.hpp"
#include "scree/tools/tool.hpp"

namespace scree {

/// On one body; linear, then angular; world frame.
struct Load {
  Vec6 force = Vec6::Zero();  ///< of all fields, or the tool's load, N and N m
  Vec6 flow = Vec6::Zero();   ///< velocities of the fluid where the grain is, m/s and rad/s
};
/// On each owned grain, in slot order, then on each free tool, alike on all ranks.
class Loads {
 public:
  Loads() = default;
  explicit Loads(std::vector<Load> all)
      : size_(all.size()), all_(std::move(all)), are_none_(false) {}
  /// None on any of so many bodies, which takes no memory.
  static Loads none(std::size_t size) {
    Loads loads;
    loads.size_ = size;
    return loads;
  }

  std::size_t size() const { return size_; }
  /// Whether none() made them; the same on all ranks.
  bool are_none() const { return are_none_; }
  Load operator[](std::size_t i) const { return all_.empty() ? Load() : all_[i]; }

 private:
  std::size_t size_ = 0;
  std::vector<Load> all_;  ///< empty where there are none
  bool are_none_ = true;
};

/// At the state of the store and the time @p t. Not collective.
/// @throws InputError when a formula has no finite value for a grain of this rank, or a tool.
Loads loads(const Store& store, std::span<const ForceField> fields, const Flow& flow,
            std::span<const ToolSpec> tools, double t);

}  // namespace scree
