#pragma once

/// Sweeps of the kernels over a bed, or over any rows.

#include <gtest/gtest.h>

#include <vector>

#include "pair_bed.hpp"
#include "solver/sweeps/pair_sweep.hpp"

namespace scree::test {

/// @p n sweeps without inertia.
template <class T>
void run_sweeps(PairSweep<T>& sweep, int n, const SweepFactors& factors) {
  for (int s = 0; s < n; ++s) {
    sweep.run(factors);
    sweep.move_on(0.0);
  }
}

template <class T>
std::vector<double> impulses_of(const PairSweep<T>& sweep, const PairRows& rows) {
  std::vector<double> lambda(rows.velocity.size());
  sweep.impulses(rows, lambda);
  return lambda;
}

/// A bed in the storage of a kernel, in a form that it has.
template <class T>
struct Swept {
  Swept(const PairBed& bed, const SweepKernels<T>& kernels, LocalLaw law, PairForm form,
        const SharedBodies& shared)
      : b(bed.factored()),
        frames(frames_of(bed.rows())),
        rows(bed.rows(b)),
        own(bed),
        sweep(kernels) {
    if (form != PairForm::rows) {
      EXPECT_LE(own.form(), form);
      rows = bed.rows(form, frames, own.masses());
    }
    sweep.take(rows, shared, law);
  }
  Swept(const PairBed& bed, const SweepKernels<T>& kernels, LocalLaw law, PairForm form)
      : Swept(bed, kernels, law, form, {bed.sharers, {}, {}}) {}
  void run(int n, const SweepFactors& factors = {}) { run_sweeps(sweep, n, factors); }
  std::vector<double> impulses() const { return impulses_of(sweep, rows); }
  std::vector<double> b;
  std::vector<PairFrame> frames;
  PairRows rows;
  FormOfBed own;
  PairSweep<T> sweep;
};

}  // namespace scree::test
