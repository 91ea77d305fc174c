#include "scree/problem/friction_lcp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "scree/base/parallel.hpp"

namespace scree {
namespace {

using Pyramid = std::vector<cones::Facets>;  ///< pyramids in place of the discs of one cone

/// The pyramids of this rank's cones. @throws InputError for cones of something else than discs.
std::vector<Pyramid> make_pyramids(const ContactProblem& problem, int directions) {
  std::vector<Pyramid> pyramids;
  pyramids.reserve(problem.cones.count());
  for_each_cone(problem.cones, [&]<class Cone>(const Cone& cone, const ConePlace&) {
    if constexpr (cones::OfDiscs<Cone>) {
      pyramids.push_back(cones::facets_of(cone, directions));
    } else {
      throw InputError(fmt::format("{}: the friction LCP is for contacts, and there are {} here",
                                   problem.origin, cones::kNames[cones::kTypeOf<Cone>]));
    }
  });
  return pyramids;
}

PetscInt n_directions(const cones::Facets& disc) {
  return static_cast<PetscInt>(disc.directions.cols());
}

/// Rows of the LCP that stand for a cone.
PetscInt n_rows(const Pyramid& pyramid) {
  PetscInt rows = 1;
  for (const cones::Facets& disc : pyramid) rows += n_directions(disc) + 1;
  return rows;
}

PetscInt first_row(Mat matrix, bool column = false) {
  PetscInt first = 0;
  SCREE_PETSC(column ? MatGetOwnershipRangeColumn(matrix, &first, nullptr)
                     : MatGetOwnershipRange(matrix, &first, nullptr));
  return first;
}

/// Collective. @throws Failure.
void require_countable_rows(MPI_Comm comm, std::span<const Pyramid> pyramids,
                            std::int64_t countable) {
  std::int64_t rows = 0;
  for (const Pyramid& pyramid : pyramids) rows += n_rows(pyramid);
  const std::string fault =
      petsc::fault_of_total(sum_over_ranks(comm, rows), "rows of the friction LCP", countable);
  if (!fault.empty()) throw Failure(fault);
}

/// Entries of the LCP for one of N in the rows of each cone, over those in its columns: each of the
/// two cones has a row of the LCP for its normal and for each direction.
std::vector<double> growths(const ContactProblem& problem, std::span<const Pyramid> pyramids) {
  std::vector<double> growth;
  for (std::size_t i = 0; i < pyramids.size(); ++i) {
    double rows = 1.0;
    for (const cones::Facets& disc : pyramids[i]) rows += static_cast<double>(n_directions(disc));
    growth.push_back(rows / problem.cones.dim(i));
  }
  return growth;
}

/// Where the blocks of @p n are stored whole there are at most as many entries as all cones would
/// have if they grew as much as that which grows most; of a matrix from a file with fewer, more may
/// be. Collective. @throws Failure.
void require_countable_entries(const ContactProblem& problem, Mat n,
                               std::span<const Pyramid> pyramids, std::int64_t countable) {
  const std::vector<double> growth = growths(problem, pyramids);
  const double most = max_over_ranks(
      problem.comm, growth.empty() ? 0.0 : *std::max_element(growth.begin(), growth.end()));
  double entries = 0.0;
  PetscInt row = first_row(n);
  for (std::size_t i = 0; i < pyramids.size(); ++i) {
    for (int k = 0; k < problem.cones.dim(i); ++k, ++row) {
      PetscInt of_row = 0;
      SCREE_PETSC(MatGetRow(n, row, &of_row, nullptr, nullptr));
      entries += growth[i] * most * static_cast<double>(of_row);
      SCREE_PETSC(MatRestoreRow(n, row, &of_row, nullptr, nullptr));
    }
    entries += 3.0 * static_cast<double>(n_rows(pyramids[i]));  // mu, -e and e, at most
  }
  const std::string fault = petsc::fault_of_share(
      max_over_ranks(problem.comm, static_cast<std::int64_t>(std::ceil(entries))),
      "entries of the matrix of the friction LCP", size_of(problem.comm), countable);
  if (!fault.empty()) throw Failure(fault);
}

void set(Mat matrix, PetscInt row, PetscInt column, double value) {
  SCREE_PETSC(MatSetValue(matrix, row, column, value, INSERT_VALUES));
}

void assemble(Mat matrix) {
  SCREE_PETSC(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
  SCREE_PETSC(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
}

/// lambda = spread x.
petsc::Matrix make_spread(const ContactProblem& problem, std::span<const Pyramid> pyramids,
                          PetscInt most, PetscInt local_columns) {
  petsc::Matrix spread;
  const auto rows = static_cast<PetscInt>(problem.cones.rows());
  SCREE_PETSC(MatCreateAIJ(problem.comm, rows, local_columns, PETSC_DETERMINE, PETSC_DETERMINE,
                           most, nullptr, 0, nullptr, spread.out()));
  PetscInt row = first_row(spread.get());
  PetscInt column = first_row(spread.get(), true);
  for (std::size_t i = 0; i < pyramids.size(); ++i) {
    set(spread.get(), row, column++, 1.0);
    for (const cones::Facets& disc : pyramids[i]) {
      for (Eigen::Index k = 0; k < disc.directions.cols(); ++k, ++column) {
        for (Eigen::Index j = 0; j < disc.directions.rows(); ++j) {
          const PetscInt of_disc = row + disc.row + static_cast<PetscInt>(j);
          set(spread.get(), of_disc, column, disc.directions(j, k));
        }
      }
      ++column;  // the slack is no impulse
    }
    row += problem.cones.dim(i);
  }
  assemble(spread.get());
  return spread;
}

/// The last row and column of each disc: mu, -e^T and e, over the mass.
petsc::Matrix make_slack(const ContactProblem& problem, std::span<const Pyramid> pyramids,
                         PetscInt most, PetscInt local_rows) {
  petsc::Matrix slack;
  SCREE_PETSC(MatCreateAIJ(problem.comm, local_rows, local_rows, PETSC_DETERMINE, PETSC_DETERMINE,
                           most + 2, nullptr, 0, nullptr, slack.out()));
  const std::vector<double>& mass = cone_scales(problem);
  PetscInt normal = first_row(slack.get());
  for (std::size_t i = 0; i < pyramids.size(); ++i) {
    PetscInt row = normal + 1;
    for (const cones::Facets& disc : pyramids[i]) {
      const PetscInt last = row + n_directions(disc);
      set(slack.get(), last, normal, disc.mu / mass[i]);
      for (; row < last; ++row) {
        set(slack.get(), last, row, -1.0 / mass[i]);
        set(slack.get(), row, last, 1.0 / mass[i]);
      }
      ++row;
    }
    normal = row;
  }
  assemble(slack.get());
  return slack;
}

/// The variables of one cone: @p l and @p u are its impulse and velocity, @p mass is 1 over the
/// scale of its slacks.
void append_variables(const Pyramid& pyramid, const double* l, const double* u, double mass,
                      double*& x) {
  *x++ = std::max(l[0], 0.0);
  for (const cones::Facets& disc : pyramid) {
    const Eigen::Index size = disc.directions.rows();
    const Eigen::Map<const Eigen::VectorXd> impulse(l + disc.row, size);
    const Eigen::Map<const Eigen::VectorXd> sliding(u + disc.row, size);
    Eigen::Map<Eigen::VectorXd>(x, disc.directions.cols()) = cones::along_facets(disc, impulse);
    x += disc.directions.cols();
    *x++ = mass * (disc.directions.transpose() * sliding).maxCoeff();
  }
}

}  // namespace

FrictionLcp::FrictionLcp(const ContactProblem& problem, int directions, std::int64_t countable)
    : problem_(problem), pyramids_(make_pyramids(problem, directions)) {
  lcp_.comm = problem.comm;
  lcp_.origin = problem.origin + ", friction LCP";
  lcp_.delassus.symmetric = false;
  require_countable_rows(problem.comm, pyramids_, countable);
  PetscInt most = 2;
  for (const Pyramid& pyramid : pyramids_) {
    for (PetscInt k = 0; k < n_rows(pyramid); ++k) lcp_.cones.append(cones::HalfLine{});
    for (const cones::Facets& disc : pyramid) most = std::max(most, n_directions(disc));
  }
  const auto rows = static_cast<PetscInt>(lcp_.cones.rows());
  spread_ = make_spread(problem, pyramids_, most, rows);
  const petsc::Matrix n = assemble_delassus(problem);
  require_countable_entries(problem, n.get(), pyramids_, countable);
  SCREE_PETSC(MatPtAP(n.get(), spread_.get(), MAT_INITIAL_MATRIX, PETSC_DEFAULT,
                      lcp_.delassus.matrix.out()));
  const petsc::Matrix slack = make_slack(problem, pyramids_, most, rows);
  SCREE_PETSC(MatAXPY(lcp_.delassus.matrix.get(), 1.0, slack.get(), DIFFERENT_NONZERO_PATTERN));
  lcp_.r = petsc::make_vector(problem.comm, lcp_.cones.rows());
  SCREE_PETSC(MatMultTranspose(spread_.get(), problem.r.get(), lcp_.r.get()));
}

void FrictionLcp::to_contacts(Vec x, Vec lambda) const {
  SCREE_PETSC(MatMult(spread_.get(), x, lambda));
}

petsc::Vector FrictionLcp::from_contacts(Vec lambda) const {
  const petsc::Vector velocity = petsc::duplicate(problem_.r.get());
  DelassusProduct(problem_).contact_velocity(lambda, velocity.get());
  petsc::Vector variables = petsc::duplicate(lcp_.r.get());
  const std::vector<double>& mass = cone_scales(problem_);
  const petsc::ConstView l(lambda);
  const petsc::ConstView u(velocity.get());
  const petsc::View x(variables.get());
  double* next = x.data();
  for (std::size_t i = 0; i < pyramids_.size(); ++i) {
    const std::size_t row = problem_.cones.row(i);
    append_variables(pyramids_[i], l.data() + row, u.data() + row, mass[i], next);
  }
  return variables;
}

}  // namespace scree
