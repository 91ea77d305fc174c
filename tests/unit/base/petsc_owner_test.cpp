#include <gtest/gtest.h>

#include "scree/base/petsc.hpp"
#include "scree/base/petsc_communicator.hpp"

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

/// PETSc hands out the tags of a copy one after another: a new copy would begin anew.
TEST(PetscCommunicator, IsKeptWhileObjectsComeAndGo) {
  MPI_Comm comm = MPI_COMM_NULL;
  ASSERT_EQ(MPI_Comm_dup(MPI_COMM_SELF, &comm), MPI_SUCCESS);
  const auto next_tag = [comm] {
    const petsc::Vector v = petsc::make_vector(comm, 1);
    PetscMPIInt tag = 0;
    SCREE_PETSC(PetscObjectGetNewTag(reinterpret_cast<PetscObject>(v.get()), &tag));
    return tag;
  };
  EXPECT_EQ(next_tag(), next_tag());
  {
    const petsc::Communicator held(comm);
    EXPECT_NE(next_tag(), next_tag());
  }
  EXPECT_EQ(next_tag(), next_tag());
  MPI_Comm_free(&comm);
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
