#pragma once

/// Materials, and how each two of them act on each other where they touch.
///
/// Friction, restitution and the rest belong to a pair. A pair of materials that can meet (grains
/// with grains, grains with tools) is named, or the default is its law; a pair that cannot meet
/// needs neither. Indices are those of the list of materials.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scree/base/enumeration.hpp"
#include "scree/bodies/elasticity.hpp"
#include "scree/bodies/meeting_materials.hpp"

namespace scree {

class Declaration;

struct Material {
  std::string name;
  double density = 0.0;  ///< kg/m^3
  Elastic elastic{};

  void declare(Declaration& d);
};

/// Whether bodies of two materials keep out of each other.
enum class PairContact {
  unilateral,  ///< they press where they touch
  none,        ///< they do not meet, and pass through each other
};
template <>
inline constexpr std::array kNamesOf<PairContact> = names("unilateral", "none");

/// One row of the table in YAML: `{between: [gravel, steel], mu: 0.4, restitution: 0.2}`, or
/// `{between: default, mu: 0.5}`, which is the law of every two materials without a row of their
/// own.
struct FrictionPair {
  static constexpr std::string_view kDefault = "default";

  std::vector<std::string> between;  ///< two materials, or kDefault alone
  PairContact contact = PairContact::unilateral;
  double mu = 0.0;
  /// Times, s, in which mu goes from each of `mu_values` to the next, by straight lines; before the
  /// first mu holds, after the last the last value.
  std::vector<double> mu_times = {};
  std::vector<double> mu_values = {};
  double restitution = 0.0;
  double rolling = 0.0;           ///< m
  double spinning = 0.0;          ///< m
  double cohesion = 0.0;          ///< N
  double rupture_distance = 0.0;  ///< m
  double stiffness = 0.0;         ///< N/m; 0: that of the materials
  double damping = 0.0;           ///< ratio to critical damping

  bool is_default() const { return between.size() == 1 && between[0] == kDefault; }
  void declare(Declaration& d);
};

/// Whether contacts of the two materials have a stiffness, of the pair or of one of @p materials.
/// Not collective.
bool is_compliant(const FrictionPair& pair, std::span<const Material> materials);

/// Why the damping of @p pair damps nothing: no stiffness comes from it or its @p materials, of the
/// default from none of them; or why it contradicts the pair's restitution; empty when all is well.
/// Names that are no materials are passed over.
std::string fault_of_damping(const FrictionPair& pair, std::span<const Material> materials);

/// @throws InputError when there is none of that name.
std::int32_t material_index(std::span<const Material> materials, std::string_view name);

/// How Young's moduli become a stiffness.
enum class StiffnessLaw {
  hertz,   ///< Hertz's secant through the step; linear up to the reference force
  linear,  ///< Hertz's secant at the reference force, at every load
  rod,     ///< paper 004, eq. 33
};
template <>
inline constexpr std::array kNamesOf<StiffnessLaw> = names("hertz", "linear", "rod");

/// The keys `law` and `reference_force` under `contact:`.
struct StiffnessOptions {
  StiffnessLaw law = StiffnessLaw::hertz;
  double reference_force = 1.0;  ///< N

  void declare(Declaration& d);
};

/// The elastic side of a pair A, B of materials, with what does not depend on the bodies worked
/// out.
struct PairElasticity {
  Elastic a;
  Elastic b;
  StiffnessOptions options;
  double stiffness = 0.0;          ///< k_n given outright, N/m; 0: that of the materials
  double effective_modulus = 0.0;  ///< E*, Pa; 0 where both are rigid
  /// Hertz's secant at the reference force at an effective radius of 1 m, N/m; it goes with the
  /// root of the third order of the radius. 0 where both are rigid.
  double reference_stiffness = 0.0;
  double tangential_ratio = 1.0;  ///< k_t/k_n
  double damping = 0.0;           ///< zeta: the dashpot is c = 2 zeta sqrt(k_n m)
  /// Whether `damping` is what the pair's restitution asks of the dashpot and the step together.
  bool has_restitution = false;

  /// Whether their contacts give way; rigid ones are the limit k -> infinity, R = 0.
  bool compliant() const { return stiffness > 0.0 || effective_modulus > 0.0; }
};

/// The motions along their surfaces that two bodies resist, each with those before it.
enum class ResistedMotion { none, sliding, rolling, spinning };

/// How material A acts on material B where they touch.
struct PairLaw {
  double mu = 0.0;                ///< friction coefficient
  double restitution = 0.0;       ///< part of the speed of approach with which they part again
  double rolling = 0.0;           ///< m: largest rolling moment over the normal force
  double spinning = 0.0;          ///< m: largest moment about the normal over the normal force
  double cohesion = 0.0;          ///< N: largest pull of a pair that has touched
  double rupture_distance = 0.0;  ///< m: gap beyond which it no longer pulls
  PairElasticity elasticity{};

  ResistedMotion resists() const {
    if (spinning > 0.0) return ResistedMotion::spinning;
    if (rolling > 0.0) return ResistedMotion::rolling;
    return mu > 0.0 ? ResistedMotion::sliding : ResistedMotion::none;
  }
};

/// The law of each pair of materials; symmetric, but for which of the two is called A.
class ContactLaws {
 public:
  ContactLaws() = default;
  /// @throws InputError for a name that is no material, for a pair that is named twice, as for a
  /// second default, and for one whose damping damps nothing or contradicts its restitution.
  ContactLaws(std::span<const Material> materials, std::span<const FrictionPair> pairs,
              const StiffnessOptions& options = {});

  /// Whether the friction of a pair goes with time.
  bool go_with_time() const { return !tables_.empty(); }
  /// As they are at the time @p t, s; by themselves they are as before any table begins.
  ContactLaws at(double t) const;

  /// Which materials meet: all but those whose contact is none.
  const MeetingMaterials& meetings() const { return meetings_; }
  /// Whether the two have a law, by a row of their own or by the default; pairs that do not meet
  /// have none.
  bool has(std::int32_t a, std::int32_t b) const;
  /// @pre the pair is in the table.
  const PairLaw& law(std::int32_t a, std::int32_t b) const { return laws_[index(a, b)]; }
  /// NaN where the pair is not in the table.
  double mu(std::int32_t a, std::int32_t b) const { return law(a, b).mu; }
  double restitution(std::int32_t a, std::int32_t b) const { return law(a, b).restitution; }
  /// The largest gap, m, at which a pair still pulls.
  double largest_rupture_distance() const;
  /// For the same materials: rigid contacts without friction, restitution or cohesion.
  ContactLaws smooth() const;
  /// Whether contacts of any pair yield.
  bool any_compliant() const;
  /// Whether impacts of any pair, which is rigid then, give something back.
  bool any_restitution() const;
  /// Whether all pairs of the table resist the same motions.
  bool resist_alike() const;

 private:
  std::size_t index(std::int32_t a, std::int32_t b) const { return n_materials_ * a + b; }
  void set(std::span<const Material> materials, std::int32_t a, std::int32_t b,
           const FrictionPair& pair, const StiffnessOptions& options);

  std::size_t n_materials_ = 0;
  /// Friction over time, of the laws of these places.
  struct FrictionTable {
    std::vector<std::size_t> places;
    std::vector<double> times;
    std::vector<double> values;

    double at(double t, double before) const;
  };

  std::vector<PairLaw> laws_;  ///< full square; mu is NaN where there is none
  std::vector<FrictionTable> tables_;
  MeetingMaterials meetings_;
};

}  // namespace scree
