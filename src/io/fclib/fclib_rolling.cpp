#include "fclib_rolling.hpp"

#include <cmath>
#include <numeric>
#include <type_traits>

namespace scree::fclib {
namespace {

constexpr int kRollingRow = 3;  ///< the first of rolling

}  // namespace

std::vector<ConeShape> cone_shapes(const Header& header, const FrictionOfContacts& friction,
                                   const std::vector<double>& diagonal) {
  std::vector<ConeShape> shapes(friction.mu.size());
  auto row = diagonal.begin();
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    ConeShape& shape = shapes[i];
    shape = {
        .dim = header.dim, .mu = friction.mu[i], .mu_r = header.rolling ? friction.mu_r[i] : 0.0};
    if (header.rolling) {
      const double tangents = std::accumulate(row + 1, row + kRollingRow, 0.0);
      const double rolling = std::accumulate(row + kRollingRow, row + header.dim, 0.0);
      row += header.dim;
      if (rolling == 0.0 && shape.mu_r == 0.0) {
        shape.dim = kRollingRow;
      } else {
        shape.length = rolling > 0.0 && tangents > 0.0 ? std::sqrt(tangents / rolling) : 1.0;
      }
    }
    if (shape.mu == 0.0 && shape.mu_r == 0.0) {
      shape.dim = 1;
      shape.length = 0.0;
    }
  }
  return shapes;
}

std::vector<double> row_lengths(const std::vector<ConeShape>& shapes, int dim) {
  std::vector<double> rows(shapes.size() * dim, 1.0);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    for (int k = kRollingRow; k < shapes[i].dim; ++k) rows[i * dim + k] = shapes[i].length;
  }
  return rows;
}

void append_cone(Cones& cones, const ConeShape& shape, const Friction& friction) {
  if (shape.dim <= kRollingRow) {
    cones.append(shape.dim, shape.mu, friction);
  } else {
    cones.append_by(friction, cones::Rolling{{shape.mu, shape.mu_r / shape.length}});
  }
}

std::vector<double> row_lengths(const ContactProblem& problem) {
  std::vector<double> rows(problem.cones.rows(), 1.0);
  for (std::size_t i = 0; i < problem.rolling_length.size(); ++i) {
    for (std::size_t row = problem.cones.row(i) + kRollingRow; row < problem.cones.row(i + 1);
         ++row) {
      rows[row] = problem.rolling_length[i];
    }
  }
  return rows;
}

std::vector<double> rolling_coefficients(const ContactProblem& problem) {
  std::vector<double> mu(problem.cones.count(), 0.0);
  for_each_cone(problem.cones, [&]<class Cone>(const Cone& cone, const ConePlace& at) {
    if constexpr (std::is_same_v<typename cones::RoundOf<Cone>::Type, cones::Rolling>) {
      mu[at.number] = cone.mu[1] * problem.rolling_length[at.number];
    }
  });
  return mu;
}

}  // namespace scree::fclib
