#include "moving_frame.hpp"

#include <Eigen/IterativeLinearSolvers>
#include <limits>
#include <utility>

#include "linear_program.hpp"

namespace scree {
namespace {

/// A frame where all contacts are at rest, as that of a box that is shaken; none where there is
/// none, or it is not found within some iterations. Which of several it is makes no difference:
/// they differ by what no contact sees.
std::optional<Eigen::VectorXd> common_frame(const EnergySpace& space) {
  constexpr double kAtRest = 1e-10;  // of the fastest wall
  const SparseColumns rows = space.normals.transpose();
  Eigen::LeastSquaresConjugateGradient<SparseColumns> solver(rows);
  solver.setTolerance(1e-13);
  solver.setMaxIterations(200);
  Eigen::VectorXd frame = solver.solve(-space.offset);
  const double left = (rows * frame + space.offset).cwiseAbs().maxCoeff();
  if (!(left <= kAtRest * space.offset.cwiseAbs().maxCoeff())) return std::nullopt;
  return frame;
}

}  // namespace

MovingFrame moving_frame(const EnergySpace& space) {
  const Eigen::Index d = space.normals.rows();
  if ((space.offset.array() == 0.0).all()) return {Eigen::VectorXd::Zero(d), 0};
  if (auto frame = common_frame(space)) return {std::move(frame), 0};
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
  return {std::move(frame), 1};
}

}  // namespace scree
