#include "scree/problem/block_rows.hpp"

#include <algorithm>
#include <cmath>

#include "csr_view.hpp"
#include "scree/base/parallel.hpp"

namespace scree {
namespace {

/// The bodies of other ranks that the columns of @p jacobian name.
std::vector<PetscInt> ghost_bodies(const LocalRows& jacobian) {
  std::vector<PetscInt> ghosts;
  for (PetscInt c = 0; c < jacobian.n_outer_columns; ++c) {
    const PetscInt body = jacobian.outer_columns[c] / kBodyDofs;
    if (ghosts.empty() || ghosts.back() != body) ghosts.push_back(body);
  }
  return ghosts;
}

/// Adds J's number at (row of the cone, degree of freedom of body) to the last cone's entries.
void add_number(BlockRows& rows, int dim, std::int32_t body, int row, int dof, double value) {
  BodyPattern& pattern = rows.pattern;
  const std::size_t size = dim * kBodyDofs;
  const std::size_t first = pattern.first.back();
  std::size_t entry = first;
  while (entry < pattern.body.size() && pattern.body[entry] != body) ++entry;
  if (entry == pattern.body.size()) {
    pattern.body.push_back(body);
    rows.jacobian.resize(rows.jacobian.size() + size, 0.0);
  }
  rows.jacobian[pattern.place.back() + (entry - first) * size + row * kBodyDofs + dof] += value;
}

void read_jacobian(const LocalRows& jacobian, const Cones& cones, BlockRows& rows) {
  BodyPattern& pattern = rows.pattern;
  std::vector<std::int32_t> slot(jacobian.n_outer_columns);
  for (std::size_t c = 0; c < slot.size(); ++c) {
    const auto place = std::lower_bound(pattern.ghosts.begin(), pattern.ghosts.end(),
                                        jacobian.outer_columns[c] / kBodyDofs);
    slot[c] = pattern.n_owned + static_cast<std::int32_t>(place - pattern.ghosts.begin());
  }
  for (std::size_t i = 0; i < cones.count(); ++i) {
    pattern.place.push_back(rows.jacobian.size());
    for (int k = 0; k < cones.dim(i); ++k) {
      const std::int32_t row = cones.offset[i] + k;
      const CsrView& inner = jacobian.inner.value();
      for (PetscInt e = inner.row_start[row]; e < inner.row_start[row + 1]; ++e) {
        const PetscInt c = inner.column[e];
        add_number(rows, cones.dim(i), c / kBodyDofs, k, c % kBodyDofs, inner.value[e]);
      }
      if (!jacobian.outer) continue;
      const CsrView& outer = *jacobian.outer;
      for (PetscInt e = outer.row_start[row]; e < outer.row_start[row + 1]; ++e) {
        const PetscInt c = outer.column[e];
        add_number(rows, cones.dim(i), slot[c], k, jacobian.outer_columns[c] % kBodyDofs,
                   outer.value[e]);
      }
    }
    pattern.first.push_back(static_cast<std::int32_t>(pattern.body.size()));
  }
}

/// The blocks of this rank's bodies, zeros for the ghosts'.
std::vector<double> owned_blocks(Mat inverse_mass, const BodyPattern& pattern) {
  std::vector<double> blocks(pattern.n_bodies() * Mat6::SizeAtCompileTime, 0.0);
  const LocalRows m(inverse_mass);
  const CsrView& inner = m.inner.value();
  for (PetscInt row = 0; row < pattern.n_owned * kBodyDofs; ++row) {
    for (PetscInt e = inner.row_start[row]; e < inner.row_start[row + 1]; ++e) {
      const PetscInt column = inner.column[e];
      if (column / kBodyDofs != row / kBodyDofs) continue;
      blocks[static_cast<std::size_t>(row) * kBodyDofs + column % kBodyDofs] = inner.value[e];
    }
  }
  return blocks;
}

}  // namespace

void BlockRows::set_frames(const ContactList& contacts) {
  frames = contacts;
  pattern.n_frames = contacts.size();
  const std::size_t n_blocks = (contacts.size() + kBlock - 1) / kBlock;
  frame_blocks.resize(n_blocks);
  of_balls ? ball_arms.resize(n_blocks) : arm_blocks.resize(n_blocks);
  for_each_part(0, contacts.size(), [this](const BlockPart& part) {
    FrameBlock& block = frame_blocks[part.block];
    for (std::size_t i = part.begin; i < part.end; ++i) {
      block.normal.set(i, frames[part.contact(i)].normal);
      const auto [a, b] = entries_of_frame(pattern, part.contact(i));
      block.a[i] = a;
      block.b[i] = b;
    }
    of_balls ? set_ball_arms(part) : set_arms(part);
  });
}

void BlockRows::set_ball_arms(const BlockPart& part) {
  BallArmBlock& arms = ball_arms[part.block];
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const Contact& contact = frames[part.contact(i)];
    arms.a[i] = contact.normal.dot(contact.arm_a);
    arms.b[i] = contact.normal.dot(contact.arm_b);
  }
}

void BlockRows::set_arms(const BlockPart& part) {
  ArmBlock& arms = arm_blocks[part.block];
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const Contact& contact = frames[part.contact(i)];
    arms.a.set(i, contact.arm_a);
    arms.b.set(i, contact.arm_b);
  }
}

BlockRows block_rows_of(MPI_Comm comm, Mat jacobian, Mat inverse_mass, const Cones& cones) {
  BlockRows rows;
  PetscInt n_dofs = 0;
  SCREE_PETSC(MatGetLocalSize(inverse_mass, &n_dofs, nullptr));
  rows.pattern.n_owned = n_dofs / kBodyDofs;
  {
    const LocalRows local(jacobian);
    rows.pattern.ghosts = ghost_bodies(local);
    read_jacobian(local, cones, rows);
  }
  std::vector<double> blocks = owned_blocks(inverse_mass, rows.pattern);
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
