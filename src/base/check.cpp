#include "scree/base/check.hpp"

#include <fmt/format.h>
#include <petscsys.h>

#include <array>
#include <filesystem>

namespace scree {
namespace {

std::string where(const std::source_location& place) {
  return fmt::format("{}:{}", std::filesystem::path(place.file_name()).filename().string(),
                     place.line());
}

}  // namespace

void check_mpi(int code, const char* call, std::source_location place) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  throw Failure(fmt::format("{}: {} failed: {}", where(place), call, text.data()));
}

void check_petsc(PetscErrorCode code, const char* call, std::source_location place) {
  if (code == 0) return;
  const char* text = nullptr;
  PetscErrorMessage(code, &text, nullptr);
  throw Failure(fmt::format("{}: {} failed: PETSc error {}: {}", where(place), call,
                            static_cast<int>(code), text ? text : "unknown"));
}

}  // namespace scree
