#include "gradient.hpp"

namespace scree {

double largest_eigenvalue(const ContactProblem& problem, const std::vector<double>& rho,
                          DelassusProduct& product, int steps) {
  const Cones& cones = problem.cones;
  const ProjectedStep metric(problem, rho);
  const petsc::Vector x = petsc::duplicate(problem.r.get());
  const petsc::Vector y = petsc::duplicate(problem.r.get());
  // a start that meets every eigenvector; by global rows, whose order follows the ranks
  PetscInt first = 0;
  SCREE_PETSC(VecGetOwnershipRange(x.get(), &first, nullptr));
  Rows values(cones.rows());
  for (std::size_t k = 0; k < values.size(); ++k) {
    values[k] = 1.0 + std::sin(static_cast<double>(first) + static_cast<double>(k));
  }
  double estimate = 0.0;
  for (int step = 0; step < steps; ++step) {
    const double size = std::sqrt(sum_over_ranks(problem.comm, metric.scaled_dot(values, values)));
    if (!(size > 0.0)) return 0.0;
    for (double& value : values) value /= size;
    to_vec(values, x.get());
    product.apply(x.get(), y.get());
    const Rows image = to_rows(y.get());
    for (std::size_t i = 0; i < cones.count(); ++i) {
      for (std::int32_t k = cones.offset[i]; k < cones.offset[i + 1]; ++k) {
        values[k] = rho[i] * image[k];
      }
    }
    estimate = std::sqrt(sum_over_ranks(problem.comm, metric.scaled_dot(values, values)));
  }
  return estimate;
}

}  // namespace scree
