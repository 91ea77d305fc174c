#include "fclib_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include "fclib_rolling.hpp"

namespace scree::fclib {
namespace {

/// The rows a contact that a file for the cones of all ranks needs. Collective. @throws Failure.
int file_dim(const ContactProblem& problem) {
  int largest = 3;
  int two = 0;
  int more = 0;
  for (std::size_t i = 0; i < problem.cones.count(); ++i) {
    const int dim = problem.cones.dim(i);
    largest = std::max(largest, dim);
    if (dim == 2) two = 1;
    if (dim > 2) more = 1;
  }
  if (max_over_ranks(problem.comm, two) == 0) return max_over_ranks(problem.comm, largest);
  if (max_over_ranks(problem.comm, more) != 0) {
    throw Failure("an FCLIB file cannot hold contacts of dim 2 beside contacts of dim 3");
  }
  return 2;
}

/// Collective. @throws Failure.
void require_contacts(const ContactProblem& problem) {
  constexpr std::array kTypes{
      cones::kTypeOf<cones::HalfLine>,      cones::kTypeOf<cones::Planar>,
      cones::kTypeOf<cones::Circular>,      cones::kTypeOf<cones::Pyramid>,
      cones::kTypeOf<cones::Rolling>,       cones::kTypeOf<cones::FacetedCircular>,
      cones::kTypeOf<cones::FacetedRolling>};
  std::string fault;
  for (const ConeBatch& batch : problem.cones.batches) {
    if (std::find(kTypes.begin(), kTypes.end(), batch.type) != kTypes.end()) continue;
    fault = fmt::format("an FCLIB file cannot hold {}", cones::kNames[batch.type]);
  }
  fail_together(problem.comm, fault);
}

/// The rows of a file of @p dim rows a contact that the cones of contacts with these numbers have.
std::vector<std::int32_t> rows_of(const Cones& cones, const std::vector<std::int32_t>& numbers,
                                  int dim) {
  std::vector<std::int32_t> rows;
  rows.reserve(cones.rows());
  for (std::size_t i = 0; i < cones.count(); ++i) {
    for (int k = 0; k < cones.dim(i); ++k) rows.push_back(numbers[i] * dim + k);
  }
  return rows;
}

}  // namespace

std::vector<double> FileRows::spread(const std::vector<double>& values) const {
  std::vector<double> all(rows.count(), 0.0);
  for (std::size_t k = 0; k < values.size(); ++k) all[row[k] - rows.begin()] = values[k];
  return all;
}

std::vector<std::int32_t> rows_in_file(const ContactProblem& problem, int dim) {
  const Shares contacts = shares_of(problem.comm, static_cast<std::int64_t>(problem.cones.count()));
  return rows_of(problem.cones,
                 problem.number_in_file.empty() ? counting(contacts) : problem.number_in_file, dim);
}

FileRows file_rows(const ContactProblem& problem) {
  require_contacts(problem);
  FileRows rows{.dim = file_dim(problem)};
  const Shares contacts = shares_of(problem.comm, static_cast<std::int64_t>(problem.cones.count()));
  rows.rows = contacts.of_parts(rows.dim);
  rows.row = rows_of(problem.cones, counting(contacts), rows.dim);
  rows.mu = friction_coefficients(problem.cones);
  if (rows.rolling()) rows.mu_r = rolling_coefficients(problem);
  return rows;
}

std::vector<double> impulses_in_file(const ContactProblem& problem, Vec lambda) {
  std::vector<double> impulses = row_lengths(problem);
  const petsc::ConstView view(lambda);
  std::transform(impulses.begin(), impulses.end(), view.data(), impulses.begin(),
                 std::multiplies<>());
  return impulses;
}

}  // namespace scree::fclib
