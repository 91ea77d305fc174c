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
