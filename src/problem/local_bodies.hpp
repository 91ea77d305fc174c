#pragma once

/// The bodies that this rank's rows touch, numbered as BlockRows numbers them.

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "scree/bodies/inertia.hpp"
#include "scree/bodies/store.hpp"
#include "scree/contact/contact_list.hpp"
#include "scree/domain/numbering.hpp"
#include "scree/problem/block_rows.hpp"

namespace scree {

class LocalBodies {
 public:
  /// The bodies of @p contacts, and those in the slots @p others.
  LocalBodies(const Store& store, ContactView contacts, std::span<const std::int32_t> others,
              const Numbering& numbers)
      : store_(store), numbers_(numbers), n_owned_(numbers.n_rows) {
    const bool has_ghosts = store.size() > store.end_owned() || count_free_tools(store) > 0;
    for (const Contact& contact : has_ghosts ? contacts : ContactView()) {
      add_ghost(contact.a);
      add_ghost(contact.b);
    }
    for (const std::int32_t slot : others) add_ghost(slot);
    std::sort(ghosts_.begin(), ghosts_.end());
    const auto same_row = [](const auto& a, const auto& b) { return a.first == b.first; };
    ghosts_.erase(std::unique(ghosts_.begin(), ghosts_.end(), same_row), ghosts_.end());
  }

  /// The local body in @p slot; -1 for a prescribed tool, and for a ghost that no row touches. A
  /// periodic image is the body itself.
  std::int32_t operator()(std::int32_t slot) const {
    if (store_.is_prescribed(slot)) return -1;
    if (is_own(slot)) return static_cast<std::int32_t>(row(slot) - numbers_.first_row);
    const auto found = std::lower_bound(ghosts_.begin(), ghosts_.end(),
                                        std::pair<std::int64_t, std::int32_t>(row(slot), 0));
    if (found == ghosts_.end() || found->first != row(slot)) return -1;
    return n_owned_ + static_cast<std::int32_t>(found - ghosts_.begin());
  }

  /// Writes the bodies and their inverse masses, by the @p inertias of each slot.
  void describe(std::span<const BodyInertia> inertias, BlockRows& blocks) const {
    blocks.pattern.n_owned = n_owned_;
    blocks.inverse_mass.reserve(n_owned_ + ghosts_.size());
    for_each_row(store_, n_owned_, [&](std::int32_t slot, std::int64_t /*row*/) {
      append_mass(slot, inertias[static_cast<std::size_t>(slot)], blocks);
    });
    for (const auto& [row, slot] : ghosts_) {
      blocks.pattern.ghosts.push_back(static_cast<PetscInt>(row));
      append_mass(slot, inertias[static_cast<std::size_t>(slot)], blocks);
    }
  }

 private:
  void add_ghost(std::int32_t slot) {
    if (!store_.is_owned(slot) && row(slot) >= 0 && !is_own(slot))
      ghosts_.emplace_back(row(slot), slot);
  }
  std::int64_t row(std::int32_t slot) const { return numbers_.row[slot]; }

  void append_mass(std::int32_t slot, const BodyInertia& inertia, BlockRows& blocks) const {
    if (store_.fixed[slot] == 0 && is_isotropic(inertia.masses) && is_isotropic(inertia.moments)) {
      Vec6 diagonal;  // most bodies are balls
      diagonal << Vec3::Constant(1.0 / inertia.masses.x()),
          Vec3::Constant(1.0 / inertia.moments.x());
      blocks.inverse_mass.push_diagonal(diagonal);
    } else {
      blocks.inverse_mass.push_back(inverse_mass_of(store_, slot, inertia));
    }
  }

  bool is_own(std::int32_t slot) const {
    return row(slot) >= numbers_.first_row && row(slot) < numbers_.first_row + n_owned_;
  }

  const Store& store_;
  const Numbering& numbers_;
  std::int32_t n_owned_;
  std::vector<std::pair<std::int64_t, std::int32_t>>
      ghosts_;  ///< row, and a slot that holds the body
};

}  // namespace scree
