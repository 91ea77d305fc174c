#pragma once

/// Consecutive contacts of a rank whose cones one of KernelCones stands for, in the kernels'
/// storage (kernels.hpp): schedule, numbers, impulses. Kept from step to step: vectors keep their
/// capacity. Not collective.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "batches.hpp"
#include "cone_ranges.hpp"
#include "contact_numbers.hpp"
#include "kernels.hpp"
#include "pair_rows.hpp"
#include "shared_bodies.hpp"
#include "wide_vector.hpp"

namespace scree {

struct SphereBases;

struct KernelUnits {
  LocalLaw law = LocalLaw::coulomb;
  /// Impulses are stored over a mass that is the contacts' own, so that those of the smallest
  /// grains do not vanish in single precision; kg.
  double impulse = 1.0;
};

/// A sweep on one rank is one part. On several it has three, in this order: the contacts of shared
/// bodies, and the others in two halves.
enum class SweepPart { whole, shared, first_half, second_half };

struct BatchRange {
  std::size_t first, end;
};

template <class T>
class ConeGroup {
 public:
  void take(const PairRows& rows, const ConeRange& range, int width, const SharedBodies& shared,
            const KernelUnits& units);
  /// y = x = @p lambda.
  void set_impulses(const PairRows& rows, std::span<const double> lambda);
  /// Whether there are kernels for changes: of plain spheres.
  bool can_refine() const { return are_plain_spheres(); }
  /// Has the sweeps go on by changes over @p lambda, which impulses() gave, and the bodies' @p w
  /// for it, six numbers each (kernels.hpp); y keeps its distance from x.
  void refine(const PairRows& rows, std::span<const double> lambda, std::span<const double> w);
  /// y = x.
  void rest() { impulse_ = result_; }
  /// One sweep over a @p part of the group, with the bodies and factors of @p a. @returns f of
  /// inertia.hpp in the unit.
  double run(const SweepKernels<T>& kernels, const SweepArguments<T>& a, SweepPart part) {
    return kernels.sweep[range_.cone][index_of(form_)][index_of(units_.law)](arguments(a, part));
  }
  /// A part of a gradient step (gradient_kernel.hpp), likewise. @pre can_refine(), and contacts by
  /// the associated law. @returns its sums in the unit
  GradientSums step(const SweepKernels<T>& kernels, const SweepArguments<T>& a, SweepPart part) {
    return kernels.gradient_step(arguments(a, part));
  }
  /// x in the rows' order, in the cones in spite of rounding.
  void impulses(const PairRows& rows, std::span<double> lambda) const;

 private:
  SweepArguments<T> arguments(SweepArguments<T> a, SweepPart part);
  BatchRange batches_of(SweepPart part) const;
  void take_sides();
  void clear_spare_lanes();
  void take_circular(const NumberedRows& of);
  template <class Numbers, class NumbersOf>
  void take_blocks(const NumberedRows& of, const NumbersOf& numbers_of);
  void set_world_impulses(const PairRows& rows, std::span<const double> lambda);
  void world_impulses(const PairRows& rows, std::span<double> lambda) const;
  void put_base(const SphereBases& bases, std::size_t lane, std::size_t contact);
  Triple world_impulse(std::size_t contact) const;
  template <class Visit>
  void for_each_block(Visit&& visit) const;
  /// Whether impulses are three numbers in the world frame.
  bool are_plain_spheres() const {
    return form_ == PairForm::spheres && range_.cone == kKernelCone<cones::Circular>;
  }
  template <class Cone>
  void take_discs(const NumberedRows& of, const ConeBatch& batch);
  template <std::size_t kCount>
  void put(std::size_t contact, const std::array<double, kCount>& numbers);
  bool moves_normal(std::size_t contact) const;
  void bring_inside(const PairRows& rows, std::span<double> lambda) const;
  /// Where the first of the numbers of @p contact stands, with @p n_numbers a contact.
  std::size_t place(std::size_t contact, std::size_t n_numbers) const {
    const std::size_t own = contact - range_.first;
    return batches_.batch_of(own) * width_ * n_numbers + batches_.lane_of(own);
  }

  ConeRange range_;
  KernelUnits units_;
  PairForm form_ = PairForm::rows;
  std::size_t width_ = 1;
  std::size_t dim_ = 0;         ///< rows of the cone
  std::size_t n_numbers_ = 0;   ///< of a contact
  std::size_t inverse_at_ = 0;  ///< the one that is positive where the normal moves
  ContactBatches batches_;
  std::vector<T> sides_;
  WideVector<T> contacts_;
  WideVector<T> impulse_;  ///< y, in the world frame where spheres meet; its change over base_
  WideVector<T> result_;   ///< x, likewise
  WideVector<T> base_;     ///< what both are changes over (SphereBase); empty: they are whole
};

extern template class ConeGroup<double>;
extern template class ConeGroup<float>;

}  // namespace scree
