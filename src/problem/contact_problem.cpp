#include "scree/problem/contact_problem.hpp"

#include "scree/base/parallel.hpp"

namespace scree {

std::string_view to_string(FrictionLaw law) {
  switch (law) {
    case FrictionLaw::associated:
      return "associated";
    case FrictionLaw::coulomb:
      return "coulomb";
    case FrictionLaw::box:
      return "box";
  }
  return "unknown";
}

std::int64_t ContactProblem::n_cones_global() const {
  return sum_over_ranks(comm, static_cast<std::int64_t>(cones.count()));
}

DelassusProduct::DelassusProduct(const ContactProblem& problem) : problem_(problem) {
  if (!problem.delassus.is_product()) return;
  SCREE_PETSC(MatCreateVecs(problem.delassus.jacobian.get(), impulse_.out(), nullptr));
  velocity_ = petsc::duplicate(impulse_.get());
}

void DelassusProduct::apply(Vec x, Vec y) {
  ++count_;
  const DelassusOperator& n = problem_.delassus;
  if (!n.is_product()) {
    SCREE_PETSC(MatMult(n.matrix.get(), x, y));
    return;
  }
  SCREE_PETSC(MatMultTranspose(n.jacobian.get(), x, impulse_.get()));
  SCREE_PETSC(MatMult(n.inverse_mass.get(), impulse_.get(), velocity_.get()));
  SCREE_PETSC(MatMult(n.jacobian.get(), velocity_.get(), y));
}

void DelassusProduct::contact_velocity(Vec lambda, Vec u) {
  apply(lambda, u);
  SCREE_PETSC(VecAXPY(u, 1.0, problem_.r.get()));
}

petsc::Vector end_velocity(const ContactProblem& problem, Vec lambda) {
  petsc::Vector impulse = petsc::duplicate(problem.v_free.get());
  petsc::Vector v = petsc::duplicate(problem.v_free.get());
  SCREE_PETSC(MatMultTranspose(problem.delassus.jacobian.get(), lambda, impulse.get()));
  SCREE_PETSC(MatMultAdd(problem.delassus.inverse_mass.get(), impulse.get(), problem.v_free.get(),
                         v.get()));
  return v;
}

}  // namespace scree
