#pragma once

/// A problem as the kernels take it (pair_rows.hpp): spans over its block rows, and what ranks tell
/// each other.
///
/// Where a problem has contacts as frames, as those of steps have, kernels sweep the frames, and
/// rules all cones behind them, such as joints. Of a problem of blocks alone, as files give it,
/// kernels sweep all cones or none.

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "pair_forms.hpp"
#include "pair_iteration.hpp"
#include "ruled_rows.hpp"
#include "scree/problem/body_rows.hpp"
#include "scree/problem/contact_problem.hpp"
#include "sweep.hpp"

namespace scree {

/// The work of a sweep at a contact: the contact solved exactly (nsgs.hpp), or one projected step
/// (pgs.hpp) without or with the memory x_-; or of a gradient step of all contacts (apgd.hpp).
enum class SweepStep { exact, projected, modulus, gradient };

/// Kept from solve to solve, so that its vectors keep their capacity.
class PairProblem {
 public:
  /// Collective. Takes @p problem, which must outlive the sweeps. @returns whether the kernels
  /// serve for its contacts: at most two bodies each, cones of contacts, but for those of one round
  /// disc as frames, friction of one law; where contacts are to be solved exactly, the associated
  /// law of spheres with one disc alone; for gradient steps, that law, or none, of such spheres,
  /// and no cones behind them.
  bool take(const ContactProblem& problem, SweepStep step);

  const PairRows& rows() const { return rows_; }
  /// This rank's cones that kernels sweep: the first ones.
  std::size_t n_contacts() const { return n_contacts_; }
  /// The most special form that all contacts of all ranks have.
  PairForm form() const { return rows_.form; }
  /// Whether all contacts of all ranks are of spheres, with one disc at most.
  bool are_plain_spheres() const { return are_plain_; }
  /// Contacts that are of other bodies, or of several discs, over all, of all ranks.
  double share_of_others() const { return share_of_others_; }
  /// Cones that are swept by rules over contacts, of all ranks.
  double share_of_ruled() const { return share_of_ruled_; }
  /// Cones of all ranks.
  double n_cones_global() const { return n_cones_global_; }
  /// Contacts over bodies, of all ranks.
  double contacts_per_body() const { return contacts_per_body_; }
  /// Sets the factor by which rules move.
  void relax_rules(double factor) { rule_->set_relaxation(factor); }
  const PairRanks& ranks() const { return ranks_; }
  /// The largest k_b of all ranks (sweep.hpp).
  double most_sharers() const { return most_sharers_; }
  LocalLaw law() const { return law_; }

 private:
  PairRows view(const ContactProblem& problem, const BodyPattern& pattern) const;
  PairForm own_form(const BlockRows& blocks);
  std::span<const double> friction_of(const Cones& cones);
  void connect(const ContactProblem& problem);
  void take_ruled(const ContactProblem& problem, SweepStep step);

  PairRows rows_;
  PairRanks ranks_;
  double most_sharers_ = 1.0;
  LocalLaw law_ = LocalLaw::coulomb;
  bool have_frames_ = false;  ///< some contacts of some rank are frames
  std::size_t n_contacts_ = 0;
  bool are_plain_ = false;
  double share_of_others_ = 0.0;
  double share_of_ruled_ = 0.0;
  double n_cones_global_ = 0.0;
  double contacts_per_body_ = 0.0;
  MassesInForm bodies_;
  std::vector<BodyMass> mass_storage_;  ///< see masses_in_form()
  std::span<const double> velocity_;    ///< r, the problem's own
  std::span<const double> friction_;
  std::vector<double> gathered_friction_;      ///< where it is not the parameters of one batch
  std::vector<PairFrame> recovered_;           ///< frames of contacts that are given as blocks
  std::shared_ptr<const BodyRows> body_rows_;  ///< null unless the form is rows
  std::optional<BodyExchange> exchange_;
  std::unique_ptr<ContactRule> rule_;
  std::optional<RuledRows> ruled_;
};

}  // namespace scree
