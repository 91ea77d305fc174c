#pragma once

/// M^-1 of bodies, one after another: two numbers each as long as all are alike along all axes, as
/// those of balls are, else six as long as all are diagonal, else 6 x 6.

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "scree/base/math.hpp"

namespace scree {

/// Whether it is.
bool is_diagonal(const Mat6& mass);

/// M^-1 of a ball.
struct InverseBallMass {
  double linear;   ///< 1/m, 1/kg
  double angular;  ///< 1/I, 1/(kg m^2)
};

class InverseMasses {
 public:
  /// Makes room for @p n balls.
  void reserve(std::size_t n) { balls_.reserve(n); }
  void push_back(const Mat6& mass);
  void push_diagonal(const Vec6& diagonal);

  std::size_t size() const { return balls_.size() + diagonals_.size() + whole_.size(); }
  bool empty() const { return size() == 0; }
  bool are_of_balls() const { return diagonals_.empty() && whole_.empty(); }
  bool are_diagonal() const { return whole_.empty(); }
  Mat6 operator[](std::size_t b) const {
    return are_diagonal() ? Mat6(diagonal(b).asDiagonal()) : whole_[b];
  }
  /// @pre are_diagonal()
  Vec6 diagonal(std::size_t b) const {
    if (!diagonals_.empty()) return diagonals_[b];
    Vec6 of_ball;
    of_ball << Vec3::Constant(balls_[b].linear), Vec3::Constant(balls_[b].angular);
    return of_ball;
  }
  /// Those of all bodies, where are_of_balls().
  std::span<const InverseBallMass> balls() const { return balls_; }

  Vec6 times(std::size_t b, const Vec6& momentum) const {
    if (are_diagonal()) return diagonal(b).cwiseProduct(momentum);
    return whole_[b] * momentum;
  }

  /// All by their absolute values.
  InverseMasses absolute() const;

 private:
  void leave_balls();
  void leave_diagonals();

  // all but one are empty
  std::vector<InverseBallMass> balls_;
  std::vector<Vec6> diagonals_;
  std::vector<Mat6> whole_;
};

}  // namespace scree
