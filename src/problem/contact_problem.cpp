#include "scree/problem/contact_problem.hpp"

#include <algorithm>
#include <utility>

#include "scree/base/parallel.hpp"
#include "scree/problem/body_rows.hpp"
#include "scree/problem/csr_rows.hpp"

namespace scree {
namespace {

/// The global block of each local body.
std::vector<PetscInt> global_blocks(MPI_Comm comm, const BodyPattern& pattern) {
  PetscInt end = 0;
  const PetscInt owned = pattern.n_owned;
  SCREE_MPI(MPI_Scan(&owned, &end, 1, MPIU_INT, MPI_SUM, comm));
  std::vector<PetscInt> blocks;
  blocks.reserve(pattern.n_bodies());
  for (PetscInt b = end - owned; b < end; ++b) blocks.push_back(b);
  blocks.insert(blocks.end(), pattern.ghosts.begin(), pattern.ghosts.end());
  return blocks;
}

/// PETSc wants ascending columns, which the entries of a cone need not have.
petsc::Matrix make_jacobian(const ContactProblem& problem) {
  const BlockRows& blocks = *problem.delassus.blocks;
  const std::vector<PetscInt> global = global_blocks(problem.comm, blocks.pattern);
  CsrRows rows;
  rows.reserve(problem.cones.rows(), 2 * std::size_t{kBodyDofs} * problem.cones.rows());
  for_each_place(problem.cones, [&]<int kDim>(const ConePlace& at) {
    std::vector<std::pair<PetscInt, BodyBlock<kDim>>> entries;
    for_each_entry<kDim>(blocks, at.number, [&](const auto& block, std::int32_t body) {
      entries.emplace_back(global[body], block);
    });
    std::sort(entries.begin(), entries.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    for (int k = 0; k < kDim; ++k) {
      for (const auto& [body, block] : entries) {
        rows.add_run(kBodyDofs * body, Vec6(block.row(k).transpose()));
      }
      rows.end_row();
    }
  });
  return make_matrix(problem.comm, rows, kBodyDofs * blocks.pattern.n_owned);
}

petsc::Matrix make_inverse_mass(const ContactProblem& problem) {
  const BlockRows& blocks = *problem.delassus.blocks;
  const std::vector<PetscInt> global = global_blocks(problem.comm, blocks.pattern);
  CsrRows rows;
  const std::size_t n = blocks.pattern.n_owned;
  rows.reserve(kBodyDofs * n, 2 * (kBodyDofs * n));
  for (std::size_t b = 0; b < n; ++b) {
    const Mat6 mass = blocks.inverse_mass[b];
    for (int k = 0; k < kBodyDofs; ++k) {
      for (int l = 0; l < kBodyDofs; ++l) {
        if (k == l || mass(k, l) != 0.0) rows.add(kBodyDofs * global[b] + l, mass(k, l));
      }
      rows.end_row();
    }
  }
  return make_matrix(problem.comm, rows, static_cast<PetscInt>(kBodyDofs * n));
}

/// J^T lambda of this rank's cones, into @p bodies: the ghosts' part is for their owners.
void momentum_of(const ContactProblem& problem, Vec lambda, std::vector<double>& bodies) {
  const BlockRows& blocks = *problem.delassus.blocks;
  bodies.assign(blocks.pattern.n_bodies() * kBodyDofs, 0.0);
  const petsc::ConstView impulse(lambda);
  multiply_transposed(blocks, problem.cones, impulse.span(), bodies);
}

}  // namespace

std::int64_t ContactProblem::n_cones_global() const {
  return sum_over_ranks(comm, static_cast<std::int64_t>(cones.count()));
}

Mat jacobian(const ContactProblem& problem) {
  if (!problem.delassus.blocks) return problem.delassus.jacobian.get();
  petsc::Matrix& made = problem.forms->jacobian;
  if (!made) made = make_jacobian(problem);
  return made.get();
}

ContactProblem with(ContactProblem problem, ProblemChanges changes) {
  SCREE_ASSERT(!changes.compliance || changes.compliance->empty() ||
               changes.compliance->size() == problem.cones.rows());
  if (changes.r || changes.compliance) problem.scales = std::make_shared<ProblemScales>();
  if (changes.r) problem.r = std::move(changes.r);
  if (changes.v_free) problem.v_free = std::move(changes.v_free);
  if (changes.compliance) problem.compliance = std::move(*changes.compliance);
  return problem;
}

ContactProblem with_law(ContactProblem problem, const Friction& friction) {
  problem.cones = with_law(problem.cones, friction);
  problem.scales = std::make_shared<ProblemScales>();
  return problem;
}

std::vector<double> unless_zero(MPI_Comm comm, std::vector<double> values) {
  const bool here = std::any_of(values.begin(), values.end(), [](double v) { return v > 0.0; });
  if (max_over_ranks(comm, here ? 1 : 0) == 0) return {};
  return values;
}

Mat inverse_mass(const ContactProblem& problem) {
  if (!problem.delassus.blocks) return problem.delassus.inverse_mass.get();
  petsc::Matrix& made = problem.forms->inverse_mass;
  if (!made) made = make_inverse_mass(problem);
  return made.get();
}

BodyExchange& body_exchange(const ContactProblem& problem) {
  std::optional<BodyExchange>& made = problem.forms->exchange;
  const BlockRows* blocks = problem.delassus.blocks.get();
  if (!made) {
    made.emplace(problem.comm, blocks ? blocks->pattern : problem.forms->body_rows->pattern);
  }
  return *made;
}

ContactProblem yielding(const ContactProblem& problem, double share) {
  ContactProblem soft;
  soft.comm = problem.comm;
  soft.delassus.blocks = problem.delassus.blocks;
  soft.delassus.symmetric = problem.delassus.symmetric;
  soft.cones = problem.cones;
  soft.forms = problem.forms;
  soft.rolling_length = problem.rolling_length;
  soft.origin = problem.origin + ", with contacts that yield";
  soft.r = petsc::copy(problem.r.get());
  soft.v_free = petsc::copy(problem.v_free.get());
  const std::vector<double>& rho = cone_scales(problem);
  soft.compliance.reserve(problem.cones.rows());
  for (std::size_t i = 0; i < problem.cones.count(); ++i) {
    for (int k = 0; k < problem.cones.dim(i); ++k) {
      const std::size_t row = problem.cones.row(i) + k;
      soft.compliance.push_back(problem.compliance_of(row) + share / rho[i]);
    }
  }
  return soft;
}

DelassusProduct::DelassusProduct(const ContactProblem& problem) : problem_(problem) {
  const DelassusOperator& n = problem.delassus;
  if (n.blocks) {
    body_exchange(problem);
  } else if (n.is_product()) {
    SCREE_PETSC(MatCreateVecs(n.jacobian.get(), impulse_.out(), nullptr));
    velocity_ = petsc::duplicate(impulse_.get());
  }
}

void DelassusProduct::apply(Vec x, Vec y) {
  ++count_;
  const DelassusOperator& n = problem_.delassus;
  if (n.blocks) {
    fill_bodies(x);
    const petsc::View to(y);
    std::fill(to.span().begin(), to.span().end(), 0.0);
    multiply(*n.blocks, problem_.cones, bodies_, to.span());
  } else if (n.is_product()) {
    SCREE_PETSC(MatMultTranspose(n.jacobian.get(), x, impulse_.get()));
    SCREE_PETSC(MatMult(n.inverse_mass.get(), impulse_.get(), velocity_.get()));
    SCREE_PETSC(MatMult(n.jacobian.get(), velocity_.get(), y));
  } else {
    SCREE_PETSC(MatMult(n.matrix.get(), x, y));
  }
  if (problem_.compliance.empty()) return;
  const petsc::ConstView from(x);
  const petsc::View to(y);
  for (std::size_t k = 0; k < to.size(); ++k) to[k] += problem_.compliance[k] * from[k];
}

std::span<const double> DelassusProduct::body_velocities(Vec lambda) {
  ++count_;
  fill_bodies(lambda);
  return bodies_;
}

/// Into bodies_: M^-1 J^T x, the ghosts' too.
void DelassusProduct::fill_bodies(Vec x) {
  const BlockRows& blocks = *problem_.delassus.blocks;
  BodyExchange& exchange = body_exchange(problem_);
  momentum_of(problem_, x, bodies_);
  exchange.add_to_owners(bodies_);
  for (std::int32_t b = 0; b < blocks.pattern.n_owned; ++b) {
    Eigen::Map<Vec6> body(&bodies_[kBodyDofs * static_cast<std::size_t>(b)]);
    body = blocks.inverse_mass.times(static_cast<std::size_t>(b), body);
  }
  exchange.to_ghosts(bodies_);
}

void DelassusProduct::contact_velocity(Vec lambda, Vec u) {
  apply(lambda, u);
  SCREE_PETSC(VecAXPY(u, 1.0, problem_.r.get()));
}

petsc::Vector end_velocity(const ContactProblem& problem, Vec lambda) {
  petsc::Vector v = petsc::unset_like(problem.v_free.get());
  if (!problem.delassus.blocks) {
    petsc::Vector impulse = petsc::duplicate(problem.v_free.get());
    SCREE_PETSC(MatMultTranspose(jacobian(problem), lambda, impulse.get()));
    SCREE_PETSC(MatMultAdd(inverse_mass(problem), impulse.get(), problem.v_free.get(), v.get()));
    return v;
  }
  const BlockRows& blocks = *problem.delassus.blocks;
  std::vector<double> momentum;
  momentum_of(problem, lambda, momentum);
  body_exchange(problem).add_to_owners(momentum);
  const petsc::ConstView free(problem.v_free.get());
  const petsc::View end(v.get());
  for (std::int32_t b = 0; b < blocks.pattern.n_owned; ++b) {
    const std::ptrdiff_t first = std::ptrdiff_t{kBodyDofs} * b;
    Eigen::Map<Vec6>(end.data() + first) =
        Eigen::Map<const Vec6>(free.data() + first) +
        blocks.inverse_mass.times(static_cast<std::size_t>(b),
                                  Eigen::Map<const Vec6>(momentum.data() + first));
  }
  return v;
}

}  // namespace scree
