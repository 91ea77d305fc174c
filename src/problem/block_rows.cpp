#include "scree/problem/block_rows.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "matrix_blocks.hpp"
#include "scree/base/parallel.hpp"

namespace scree {

void BlockRows::set_frames(const ContactList& contacts) {
  frames = contacts;
  pattern.n_frames = contacts.size();
  frame_bodies.resize(contacts.blocks().size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const auto [a, b] = entries_of_frame(pattern, i);
    frame_bodies[i / kBlock].a[i % kBlock] = a;
    frame_bodies[i / kBlock].b[i % kBlock] = b;
  }
}

BlockRows block_rows_of(MPI_Comm comm, Mat jacobian, Mat inverse_mass, const Cones& cones) {
  BodyRows given = rows_by_bodies(jacobian, cones);
  BlockRows rows;
  rows.pattern = std::move(given.pattern);
  rows.jacobian = std::move(given.values);
  std::vector<double> blocks = blocks_of_bodies(inverse_mass);
  blocks.resize(rows.pattern.n_bodies() * Mat6::SizeAtCompileTime);
  BodyExchange(comm, rows.pattern, Mat6::SizeAtCompileTime).to_ghosts(blocks);
  rows.inverse_mass.reserve(rows.pattern.n_bodies());
  for (std::size_t b = 0; b < rows.pattern.n_bodies(); ++b) {
    rows.inverse_mass.push_back(Mat6::Map(&blocks[b * Mat6::SizeAtCompileTime]));
  }
  return rows;
}

BodyExchange::BodyExchange(MPI_Comm comm, const BodyPattern& pattern, int width)
    : n_owned_(static_cast<std::size_t>(pattern.n_owned) * width) {
  const std::size_t n_ghost = pattern.ghosts.size() * width;
  needed_ = max_over_ranks(comm, pattern.ghosts.empty() ? 0 : 1) != 0;
  if (!needed_) return;
  owned_ = petsc::make_vector(comm, n_owned_);
  ghost_ = petsc::make_vector(PETSC_COMM_SELF, n_ghost);
  petsc::IndexSet from;
  SCREE_PETSC(ISCreateBlock(PETSC_COMM_SELF, width, static_cast<PetscInt>(pattern.ghosts.size()),
                            pattern.ghosts.data(), PETSC_COPY_VALUES, from.out()));
  SCREE_PETSC(VecScatterCreate(owned_.get(), from.get(), ghost_.get(), nullptr, scatter_.out()));
}

void BodyExchange::to_ghosts(std::vector<double>& values) {
  if (!needed_) return;
  std::copy_n(values.begin(), n_owned_, petsc::View(owned_.get()).data());
  SCREE_PETSC(
      VecScatterBegin(scatter_.get(), owned_.get(), ghost_.get(), INSERT_VALUES, SCATTER_FORWARD));
  SCREE_PETSC(
      VecScatterEnd(scatter_.get(), owned_.get(), ghost_.get(), INSERT_VALUES, SCATTER_FORWARD));
  const petsc::ConstView ghost(ghost_.get());
  std::copy_n(ghost.data(), ghost.size(), values.begin() + static_cast<std::ptrdiff_t>(n_owned_));
}

void BodyExchange::add_to_owners(std::vector<double>& values) {
  to_owners(values, ADD_VALUES);
}

void BodyExchange::lower_owners(std::vector<double>& values) {
  to_owners(values, MIN_VALUES);
}

void BodyExchange::to_owners(std::vector<double>& values, InsertMode mode) {
  if (!needed_) return;
  std::copy_n(values.begin(), n_owned_, petsc::View(owned_.get()).data());
  {
    const petsc::View ghost(ghost_.get());
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(n_owned_), ghost.size(), ghost.data());
  }
  SCREE_PETSC(VecScatterBegin(scatter_.get(), ghost_.get(), owned_.get(), mode, SCATTER_REVERSE));
  SCREE_PETSC(VecScatterEnd(scatter_.get(), ghost_.get(), owned_.get(), mode, SCATTER_REVERSE));
  std::copy_n(petsc::ConstView(owned_.get()).data(), n_owned_, values.begin());
}

}  // namespace scree
