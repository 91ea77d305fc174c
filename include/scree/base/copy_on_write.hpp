#pragma once

/// A value that is held where its type is not known.

#include <memory>
#include <type_traits>
#include <utility>

namespace scree {

/// A value of T, which copies share until one of them is changed. T is to be complete only where
/// the value is made of another, read or changed: who holds or copies it needs no header of T.
/// Not for several threads.
template <class T>
class CopyOnWrite {
 public:
  /// The value of a fresh T.
  CopyOnWrite() = default;
  template <class V, class = std::enable_if_t<!std::is_same_v<std::remove_cvref_t<V>, CopyOnWrite>>>
  CopyOnWrite(V&& value) : value_(std::make_shared<T>(std::forward<V>(value))) {}

  const T& operator*() const {
    static const T kFresh{};
    return value_ ? *value_ : kFresh;
  }
  const T* operator->() const { return &**this; }

  /// The value, to be changed; that of no copy changes with it.
  T& change() {
    if (!value_ || value_.use_count() > 1) value_ = std::make_shared<T>(**this);
    return *value_;
  }

 private:
  std::shared_ptr<T> value_;
};

}  // namespace scree
