#include "lcp_system.hpp"

#include <algorithm>
#include <cmath>

#include "solver/linear/contact_space.hpp"

namespace scree::lcp {

System::System(const ContactProblem& problem, const std::vector<double>& rho, bool scaled)
    : a_(contact_space::copy_of_delassus(problem)),
      b_(petsc::duplicate(problem.r.get())),
      s_(petsc::duplicate(problem.r.get())),
      symmetric_(problem.delassus.symmetric) {
  {
    const petsc::View s(s_.get());
    for (std::size_t i = 0; i < s.size(); ++i) s[i] = scaled ? std::sqrt(rho[i]) : 1.0;
  }
  SCREE_PETSC(MatDiagonalScale(a_.get(), s_.get(), s_.get()));
  SCREE_PETSC(VecPointwiseMult(b_.get(), s_.get(), problem.r.get()));
}

void System::velocity(Vec x, Vec y) const {
  SCREE_PETSC(MatMultAdd(a_.get(), x, b_.get(), y));
}

void System::from_lambda(Vec lambda, Vec x) const {
  SCREE_PETSC(VecPointwiseDivide(x, lambda, s_.get()));
  for (double& value : petsc::View(x).span()) value = std::max(value, 0.0);
}

void System::to_lambda(Vec x, Vec lambda) const {
  SCREE_PETSC(VecPointwiseMult(lambda, x, s_.get()));
}

void System::to_velocity(Vec y, Vec u) const {
  SCREE_PETSC(VecPointwiseDivide(u, y, s_.get()));
}

}  // namespace scree::lcp
