#include "scree/solver/linear/preconditioner.hpp"

#include <string_view>

#include "incomplete_cholesky.hpp"

namespace scree {
namespace {

/// The solvers of the blocks of @p pc, one a rank. @pre the operators of its KSP are set.
using GetBlocks = PetscErrorCode (*)(PC, PetscInt*, PetscInt*, KSP**);
void set_blocks(KSP ksp, PC pc, GetBlocks get_blocks, PCType type) {
  SCREE_PETSC(KSPSetUp(ksp));
  PetscInt count = 0;
  KSP* blocks = nullptr;
  SCREE_PETSC(get_blocks(pc, &count, nullptr, &blocks));
  for (PetscInt k = 0; k < count; ++k) {
    SCREE_PETSC(KSPSetType(blocks[k], KSPPREONLY));
    PC inner = nullptr;
    SCREE_PETSC(KSPGetPC(blocks[k], &inner));
    SCREE_PETSC(PCSetType(inner, type));
    if (type == std::string_view(PCCHOLESKY))
      SCREE_PETSC(PCFactorSetMatSolverType(inner, MATSOLVERMUMPS));
  }
}

/// Its smoother must be symmetric and need no estimate of eigenvalues, which the scaling spreads
/// over many decades.
void set_multigrid(PC pc) {
  constexpr const char* kPrefix = "scree_multigrid_";
  SCREE_PETSC(PetscOptionsSetValue(nullptr, "-scree_multigrid_mg_levels_ksp_type", "richardson"));
  SCREE_PETSC(PetscOptionsSetValue(nullptr, "-scree_multigrid_mg_levels_ksp_max_it", "1"));
  SCREE_PETSC(PetscOptionsSetValue(nullptr, "-scree_multigrid_mg_levels_pc_type", "sor"));
  SCREE_PETSC(PCSetOptionsPrefix(pc, kPrefix));
  SCREE_PETSC(PCSetType(pc, PCGAMG));
  SCREE_PETSC(PCSetFromOptions(pc));
}

}  // namespace

bool wants_scalar_format(Preconditioner preconditioner) {
  return preconditioner >= Preconditioner::block_jacobi &&
         preconditioner != Preconditioner::incomplete_cholesky;
}

void set_preconditioner(KSP ksp, Preconditioner preconditioner, bool uniform_blocks) {
  PC pc = nullptr;
  SCREE_PETSC(KSPGetPC(ksp, &pc));
  switch (preconditioner) {
    case Preconditioner::none:
      SCREE_PETSC(PCSetType(pc, PCNONE));
      return;
    case Preconditioner::point_jacobi:
      SCREE_PETSC(PCSetType(pc, uniform_blocks ? PCPBJACOBI : PCVPBJACOBI));
      return;
    case Preconditioner::ssor:
      SCREE_PETSC(PCSetType(pc, PCSOR));
      SCREE_PETSC(PCSORSetSymmetric(pc, SOR_LOCAL_SYMMETRIC_SWEEP));
      return;
    case Preconditioner::block_jacobi:
      SCREE_PETSC(PCSetType(pc, PCBJACOBI));
      set_blocks(ksp, pc, PCBJacobiGetSubKSP, PCCHOLESKY);
      return;
    case Preconditioner::schwarz:
      SCREE_PETSC(PCSetType(pc, PCASM));
      SCREE_PETSC(PCASMSetType(pc, PC_ASM_BASIC));  // the restricted one is not symmetric
      SCREE_PETSC(PCASMSetOverlap(pc, 1));
      set_blocks(ksp, pc, PCASMGetSubKSP, PCCHOLESKY);
      return;
    case Preconditioner::multigrid:
      set_multigrid(pc);
      return;
    case Preconditioner::incomplete_cholesky:
      if (uniform_blocks) {
        set_incomplete_cholesky(pc);
        return;
      }
      SCREE_PETSC(PCSetType(pc, PCBJACOBI));
      set_blocks(ksp, pc, PCBJacobiGetSubKSP, PCICC);
      return;
    case Preconditioner::incomplete_lu:
      SCREE_PETSC(PCSetType(pc, PCBJACOBI));
      set_blocks(ksp, pc, PCBJacobiGetSubKSP, PCILU);
      return;
  }
}

}  // namespace scree
