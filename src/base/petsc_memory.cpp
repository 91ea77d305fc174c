#include "base/petsc_memory.hpp"

#include <malloc.h>
#include <petscsys.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

#include "scree/base/check.hpp"
#include "scree/base/page_pool.hpp"

namespace scree {
namespace {

constexpr PetscErrorCode kDone{};

// by PETSc's conventions: its status is returned, no bytes have no block

PetscErrorCode take(std::size_t bytes, PetscBool clear, int /*line*/, const char* /*function*/,
                    const char* /*file*/, void** block) {
  *block = bytes == 0 ? nullptr : allocate(bytes, alignof(std::max_align_t));
  if (bytes > 0 && *block == nullptr) return PETSC_ERR_MEM;
  if (clear == PETSC_TRUE && bytes > 0) std::memset(*block, 0, bytes);
  return kDone;
}

PetscErrorCode give_back(void* block, int /*line*/, const char* /*function*/,
                         const char* /*file*/) {
  deallocate(block);
  return kDone;
}

PetscErrorCode resize(std::size_t bytes, int line, const char* function, const char* file,
                      void** block) {
  const std::size_t of_pool = page_pool()->size_of(*block);
  if (of_pool == 0 && bytes > 0 && bytes < kLargeBlock) {
    void* const moved = std::realloc(*block, bytes);
    if (moved == nullptr) return PETSC_ERR_MEM;
    *block = moved;
    return kDone;
  }
  const std::size_t before = of_pool > 0 ? of_pool : malloc_usable_size(*block);
  void* moved = nullptr;
  const PetscErrorCode status = take(bytes, PETSC_FALSE, line, function, file, &moved);
  if (status != kDone) return status;
  if (bytes > 0 && before > 0) std::memcpy(moved, *block, std::min(before, bytes));
  deallocate(*block);
  *block = moved;
  return kDone;
}

/// Whether PETSc may be asked to watch over its memory: which it knows when it has started, too
/// late for another allocator, and would refuse.
bool may_be_watched() {
#ifdef PETSC_USE_DEBUG
  return true;
#else
  const char* const options = std::getenv("PETSC_OPTIONS");
  if (options != nullptr && std::strstr(options, "-malloc") != nullptr) return true;
  const char* const home = std::getenv("HOME");
  std::error_code none;
  return std::filesystem::exists(".petscrc", none) || std::filesystem::exists("petscrc", none) ||
         (home != nullptr && std::filesystem::exists(std::string(home) + "/.petscrc", none));
#endif
}

}  // namespace

void give_petsc_the_pool() {
  if (page_pool() != nullptr && !may_be_watched()) {
    SCREE_PETSC(PetscMallocSet(take, give_back, resize));
  }
}

}  // namespace scree
