#include "moving_frame.hpp"

#include <limits>

#include "linear_program.hpp"

namespace scree {

std::optional<Eigen::VectorXd> moving_frame(const EnergySpace& space) {
  const Eigen::Index d = space.normals.rows();
  if (!walls_move(space)) return Eigen::VectorXd::Zero(d);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double unit = space.offset.cwiseAbs().maxCoeff();  // the program's tolerances are absolute
  LinearProgram program;
  program.rows = space.normals.transpose();
  program.objective = -(space.normals * Eigen::VectorXd::Ones(space.normals.cols()));
  program.row_low = -space.offset / unit;
  program.row_high = Eigen::VectorXd::Constant(space.offset.size(), kInfinity);
  program.low = Eigen::VectorXd::Constant(d, -kInfinity);
  program.high = Eigen::VectorXd::Constant(d, kInfinity);
  auto frame = solve(program);
  if (frame) *frame *= unit;
  return frame;
}

}  // namespace scree
