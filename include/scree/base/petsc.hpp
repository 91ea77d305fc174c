#pragma once

/// Owners of PETSc handles: move-only, emptied on move, destroyed once. `get()` is the raw handle;
/// nothing of PETSc's own interface is wrapped again.

#include <petscis.h>
#include <petscksp.h>
#include <petscmat.h>
#include <petscvec.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "scree/base/check.hpp"

namespace scree::petsc {

template <class Handle, PetscErrorCode (*Destroy)(Handle*)>
class Owner {
 public:
  Owner() = default;
  /// Takes over @p handle, which the caller must not destroy.
  explicit Owner(Handle handle) noexcept : handle_(handle) {}
  Owner(Owner&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Owner& operator=(Owner&& other) noexcept {
    if (this != &other) {
      reset();
      handle_ = std::exchange(other.handle_, nullptr);
    }
    return *this;
  }
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;
  ~Owner() { reset(); }

  Handle get() const noexcept { return handle_; }
  explicit operator bool() const noexcept { return handle_ != nullptr; }
  /// For calls that create: destroys what is held and gives the address to fill.
  Handle* out() noexcept {
    reset();
    return &handle_;
  }
  /// Collective. A destructor cannot throw: a failing destroy is left to PETSc's own error message.
  void reset() noexcept {
    if (handle_ != nullptr) static_cast<void>(Destroy(&handle_));
    handle_ = nullptr;
  }

 private:
  Handle handle_ = nullptr;
};

using Vector = Owner<Vec, VecDestroy>;
using Matrix = Owner<Mat, MatDestroy>;
using Krylov = Owner<KSP, KSPDestroy>;
using Scatter = Owner<VecScatter, VecScatterDestroy>;
using IndexSet = Owner<IS, ISDestroy>;

/// Read access to the local part of a vector for the life of the view. Not collective.
class ConstView {
 public:
  explicit ConstView(Vec v) : v_(v) {
    PetscInt n = 0;
    SCREE_PETSC(VecGetLocalSize(v, &n));
    SCREE_PETSC(VecGetArrayRead(v, &data_));
    size_ = n;
  }
  ConstView(const ConstView&) = delete;
  ConstView& operator=(const ConstView&) = delete;
  ~ConstView() { static_cast<void>(VecRestoreArrayRead(v_, &data_)); }

  const double* data() const { return data_; }
  std::size_t size() const { return size_; }
  double operator[](std::size_t i) const { return data_[i]; }
  std::span<const double> span() const { return {data_, size_}; }

 private:
  Vec v_;
  const double* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Write access to the local part of a vector for the life of the view. Not collective.
class View {
 public:
  explicit View(Vec v) : v_(v) {
    PetscInt n = 0;
    SCREE_PETSC(VecGetLocalSize(v, &n));
    SCREE_PETSC(VecGetArray(v, &data_));
    size_ = n;
  }
  View(const View&) = delete;
  View& operator=(const View&) = delete;
  ~View() { static_cast<void>(VecRestoreArray(v_, &data_)); }

  double* data() const { return data_; }
  std::size_t size() const { return size_; }
  double& operator[](std::size_t i) const { return data_[i]; }
  std::span<double> span() const { return {data_, size_}; }

 private:
  Vec v_;
  double* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Collective. A vector with @p local_size entries on this rank, zero.
inline Vector make_vector(MPI_Comm comm, std::size_t local_size) {
  Vector v;
  SCREE_PETSC(VecCreateMPI(comm, static_cast<PetscInt>(local_size), PETSC_DETERMINE, v.out()));
  SCREE_PETSC(VecSet(v.get(), 0.0));
  return v;
}

/// Collective. A vector laid out as @p like, zero.
inline Vector duplicate(Vec like) {
  Vector v;
  SCREE_PETSC(VecDuplicate(like, v.out()));
  SCREE_PETSC(VecSet(v.get(), 0.0));
  return v;
}

}  // namespace scree::petsc

namespace scree {

/// This rank's numbers of a vector, and back. Not collective.
inline std::vector<double> to_rows(Vec v) {
  const petsc::ConstView view(v);
  return {view.span().begin(), view.span().end()};
}
inline void to_vec(std::span<const double> rows, Vec v) {
  std::copy(rows.begin(), rows.end(), petsc::View(v).data());
}

}  // namespace scree
