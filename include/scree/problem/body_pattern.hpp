#pragma once

/// Which bodies each cone of a rank touches.
///
/// Bodies are numbered locally: those of this rank first, in the order of M^-1's rows, then those
/// of other ranks that its cones touch, by global block.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scree/base/instructions.hpp"
#include "scree/base/petsc.hpp"
#include "scree/contact/contact_list.hpp"

namespace scree {

/// The bodies of the contacts of a block.
struct FrameBodies {
  std::array<std::int32_t, kBlock> a;  ///< local
  std::array<std::int32_t, kBlock> b;  ///< likewise; -1 where it is prescribed
};

/// The local bodies of one cone, in the order of its entries. Those of a frame are kept, those of
/// others are a view.
class BodiesOfCone {
 public:
  /// Those of a frame; B is -1 where it is prescribed.
  SCREE_INLINE BodiesOfCone(std::int32_t a, std::int32_t b) : frame_{a, b}, size_(b < 0 ? 1 : 2) {}
  SCREE_INLINE explicit BodiesOfCone(std::span<const std::int32_t> entries)
      : others_(entries.data()), size_(entries.size()) {}

  SCREE_INLINE const std::int32_t* begin() const {
    return others_ != nullptr ? others_ : frame_.data();
  }
  SCREE_INLINE const std::int32_t* end() const { return begin() + size_; }
  SCREE_INLINE std::size_t size() const { return size_; }
  SCREE_INLINE bool empty() const { return size_ == 0; }
  SCREE_INLINE std::int32_t operator[](std::size_t entry) const { return begin()[entry]; }

 private:
  std::array<std::int32_t, 2> frame_{};
  const std::int32_t* others_ = nullptr;
  std::size_t size_;
};

/// The bodies of cones that are all frames, or all have entries. A view.
class BodiesOfCones {
 public:
  BodiesOfCones() = default;
  BodiesOfCones(std::span<const FrameBodies> frames, std::size_t count)
      : frames_(frames), size_(count) {}
  /// Cone i has those from @p first[i] to @p first[i + 1] among @p body.
  BodiesOfCones(std::span<const std::int32_t> first, std::span<const std::int32_t> body)
      : first_(first), body_(body), size_(first.size() - 1) {}

  std::size_t size() const { return size_; }
  /// Those of the first @p count cones.
  BodiesOfCones first(std::size_t count) const {
    BodiesOfCones some = *this;
    some.size_ = count;
    return some;
  }
  SCREE_INLINE BodiesOfCone operator[](std::size_t i) const {
    if (first_.empty()) {
      const FrameBodies& block = frames_[i / kBlock];
      return {block.a[i % kBlock], block.b[i % kBlock]};
    }
    const auto begin = static_cast<std::size_t>(first_[i]);
    return BodiesOfCone(body_.subspan(begin, static_cast<std::size_t>(first_[i + 1]) - begin));
  }
  /// Those of frames, block by block.
  std::span<const FrameBodies> frames() const { return frames_; }

 private:
  std::span<const FrameBodies> frames_;
  std::span<const std::int32_t> first_;  ///< empty where cones are frames
  std::span<const std::int32_t> body_;
  std::size_t size_ = 0;
};

/// Which bodies the cones of a rank touch, and their order: the first cones are frames, the others
/// have entries, each with a block.
struct BodyPattern {
  std::int32_t n_owned = 0;            ///< bodies of this rank
  std::vector<PetscInt> ghosts;        ///< global blocks of the other bodies, ascending
  std::size_t n_frames = 0;            ///< of the first cones, which have no blocks
  std::vector<FrameBodies> frames;     ///< their bodies
  std::vector<std::int32_t> first{0};  ///< cone n_frames + i has the entries
                                       ///< [first[i], first[i + 1])
  std::vector<std::int32_t> body;      ///< local body of an entry
  std::vector<std::size_t> place;      ///< first value of the blocks of cone n_frames + i

  std::size_t n_cones() const { return n_frames + first.size() - 1; }
  std::size_t n_bodies() const { return static_cast<std::size_t>(n_owned) + ghosts.size(); }
  BodiesOfCones of_frames() const { return {frames, n_frames}; }
  /// Of the cones behind frames.
  BodiesOfCones of_others() const { return {first, body}; }
  /// Those of cone @p i.
  SCREE_INLINE BodiesOfCone bodies(std::size_t i) const {
    return i < n_frames ? of_frames()[i] : of_others()[i - n_frames];
  }
  /// Appends the @p bodies of a cone that is no frame.
  void append(std::span<const std::int32_t> bodies) {
    body.insert(body.end(), bodies.begin(), bodies.end());
    first.push_back(static_cast<std::int32_t>(body.size()));
  }
};

/// The local bodies A and B of frame @p i; -1 for B where it is prescribed.
inline std::array<std::int32_t, 2> bodies_of_frame(const BodyPattern& pattern, std::size_t i) {
  const FrameBodies& block = pattern.frames[i / kBlock];
  return {block.a[i % kBlock], block.b[i % kBlock]};
}

}  // namespace scree
