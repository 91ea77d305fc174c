#include "linear_program.hpp"

#include <fmt/format.h>

#include <ClpSimplex.hpp>
#include <CoinPackedMatrix.hpp>

#include "scree/base/check.hpp"

namespace scree {
namespace {

constexpr double kTolerance = 1e-9;  // of rows, bounds and reduced costs
constexpr Eigen::Index kManyRows =
    1000;                    // from here on the interior point method is the faster one
constexpr int kOptimal = 0;  // Clp's statuses
constexpr int kInfeasible = 1;

}  // namespace

std::optional<Eigen::VectorXd> solve(const LinearProgram& program) {
  Eigen::SparseMatrix<double> rows = program.rows;
  rows.makeCompressed();
  ClpSimplex model;
  model.setLogLevel(0);
  model.scaling(0);  // the callers' rows and columns are of comparable size
  model.setPrimalTolerance(kTolerance);
  model.setDualTolerance(kTolerance);
  model.loadProblem(
      CoinPackedMatrix(true, static_cast<int>(rows.rows()), static_cast<int>(rows.cols()),
                       static_cast<CoinBigIndex>(rows.nonZeros()), rows.valuePtr(),
                       rows.innerIndexPtr(), rows.outerIndexPtr(), nullptr),
      program.low.data(), program.high.data(), program.objective.data(), program.row_low.data(),
      program.row_high.data());
  model.setOptimizationDirection(-1.0);  // maximize
  if (rows.rows() < kManyRows) {
    model.initialSolve();
  } else {
    model.initialBarrierSolve();
  }
  if (model.status() == kInfeasible) return std::nullopt;
  if (model.status() != kOptimal) {
    throw Failure(fmt::format("Clp ended a linear program of {} rows with status {}", rows.rows(),
                              model.status()));
  }
  return Eigen::Map<const Eigen::VectorXd>(model.primalColumnSolution(), rows.cols());
}

}  // namespace scree
