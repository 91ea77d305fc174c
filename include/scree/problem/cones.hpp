#pragma once

/// The cones of this rank's rows, in homogeneous batches: one type and one law each. Local.
///
/// A kernel is written once, as a template over the type:
///
///     for_each_cone(cones, [&](const auto& cone, ConePlace at) {
///       auto l = rows_of(cone, &lambda[at.row]);        // Eigen map of cone.kDim numbers
///       ...
///     });

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "scree/base/enumeration.hpp"
#include "scree/problem/cones/list.hpp"

namespace scree {

/// How friction is asked for: exact Coulomb friction, the convex relaxation of it, or friction of
/// each tangent by itself, |lambda_tk| <= mu lambda_n against u_tk, which depends on the frame and
/// is exact where cones have two rows; or exact friction within a pyramid of some directions
/// (problem/cones/faceted.hpp), which depends on the frame, too, and is that of an LCP.
enum class FrictionLaw { coulomb, associated, box, pyramid };
template <>
inline constexpr std::array kNamesOf<FrictionLaw> = names("coulomb", "associated", "box",
                                                          "pyramid");

/// A law, with what it needs to be told.
struct Friction {
  FrictionLaw law = FrictionLaw::coulomb;
  int directions = 8;  ///< of a pyramid; even, 4 at least

  Friction() = default;
  Friction(FrictionLaw of) : law(of) {}  // NOLINT: a law is one with its defaults
  Friction(FrictionLaw of, int n) : law(of), directions(n) {}
};

/// Consecutive cones of one type and law.
struct ConeBatch {
  int type = 0;            ///< place in cones::List
  bool exact = true;       ///< u~ has the shift; false: the associated law, u~ = u
  std::int32_t first = 0;  ///< number of the first cone
  std::int32_t count = 0;
  bool alike = true;                    ///< all cones are the same
  std::vector<double> parameters = {};  ///< kParameters of the one cone, or of each

  /// Its cone @p k, of type @p Cone.
  template <class Cone>
  Cone cone(std::size_t k) const {
    return Cone::from(parameters.data() + (alike ? 0 : k * Cone::kParameters));
  }
};

/// Place of a cone.
struct ConePlace {
  std::size_t number;  ///< among this rank's cones
  std::size_t row;     ///< its first row among this rank's rows
  bool exact;          ///< whether its batch has the exact law
};

struct Cones {
  std::vector<ConeBatch> batches;
  std::vector<std::int32_t> offset{0};  ///< cone i has the rows [offset[i], offset[i+1])

  std::size_t count() const { return offset.size() - 1; }
  std::size_t rows() const { return offset.back(); }
  int dim(std::size_t cone) const { return offset[cone + 1] - offset[cone]; }
  std::size_t row(std::size_t cone) const { return offset[cone]; }

  /// Appends @p cone, to the last batch where that is of its type and law.
  template <class Cone>
  void append(const Cone& cone, bool exact = true) {
    ConeBatch& batch = batch_of<Cone>(exact);
    if constexpr (Cone::kParameters > 0)
      add_parameters(batch, Cone::kParameters, cone.parameters());
    ++batch.count;
    offset.push_back(offset.back() + Cone::kDim);
  }

  /// Appends cones of one type and one parameter each, these @p parameters.
  template <class Cone>
  void append_all(std::span<const double> parameters, bool exact) {
    static_assert(Cone::kParameters == 1);
    ConeBatch& batch = batch_of<Cone>(exact);
    if (!parameters.empty()) add_parameters(batch, 1, parameters);
    batch.count += static_cast<std::int32_t>(parameters.size());
    const std::size_t first = offset.size();
    std::int32_t row = offset.back();
    offset.resize(first + parameters.size());
    for (std::size_t i = first; i < offset.size(); ++i) offset[i] = row += Cone::kDim;
  }

  /// Appends @p others, in batches of their own.
  void append(const Cones& others);

  /// Appends the cone of a contact of @p dim rows, 1 to 3, by the law asked for: a half line where
  /// @p dim is 1.
  void append(int dim, double mu, const Friction& friction);

  /// Appends a cone of discs by the law asked for, `box` aside, which is no law of discs.
  template <int... kSizes>
  void append_by(const Friction& friction, const cones::Discs<kSizes...>& cone) {
    using Round = cones::Discs<kSizes...>;
    if constexpr (cones::kHasCircle<Round>) {
      if (friction.law == FrictionLaw::pyramid) {
        append(cones::Faceted<Round>{cone.mu, friction.directions});
        return;
      }
    }
    append(cone, friction.law != FrictionLaw::associated);
  }

 private:
  /// The last batch, which is of this type and law.
  template <class Cone>
  ConeBatch& batch_of(bool exact) {
    constexpr int kType = cones::kTypeOf<Cone>;
    if (batches.empty() || batches.back().type != kType || batches.back().exact != exact) {
      batches.push_back({kType, exact, static_cast<std::int32_t>(count()), 0});
    }
    return batches.back();
  }

  /// Adds the @p parameters of cones, @p size of each, to those of the last batch, which does not
  /// count them yet.
  void add_parameters(ConeBatch& batch, std::ptrdiff_t size, std::span<const double> parameters);
};

/// The friction coefficients of the cones, 0 where there is none: for files and tests.
std::vector<double> friction_coefficients(const Cones& cones);

/// The contacts of @p cones by another law. @pre no cone is an equation; where contacts resist
/// rolling, the law is not `box`.
Cones with_law(const Cones& cones, const Friction& friction);

/// The law by which the contacts rub, as it was asked for; coulomb where none has friction.
FrictionLaw law_of(const Cones& cones);

/// Calls `visit(cone, place)` for the cones of one batch, of type @p Cone.
template <class Cone, class Visit>
void for_each_cone_of(const Cones& cones, const ConeBatch& batch, Visit&& visit) {
  const std::size_t first = batch.first;
  const std::size_t row = cones.row(first);
  for (std::int32_t k = 0; k < batch.count; ++k) {
    visit(batch.template cone<Cone>(k), ConePlace{first + k, row + k * Cone::kDim, batch.exact});
  }
}

/// Calls `visit(cone, place)` for every cone, in order, each with its type.
template <class Visit>
void for_each_cone(const Cones& cones, Visit&& visit) {
  for (const ConeBatch& batch : cones.batches) {
    cones::with_type(batch.type,
                     [&]<class Cone>() { for_each_cone_of<Cone>(cones, batch, visit); });
  }
}

/// Calls `visit.operator()<kDim>(place)` for the cones of one batch, with the number of their rows.
template <class Visit>
void for_each_place_of(const Cones& cones, const ConeBatch& batch, Visit&& visit) {
  cones::with_rows(batch.type, [&]<int kDim>() {
    constexpr std::size_t kRows = kDim;
    const std::size_t first = batch.first;
    const std::size_t row = cones.row(first);
    const std::size_t n = batch.count;
    for (std::size_t k = 0; k < n; ++k) {
      visit.template operator()<kDim>(ConePlace{first + k, row + k * kRows, batch.exact});
    }
  });
}

/// Calls the same visit for every cone, in order.
template <class Visit>
void for_each_place(const Cones& cones, Visit&& visit) {
  for (const ConeBatch& batch : cones.batches) for_each_place_of(cones, batch, visit);
}

/// The rows of a cone with @p kDim at @p data, the first of them.
template <int kDim>
Eigen::Map<const cones::Rows<kDim>> rows_of(const double* data) {
  return Eigen::Map<const cones::Rows<kDim>>(data);
}
template <int kDim>
Eigen::Map<cones::Rows<kDim>> rows_of(double* data) {
  return Eigen::Map<cones::Rows<kDim>>(data);
}

/// The rows of @p cone at @p data, the first of its rows.
template <class Cone>
Eigen::Map<const cones::Rows<Cone::kDim>> rows_of(const Cone& /*cone*/, const double* data) {
  return Eigen::Map<const cones::Rows<Cone::kDim>>(data);
}
template <class Cone>
Eigen::Map<cones::Rows<Cone::kDim>> rows_of(const Cone& /*cone*/, double* data) {
  return Eigen::Map<cones::Rows<Cone::kDim>>(data);
}

/// u~, the velocity that the law compares with the cone: @p u, with the shift where friction is
/// exact.
template <class Cone>
cones::Rows<Cone::kDim> shifted(const Cone& cone, const cones::Rows<Cone::kDim>& u,
                                const ConePlace& at) {
  cones::Rows<Cone::kDim> result = u;
  if (at.exact) result[0] += cone.shift(u);
  return result;
}

}  // namespace scree
