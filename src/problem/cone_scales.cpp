/// The scale of each cone, from the trace of its block of N.

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "csr_view.hpp"
#include "frame_products.hpp"
#include "scree/problem/cone_blocks.hpp"
#include "scree/problem/contact_problem.hpp"

namespace scree {
namespace {

/// The largest absolute value in the rows of each cone of a matrix.
std::vector<double> largest_entries(Mat matrix, const Cones& cones) {
  const LocalRows local(matrix);
  std::vector<double> largest(cones.count(), 0.0);
  for (const std::optional<CsrView>* part : {&local.inner, &local.outer}) {
    if (!*part) continue;
    for (std::size_t i = 0; i < largest.size(); ++i) {
      for (PetscInt e = (*part)->row_start[cones.offset[i]];
           e < (*part)->row_start[cones.offset[i + 1]]; ++e) {
        largest[i] = std::max(largest[i], std::abs((*part)->value[e]));
      }
    }
  }
  return largest;
}

/// trace(J M^-1 J^T) with a diagonal @p mass, column by column, which processors do side by side.
template <class Block>
double trace_of(const Block& j, const Vec6& mass) {
  std::array<double, kBodyDofs> square{};
  for (int k = 0; k < j.rows(); ++k) {
    for (int c = 0; c < kBodyDofs; ++c) square[c] += j(k, c) * j(k, c);
  }
  double sum = 0.0;
  for (int c = 0; c < kBodyDofs; ++c) sum += square[c] * mass[c];
  return sum;
}

/// Terms of a body's M^-1 in the trace of a frame, which does not couple moving with turning:
/// apart from the rest, since contacts come at bodies in any order.
struct BodyTraces {
  double linear;  ///< tr m^-1, 1/kg
  Mat3 turning;   ///< tr(I^-1) 1 - I^-1, 1/(kg m^2)
};

std::vector<BodyTraces> traces_of_bodies(const BlockRows& rows) {
  std::vector<BodyTraces> traces;
  traces.reserve(rows.inverse_mass.size());
  for (std::size_t b = 0; b < rows.inverse_mass.size(); ++b) {
    const Mat6 mass = rows.inverse_mass[b];
    const Mat3 turning = mass.bottomRightCorner<3, 3>();
    traces.push_back(
        {mass.topLeftCorner<3, 3>().trace(), turning.trace() * Mat3::Identity() - turning});
  }
  return traces;
}

/// trace(J_i M^-1 J_i^T) of a frame with three rows, the forces of a whole triad f_k:
/// sum_k (r x f_k)^T I^-1 (r x f_k) = |r|^2 tr I^-1 - r^T I^-1 r.
double trace_of_triad(const BlockRows& rows, std::span<const BodyTraces> bodies, std::size_t i) {
  const auto of = [&](std::int32_t body, const Triples& normals, const auto& arms) {
    if (body < 0) return 0.0;
    const BodyTraces& traces = bodies[static_cast<std::size_t>(body)];
    const Vec3 arm = vec3_of(arm_at(normals, arms, i % kBlock));
    return traces.linear + arm.dot(traces.turning * arm);
  };
  const FrameBodies& own = rows.pattern.frames[i / kBlock];
  const Triples& normals = rows.frames.blocks()[i / kBlock].normal;
  double trace = 0.0;
  with_arms(rows, i / kBlock, [&](const auto& arms) {
    trace = of(own.a[i % kBlock], normals, arms.a) + of(own.b[i % kBlock], normals, arms.b);
  });
  return trace;
}

/// Terms of a ball's M^-1 in the trace of a frame: its arm is along the normal.
struct BallTraces {
  double linear = 0.0;   ///< tr m^-1, 1/kg
  double turning = 0.0;  ///< 2/I, 1/(kg m^2)
};

/// Those of all local bodies, behind one of a body that nothing moves; empty where some are no
/// balls or are held.
std::vector<BallTraces> traces_of_balls(const BlockRows& rows) {
  if (!rows.frames.are_of_balls() || !rows.inverse_mass.are_diagonal()) return {};
  std::vector<BallTraces> traces(1);
  traces.reserve(rows.inverse_mass.size() + 1);
  for (std::size_t b = 0; b < rows.inverse_mass.size(); ++b) {
    const Vec6 m = rows.inverse_mass.diagonal(b);
    if (m[3] != m[4] || m[4] != m[5]) return {};
    traces.push_back({m[0] + m[1] + m[2], 2.0 * m[3]});
  }
  return traces;
}

/// Adds trace(J_i M^-1 J_i^T) of a batch of frames with three rows, of balls alone.
void add_traces_of_balls(const BlockRows& rows, const BallTraces* bodies, const ConeBatch& batch,
                         std::vector<double>& trace) {
  const auto of = [bodies](std::int32_t body, double arm) {
    const BallTraces& traces = bodies[body + 1];
    return traces.linear + traces.turning * (arm * arm);
  };
  for_each_part(batch.first, batch.count, [&](const BlockPart& part) {
    const FrameBodies& local = rows.pattern.frames[part.block];
    const BallArmBlock& arms = rows.frames.ball_arms()[part.block];
    for (std::size_t i = part.begin; i < part.end; ++i) {
      trace[part.contact(i)] += of(local.a[i], arms.a[i]) + of(local.b[i], arms.b[i]);
    }
  });
}

/// Adds R of the rows of a batch.
template <int kDim>
void add_compliance(const ContactProblem& problem, const ConeBatch& batch,
                    std::vector<double>& trace) {
  if (problem.compliance.empty()) return;
  const double* softness = &problem.compliance[problem.cones.row(batch.first)];
  for (std::int32_t i = 0; i < batch.count; ++i, softness += kDim) {
    for (int k = 0; k < kDim; ++k) trace[batch.first + i] += softness[k];
  }
}

/// trace(N_ii) of each cone, from J and M^-1: the blocks themselves cost more.
std::vector<double> traces_by_bodies(const ContactProblem& problem, const BlockRows& rows) {
  const std::vector<BallTraces> balls = traces_of_balls(rows);
  const std::vector<BodyTraces> bodies =
      balls.empty() ? traces_of_bodies(rows) : std::vector<BodyTraces>();
  std::vector<double> trace(problem.cones.count(), 0.0);
  const auto add_of_bodies = [&]<int kDim>(std::size_t cone) {
    double& sum = trace[cone];
    if (kDim == kForceRows && cone < rows.pattern.n_frames) {
      sum += trace_of_triad(rows, bodies, cone);
      return;
    }
    for_each_entry<kDim>(rows, cone, [&](const auto& j, std::int32_t body) {
      const InverseMasses& masses = rows.inverse_mass;
      const auto b = static_cast<std::size_t>(body);
      sum += masses.are_diagonal() ? trace_of(j, masses.diagonal(b))
                                   : (j * masses[b]).cwiseProduct(j).sum();
    });
  };
  for (const ConeBatch& batch : problem.cones.batches) {
    const auto first = static_cast<std::size_t>(batch.first);
    const std::size_t end = first + static_cast<std::size_t>(batch.count);
    cones::with_rows(batch.type, [&]<int kDim>() {
      add_compliance<kDim>(problem, batch, trace);
      if (kDim == kForceRows && end <= rows.pattern.n_frames && !balls.empty()) {
        add_traces_of_balls(rows, balls.data(), batch, trace);
      } else {
        for (std::size_t i = first; i < end; ++i) add_of_bodies.template operator()<kDim>(i);
      }
    });
  }
  return trace;
}

std::vector<double> traces(const ContactProblem& problem) {
  if (const BlockRows* rows = problem.delassus.blocks.get()) {
    return traces_by_bodies(problem, *rows);
  }
  const Cones& cones = problem.cones;
  std::vector<double> trace(cones.count(), 0.0);
  const double* block = delassus_diagonal_blocks(problem).data();
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const std::ptrdiff_t dim = cones.dim(i);
    for (std::ptrdiff_t k = 0; k < dim; ++k) trace[i] += block[k * (dim + 1)];
    block += dim * dim;
  }
  return trace;
}

}  // namespace

const std::vector<double>& cone_scales(const ContactProblem& problem) {
  std::optional<std::vector<double>>& kept = problem.scales->rho;
  if (kept) return *kept;
  const std::vector<double> trace = traces(problem);
  std::vector<double> largest;
  if (!problem.delassus.is_product()) {
    largest = largest_entries(problem.delassus.matrix.get(), problem.cones);
  }
  std::vector<double>& rho = kept.emplace(problem.cones.count(), 1.0);
  for (std::size_t i = 0; i < rho.size(); ++i) {
    if (trace[i] != 0.0) {
      rho[i] = problem.cones.dim(i) / std::abs(trace[i]);
    } else if (!largest.empty() && largest[i] > 0.0) {
      rho[i] = 1.0 / largest[i];
    }
  }
  return rho;
}

}  // namespace scree
