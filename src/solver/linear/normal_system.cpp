#include "normal_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

namespace scree {
namespace {

MatrixTraits of_bodies(MatrixTraits traits, const BodySpace& space) {
  traits.planar = space.is_planar();
  return traits;
}

}  // namespace

NormalSystem::NormalSystem(const ContactProblem& problem, BodyRows rows,
                           const LinearOptions& options, MatrixTraits traits,
                           BodySpace::Storage storage, std::int64_t countable)
    : space_(problem, std::move(rows), storage, countable),
      linear_(options, of_bodies(traits, space_)),
      rhs_(petsc::make_vector(problem.comm, space_.n_owned())),
      solution_(petsc::duplicate(rhs_.get())) {
  if (space_.storage() == BodySpace::Storage::diagonal_blocks) make_product(problem.comm);
}

void NormalSystem::make_product(MPI_Comm comm) {
  const auto n = static_cast<PetscInt>(space_.n_owned());
  factor_ = space_.zeros();
  SCREE_PETSC(MatCreateShell(comm, n, n, PETSC_DETERMINE, PETSC_DETERMINE, this, product_.out()));
  SCREE_PETSC(MatShellSetOperation(product_.get(), MATOP_MULT,
                                   reinterpret_cast<void (*)()>(&NormalSystem::multiply)));
}

/// y = K x, for PETSc: no exception may pass through it.
PetscErrorCode NormalSystem::multiply(Mat product, Vec x, Vec y) noexcept {
  try {
    NormalSystem* self = nullptr;
    SCREE_PETSC(MatShellGetContext(product, &self));
    const petsc::ConstView from(x);
    std::copy_n(from.data(), from.size(), self->factor_.begin());
    self->space_.multiply(*self->h_, self->factor_, self->image_);
    std::copy_n(self->image_.begin(), from.size(), petsc::View(y).data());
    return 0;
  } catch (const std::exception& error) {
    return PetscError(PETSC_COMM_SELF, __LINE__, __func__, __FILE__, PETSC_ERR_LIB,
                      PETSC_ERROR_INITIAL, "%s", error.what());
  }
}

std::string NormalSystem::note() const {
  const std::string& cause = space_.why_not_whole();
  if (cause.empty()) return linear_.note();
  return fmt::format("products in place of the matrix ({}){}{}", cause,
                     linear_.note().empty() ? "" : "; ", linear_.note());
}

void NormalSystem::use(const std::vector<double>& h) {
  h_ = &h;
  space_.assemble(h);
  if (product_) {
    linear_.use_products(product_.get(), space_.matrix());
  } else {
    linear_.use(space_.matrix());
  }
}

bool NormalSystem::solve(const Numbers& rhs, double absolute, Numbers& change) {
  std::copy_n(rhs.begin(), space_.n_owned(), petsc::View(rhs_.get()).data());
  const bool solved = linear_.solve(rhs_.get(), solution_.get(), absolute);
  change.resize(space_.n_known());
  std::copy_n(petsc::ConstView(solution_.get()).data(), space_.n_owned(), change.begin());
  space_.to_ghosts(change);
  return solved;
}

}  // namespace scree
