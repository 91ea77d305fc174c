#include "scree/problem/block_rows.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "matrix_blocks.hpp"
#include "scree/base/check.hpp"
#include "scree/base/parallel.hpp"

namespace scree {

void BlockRows::set_frames(const ContactList& contacts, std::vector<FrameBodies> bodies) {
  SCREE_ASSERT(pattern.n_cones() == 0 && bodies.size() == contacts.blocks().size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    SCREE_ASSERT(bodies[i / kBlock].a[i % kBlock] >= 0);
  }
  frames = contacts;
  pattern.n_frames = contacts.size();
  pattern.frames = std::move(bodies);
}

BlockRows block_rows_of(MPI_Comm comm, Mat jacobian, Mat inverse_mass, const Cones& cones) {
  BodyRows given = rows_by_bodies(jacobian, cones);
  BlockRows rows;
  rows.pattern = std::move(given.pattern);
  rows.jacobian = std::move(given.values);
  std::vector<double> blocks = blocks_of_bodies(inverse_mass);
  blocks.resize(rows.pattern.n_bodies() * Mat6::SizeAtCompileTime);
  BodyExchange(comm, rows.pattern).to_ghosts(blocks);
  rows.inverse_mass.reserve(rows.pattern.n_bodies());
  for (std::size_t b = 0; b < rows.pattern.n_bodies(); ++b) {
    rows.inverse_mass.push_back(Mat6::Map(&blocks[b * Mat6::SizeAtCompileTime]));
  }
  return rows;
}

}  // namespace scree
