#pragma once

/// Rows of a step's problem as their source gives them, where that is not a contact: cones with
/// their blocks of any number of bodies.
///
///     u = sum_e J_e v_(body of e) + bias + R lambda,      K in lambda  _|_  u in K*
///
/// | symbol | meaning                                              | shape   | unit    |
/// | ---    | ---                                                  | ---     | ---     |
/// | J_e    | rows of the cone, columns of a body: linear, angular | dim x 6 | 1, m    |
/// | bias   | velocity that is asked for, with the opposite sign   | dim     | m/s     |
/// | R      | compliance, diagonal                                 | dim     | 1/kg    |
///
/// Bodies are slots of the store: grains of this rank, ghosts and periodic images of grains, and
/// tools, whose velocity assemble() adds to the bias, so that a source need not ask what a body
/// is. Rows about angles are brought to these units by a length, as those of rolling are.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "scree/problem/block_rows.hpp"
#include "scree/problem/cones.hpp"

namespace scree {

/// The part of a body in a cone of @p kDim rows; each body has one.
template <int kDim>
struct GivenEntry {
  std::int32_t slot;
  BodyBlock<kDim> block;  ///< J_e
};

/// A cone with its rows.
template <class Cone>
struct GivenCone {
  std::int64_t key;  ///< names it among those of its source, on all ranks and in all steps
  Cone cone;
  std::vector<GivenEntry<Cone::kDim>> entries;
  cones::Rows<Cone::kDim> bias = cones::Rows<Cone::kDim>::Zero();
  cones::Rows<Cone::kDim> compliance = cones::Rows<Cone::kDim>::Zero();
};

/// The cones that sources other than contacts give on this rank, one after another.
struct GivenRows {
  Cones cones;
  std::vector<std::int64_t> key;       ///< of each cone
  std::vector<std::int32_t> first{0};  ///< cone i has the entries [first[i], first[i+1])
  std::vector<std::int32_t> slot;      ///< body of an entry
  std::vector<double> jacobian;        ///< J_e, row-major, entry after entry
  std::vector<double> bias;            ///< of each row
  std::vector<double> compliance;      ///< of each row

  template <class Cone>
  void append(const GivenCone<Cone>& given) {
    cones.append(given.cone);
    key.push_back(given.key);
    for (const GivenEntry<Cone::kDim>& entry : given.entries) {
      slot.push_back(entry.slot);
      jacobian.insert(jacobian.end(), entry.block.data(), entry.block.data() + entry.block.size());
    }
    first.push_back(static_cast<std::int32_t>(slot.size()));
    bias.insert(bias.end(), given.bias.begin(), given.bias.end());
    compliance.insert(compliance.end(), given.compliance.begin(), given.compliance.end());
  }
};

}  // namespace scree
