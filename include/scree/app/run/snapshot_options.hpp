#pragma once

/// The keys under `output.snapshots`.

#include "scree/io/paraview/snapshot_content.hpp"

namespace scree {

class Declaration;

struct SnapshotOptions {
  double every = 0.0;  ///< s of simulated time; 0: only at start and end
  bool start = true;
  bool end = true;
  SnapshotContent content = {};

  void declare(Declaration& d);
};

}  // namespace scree
