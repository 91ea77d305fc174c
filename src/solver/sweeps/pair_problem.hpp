#pragma once

/// A problem as the kernels take it (pair_rows.hpp): spans over its block rows, and what ranks tell
/// each other.

#include <memory>
#include <optional>
#include <vector>

#include "pair_iteration.hpp"
#include "scree/problem/body_rows.hpp"
#include "scree/problem/contact_problem.hpp"

namespace scree {

/// The work of a sweep at a contact: the contact solved exactly (nsgs.hpp), or one projected step
/// (pgs.hpp) without or with the memory x_-.
enum class SweepStep { exact, projected, modulus };

/// Kept from solve to solve, so that its vectors keep their capacity.
class PairProblem {
 public:
  /// Collective. Takes @p problem, which must outlive the sweeps. @returns whether the kernels
  /// serve for it: at most two bodies a contact, cones of contacts, but for those of one round disc
  /// as frames, friction of one law; where contacts are to be solved exactly, the associated law of
  /// spheres with one disc alone.
  bool take(const ContactProblem& problem, SweepStep step);

  const PairRows& rows() const { return rows_; }
  /// The most special form that all contacts of all ranks have.
  PairForm form() const { return rows_.form; }
  /// Whether all contacts of all ranks are of spheres, with one disc at most.
  bool are_plain_spheres() const { return are_plain_; }
  const PairRanks& ranks() const { return ranks_; }
  LocalLaw law() const { return law_; }

 private:
  PairRows view(const ContactProblem& problem, const BodyPattern& pattern) const;
  PairForm own_form(const BlockRows& blocks);
  void connect(MPI_Comm comm, const BodyPattern& pattern);

  PairRows rows_;
  PairRanks ranks_;
  LocalLaw law_ = LocalLaw::coulomb;
  bool are_plain_ = false;
  std::vector<BodyMass> masses_;  ///< one for each local body
  std::vector<double> velocity_;  ///< r
  std::vector<double> friction_;
  std::vector<PairFrame> recovered_;           ///< frames of contacts that are given as blocks
  std::shared_ptr<const BodyRows> body_rows_;  ///< null unless the form is rows
  std::optional<BodyExchange> exchange_;
};

}  // namespace scree
