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
/// (step/impact.hpp), with what ImpactTerms tell.
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
/// gap of an overlap that was there at the start returns to 0 at the recovery speed. Springs give
/// back themselves what the restitution of their pair asks for (contact/restitution.hpp).
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

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scree/bodies/inertia.hpp"
#include "scree/bodies/materials.hpp"
#include "scree/bodies/store.hpp"
#include "scree/contact/contact_list.hpp"
#include "scree/domain/numbering.hpp"
#include "scree/problem/contact_problem.hpp"
#include "scree/problem/contact_span.hpp"
#include "scree/problem/contact_terms.hpp"
#include "scree/problem/given_rows.hpp"
#include "scree/tools/motion.hpp"

namespace scree {

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
  /// Whether springs of law hertz are the secants to what the step is expected to bring, else the
  /// tangents at its start, which points that a pair gets within the step can have, too.
  bool has_secants = true;
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

/// The @p contacts, those whose cones are alike one after another, each kind in the order that it
/// had, so that batches are few. Not collective.
ContactList sorted_by_cone(ContactList contacts, const Store& store, const ContactLaws& laws);

}  // namespace scree
