#include "scree/problem/assemble.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

#include "append_given.hpp"
#include "contact_rows.hpp"
#include "local_bodies.hpp"
#include "scree/base/fused_reduction.hpp"
#include "scree/base/petsc_count.hpp"
#include "scree/contact/contact_builder.hpp"

namespace scree {
namespace {

/// @p count: of all ranks together. @throws Failure on all of them where it is too large.
void require_countable(std::int64_t count, std::string_view things) {
  const std::string fault = petsc::fault_of_total(count, things);
  if (!fault.empty()) throw Failure(fault);
}

/// Adds J v_free to r. Collective.
void add_free_velocity(ContactProblem& problem) {
  const BlockRows& blocks = *problem.delassus.blocks;
  std::vector<double> v(kBodyDofs * blocks.pattern.n_bodies());
  {
    const petsc::ConstView free(problem.v_free.get());
    std::copy(free.span().begin(), free.span().end(), v.begin());
  }
  body_exchange(problem).to_ghosts(v);
  multiply(blocks, problem.cones, v, petsc::View(problem.r.get()).span());
}

/// Divides a pair's pull among those of its points that pull. @pre contacts of one pair follow each
/// other.
void share_pulls(ContactView contacts, TermsOfContacts& terms) {
  for (std::size_t first = 0, end = 0; first < contacts.size(); first = end) {
    int pulling = 0;
    for (end = first; end < contacts.size() && of_one_pair(contacts.key(end), contacts.key(first));
         ++end) {
      pulling += terms.pull(end) > 0.0 ? 1 : 0;
    }
    for (std::size_t i = first; i < end && pulling > 1; ++i) {
      terms.set_pull(i, terms.pull(i) / pulling);
    }
  }
}

/// What some rank has among its rows.
struct RowKinds {
  bool any_pulls;
  bool any_rolls;
};

/// Collective. @throws Failure where there are too many rows.
RowKinds kinds_of(MPI_Comm comm, const ContactRows& rows) {
  double n_rows = static_cast<double>(rows.bias.size());
  std::array<double, 2> found{rows.terms.any_pulls() ? 1.0 : 0.0,
                              rows.rolling_length.empty() ? 0.0 : 1.0};
  sum_and_max_over_ranks(comm, {&n_rows, 1}, found);
  require_countable(static_cast<std::int64_t>(n_rows), "rows of contacts");
  return {.any_pulls = found[0] > 0.0, .any_rolls = found[1] > 0.0};
}

/// Adds to v_free what cohesion does to the bodies: a pull of each contact on both. Collective.
void pull_together(ContactProblem& problem, const TermsOfContacts& terms) {
  const petsc::Vector pull = petsc::duplicate(problem.r.get());
  {
    const petsc::View values(pull.get());
    for (std::size_t i = 0; i < terms.size(); ++i) {
      values[problem.cones.row(i)] = -terms.pull(i);
    }
  }
  problem.v_free = end_velocity(problem, pull.get());
}

/// @p v_free: as whose velocities they are laid out.
petsc::Vector velocities_before(const Store& store, Vec v_free) {
  petsc::Vector v_before = petsc::unset_like(v_free);
  const petsc::View v(v_before.get());
  for_each_row(store, v.span().size() / kBodyDofs, [&](std::int32_t slot, std::int64_t row) {
    Vec6::Map(v.data() + kBodyDofs * row) << store.velocity[slot], store.angular_velocity[slot];
  });
  return v_before;
}

}  // namespace

ContactList sorted_by_cone(ContactList contacts, const Store& store, const ContactLaws& laws) {
  if (laws.resist_alike()) return contacts;
  const ContactView view(contacts);
  const auto kind = [&](std::size_t i) {
    return laws.law(store.material[view.a(i)], store.material[view.b(i)]).resists();
  };
  std::vector<std::size_t> order(contacts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (std::ranges::is_sorted(order, {}, kind)) return contacts;
  std::ranges::stable_sort(order, {}, kind);
  return in_order(contacts, order, store.id);
}

FormulatedStep assemble(MPI_Comm comm, PosedBodies bodies, const ContactList& contacts,
                        std::span<const ContactHistory> histories, const ContactLaws& laws,
                        const AssembleInput& input) {
  SCREE_ASSERT(histories.size() == contacts.size());
  return assemble(comm, std::move(bodies), contacts, HistoryBlocks(histories), laws, input);
}

FormulatedStep assemble(MPI_Comm comm, PosedBodies bodies, const ContactList& contacts,
                        const HistoryBlocks& histories, const ContactLaws& laws,
                        const AssembleInput& input) {
  SCREE_ASSERT(bodies.inertias.size() == static_cast<std::size_t>(bodies.store.size()));
  require_countable(kBodyDofs * bodies.numbers.n_bodies_global, "degrees of freedom");
  static const GivenRows kNone{};
  const GivenRows& given = input.given == nullptr ? kNone : *input.given;
  const LocalBodies local(bodies.store, contacts, given.slot, bodies.numbers);
  ContactRows rows(bodies.store, local, laws, input);
  local.describe(bodies.inertias, rows.blocks);
  rows.append(contacts, histories);
  append_given(given, bodies.store, local, rows);
  if (rows.terms.any_pulls()) share_pulls(contacts, rows.terms);
  const RowKinds kinds = kinds_of(comm, rows);

  FormulatedStep formulated{{}, {}, std::move(rows.terms), input.dt, std::move(rows.impacts)};
  if (input.reads_velocities_before) {
    formulated.v_before = velocities_before(bodies.store, bodies.v_free.get());
  }
  ContactProblem& problem = formulated.problem;
  problem.comm = comm;
  problem.origin = input.origin;
  problem.delassus.blocks = std::make_shared<const BlockRows>(std::move(rows.blocks));
  problem.cones = std::move(rows.cones);
  problem.v_free = std::move(bodies.v_free);
  problem.r = petsc::make_vector(comm, problem.cones.rows());
  if (kinds.any_pulls) pull_together(problem, formulated.terms);
  to_vec(rows.bias, problem.r.get());
  rows.bias = std::vector<double>();
  add_free_velocity(problem);
  problem.compliance = unless_zero(comm, std::move(rows.compliance));
  if (kinds.any_rolls) {
    rows.rolling_length.resize(problem.cones.count(), 0.0);
    problem.rolling_length = std::move(rows.rolling_length);
  }
  return formulated;
}

}  // namespace scree
