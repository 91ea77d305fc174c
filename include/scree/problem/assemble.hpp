#pragma once

/// From bodies and contacts to the contact problem of a step: the only place where both are known.
///
/// For a contact of A with B, frame (d_0, d_1, d_2) = (normal, tangent1, tangent2), arms r_a and
/// r_b from the centres to the contact points, all in the world frame:
///
///     u_k = d_k . (v_A + omega_A x r_a) - d_k . (v_B + omega_B x r_b)
///
///     J, row k:   [ d_k^T   (r_a x d_k)^T ]  in the six columns of A
///                -[ d_k^T   (r_b x d_k)^T ]  in those of B, where B is not prescribed
///     r         = J v_free - (d_k . (v_B + omega_B x r_b))_k      where B is prescribed
///                          + (max(phi/dt, -recovery), 0, 0)
///     M^-1      = diag(1/m 1_3, (Q I Q^T)^-1) body by body, with the apparent m and I of the step
///
/// Restitution is not in this problem: the impact law of the run acts on it before it is solved
/// (step/impact.hpp), with what ContactTerms tell.
///
/// | symbol         | meaning                                            | unit |
/// | ---            | ---                                                | ---  |
/// | phi            | gap                                                | m    |
/// | recovery       | speed at which overlap is undone at most (AssembleInput) | m/s  |
/// | Q, I           | orientation, principal moments                     | 1, kg m^2 |
///
/// m and I are what the stepper says that impulses of the step meet (step/stepper.hpp). Held
/// degrees of freedom are zero rows and columns of M^-1 (bodies/inertia.hpp).
///
/// A compliant contact (contact/stiffness.hpp) has its spring in R and in the bias of its normal,
/// which is not clamped, and the force that the tangential spring kept from the last step in the
/// bias of its tangents:
///
///     bias_t = -R_t dt F_t^prev,        phi is measured from the gap at which the spring is at rest
///
/// so that a bed at rest does not creep, and an overlap at the start does not explode: the rest
/// gap of an overlap that was there at the start returns to 0 at the recovery speed. A spring under
/// load rebounds elastically, so that no restitution is added to it.
///
/// Rolling and spinning add rows of moments, l (omega_A - omega_B) about the tangents and the
/// normal, in the unit of the others by the length l, l^2 = tr N_tt / tr N_rr; lambda of such a row
/// is a moment's impulse over l.
///
/// Cohesion pulls both bodies of a pair that has touched: a force of the step like any other, so
/// that v_free has it, and the cone of lambda, the repulsion, stays as it is. The force between
/// them is then lambda_n/dt less the pull: a cone whose apex lies at the largest pull. Of a pair
/// with several points, those that have touched and are within the rupture distance have equal
/// parts of it.
///
/// The cone of a contact is that of its pair's law. Rows are those of contacts, in their order
/// (problem/contact_span.hpp), then those that other sources give (problem/given_rows.hpp).
/// Reference: Kleinert, Simeon, Obermayr (paper 004), section 2, eqs. 5-12, with J = D^T; the clamp
/// of phi/dt is ours (DESIGN, section 1).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "scree/bodies/inertia.hpp"
#include "scree/bodies/materials.hpp"
#include "scree/bodies/store.hpp"
#include "scree/contact/contact_list.hpp"
#include "scree/domain/numbering.hpp"
#include "scree/problem/contact_problem.hpp"
#include "scree/problem/contact_span.hpp"
#include "scree/problem/given_rows.hpp"
#include "scree/tools/motion.hpp"

namespace scree {

/// The memory of a contact from the steps before (step/contact_memory.hpp).
struct ContactHistory {
  Vec3 force =
      Vec3::Zero();       ///< lambda/dt on A at the end of the last step, turned with the pair; N
  double rest_gap = 0.0;  ///< gap at which its spring is at rest, m; never positive
  double stiffness_gap = 0.0;  ///< of a constraint found within the step: gap of the pair's point
                               ///< of the start whose stiffness it has, m
  double turn = 0.0;           ///< length of its normal's change since the last step; 0: not known
  bool touched = false;        ///< has touched, and not parted beyond the rupture distance since
};

/// Writes the histories of some contacts that follow each other, up to a block of them, the first
/// of which has the number @p first: so that not all are there at a time.
class HistoryBlocks {
 public:
  using Write = std::function<void(std::size_t first, std::span<ContactHistory> histories)>;

  explicit HistoryBlocks(Write write) : write_(std::move(write)) {}
  /// Those of @p histories, which must outlive this.
  explicit HistoryBlocks(std::span<const ContactHistory> histories)
      : write_([histories](std::size_t first, std::span<ContactHistory> block) {
          std::ranges::copy(histories.subspan(first, block.size()), block.begin());
        }) {}
  void write(std::size_t first, std::span<ContactHistory> histories) const {
    write_(first, histories);
  }

 private:
  Write write_;
};

/// Facts of a contact besides its rows of the problem.
struct ContactTerms {
  bool compliant = false;  ///< its overlap beyond the rest gap is its spring's
  bool touched = false;    ///< as ContactHistory::touched
  double pull = 0.0;      ///< of cohesion over the step, N s: the normal impulse is lambda_n - pull
  double gap_bias = 0.0;  ///< phi's part of the normal's r, m/s: r without it is u_n,free
  double rest_gap = 0.0;  ///< as ContactHistory::rest_gap, m
};

/// The terms of a step's contacts. Numbers that all have zero are not held.
class TermsOfContacts {
 public:
  void reserve(std::size_t n) { flags_.reserve(n); }
  void push_back(const ContactTerms& terms);
  void set_pull(std::size_t i, double pull) { put(pull_, i, pull); }
  void set_gap_bias(std::size_t i, double bias) { put(gap_bias_, i, bias); }

  std::size_t size() const { return flags_.size(); }
  ContactTerms operator[](std::size_t i) const {
    return {.compliant = (flags_[i] & kCompliant) != 0,
            .touched = (flags_[i] & kTouched) != 0,
            .pull = pull(i),
            .gap_bias = number(gap_bias_, i),
            .rest_gap = number(rest_gap_, i)};
  }
  double pull(std::size_t i) const { return number(pull_, i); }
  bool any_compliant() const;
  bool any_pulls() const;

 private:
  static constexpr std::uint8_t kCompliant = 1;
  static constexpr std::uint8_t kTouched = 2;

  static double number(const std::vector<double>& numbers, std::size_t i) {
    return i < numbers.size() ? numbers[i] : 0.0;
  }
  void put(std::vector<double>& numbers, std::size_t i, double number) const;

  std::vector<std::uint8_t> flags_;
  // those of the first contacts; zero of the others
  std::vector<double> pull_;
  std::vector<double> gap_bias_;
  std::vector<double> rest_gap_;
};

/// Facts of an impact of two.
struct ImpactTerms {
  double restitution = 0.0;  ///< e
  /// u_n^- at the start of the step (tools': of the step before), m/s.
  double normal_velocity_before = 0.0;
};

/// The problem of a step, and what an impact law is to know of it.
struct FormulatedStep {
  ContactProblem problem;
  /// Velocities at the start of the step, laid out as v_free, spins advanced by the gyroscopic
  /// torque; for impact laws that read them, else null.
  petsc::Vector v_before;
  TermsOfContacts terms;                  ///< of each contact
  double dt = 0.0;                        ///< s
  std::vector<ImpactTerms> impacts = {};  ///< of each contact; empty where none has restitution

  ContactSpan contact_rows() const { return {problem, terms.size()}; }
  ImpactTerms impact(std::size_t i) const { return impacts.empty() ? ImpactTerms() : impacts[i]; }
};

/// Bodies as the step has them.
struct PosedBodies {
  const Store& store;
  const Numbering& numbers;
  std::span<const BodyInertia> inertias;  ///< of each slot, as impulses of the step meet it
  petsc::Vector v_free;  ///< six entries (linear, angular) for each block row of this rank
};

struct AssembleInput {
  double dt = 0.0;              ///< s
  double recovery_speed = 0.0;  ///< m/s
  /// Whether a speed that overlap gives would stay: overlap is then recovered at no more than the
  /// speed that the forces of the step and the curving of its paths give the two, which vanishes
  /// with dt. So what an error of a solve left is undone, and nothing is blown apart.
  bool has_inertia = false;
  Friction friction = {};
  bool reads_velocities_before = true;  ///< whether the impact law does
  bool keeps_gap_bias = true;           ///< whether ContactTerms::gap_bias is asked for
  /// Velocities of each tool slot in the step before, for restitution; empty: as in this step.
  std::span<const Velocities> tools_before = {};
  /// At which surfaces of each tool slot run along themselves; empty: none does.
  std::span<const Velocities> surfaces = {};
  std::string origin = {};  ///< ContactProblem::origin
  /// Rows of other sources, behind those of contacts; null on all ranks: none.
  const GivenRows* given = nullptr;
};

/// Collective. The problem shares @p contacts, which are its frames. @p histories: of each contact.
/// @pre prescribed tools' velocities are those of the step.
/// @throws Failure when the problem is too large for PETSc's integers, or a pair of materials has
/// no law.
FormulatedStep assemble(MPI_Comm comm, PosedBodies bodies, const ContactList& contacts,
                        const HistoryBlocks& histories, const ContactLaws& laws,
                        const AssembleInput& input);
FormulatedStep assemble(MPI_Comm comm, PosedBodies bodies, const ContactList& contacts,
                        std::span<const ContactHistory> histories, const ContactLaws& laws,
                        const AssembleInput& input);

/// Puts contacts whose cones are alike one after another, each kind in the order that it had, so
/// that batches are few. Not collective.
void sort_by_cone(std::vector<Contact>& contacts, const Store& store, const ContactLaws& laws);

}  // namespace scree
