/// The linear systems in the space of the contacts, for N without bodies: S + reg + N.

#include <algorithm>
#include <cmath>

#include "ipm_matrix.hpp"

namespace scree::ipm {
namespace {

/// Solves with a factorisation are repeated on the residual of the unassembled form.
constexpr int kRefinements = 2;

class ContactSystem final : public System {
 public:
  ContactSystem(const ContactProblem& problem, const Units& units, const IpmOptions& options)
      : comm_(problem.comm),
        linear_(
            linear_options(options),
            {.symmetric = problem.delassus.symmetric, .definite = false, .uniform_blocks = false}),
        n_(problem, units) {
    const auto here = static_cast<double>(problem.cones.rows());
    n_rows_ = std::max(1.0, sum_over_ranks(comm_, here));
  }

  void set_bias(const Points& c) override { c_ = c; }

  /// x dominates c, y = N x + c is lifted into the cone: without this, steps collapse.
  bool start(double shift, Points& x, Points& y) override {
    double largest = shift;
    for (const Point& p : c_) largest = std::max(largest, p.norm());
    largest = max_over_ranks(comm_, largest);
    x.assign(c_.size(), largest * jordan::unit<3>());
    n_.multiply(x, y);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += c_[i];
    const double lift = violation(comm_, y) + largest;
    for (Point& p : y) p[0] += lift;
    dx_.assign(c_.size(), Point::Zero());
    return true;
  }

  double residuals(const Points& x, const Points& y, Points& r_y) override {
    n_.multiply(x, r_y);
    double sum = 0.0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      r_y[i] = y[i] - r_y[i] - c_[i];
      sum += r_y[i].squaredNorm();
    }
    return std::sqrt(sum_over_ranks(comm_, sum) / n_rows_);
  }

  void prepare(const Scaling& scaling) override {
    blocks_.resize(scaling.size());
    for (std::size_t i = 0; i < blocks_.size(); ++i) blocks_[i] = scaling.matrix(i);
    linear_.use(n_.plus(blocks_));
  }

  bool solve(const Scaling& scaling, const Points& g, const Points& r_y, double tolerance,
             bool from_last, Points& dx) override {
    if (!from_last) dx_.assign(c_.size(), Point::Zero());
    const double absolute = tolerance * std::sqrt(n_rows_);
    bool solved = true;
    Points image;
    for (int pass = 0; solved && pass <= (linear_.direct() ? kRefinements : 0); ++pass) {
      n_.multiply(dx_, image);
      for (std::size_t i = 0; i < g.size(); ++i) {
        // W (g - W dx) is kept together: both grow with S while their difference does not
        const Point scaled = scaling.times_w(i, g[i] - scaling.times_w(i, dx_[i]));
        image[i] = scaled + r_y[i] - scaling.reg * dx_[i] - image[i];
      }
      solved = n_.solve(linear_, image, absolute, image);
      for (std::size_t i = 0; i < g.size(); ++i) dx_[i] += image[i];
    }
    dx = dx_;
    return solved;
  }

  void advance(double /*theta*/) override {}

  const LinearSolver& linear() const override { return linear_; }

 private:
  MPI_Comm comm_;
  LinearSolver linear_;
  ContactMatrix n_;
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
