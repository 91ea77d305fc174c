#include "fclib_rolling.hpp"

#include <cmath>
#include <type_traits>

namespace scree::fclib {
namespace {

constexpr int kRollingRow = 3;  ///< the first of rolling

}  // namespace

ConeShapes cone_shapes(const Header& header, const Dense& diagonal) {
  ConeShapes shapes;
  shapes.dim.assign(header.mu.size(), header.dim);
  std::vector<double> length(header.mu.size(), 0.0);
  bool any_rolls = false;
  for (std::size_t i = 0; i < header.mu.size(); ++i) {
    if (header.mu[i] == 0.0 && header.rolling_friction(i) == 0.0) {
      shapes.dim[i] = 1;
      continue;
    }
    if (!header.rolling) continue;
    const auto row = static_cast<Eigen::Index>(i) * header.dim;
    const double tangents = diagonal.segment(row + 1, kRollingRow - 1).sum();
    const double rolling = diagonal.segment(row + kRollingRow, header.dim - kRollingRow).sum();
    if (rolling == 0.0 && header.mu_r[i] == 0.0) {
      shapes.dim[i] = kRollingRow;
      continue;
    }
    length[i] = rolling > 0.0 && tangents > 0.0 ? std::sqrt(tangents / rolling) : 1.0;
    any_rolls = true;
  }
  if (any_rolls) shapes.length = std::move(length);
  return shapes;
}

Dense row_lengths(const Header& header, const ConeShapes& shapes) {
  Dense rows = Dense::Ones(header.q.size());
  for (std::size_t i = 0; i < shapes.length.size(); ++i) {
    for (int k = kRollingRow; k < shapes.dim[i]; ++k) {
      rows[static_cast<Eigen::Index>(i) * header.dim + k] = shapes.length[i];
    }
  }
  return rows;
}

void append_cone(Cones& cones, const Header& header, const ConeShapes& shapes, int number,
                 const Friction& friction) {
  if (shapes.dim[number] <= kRollingRow) {
    cones.append(shapes.dim[number], header.mu[number], friction);
  } else {
    cones.append_by(
        friction, cones::Rolling{{header.mu[number], header.mu_r[number] / shapes.length[number]}});
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
