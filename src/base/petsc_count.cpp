#include "scree/base/petsc_count.hpp"

#include <fmt/format.h>

#include "scree/base/check.hpp"
#include "scree/base/parallel.hpp"

namespace scree::petsc {
namespace {

constexpr std::string_view kBuild = "PETSc built with 64-bit indices (--with-64-bit-indices)";

}  // namespace

std::string fault_of_total(std::int64_t count, std::string_view things, std::int64_t largest) {
  if (count <= largest) return {};
  return fmt::format("{} {} exceed what PETSc can count here ({}): take {}", count, things, largest,
                     kBuild);
}

std::string fault_of_share(std::int64_t count, std::string_view things, int ranks,
                           std::int64_t largest) {
  if (count <= largest) return {};
  const std::int64_t enough = (count * ranks + largest - 1) / largest;
  return fmt::format(
      "{} {} on one of {} ranks exceed what PETSc can count there ({}): take {} ranks or more, or "
      "{}",
      count, things, ranks, largest, enough, kBuild);
}

void require_countable_shares(MPI_Comm comm, std::int64_t count, std::string_view things) {
  const std::string fault = fault_of_share(max_over_ranks(comm, count), things, size_of(comm));
  if (!fault.empty()) throw Failure(fault);
}

}  // namespace scree::petsc
