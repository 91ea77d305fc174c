#include <gtest/gtest.h>

#include "scree/base/petsc.hpp"

namespace scree {
namespace {

TEST(PetscOwner, IsEmptiedOnMoveAndDestroysOnce) {
  petsc::Vector first = petsc::make_vector(PETSC_COMM_SELF, 3);
  Vec raw = first.get();
  ASSERT_EQ(PetscObjectReference(reinterpret_cast<PetscObject>(raw)), 0);
  petsc::Vector second = std::move(first);
  EXPECT_FALSE(first);  // NOLINT(bugprone-use-after-move): being empty is what is tested
  EXPECT_EQ(second.get(), raw);
  second.reset();
  PetscInt references = 0;
  ASSERT_EQ(PetscObjectGetReference(reinterpret_cast<PetscObject>(raw), &references), 0);
  EXPECT_EQ(references, 1);
  ASSERT_EQ(VecDestroy(&raw), 0);
}

TEST(PetscOwner, ChecksNameTheCall) {
  const petsc::Vector v = petsc::make_vector(MPI_COMM_SELF, 2);
  try {
    SCREE_PETSC(VecSetType(v.get(), "no_such_type"));
    FAIL() << "no exception";
  } catch (const Failure& failure) {
    EXPECT_NE(std::string(failure.what()).find("VecSetType(v.get(), \"no_such_type\")"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace scree
