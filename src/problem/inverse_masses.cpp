#include "scree/problem/inverse_masses.hpp"

#include <cmath>
#include <utility>

namespace scree {
namespace {

bool is_of_ball(const Vec6& diagonal) {
  return diagonal[0] == diagonal[1] && diagonal[1] == diagonal[2] && diagonal[3] == diagonal[4] &&
         diagonal[4] == diagonal[5];
}

}  // namespace

bool is_diagonal(const Mat6& mass) {
  double others = 0.0;
  for (int k = 0; k < 6; ++k) {
    for (int l = 0; l < k; ++l) others += std::abs(mass(k, l)) + std::abs(mass(l, k));
  }
  return others == 0.0;
}

void InverseMasses::push_back(const Mat6& mass) {
  if (are_diagonal()) {
    if (is_diagonal(mass)) return push_diagonal(mass.diagonal());
    leave_diagonals();
  }
  whole_.push_back(mass);
}

void InverseMasses::push_diagonal(const Vec6& diagonal) {
  if (!are_diagonal()) {
    whole_.emplace_back(diagonal.asDiagonal());
    return;
  }
  if (are_of_balls()) {
    if (is_of_ball(diagonal)) {
      balls_.push_back({diagonal[0], diagonal[3]});
      return;
    }
    leave_balls();
  }
  diagonals_.push_back(diagonal);
}

/// Holds all that there are as diagonals, with room for as many as was made for balls.
void InverseMasses::leave_balls() {
  std::vector<Vec6> all;
  all.reserve(std::max(balls_.capacity(), balls_.size() + 1));
  for (std::size_t b = 0; b < balls_.size(); ++b) all.push_back(diagonal(b));
  balls_ = std::vector<InverseBallMass>();
  diagonals_ = std::move(all);
}

/// Likewise as 6 x 6.
void InverseMasses::leave_diagonals() {
  std::vector<Mat6> all;
  const std::size_t room = std::max(balls_.capacity(), diagonals_.capacity());
  all.reserve(std::max(room, size() + 1));
  for (std::size_t b = 0; b < size(); ++b) all.emplace_back(diagonal(b).asDiagonal());
  balls_ = std::vector<InverseBallMass>();
  diagonals_ = std::vector<Vec6>();
  whole_ = std::move(all);
}

InverseMasses InverseMasses::absolute() const {
  InverseMasses result = *this;
  for (InverseBallMass& ball : result.balls_) {
    ball = {std::abs(ball.linear), std::abs(ball.angular)};
  }
  for (Vec6& diagonal : result.diagonals_) diagonal = diagonal.cwiseAbs().eval();
  for (Mat6& mass : result.whole_) mass = mass.cwiseAbs().eval();
  return result;
}

}  // namespace scree
