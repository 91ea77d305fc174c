#include "scree/solver/needs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstdint>
#include <vector>

#include "scree/base/check.hpp"
#include "scree/base/parallel.hpp"
#include "scree/problem/body_rows.hpp"
#include "scree/problem/cones/facets.hpp"
#include "scree/problem/pair_blocks.hpp"
#include "solver/sweeps/pair_problem.hpp"

namespace scree {
namespace {

/// Whether the diagonal of this rank's rows of @p matrix is positive, but for rows of zeros.
bool has_positive_diagonal(Mat matrix) {
  PetscInt first = 0;
  PetscInt end = 0;
  SCREE_PETSC(MatGetOwnershipRange(matrix, &first, &end));
  bool positive = true;
  for (PetscInt row = first; row < end; ++row) {
    PetscInt n = 0;
    const PetscInt* columns = nullptr;
    const double* values = nullptr;
    SCREE_PETSC(MatGetRow(matrix, row, &n, &columns, &values));
    double diagonal = 0.0;
    bool zeros = true;
    for (PetscInt k = 0; k < n; ++k) {
      if (columns[k] == row) diagonal = values[k];
      zeros = zeros && values[k] == 0.0;
    }
    positive = positive && (zeros || diagonal > 0.0);
    SCREE_PETSC(MatRestoreRow(matrix, row, &n, &columns, &values));
  }
  return positive;
}

/// Collective.
bool moves_in_plane(const ContactProblem& problem) {
  return are_planar(columns_that_count(problem.comm, *body_rows(problem)));
}

/// How many rows this rank's cones have in an LCP; those that no LCP knows count their own.
std::int64_t lcp_rows(const Cones& cones) {
  std::int64_t rows = 0;
  for_each_cone(cones, [&]<class Cone>(const Cone& cone, const ConePlace&) {
    if constexpr (cones::OfDiscs<Cone>) {
      rows += cones::lcp_rows_of(cone);
    } else {
      rows += Cone::kDim;
    }
  });
  return rows;
}

std::vector<std::string_view> names_of(ConeSet set) {
  std::vector<std::string_view> names;
  for (std::size_t type = 0; type < cones::kTypes; ++type) {
    if ((set >> type & 1U) != 0) names.push_back(cones::kNames[type]);
  }
  return names;
}

std::string in_words(ConeSet taken) {
  constexpr std::string_view kLcps = "half lines only (LCPs, contacts without friction)";
  if (taken == kSetOf<cones::HalfLine>) return std::string(kLcps);
  if (taken == kLcpCones) {
    return fmt::format("{}, or friction in linear form (`friction: pyramid` or `box`)", kLcps);
  }
  return fmt::format("{} only", fmt::join(names_of(taken), ", "));
}

/// Places of what is counted of a problem, after the batches of each type of cone.
enum Count : std::size_t {
  kAssociated = cones::kTypes,  ///< batches of that law of friction
  kExact,
  kFaultyDiagonals,
  kLcpRows,
  kCounts
};
using Counts = std::array<std::int64_t, kCounts>;

/// The numbers that tell the traits of @p problem. Collective.
Counts counts_over_ranks(const ContactProblem& problem) {
  Counts counts{};
  for (const ConeBatch& batch : problem.cones.batches) {
    ++counts[batch.type];
    if (batch.type == cones::kTypeOf<cones::HalfLine>) continue;
    ++counts[batch.exact ? kExact : kAssociated];
  }
  // J M^-1 J^T + R has a positive diagonal by its form
  const bool faulty =
      !problem.delassus.is_product() && !has_positive_diagonal(problem.delassus.matrix.get());
  counts[kFaultyDiagonals] = faulty ? 1 : 0;
  counts[kLcpRows] = lcp_rows(problem.cones);
  sum_over_ranks(problem.comm, counts);
  return counts;
}

}  // namespace

ProblemTraits traits_of(FrictionLaw law) {
  Cones one;
  one.append(cones::Circular::kDim, 1.0, law);
  return {.cones = ConeSet{1} << one.batches.front().type,
          .associated = !one.batches.front().exact,
          .exact = one.batches.front().exact};
}

ProblemTraits traits_of(const ContactProblem& problem) {
  const Counts counts = counts_over_ranks(problem);
  ProblemTraits traits;
  for (std::size_t type = 0; type < cones::kTypes; ++type) {
    if (counts[type] > 0) traits.cones |= ConeSet{1} << type;
  }
  traits.associated = counts[kAssociated] > 0;
  traits.exact = counts[kExact] > 0;
  traits.symmetric = problem.delassus.symmetric;
  traits.by_bodies = has_body_rows(problem);
  traits.repeats_rows =
      traits.by_bodies && traits.half_lines() && repeats_rows(problem, pair_blocks_of(problem));
  traits.planar = traits.repeats_rows && moves_in_plane(problem);
  traits.plain_spheres =
      traits.by_bodies && traits.associated && PairProblem().take(problem, SweepStep::gradient);
  traits.positive_diagonal = counts[kFaultyDiagonals] == 0;
  traits.lcp_rows = counts[kLcpRows];
  return traits;
}

std::string unmet(const Needs& needs, const ProblemTraits& traits) {
  if (const ConeSet others = traits.cones & ~needs.cones; others != 0) {
    return fmt::format("solves problems with {}, and this one has {}", in_words(needs.cones),
                       fmt::join(names_of(others), ", "));
  }
  if (needs.exact_friction && traits.associated) {
    return "solves exact friction only, not the associated law";
  }
  if (needs.relaxed_friction && traits.exact) {
    return "solves the relaxed law only (`friction: associated`), not exact friction";
  }
  if (needs.positive_diagonal && !traits.positive_diagonal) {
    return "divides by the diagonal of the matrix, which is zero or negative in a row here";
  }
  if (needs.symmetric && !traits.symmetric) {
    return "takes symmetric matrices only, and that of this problem is not";
  }
  if (needs.most_rows > 0 && traits.lcp_rows > needs.most_rows) {
    return fmt::format("stores the whole matrix, of up to {} rows, and this problem has {}",
                       needs.most_rows, traits.lcp_rows);
  }
  return {};
}

}  // namespace scree
