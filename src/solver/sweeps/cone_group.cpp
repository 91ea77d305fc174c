#include "cone_group.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>

#include "disc_contact.hpp"
#include "disc_numbers.hpp"
#include "kernel_cones.hpp"
#include "point_block.hpp"
#include "row_block.hpp"
#include "scree/problem/cones/circular_contact.hpp"
#include "scree/problem/frames.hpp"
#include "sphere_base.hpp"
#include "sphere_block.hpp"

namespace scree {
namespace {

/// Whether a cone of the list is swept by kernels that are not those of a single round disc.
template <class Cone>
inline constexpr bool kOfDiscs =
    kKernelCone<typename KernelConeOf<Cone>::Type> > kKernelCone<cones::Circular>;

/// The exact solution for lanes whose Newton steps lag (kernels.hpp).
double solve_exactly(const double* block, double mu, const double* q, double* l) {
  const auto [nn, n1, n2, b11, b12, b22] =
      std::array{block[0], block[1], block[2], block[3], block[4], block[5]};
  cones::CircularContact contact({nn, n1, n2, n1, b11, b12, n2, b12, b22}, mu);
  contact.solve(true, q, l);
  return contact.alpha();
}

/// How many numbers a contact has, and the one that is positive where its normal moves something.
struct Layout {
  std::size_t dim, n_numbers, inverse_at;
};
template <class Cone>
Layout layout_of(PairForm form, LocalLaw law) {
  using Of = ContactOf<Cone>;
  std::size_t inverse = Of::Local::kInverse;
  if constexpr (std::is_same_v<Cone, cones::Circular>) {
    if (law == LocalLaw::coulomb) inverse = LocalContact::kPivots;
  }
  switch (form) {
    case PairForm::spheres:
      return {Cone::kDim, Of::Sphere::numbers(law), Of::Sphere::kInverse};
    case PairForm::points:
      return {Cone::kDim, Of::Point::kNumbers, Of::Point::kLocal + inverse};
    case PairForm::rows:
      break;
  }
  return {Cone::kDim, RowContact::kNumbers, RowContact::kLocal + inverse};
}

/// The rows of an impulse with a single disc, in its cone in spite of rounding.
void bring_into_circle(double mu, std::size_t n_rows, double* l) {
  l[0] = std::max(l[0], 0.0);
  if (n_rows < 2) return;
  const double tangent = n_rows > 2 ? std::sqrt(l[1] * l[1] + l[2] * l[2]) : std::abs(l[1]);
  const double limit = mu * l[0];
  if (tangent <= limit) return;
  for (std::size_t k = 1; k < n_rows; ++k) l[k] *= limit / tangent;
}

}  // namespace

template <class T>
void ConeGroup<T>::take(const PairRows& rows, const ConeRange& range, int width,
                        const SharedBodies& shared, const KernelUnits& units) {
  range_ = range;
  units_ = units;
  form_ = rows.form;
  width_ = width;
  with_kernel_cone(range.cone, [&]<class Cone>() {
    const Layout layout = layout_of<Cone>(form_, units.law);
    dim_ = layout.dim;
    n_numbers_ = layout.n_numbers;
    inverse_at_ = layout.inverse_at;
  });
  batches_.schedule(width, rows.n_bodies, rows.bodies, range.first, range.end, shared.is_shared);
  const std::size_t lanes = batches_.count() * width_;
  make_room(impulse_, dim_ * lanes);
  make_room(result_, dim_ * lanes);
  make_room(contacts_, n_numbers_ * lanes);
  impulse_.assign(dim_ * lanes, T(0));
  result_.assign(dim_ * lanes, T(0));
  contacts_.resize(n_numbers_ * lanes);
  base_.clear();
  clear_spare_lanes();
  take_sides();
  const NumberedRows of{rows, shared.sharers, units.law, units.impulse};
  if (range.cone == kKernelCone<cones::Circular>) return take_circular(of);
  for (const ConeBatch& batch : range.batches) {
    cones::with_type(batch.type, [&]<class Cone>() {
      if constexpr (kOfDiscs<Cone>) take_discs<Cone>(of, batch);
    });
  }
}

/// Zeros where batches have lanes without contacts: contacts write all of their own numbers.
template <class T>
void ConeGroup<T>::clear_spare_lanes() {
  const std::size_t size = n_numbers_ * width_;  // of a batch
  for (std::size_t batch = 0; batch < batches_.count(); ++batch) {
    if (batches_.used(batch) < width_) std::fill_n(&contacts_[batch * size], size, T(0));
  }
}

template <class T>
void ConeGroup<T>::take_circular(const NumberedRows& of) {
  switch (form_) {
    case PairForm::spheres:
      return take_blocks<SphereNumbers>(of, sphere_numbers);
    case PairForm::points:
      return take_blocks<PointNumbers>(of, point_numbers);
    case PairForm::rows:
      return take_blocks<RowNumbers>(of, row_numbers);
  }
}

/// Takes the numbers that @p numbers_of puts into a block's.
template <class T>
template <class Numbers, class NumbersOf>
void ConeGroup<T>::take_blocks(const NumberedRows& of, const NumbersOf& numbers_of) {
  Numbers numbers;
  for_each_block([&](const BlockPart& part) {
    numbers_of(of, part, numbers);
    for (std::size_t i = part.begin; i < part.end; ++i) {
      T* to = &contacts_[place(part.contact(i), n_numbers_)];
      for (std::size_t k = 0; k < n_numbers_; ++k) {
        to[k * width_] = static_cast<T>(numbers[k][i]);
      }
    }
  });
}

/// Calls `visit(part)` for the contacts, a block each.
template <class T>
template <class Visit>
void ConeGroup<T>::for_each_block(Visit&& visit) const {
  for_each_part(range_.first, range_.end - range_.first, visit);
}

template <class T>
template <class Cone>
void ConeGroup<T>::take_discs(const NumberedRows& of, const ConeBatch& batch) {
  for (std::int32_t k = 0; k < batch.count; ++k) {
    const Cone cone = batch.template cone<Cone>(k);
    const std::size_t contact = batch.first + k;
    if (form_ == PairForm::points) {
      put(contact, disc_point_numbers(of, contact, cone));
    } else if constexpr (kIsRound<Cone>) {
      put(contact, rolling_sphere_numbers(of, contact, cone));
    }
  }
}

template <class T>
template <std::size_t kCount>
void ConeGroup<T>::put(std::size_t contact, const std::array<double, kCount>& numbers) {
  T* to = &contacts_[place(contact, kCount)];
  for (std::size_t k = 0; k < kCount; ++k) to[k * width_] = static_cast<T>(numbers[k]);
}

/// (cos, sin) of the middles of half the sides of a faceted disc.
template <class T>
void ConeGroup<T>::take_sides() {
  sides_.clear();
  for (int k = 0; 2 * k < range_.directions; ++k) {
    const double angle = (2 * k + 1) * std::numbers::pi / range_.directions;
    sides_.push_back(static_cast<T>(std::cos(angle)));
    sides_.push_back(static_cast<T>(std::sin(angle)));
  }
}

/// Whether D_nn is positive. @pre the contacts are taken.
template <class T>
bool ConeGroup<T>::moves_normal(std::size_t contact) const {
  return contacts_[place(contact, n_numbers_) + inverse_at_ * width_] > T(0);
}

template <class T>
void ConeGroup<T>::set_impulses(const PairRows& rows, std::span<const double> lambda) {
  if (are_plain_spheres()) return set_world_impulses(rows, lambda);
  for (std::size_t i = range_.first; i < range_.end; ++i) {
    const double* l = lambda.data() + rows.row(i);
    std::array<double, cones::Spinning::kDim> given{};
    if (form_ == PairForm::spheres) {
      const Screw impulse = impulse_of_frame(rows, i, l, 1.0);
      Vec6::Map(given.data()) << impulse.linear, impulse.angular;
    } else {
      std::copy_n(l, rows.n_rows(i), given.begin());
    }
    // Where a contact moves nothing along its normal the kernels would keep its impulse for ever.
    if (!moves_normal(i)) given.fill(0.0);
    const std::size_t first = place(i, dim_);
    for (std::size_t d = 0; d < dim_; ++d) {
      impulse_[first + d * width_] = static_cast<T>(given[d] / units_.impulse);
      result_[first + d * width_] = static_cast<T>(given[d] / units_.impulse);
    }
  }
}

template <class T>
void ConeGroup<T>::set_world_impulses(const PairRows& rows, std::span<const double> lambda) {
  Triples given;
  for_each_block([&](const BlockPart& part) {
    to_world(rows, part, lambda, given);
    for (std::size_t i = part.begin; i < part.end; ++i) {
      const double share = moves_normal(part.contact(i)) ? 1.0 / units_.impulse : 0.0;
      const std::size_t at = place(part.contact(i), dim_);
      const std::array<double, 3> world{given.x[i], given.y[i], given.z[i]};
      for (std::size_t d = 0; d < world.size(); ++d) {
        const T own = static_cast<T>(share * world[d]);
        impulse_[at + d * width_] = own;
        result_[at + d * width_] = own;
      }
    }
  });
}

template <class T>
void ConeGroup<T>::refine(const PairRows& rows, std::span<const double> lambda,
                          std::span<const double> w) {
  if (base_.empty()) {
    const std::size_t size = SphereBase::kNumbers * batches_.count() * width_;
    make_room(base_, size);
    base_.assign(size, T(0));
  }
  const RefinedRows of{rows, units_.law, units_.impulse, lambda, w};
  SphereBases bases;
  for_each_block([&](const BlockPart& part) {
    sphere_bases<T>(of, part, bases);
    for (std::size_t i = part.begin; i < part.end; ++i) {
      if (moves_normal(part.contact(i))) put_base(bases, i, part.contact(i));
    }
  });
}

/// The base of a contact, its velocities with it, and the changes over it.
template <class T>
void ConeGroup<T>::put_base(const SphereBases& bases, std::size_t lane, std::size_t contact) {
  T* b = &base_[place(contact, SphereBase::kNumbers)];
  for (std::size_t k = 0; k < SphereBase::kNumbers; ++k) {
    b[k * width_] = static_cast<T>(bases.numbers[k][lane]);
  }
  const Triple own = bases.velocity[lane];
  const Triple change = bases.change[lane];
  const std::array<double, 3> velocities{own.x, own.y, own.z};
  const std::array<double, 3> changes{change.x, change.y, change.z};
  T* r = &contacts_[place(contact, n_numbers_) + SphereContact::kVelocity * width_];
  T* x = &result_[place(contact, dim_)];
  T* y = &impulse_[place(contact, dim_)];
  for (std::size_t d = 0; d < 3; ++d) {
    const std::size_t at = d * width_;
    const T ahead = y[at] - x[at];
    r[at] = static_cast<T>(velocities[d]);
    x[at] = static_cast<T>(changes[d]);
    y[at] = x[at] + ahead;
  }
}

template <class T>
BatchRange ConeGroup<T>::batches_of(SweepPart part) const {
  const std::size_t middle = (batches_.count_of_shared() + batches_.count()) / 2;
  switch (part) {
    case SweepPart::whole:
      break;
    case SweepPart::shared:
      return {0, batches_.count_of_shared()};
    case SweepPart::first_half:
      return {batches_.count_of_shared(), middle};
    case SweepPart::second_half:
      return {middle, batches_.count()};
  }
  return {0, batches_.count()};
}

template <class T>
SweepArguments<T> ConeGroup<T>::arguments(SweepArguments<T> a, SweepPart part) {
  const auto [first, end] = batches_of(part);
  const std::size_t lanes = first * width_;
  a.n_batches = end - first;
  a.contacts = contacts_.data() + n_numbers_ * lanes;
  a.bodies = batches_.bodies().data() + 2 * lanes;
  a.impulse = impulse_.data() + dim_ * lanes;
  a.result = result_.data() + dim_ * lanes;
  a.base = base_.empty() ? nullptr : base_.data() + SphereBase::kNumbers * lanes;
  a.exact = solve_exactly;
  if (range_.directions > 0) {
    a.sides = sides_.data();
    a.n_sides = static_cast<std::int32_t>(sides_.size() / 2);
    a.across = static_cast<T>(std::cos(std::numbers::pi / range_.directions));
    a.along = static_cast<T>(std::sin(std::numbers::pi / range_.directions));
  }
  return a;
}

template <class T>
void ConeGroup<T>::impulses(const PairRows& rows, std::span<double> lambda) const {
  if (are_plain_spheres()) return world_impulses(rows, lambda);
  for (std::size_t i = range_.first; i < range_.end; ++i) {
    std::array<double, cones::Spinning::kDim> x{};
    const std::size_t first = place(i, dim_);
    for (std::size_t d = 0; d < dim_; ++d) {
      x[d] = units_.impulse * static_cast<double>(result_[first + d * width_]);
    }
    double* l = lambda.data() + rows.row(i);
    if (form_ != PairForm::spheres) {
      std::copy_n(x.begin(), rows.n_rows(i), l);
      continue;
    }
    const ContactFrame axes = rows.frame(i).axes;
    const int n_rows = static_cast<int>(rows.n_rows(i));
    for (int k = 0; k < n_rows; ++k) {
      l[k] = axis_of(axes, k).dot(Vec3::Map(&x[k < kForceRows ? 0 : 3]));
    }
  }
  bring_inside(rows, lambda);
}

/// x of a plain sphere's contact in the kernels' unit.
template <class T>
Triple ConeGroup<T>::world_impulse(std::size_t contact) const {
  const auto triple_at = [this](const T* at) {
    return Triple{static_cast<double>(at[0]), static_cast<double>(at[width_]),
                  static_cast<double>(at[2 * width_])};
  };
  const Triple own = triple_at(&result_[place(contact, dim_)]);
  if (base_.empty()) return own;
  const T* base = &base_[place(contact, SphereBase::kNumbers)];
  const auto number = [&](std::size_t k) { return static_cast<double>(base[k * width_]); };
  const Triple normal =
      triple_at(&contacts_[place(contact, n_numbers_) + SphereContact::kNormal * width_]);
  return own + number(SphereBase::kNormal) * normal +
         number(SphereBase::kSize) * triple_at(base + SphereBase::kTangent * width_);
}

template <class T>
void ConeGroup<T>::world_impulses(const PairRows& rows, std::span<double> lambda) const {
  Triples x;
  for_each_block([&](const BlockPart& part) {
    for (std::size_t i = part.begin; i < part.end; ++i) {
      x.set(i, units_.impulse * world_impulse(part.contact(i)));
    }
    to_rows(rows, part, x, lambda);
  });
}

/// The impulses as rounding leaves them become those of their cones.
template <class T>
void ConeGroup<T>::bring_inside(const PairRows& rows, std::span<double> lambda) const {
  if (range_.cone == kKernelCone<cones::Circular>) {
    for (std::size_t i = range_.first; i < range_.end; ++i) {
      bring_into_circle(rows.friction_of(i), rows.n_rows(i), lambda.data() + rows.row(i));
    }
    return;
  }
  for (const ConeBatch& batch : range_.batches) {
    cones::with_type(batch.type, [&]<class Cone>() {
      for (std::int32_t k = 0; k < batch.count; ++k) {
        const Cone cone = batch.template cone<Cone>(k);
        Eigen::Map<cones::Rows<Cone::kDim>> l(&lambda[rows.row(batch.first + k)]);
        if (cone.violation(l) > 0.0) l = cone.project(l);
      }
    });
  }
}

template class ConeGroup<double>;
template class ConeGroup<float>;

}  // namespace scree
