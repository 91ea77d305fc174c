/// The linear systems of pac where N is a matrix: I + H N, factorised where of moderate size.

#include "contact_space.hpp"
#include "pac_system.hpp"
#include "scree/base/log_stage.hpp"

namespace scree::pac {
namespace {

class MatrixSystem final : public System {
 public:
  explicit MatrixSystem(const ContactProblem& problem)
      : cones_(problem.cones),
        linear_(kLinear, {.symmetric = false, .definite = false, .uniform_blocks = false}),
        n_(contact_space::copy_of_delassus(problem)),
        r_(problem.r.get()),
        u_(petsc::duplicate(r_)),
        du_(petsc::duplicate(r_)),
        rows_(petsc::duplicate(r_)),
        dx_(petsc::duplicate(r_)) {
    make_block_matrix();
  }

  void begin(const Points& x) override {
    contact_space::to_rows(x, cones_, rows_.get());
    SCREE_PETSC(MatMultAdd(n_.get(), rows_.get(), r_, u_.get()));
  }

  void expect_easier() override { linear_.expect_easier(); }

  void velocities(Points& u) const override { contact_space::from_rows(u_.get(), cones_, u); }

  double momentum_error() const override { return 0.0; }

  bool solve(const std::vector<Mat3>& h, const Points& g, Points& dx) override {
    form_matrix(h);
    linear_.use(matrix_.get());
    contact_space::to_rows(g, cones_, rows_.get());
    PetscReal size = 0.0;
    SCREE_PETSC(VecNorm(rows_.get(), NORM_2, &size));
    const bool solved = linear_.solve(rows_.get(), dx_.get(), kForcing * size);
    SCREE_PETSC(MatMult(n_.get(), dx_.get(), du_.get()));
    contact_space::from_rows(dx_.get(), cones_, dx);
    return solved;
  }

  void advance(double theta) override { SCREE_PETSC(VecAXPY(u_.get(), theta, du_.get())); }

  const LinearSolver& linear() const override { return linear_; }

 private:
  /// I + H N; its pattern is found once.
  void form_matrix(const std::vector<Mat3>& h) {
    const LogStage stage(Stage::matrix_values);
    SCREE_PETSC(MatZeroEntries(h_.get()));
    contact_space::add_to_diagonal(h_.get(), cones_, h);
    if (matrix_) {
      Mat same = matrix_.get();
      SCREE_PETSC(MatMatMult(h_.get(), n_.get(), MAT_REUSE_MATRIX, PETSC_DEFAULT, &same));
    } else {
      SCREE_PETSC(MatMatMult(h_.get(), n_.get(), MAT_INITIAL_MATRIX, PETSC_DEFAULT, matrix_.out()));
      std::vector<PetscInt> sizes;
      for (std::size_t i = 0; i < cones_.count(); ++i) sizes.push_back(cones_.dim(i));
      SCREE_PETSC(MatSetVariableBlockSizes(matrix_.get(), static_cast<PetscInt>(sizes.size()),
                                           sizes.data()));
    }
    SCREE_PETSC(MatShift(matrix_.get(), 1.0));
  }

  /// H, with places for its blocks.
  void make_block_matrix() {
    const auto n = static_cast<PetscInt>(cones_.rows());
    SCREE_PETSC(MatCreateAIJ(PetscObjectComm(reinterpret_cast<PetscObject>(n_.get())), n, n,
                             PETSC_DETERMINE, PETSC_DETERMINE, 3, nullptr, 0, nullptr, h_.out()));
    SCREE_PETSC(MatSetOption(h_.get(), MAT_IGNORE_ZERO_ENTRIES, PETSC_FALSE));
    contact_space::add_to_diagonal(h_.get(), cones_,
                                   std::vector<Mat3>(cones_.count(), Mat3::Zero()));
  }

  const Cones& cones_;
  LinearSolver linear_;
  petsc::Matrix n_;
  petsc::Matrix h_;
  petsc::Matrix matrix_;
  Vec r_;
  petsc::Vector u_;
  petsc::Vector du_;
  petsc::Vector rows_;
  petsc::Vector dx_;
};

}  // namespace

std::unique_ptr<System> make_matrix_system(const ContactProblem& problem) {
  return std::make_unique<MatrixSystem>(problem);
}

}  // namespace scree::pac
