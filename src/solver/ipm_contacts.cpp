/// The linear systems in the space of the contacts, for N without bodies: S + reg + N.

#include <algorithm>
#include <cmath>

#include "contact_space.hpp"
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
    blocks_.resize(scaling.size());
    for (std::size_t i = 0; i < blocks_.size(); ++i) blocks_[i] = scaling.matrix(i);
    contact_space::add_to_diagonal(matrix_.get(), cones_, blocks_);
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
      contact_space::to_rows(image, cones_, rhs_.get());
      solved = linear_.solve(rhs_.get(), solution_.get(), absolute);
      contact_space::from_rows(solution_.get(), cones_, image);
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
    operator_ = contact_space::copy_of_delassus(problem);
    const petsc::Vector left = petsc::duplicate(problem.r.get());
    contact_space::to_rows(units.inverse_t, cones_, left.get());
    SCREE_PETSC(MatDiagonalScale(operator_.get(), left.get(), left.get()));
    SCREE_PETSC(MatScale(operator_.get(), 1.0 / units.inverse_mass));
  }

  void make_matrix() {
    SCREE_PETSC(MatDuplicate(operator_.get(), MAT_COPY_VALUES, matrix_.out()));
    std::vector<PetscInt> sizes;
    for (std::size_t i = 0; i < cones_.count(); ++i) sizes.push_back(cones_.dim(i));
    SCREE_PETSC(
        MatSetVariableBlockSizes(matrix_.get(), static_cast<PetscInt>(sizes.size()), sizes.data()));
  }

  /// N x
  void multiply(const Points& x, Points& result) {
    contact_space::to_rows(x, cones_, rhs_.get());
    SCREE_PETSC(MatMult(operator_.get(), rhs_.get(), solution_.get()));
    contact_space::from_rows(solution_.get(), cones_, result);
  }

  MPI_Comm comm_;
  const Cones& cones_;
  LinearSolver linear_;
  petsc::Vector rhs_;
  petsc::Vector solution_;
  petsc::Matrix operator_;
  petsc::Matrix matrix_;
  std::vector<Mat3> blocks_;  ///< S + reg
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
