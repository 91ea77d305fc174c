#include "scree/problem/contact_error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "scree/base/log_stage.hpp"
#include "scree/base/parallel.hpp"
#include "scree/problem/natural_map.hpp"

namespace scree {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

void make_absolute(std::span<double> values) {
  for (double& value : values) value = std::abs(value);
}

petsc::Vector absolute_of(Vec v) {
  petsc::Vector size = petsc::copy(v);
  SCREE_PETSC(VecAbs(size.get()));
  return size;
}

/// @p rows is a MATSEQAIJ.
void make_absolute(Mat rows) {
  MatInfo info;
  double* values = nullptr;
  SCREE_PETSC(MatGetInfo(rows, MAT_LOCAL, &info));
  SCREE_PETSC(MatSeqAIJGetArray(rows, &values));
  make_absolute({values, static_cast<std::size_t>(info.nz_used)});
  SCREE_PETSC(MatSeqAIJRestoreArray(rows, &values));
}

/// A MATAIJ of the absolute values of @p matrix, which may be none. Collective.
petsc::Matrix absolute_of(Mat matrix) {
  petsc::Matrix size;
  if (matrix == nullptr) return size;
  SCREE_PETSC(MatDuplicate(matrix, MAT_COPY_VALUES, size.out()));
  PetscBool parallel = PETSC_FALSE;
  SCREE_PETSC(
      PetscObjectBaseTypeCompare(reinterpret_cast<PetscObject>(size.get()), MATMPIAIJ, &parallel));
  if (!parallel) {
    make_absolute(size.get());
    return size;
  }
  Mat inner = nullptr;
  Mat outer = nullptr;
  SCREE_PETSC(MatMPIAIJGetSeqAIJ(size.get(), &inner, &outer, nullptr));
  make_absolute(inner);
  make_absolute(outer);
  return size;
}

std::shared_ptr<const BlockRows> absolute_of(const std::shared_ptr<const BlockRows>& blocks) {
  if (!blocks) return nullptr;
  auto size = std::make_shared<BlockRows>(*blocks);
  make_absolute(size->jacobian);
  size->inverse_mass = size->inverse_mass.absolute();
  return size;
}

/// The problem of the absolute values of N and r. Collective.
ContactProblem absolute_of(const ContactProblem& problem) {
  ContactProblem size;
  size.comm = problem.comm;
  size.delassus.blocks = absolute_of(problem.delassus.blocks);
  size.delassus.jacobian = absolute_of(problem.delassus.jacobian.get());
  size.delassus.inverse_mass = absolute_of(problem.delassus.inverse_mass.get());
  size.delassus.matrix = absolute_of(problem.delassus.matrix.get());
  size.compliance = problem.compliance;  // never below 0
  size.r = absolute_of(problem.r.get());
  size.cones = problem.cones;
  size.origin = problem.origin + ", its absolute values";
  return size;
}

/// |w_i| / (rho_i c_i), in units in which no square is too large or too small: velocities in c_i, impulses in rho_i c_i.
template <class Cone>
double error_of(const Cone& cone, const ConePlace& at, double rho, const double* lambda,
                const double* u, const double* sizes) {
  const double c = *std::max_element(sizes, sizes + Cone::kDim);
  if (c == 0.0) return 0.0;  // nothing moves, and nothing can
  if (!std::isfinite(c)) return kInfinite;
  cones::Rows<Cone::kDim> x = cones::Rows<Cone::kDim>::Zero();
  cones::Rows<Cone::kDim> y = cones::Rows<Cone::kDim>::Zero();
  for (int k = 0; k < Cone::kDim; ++k) {
    x[k] = lambda[k] / rho / c;
    y[k] = u[k] / c;
  }
  const NaturalPoint<Cone> point =
      natural_point(cone.scaled(1.0 / (rho * c)), at.exact ? 1.0 : 0.0, 1.0, x.data(), y.data());
  double square = 0.0;
  for (int k = 0; k < Cone::kDim; ++k) {
    square += (x[k] - point.image[k]) * (x[k] - point.image[k]);
  }
  return std::isfinite(square) ? std::sqrt(square) : kInfinite;
}

}  // namespace

ContactErrors::ContactErrors(const ContactProblem& problem)
    : problem_(problem),
      absolute_(absolute_of(problem)),
      product_(problem),
      absolute_product_(absolute_),
      velocity_(petsc::duplicate(problem.r.get())),
      impulse_size_(petsc::duplicate(problem.r.get())),
      velocity_size_(petsc::duplicate(problem.r.get())) {}

double ContactErrors::largest(Vec lambda) {
  const LogStage stage(Stage::measure);
  product_.contact_velocity(lambda, velocity_.get());
  SCREE_PETSC(VecCopy(lambda, impulse_size_.get()));
  SCREE_PETSC(VecAbs(impulse_size_.get()));
  absolute_product_.contact_velocity(impulse_size_.get(), velocity_size_.get());
  const std::vector<double>& rho = cone_scales(problem_);
  const petsc::ConstView l(lambda);
  const petsc::ConstView u(velocity_.get());
  const petsc::ConstView sizes(velocity_size_.get());
  double worst = 0.0;
  for_each_cone(problem_.cones, [&]<class Cone>(const Cone& cone, const ConePlace& at) {
    worst = std::max(worst, error_of(cone, at, rho[at.number], l.data() + at.row, u.data() + at.row,
                                     sizes.data() + at.row));
  });
  return max_over_ranks(problem_.comm, worst);
}

}  // namespace scree
