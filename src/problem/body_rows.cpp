#include "scree/problem/body_rows.hpp"

#include <cmath>

namespace scree {
namespace {

/// L of M^-1 = L L^T; a pivot that vanishes beside its diagonal gives a zero column.
Mat6 cholesky(const Mat6& a) {
  constexpr double kVanishing = 1e-14;
  Mat6 l = Mat6::Zero();
  for (int j = 0; j < kBodyDofs; ++j) {
    double pivot = a(j, j);
    for (int k = 0; k < j; ++k) pivot -= l(j, k) * l(j, k);
    if (pivot <= kVanishing * a(j, j)) continue;
    const double root = std::sqrt(pivot);
    l(j, j) = root;
    for (int i = j + 1; i < kBodyDofs; ++i) {
      double sum = a(i, j);
      for (int k = 0; k < j; ++k) sum -= l(i, k) * l(j, k);
      l(i, j) = sum / root;
    }
  }
  return l;
}

BodyRows make_body_rows(const ContactProblem& problem) {
  const BlockRows& blocks = *problem.delassus.blocks;
  BodyRows rows{blocks.pattern, {}};
  rows.pattern.n_frames = 0;
  rows.pattern.place.clear();
  std::vector<Mat6> factors;
  factors.reserve(blocks.inverse_mass.size());
  for (std::size_t b = 0; b < blocks.inverse_mass.size(); ++b) {
    factors.push_back(cholesky(blocks.inverse_mass[b]));
  }
  for_each_cone(problem.cones, [&]<class Cone>(const Cone&, const ConePlace& at) {
    rows.pattern.place.push_back(rows.values.size());
    for_each_entry<Cone::kDim>(blocks, at.number, [&](const auto& j, std::int32_t body) {
      const BodyBlock<Cone::kDim> block = j * factors[body].template triangularView<Eigen::Lower>();
      rows.values.insert(rows.values.end(), block.data(), block.data() + block.size());
    });
  });
  return rows;
}

}  // namespace

bool has_body_rows(const ContactProblem& problem) {
  return problem.delassus.blocks != nullptr && problem.delassus.symmetric;
}

std::shared_ptr<const BodyRows> body_rows(const ContactProblem& problem) {
  std::shared_ptr<const BodyRows>& made = problem.forms->body_rows;
  if (!made) made = std::make_shared<const BodyRows>(make_body_rows(problem));
  return made;
}

}  // namespace scree
