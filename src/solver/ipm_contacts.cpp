/// The linear systems in the space of the contacts, for N without bodies: S + reg + N.

#include <algorithm>
#include <array>
#include <cmath>

#include "ipm_system.hpp"

namespace scree::ipm {
namespace {

/// Solves with a factorisation are repeated on the residual of the unassembled form.
constexpr int kRefinements = 2;

class ContactSystem final : public System {
 public:
  ContactSystem(const ContactProblem& problem, const Units& units, const IpmOptions& options)
      : comm_(problem.comm),
        cones_(problem.cones),
        linear_(
            linear_options(options),
            {.symmetric = problem.delassus.symmetric, .definite = false, .uniform_blocks = false}),
        rhs_(petsc::duplicate(problem.r.get())),
        solution_(petsc::duplicate(problem.r.get())) {
    const auto here = static_cast<double>(problem.cones.rows());
    n_rows_ = std::max(1.0, sum_over_ranks(comm_, here));
    make_operator(problem, units);
    make_matrix();
  }

  void set_bias(const Points& c) override { c_ = c; }

  /// x dominates c, y = N x + c is lifted into the cone: without this, steps collapse.
  bool start(double shift, Points& x, Points& y) override {
    double largest = shift;
    for (const Point& p : c_) largest = std::max(largest, p.norm());
    largest = max_over_ranks(comm_, largest);
    x.assign(c_.size(), largest * jordan::unit<3>());
    multiply(x, y);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += c_[i];
    const double lift = violation(comm_, y) + largest;
    for (Point& p : y) p[0] += lift;
    dx_.assign(c_.size(), Point::Zero());
    return true;
  }

  double residuals(const Points& x, const Points& y, Points& r_y) override {
    multiply(x, r_y);
    double sum = 0.0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      r_y[i] = y[i] - r_y[i] - c_[i];
      sum += r_y[i].squaredNorm();
    }
    return std::sqrt(sum_over_ranks(comm_, sum) / n_rows_);
  }

  void prepare(const Scaling& scaling) override {
    SCREE_PETSC(MatCopy(operator_.get(), matrix_.get(), SAME_NONZERO_PATTERN));
    for (std::size_t i = 0; i < scaling.size(); ++i) add_block(i, scaling.matrix(i));
    SCREE_PETSC(MatAssemblyBegin(matrix_.get(), MAT_FINAL_ASSEMBLY));
    SCREE_PETSC(MatAssemblyEnd(matrix_.get(), MAT_FINAL_ASSEMBLY));
    linear_.use(matrix_.get());
  }

  bool solve(const Scaling& scaling, const Points& g, const Points& r_y, double tolerance,
             bool from_last, Points& dx) override {
    if (!from_last) dx_.assign(c_.size(), Point::Zero());
    const double absolute = tolerance * std::sqrt(n_rows_);
    bool solved = true;
    Points image;
    for (int pass = 0; solved && pass <= (linear_.direct() ? kRefinements : 0); ++pass) {
      multiply(dx_, image);
      for (std::size_t i = 0; i < g.size(); ++i) {
        // W (g - W dx) is kept together: both grow with S while their difference does not
        const Point scaled = scaling.times_w(i, g[i] - scaling.times_w(i, dx_[i]));
        image[i] = scaled + r_y[i] - scaling.reg * dx_[i] - image[i];
      }
      to_rows(image, rhs_.get());
      solved = linear_.solve(rhs_.get(), solution_.get(), absolute);
      from_rows(solution_.get(), image);
      for (std::size_t i = 0; i < g.size(); ++i) dx_[i] += image[i];
    }
    dx = dx_;
    return solved;
  }

  void advance(double /*theta*/) override {}

  const LinearSolver& linear() const override { return linear_; }

 private:
  /// T^-1 N T^-1 / nu
  void make_operator(const ContactProblem& problem, const Units& units) {
    const petsc::Matrix n = assemble_delassus(problem);
    SCREE_PETSC(MatDuplicate(n.get(), MAT_COPY_VALUES, operator_.out()));
    const petsc::Vector left = petsc::duplicate(problem.r.get());
    to_rows(units.inverse_t, left.get());
    SCREE_PETSC(MatDiagonalScale(operator_.get(), left.get(), left.get()));
    SCREE_PETSC(MatScale(operator_.get(), 1.0 / units.inverse_mass));
    PetscInt first = 0;
    SCREE_PETSC(MatGetOwnershipRange(operator_.get(), &first, nullptr));
    first_row_ = first;
    // every block on the diagonal is stored whole, so that S finds its place
    SCREE_PETSC(MatSetOption(operator_.get(), MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
    SCREE_PETSC(MatSetOption(operator_.get(), MAT_NEW_NONZERO_LOCATIONS, PETSC_TRUE));
    SCREE_PETSC(MatSetOption(operator_.get(), MAT_IGNORE_ZERO_ENTRIES, PETSC_FALSE));
    matrix_target_ = operator_.get();
    for (std::size_t i = 0; i < cones_.count(); ++i) add_block(i, Eigen::Matrix3d::Zero());
    SCREE_PETSC(MatAssemblyBegin(operator_.get(), MAT_FINAL_ASSEMBLY));
    SCREE_PETSC(MatAssemblyEnd(operator_.get(), MAT_FINAL_ASSEMBLY));
  }

  void make_matrix() {
    SCREE_PETSC(MatDuplicate(operator_.get(), MAT_COPY_VALUES, matrix_.out()));
    matrix_target_ = matrix_.get();
    std::vector<PetscInt> sizes;
    for (std::size_t i = 0; i < cones_.count(); ++i) sizes.push_back(cones_.dim(i));
    SCREE_PETSC(
        MatSetVariableBlockSizes(matrix_.get(), static_cast<PetscInt>(sizes.size()), sizes.data()));
  }

  void add_block(std::size_t i, const Eigen::Matrix3d& block) {
    const int dim = cones_.dim(i);
    std::array<PetscInt, 3> rows{};
    std::array<double, 9> values{};
    for (int k = 0; k < dim; ++k) {
      rows[static_cast<std::size_t>(k)] = first_row_ + cones_.offset[i] + k;
      for (int l = 0; l < dim; ++l) values[static_cast<std::size_t>(k * dim + l)] = block(k, l);
    }
    SCREE_PETSC(MatSetValues(matrix_target_, dim, rows.data(), dim, rows.data(), values.data(),
                             ADD_VALUES));
  }

  void to_rows(const Points& x, Vec rows) const {
    const petsc::View view(rows);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto first = static_cast<std::size_t>(cones_.offset[i]);
      for (int k = 0; k < cones_.dim(i); ++k) view[first + static_cast<std::size_t>(k)] = x[i][k];
    }
  }

  void from_rows(Vec rows, Points& x) const {
    const petsc::ConstView view(rows);
    x.assign(cones_.count(), Point::Zero());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto first = static_cast<std::size_t>(cones_.offset[i]);
      for (int k = 0; k < cones_.dim(i); ++k) x[i][k] = view[first + static_cast<std::size_t>(k)];
    }
  }

  /// N x
  void multiply(const Points& x, Points& result) {
    to_rows(x, rhs_.get());
    SCREE_PETSC(MatMult(operator_.get(), rhs_.get(), solution_.get()));
    from_rows(solution_.get(), result);
  }

  MPI_Comm comm_;
  const Cones& cones_;
  LinearSolver linear_;
  petsc::Vector rhs_;
  petsc::Vector solution_;
  petsc::Matrix operator_;
  petsc::Matrix matrix_;
  Mat matrix_target_ = nullptr;
  PetscInt first_row_ = 0;
  double n_rows_ = 1.0;
  Points c_;
  Points dx_;
};

}  // namespace

std::unique_ptr<System> make_contact_system(const ContactProblem& problem, const Units& units,
                                            const IpmOptions& options) {
  return std::make_unique<ContactSystem>(problem, units, options);
}

}  // namespace scree::ipm
