#pragma once

/// Impact operators R: one application answers some of the contacts that approach, elastically.
///
///     R(y) = y + A l,   l >= 0
///
/// | property | every application                                                    |
/// | ---      | ---                                                                  |
/// | (NORM)   | acts by impulses along the gradients alone                           |
/// | (KIN)    | keeps |y|                                                            |
/// | (ONE)    | pushes and never pulls: l >= 0                                       |
/// | (VIO)    | l_i = 0 where g_i = a_i . y >= -threshold_i                          |
/// | (MOD)    | l != 0 where some g_i < -threshold_i                                 |
///
/// With these five, and no implicit equalities, impacts end after finitely many applications
/// (Theorems 5.4 and 7.3).
///
/// | operator     | l                                                                                     |
/// | ---          | ---                                                                                   |
/// | gauss_seidel | -2 g_i of one contact that approaches (eq. 1): the first, one by chance or the fastest |
/// | reflections  | argmin |A_V l + 2 y|^2, l >= 0, V all that approach: the velocity reflected at the inelastic outcome of V; keeps symmetries |
///
/// Reference: paper 000, section 2 (desiderata, eq. 1), section 7, supplement A.1 and A.2 (Algorithm 4); Smith et al.,
/// Reflections on Simultaneous Impact, ACM Trans. Graph. 31 (2012).

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "scree/base/enumeration.hpp"
#include "scree/impact/energy_space.hpp"

namespace scree {

/// l_i of one contact.
struct ScaledImpulse {
  std::int32_t contact = 0;
  double size = 0.0;  ///< sqrt(J)
};

/// Knows which contacts approach, and is told of each that changes: an application of one contact
/// costs by what it answers, and not by all contacts; that of all at once (reflections) by all.
class ImpactOperator {
 public:
  virtual ~ImpactOperator() = default;
  /// All contacts, at a velocity with A^T y = @p approach; an entry that is not below that of
  /// -@p thresholds does not approach. Both must outlive this or the next start.
  virtual void start(const Eigen::VectorXd& approach, const Eigen::VectorXd& thresholds) = 0;
  /// The entry of @p contact in the approach has changed.
  virtual void update(std::int32_t contact) = 0;
  /// The impulses of one application; empty where nothing approaches. They solve their program up
  /// to rounding: the caller scales them so that (KIN) holds.
  virtual void apply(std::vector<ScaledImpulse>& impulses) = 0;
};

enum class ImpactOperatorKind { gauss_seidel, reflections };
template <>
inline constexpr std::array kNamesOf<ImpactOperatorKind> = names("gauss_seidel", "reflections");

/// Which of the contacts that approach gauss_seidel takes.
enum class ImpactOrder {
  lexicographic,  ///< the one of least number
  random,         ///< any with the same chance
  worst_first     ///< the one of least a_i . y
};
template <>
inline constexpr std::array kNamesOf<ImpactOrder> = names("lexicographic", "random", "worst_first");

/// @param gram A^T A, which must outlive the operator. @param seed of the random order.
std::unique_ptr<ImpactOperator> make_impact_operator(ImpactOperatorKind kind, ImpactOrder order,
                                                     std::uint64_t seed, const Gram& gram);

}  // namespace scree
