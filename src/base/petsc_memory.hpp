#pragma once

namespace scree {

/// Has PETSc take its large blocks from the pool of pages (base/page_pool.hpp), where there is one
/// and PETSc is not to watch over its memory itself (-malloc_debug), or may be. To be called before
/// PetscInitialize.
void give_petsc_the_pool();

}  // namespace scree
