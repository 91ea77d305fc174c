/// The linear systems of pac where N is a matrix: I + H N in the rows of the closed contacts,
/// factorised where of moderate size.

#include <algorithm>

#include "pac_system.hpp"
#include "scree/base/log_stage.hpp"
#include "scree/base/parallel.hpp"
#include "scree/problem/cone_blocks.hpp"
#include "solver/linear/contact_space.hpp"

namespace scree::pac {
namespace {

/// H is zero where a contact is open: there dx = g. What is left, in the rows C of the other
/// contacts, is
///
///     (I + H N)_CC dx_C = g_C - H_CC (N dx_O)_C
class MatrixSystem final : public System {
 public:
  explicit MatrixSystem(const ContactProblem& problem)
      : comm_(problem.comm),
        cones_(problem.cones),
        linear_(kLinear, {.symmetric = false, .definite = false, .uniform_blocks = false}),
        n_(contact_space::copy_of_delassus(problem)),
        r_(problem.r.get()),
        u_(petsc::duplicate(r_)),
        du_(petsc::duplicate(r_)),
        rows_(petsc::duplicate(r_)),
        is_closed_(problem.cones.count(), 0) {}

  void begin(const Points& x) override {
    to_vec(x, rows_.get());
    SCREE_PETSC(MatMultAdd(n_.get(), rows_.get(), r_, u_.get()));
  }

  void expect_easier() override { linear_.expect_easier(); }

  void velocities(const Points& /*x*/, Points& u) const override { u = to_rows(u_.get()); }

  double momentum_error() const override { return 0.0; }

  bool solve(Blocks& h, Points& g, Points& dx) override {
    if (closed_change(h)) collect_closed();
    dx = g;
    for (const std::size_t row : closed_rows_) dx[row] = 0.0;
    product(dx);
    bool solved = true;
    if (n_closed_rows_ > 0) {
      form_matrix(h);
      solved = solve_closed(h, g, dx);
      product(dx);
    }
    return solved;
  }

  void advance(double theta) override { SCREE_PETSC(VecAXPY(u_.get(), theta, du_.get())); }

  const LinearSolver& linear() const override { return linear_; }

 private:
  /// du_ = N @p dx.
  void product(const Points& dx) {
    to_vec(dx, rows_.get());
    SCREE_PETSC(MatMult(n_.get(), rows_.get(), du_.get()));
  }

  /// Collective. Whether other contacts have blocks that are not zero than in the last step.
  bool closed_change(const Blocks& h) {
    int changed = 0;
    for_each_block(cones_, h.data(), [&]<int kDim>(const ConePlace& at, const auto& block) {
      const bool closed = !block.isZero(0.0);
      if (closed != is_closed_[at.number]) changed = 1;
      is_closed_[at.number] = closed;
    });
    return max_over_ranks(comm_, changed) != 0;
  }

  /// Collective. Lists the closed contacts, and makes all that is of their size.
  void collect_closed() {
    closed_cones_ = Cones();
    closed_rows_.clear();
    for_each_cone(cones_, [&]<class Cone>(const Cone& cone, const ConePlace& at) {
      if (!is_closed_[at.number]) return;
      closed_cones_.append(cone, at.exact);
      for (std::size_t k = 0; k < Cone::kDim; ++k) closed_rows_.push_back(at.row + k);
    });
    n_closed_rows_ = sum_over_ranks(comm_, static_cast<std::int64_t>(closed_rows_.size()));
    if (n_closed_rows_ > 0) make_matrices();
  }

  void make_matrices() {
    const LogStage stage(Stage::matrix_values);
    PetscInt first = 0;
    SCREE_PETSC(MatGetOwnershipRange(n_.get(), &first, nullptr));
    std::vector<PetscInt> rows;
    for (const std::size_t row : closed_rows_) rows.push_back(first + static_cast<PetscInt>(row));
    std::vector<PetscInt> lengths;  // of the rows of H
    for (std::size_t i = 0; i < closed_cones_.count(); ++i) {
      const int dim = closed_cones_.dim(i);
      lengths.insert(lengths.end(), dim, dim);
    }
    const auto n = static_cast<PetscInt>(rows.size());
    petsc::IndexSet set;
    SCREE_PETSC(ISCreateGeneral(comm_, n, rows.data(), PETSC_USE_POINTER, set.out()));
    SCREE_PETSC(
        MatCreateSubMatrix(n_.get(), set.get(), set.get(), MAT_INITIAL_MATRIX, closed_n_.out()));
    SCREE_PETSC(MatCreateAIJ(comm_, n, n, PETSC_DETERMINE, PETSC_DETERMINE, 0, lengths.data(), 0,
                             nullptr, closed_h_.out()));
    SCREE_PETSC(MatSetOption(closed_h_.get(), MAT_IGNORE_ZERO_ENTRIES, PETSC_FALSE));
    matrix_.reset();
    rhs_ = petsc::make_vector(comm_, rows.size());
    solution_ = petsc::duplicate(rhs_.get());
    linear_.expect_new_pattern();
  }

  /// I + H N of the closed contacts; its pattern is found once for a set of them.
  void form_matrix(const Blocks& h) {
    const LogStage stage(Stage::matrix_values);
    Blocks blocks;
    blocks.reserve(size_of_blocks(closed_cones_));
    for_each_block(cones_, h.data(), [&]<int kDim>(const ConePlace& at, const auto& block) {
      if (!is_closed_[at.number]) return;
      blocks.insert(blocks.end(), block.data(), block.data() + block.size());
    });
    SCREE_PETSC(MatZeroEntries(closed_h_.get()));
    contact_space::add_to_diagonal(closed_h_.get(), closed_cones_, blocks);
    if (matrix_) {
      Mat same = matrix_.get();
      SCREE_PETSC(
          MatMatMult(closed_h_.get(), closed_n_.get(), MAT_REUSE_MATRIX, PETSC_DEFAULT, &same));
    } else {
      SCREE_PETSC(MatMatMult(closed_h_.get(), closed_n_.get(), MAT_INITIAL_MATRIX, PETSC_DEFAULT,
                             matrix_.out()));
      std::vector<PetscInt> sizes;
      for (std::size_t i = 0; i < closed_cones_.count(); ++i) sizes.push_back(closed_cones_.dim(i));
      SCREE_PETSC(MatSetVariableBlockSizes(matrix_.get(), static_cast<PetscInt>(sizes.size()),
                                           sizes.data()));
    }
    SCREE_PETSC(MatShift(matrix_.get(), 1.0));
  }

  /// @p dx of the closed contacts. @pre du_ is N times its part of the others.
  bool solve_closed(const Blocks& h, const Points& g, Points& dx) {
    {
      const petsc::ConstView du(du_.get());
      const petsc::View rhs(rhs_.get());
      double* next = rhs.data();
      for_each_block(cones_, h.data(), [&]<int kDim>(const ConePlace& at, const auto& block) {
        if (!is_closed_[at.number]) return;
        auto part = rows_of<kDim>(next);
        part = rows_of<kDim>(&g[at.row]) - block * rows_of<kDim>(du.data() + at.row);
        next += part.size();
      });
    }
    PetscReal size = 0.0;
    SCREE_PETSC(VecNorm(rhs_.get(), NORM_2, &size));
    linear_.use(matrix_.get());
    const bool solved = linear_.solve(rhs_.get(), solution_.get(), kForcing * size);
    const petsc::ConstView part(solution_.get());
    for (std::size_t k = 0; k < closed_rows_.size(); ++k) dx[closed_rows_[k]] = part[k];
    return solved;
  }

  MPI_Comm comm_;
  const Cones& cones_;
  LinearSolver linear_;
  petsc::Matrix n_;
  Vec r_;
  petsc::Vector u_;
  petsc::Vector du_;
  petsc::Vector rows_;

  std::vector<bool> is_closed_;
  Cones closed_cones_;
  std::vector<std::size_t> closed_rows_;
  std::int64_t n_closed_rows_ = 0;  ///< closed rows of all ranks
  petsc::Matrix closed_n_;
  petsc::Matrix closed_h_;
  petsc::Matrix matrix_;  ///< I + H N of the closed contacts
  petsc::Vector rhs_;
  petsc::Vector solution_;
};

}  // namespace

std::unique_ptr<System> make_matrix_system(const ContactProblem& problem) {
  return std::make_unique<MatrixSystem>(problem);
}

}  // namespace scree::pac
