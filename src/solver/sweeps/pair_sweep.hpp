#pragma once

/// Sweeps over the contacts of one rank by the kernels (kernels.hpp), in single or double
/// precision: storage, its filling, and the state of impulses and bodies. Kept from step to step:
/// vectors keep their capacity. Not collective; what ranks tell each other is the caller's
/// (solve_pairs).

#include <array>
#include <cstdint>
#include <new>
#include <span>
#include <vector>

#include "batches.hpp"
#include "kernels.hpp"
#include "pair_rows.hpp"

namespace scree {

/// Memory that starts where the widest vectors begin, so that none crosses a cache line.
template <class T>
struct WideAllocator {
  using value_type = T;
  static constexpr std::align_val_t kAlignment{64};

  WideAllocator() = default;
  template <class Other>
  WideAllocator(const WideAllocator<Other>& /*other*/) {}
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), kAlignment)); }
  void deallocate(T* at, std::size_t /*n*/) { ::operator delete(at, kAlignment); }
  bool operator==(const WideAllocator& /*other*/) const { return true; }
};
template <class T>
using WideVector = std::vector<T, WideAllocator<T>>;

/// Factors by which a sweep takes its steps, and of inertia.
struct SweepFactors {
  double step = 1.0;
  double relaxation = 1.0;
  double momentum = 0.0;
};

template <class T>
class PairSweep {
 public:
  explicit PairSweep(const SweepKernels<T>& kernels) : kernels_(kernels) {}

  /// Takes the contacts in the form of @p rows. @p sharers: k_b of each body.
  void take(const PairRows& rows, std::span<const double> sharers, LocalLaw law);

  /// y = x = @p lambda.
  void set_impulses(const PairRows& rows, std::span<const double> lambda);
  /// The bodies' numbers for x, six a body, afresh, so that rounding does not add up; those for y
  /// follow.
  void set_bodies(std::span<const double> w);

  /// One sweep. The bodies are left at what x gives. @returns f of inertia.hpp.
  double run(const SweepFactors& factors);
  /// After run(): what @p w, six numbers a body, should be for x where other ranks had a part in
  /// it.
  double body(std::size_t b, std::size_t k) const {
    return body_unit_ * static_cast<double>(bodies_[8 * b + k]);
  }
  void set_body(std::size_t b, std::size_t k, double w) {
    bodies_[8 * b + k] = static_cast<T>(w / body_unit_);
  }
  /// Ends the sweep: the bodies move on to what y gives.
  void move_on(double momentum);

  /// x in the rows' order, in the cones in spite of rounding.
  void impulses(const PairRows& rows, std::span<double> lambda) const;

  std::size_t n_contacts() const { return batches_.slots().size(); }
  double fill() const { return batches_.fill(kernels_.width); }

 private:
  void take_body(const PairRows& rows, std::size_t b, double sharers);
  template <std::size_t kCount>
  void put(std::size_t contact, const std::array<double, kCount>& numbers);
  void name_bodies(const PairRows& rows);
  /// The numbers of one contact, between those of the others of its batch.
  struct Lane {
    T* first;
    std::size_t stride;
    void operator()(std::size_t k, double x) const { first[k * stride] = static_cast<T>(x); }
  };
  bool moves_normal(std::size_t contact) const;
  /// Where the first of the numbers of @p contact stands, with @p n_numbers a contact.
  std::size_t place(std::size_t contact, std::size_t n_numbers) const;
  Lane lane(WideVector<T>& of, std::size_t contact, std::size_t n_numbers) {
    return {&of[place(contact, n_numbers)], static_cast<std::size_t>(kernels_.width)};
  }

  const SweepKernels<T>& kernels_;
  /// Impulses are stored over a mass that is the contacts' own, so that those of the smallest
  /// grains do not vanish in single precision.
  double impulse_unit_ = 1.0;  ///< kg
  double body_unit_ = 1.0;     ///< of the bodies' numbers: its root where they are B^T lambda
  LocalLaw law_ = LocalLaw::coulomb;
  PairForm form_ = PairForm::rows;
  ContactBatches batches_;
  std::vector<std::int32_t> first_;   ///< body of each contact, -1 where there is none
  std::vector<std::int32_t> second_;  ///< likewise
  std::vector<std::int32_t> names_;   ///< bodies of the batches
  WideVector<T> contacts_;
  WideVector<T> impulse_;  ///< y, in the world frame where spheres meet
  WideVector<T> result_;   ///< x, likewise
  WideVector<T> bodies_;   ///< w for y; for x between run() and move_on()
  WideVector<T> masses_;   ///< the bodies' other numbers, by points
  WideVector<T> before_;   ///< w for x of the sweep before
};

extern template class PairSweep<double>;
extern template class PairSweep<float>;

}  // namespace scree
