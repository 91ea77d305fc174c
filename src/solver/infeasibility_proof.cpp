#include "infeasibility_proof.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "scree/base/parallel.hpp"
#include "scree/problem/matrix_form.hpp"
#include "scree/solver/registry.hpp"

namespace scree {
namespace {

/// The convex cones L of the velocities that any solution satisfies: without friction where the law
/// is exact.
Cones necessary_cones(const Cones& cones) {
  Cones result;
  for_each_cone(cones, [&]<class Cone>(const Cone& cone, const ConePlace& at) {
    if constexpr (!cones::kIsCone<Cone>) {
      result.append(Cone{}, false);  // any velocity satisfies a force with bounds
    } else if constexpr (!cones::OfDiscs<Cone>) {
      result.append(cone, false);
    } else if (at.exact) {
      result.append(typename cones::RoundOf<Cone>::Type{}, false);
    } else {
      result.append(cone, false);
    }
  });
  return result;
}

/// The mass of the bodies on this rank, kg; of a matrix, whose bodies are not known, as many times
/// the heaviest contact as there are contacts.
double own_mass(const ContactProblem& problem) {
  const auto add = [](double& sum, double inverse) {
    if (inverse > 0.0) sum += 1.0 / inverse;
  };
  double mass = 0.0;
  if (const BlockRows* rows = problem.delassus.blocks.get()) {
    for (std::int32_t b = 0; b < rows->pattern.n_owned; ++b) {
      const Mat6 inverse = rows->inverse_mass[static_cast<std::size_t>(b)];
      add(mass, inverse.diagonal().head<3>().maxCoeff());
    }
  } else if (problem.delassus.is_product()) {
    const petsc::Vector diagonal = petsc::duplicate(problem.v_free.get());
    SCREE_PETSC(MatGetDiagonal(inverse_mass(problem), diagonal.get()));
    for (const double inverse : petsc::ConstView(diagonal.get()).span()) add(mass, inverse);
  } else {
    for (const double rho : cone_scales(problem)) mass = std::max(mass, rho);
    mass *= static_cast<double>(problem.cones.count());
  }
  return mass;
}

double largest_speed(const ContactProblem& problem) {
  PetscReal largest = 0.0;
  SCREE_PETSC(VecNorm(problem.r.get(), NORM_INFINITY, &largest));
  return largest;
}

void project(const Cones& cones, Vec direction) {
  petsc::View d(direction);
  for_each_cone(cones, [&]<class Cone>(const Cone& cone, const ConePlace& at) {
    auto rows = rows_of(cone, d.data() + at.row);
    rows = cone.project(cones::Rows<Cone::kDim>(rows)).eval();
  });
}

/// The share of N_ii by which the proximal point method holds impulses where they are.
constexpr double kShare = 1e-2;

/// The problem of one step of the proximal point method from zero: L for K, N + kShare / rho for N.
ContactProblem proximal(const ContactProblem& problem) {
  ContactProblem near;
  near.comm = problem.comm;
  near.delassus.blocks = problem.delassus.blocks;
  near.delassus.jacobian = share(problem.delassus.jacobian.get());
  near.delassus.inverse_mass = share(problem.delassus.inverse_mass.get());
  near.delassus.matrix = share(problem.delassus.matrix.get());
  near.cones = necessary_cones(problem.cones);
  near.forms = problem.forms;
  near.rolling_length = problem.rolling_length;
  near.origin = problem.origin + ", a step of its proof";
  near.r = petsc::copy(problem.r.get());
  if (problem.v_free) near.v_free = petsc::copy(problem.v_free.get());
  const std::vector<double>& rho = cone_scales(problem);
  near.compliance.reserve(problem.cones.rows());
  for (std::size_t i = 0; i < problem.cones.count(); ++i) {
    for (std::size_t k = problem.cones.row(i); k < problem.cones.row(i + 1); ++k) {
      near.compliance.push_back(problem.compliance_of(k) + kShare / rho[i]);
    }
  }
  return near;
}

/// r - kShare / rho lambda.
petsc::Vector pulled(const ContactProblem& problem, Vec lambda) {
  petsc::Vector r = petsc::copy(problem.r.get());
  petsc::View values(r.get());
  const petsc::ConstView l(lambda);
  const std::vector<double>& rho = cone_scales(problem);
  for (std::size_t i = 0; i < problem.cones.count(); ++i) {
    for (std::size_t k = problem.cones.row(i); k < problem.cones.row(i + 1); ++k) {
      values.data()[k] -= kShare / rho[i] * l[k];
    }
  }
  return r;
}

}  // namespace

double speed_demanded(const ContactProblem& problem, Vec direction) {
  const petsc::Vector d = petsc::copy(direction);
  project(necessary_cones(problem.cones), d.get());
  PetscReal size = 0.0;
  SCREE_PETSC(VecNorm(d.get(), NORM_INFINITY, &size));
  if (!(size > 0.0) || !std::isfinite(size)) return 0.0;
  SCREE_PETSC(VecScale(d.get(), 1.0 / size));

  const petsc::Vector velocity = petsc::duplicate(d.get());
  DelassusProduct(problem).apply(d.get(), velocity.get());
  const petsc::ConstView di(d.get());
  const petsc::ConstView ui(velocity.get());
  const petsc::ConstView ri(problem.r.get());
  // d^T N d, d^T r, the sum of the absolute terms of that, and the mass
  std::vector<double> sums{0.0, 0.0, 0.0, own_mass(problem)};
  for (std::size_t k = 0; k < di.size(); ++k) {
    sums[0] += di[k] * ui[k];
    sums[1] += di[k] * ri[k];
    sums[2] += std::abs(di[k] * ri[k]);
  }
  sum_over_ranks(problem.comm, sums);
  constexpr double kRounding = 1e-8;  // of terms that cancel
  if (!(-sums[1] > kRounding * sums[2])) return 0.0;
  const double reach = largest_speed(problem) * std::sqrt(sums[3] * std::max(sums[0], 0.0));
  return reach > 0.0 ? -sums[1] / reach : std::numeric_limits<double>::infinity();
}

double speed_of_any_solution(const ContactProblem& problem, const GiveUp& give_up, double seconds) {
  if (!problem.delassus.symmetric) return 0.0;
  constexpr int kSteps = 20;
  constexpr std::int64_t kSweeps = 2000;
  Stop stop;
  stop.goal = {.residual = 1e-10, .give_up = give_up};
  stop.max_iterations = kSweeps;
  stop.max_seconds = seconds / kSteps;
  const std::unique_ptr<Solver> solver = find_solver("psor").make({});
  ContactProblem near = proximal(problem);
  const petsc::Vector lambda = petsc::duplicate(problem.r.get());
  const petsc::Vector before = petsc::duplicate(problem.r.get());
  SCREE_PETSC(VecSet(lambda.get(), 0.0));
  double speed = 0.0;
  for (int step = 0; step < kSteps && speed < kImpossibleSpeed; ++step) {
    SCREE_PETSC(VecCopy(lambda.get(), before.get()));
    near = with(std::move(near), {.r = pulled(problem, before.get())});
    static_cast<void>(solver->solve(near, stop, lambda.get()));
    SCREE_PETSC(VecAYPX(before.get(), -1.0, lambda.get()));  // lambda - before
    speed = std::max(speed, speed_demanded(problem, before.get()));
  }
  return speed;
}

}  // namespace scree
