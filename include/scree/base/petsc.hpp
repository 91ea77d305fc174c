#pragma once

/// Owners of PETSc handles: move-only, emptied on move, destroyed once. `get()` is the raw handle;
/// nothing of PETSc's own interface is wrapped again.

#include <petscis.h>
#include <petscksp.h>
#include <petscmat.h>
#include <petscvec.h>

#include <algorithm>
#include <span>
#include <type_traits>
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

/// Access to the local part of a vector for the life of the view. @p Number: const double to read,
/// double to write. Not collective.
template <class Number>
class LocalView {
 public:
  explicit LocalView(Vec v) : v_(v) {
    PetscInt n = 0;
    SCREE_PETSC(VecGetLocalSize(v, &n));
    if constexpr (kReads) {
      SCREE_PETSC(VecGetArrayRead(v, &data_));
    } else {
      SCREE_PETSC(VecGetArray(v, &data_));
    }
    size_ = n;
  }
  LocalView(const LocalView&) = delete;
  LocalView& operator=(const LocalView&) = delete;
  ~LocalView() {
    if constexpr (kReads) {
      static_cast<void>(VecRestoreArrayRead(v_, &data_));
    } else {
      static_cast<void>(VecRestoreArray(v_, &data_));
    }
  }

  Number* data() const { return data_; }
  std::size_t size() const { return size_; }
  Number& operator[](std::size_t i) const { return data_[i]; }
  std::span<Number> span() const { return {data_, size_}; }

 private:
  static constexpr bool kReads = std::is_const_v<Number>;

  Vec v_;
  Number* data_ = nullptr;
  std::size_t size_ = 0;
};

using ConstView = LocalView<const double>;
using View = LocalView<double>;

/// Collective. A vector with @p local_size entries on this rank, zero.
inline Vector make_vector(MPI_Comm comm, std::size_t local_size) {
  Vector v;
  SCREE_PETSC(VecCreateMPI(comm, static_cast<PetscInt>(local_size), PETSC_DETERMINE, v.out()));
  SCREE_PETSC(VecSet(v.get(), 0.0));
  return v;
}

/// Collective. A vector laid out as @p like, for those who write all of its numbers.
inline Vector unset_like(Vec like) {
  Vector v;
  SCREE_PETSC(VecDuplicate(like, v.out()));
  return v;
}

/// Collective. A vector laid out as @p like, zero.
inline Vector duplicate(Vec like) {
  Vector v = unset_like(like);
  SCREE_PETSC(VecSet(v.get(), 0.0));
  return v;
}

/// Collective. A vector of its own with the numbers of @p v.
inline Vector copy(Vec v) {
  Vector result = unset_like(v);
  SCREE_PETSC(VecCopy(v, result.get()));
  return result;
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
