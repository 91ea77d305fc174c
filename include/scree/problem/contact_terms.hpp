#pragma once

/// Data of contacts besides their rows: what they remember, and what the step makes of it.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "scree/base/instructions.hpp"
#include "scree/base/math.hpp"
#include "scree/base/triples.hpp"

namespace scree {

/// The memory of a contact from the steps before (step/contact_memory.hpp).
struct ContactHistory {
  Vec3 force =
      Vec3::Zero();       ///< lambda/dt on A at the end of the last step, turned with the pair; N
  double rest_gap = 0.0;  ///< gap at which its spring is at rest, m; never positive
  double stiffness_gap = 0.0;  ///< of a constraint found within the step: gap of the pair's point
                               ///< of the start whose stiffness it has, m
  double turn = 0.0;           ///< length of its normal's change since the last step; 0: not known
  bool touched = false;        ///< has touched, and not parted beyond the rupture distance since
};

/// The histories of a block of contacts side by side.
struct HistoryBlock {
  Triples force;
  BlockNumbers rest_gap;
  BlockNumbers stiffness_gap;
  BlockNumbers turn;
  std::array<bool, kBlock> touched;

  SCREE_INLINE ContactHistory operator[](std::size_t i) const {
    return {.force = vec3_of(force[i]),
            .rest_gap = rest_gap[i],
            .stiffness_gap = stiffness_gap[i],
            .turn = turn[i],
            .touched = touched[i]};
  }
  SCREE_INLINE void set(std::size_t i, const ContactHistory& history) {
    force.set(i, history.force);
    rest_gap[i] = history.rest_gap;
    stiffness_gap[i] = history.stiffness_gap;
    turn[i] = history.turn;
    touched[i] = history.touched;
  }
};

/// Writes the histories of contacts that follow each other, @p count of them and no more than a
/// block, the first of which has the number @p first: so that not all are there at a time.
class HistoryBlocks {
 public:
  using Write = std::function<void(std::size_t first, std::size_t count, HistoryBlock& histories)>;

  explicit HistoryBlocks(Write write) : write_(std::move(write)) {}
  /// Those of @p histories, which must outlive this.
  explicit HistoryBlocks(std::span<const ContactHistory> histories)
      : write_([histories](std::size_t first, std::size_t count, HistoryBlock& block) {
          for (std::size_t i = 0; i < count; ++i) block.set(i, histories[first + i]);
        }) {}
  void write(std::size_t first, std::size_t count, HistoryBlock& histories) const {
    write_(first, count, histories);
  }

 private:
  Write write_;
};

/// Facts of a contact besides its rows of the problem.
struct ContactTerms {
  bool compliant = false;  ///< its overlap beyond the rest gap is its spring's
  bool touched = false;    ///< as ContactHistory::touched
  double pull = 0.0;      ///< of cohesion over the step, N s: the normal impulse is lambda_n - pull
  double gap_bias = 0.0;  ///< phi's part of the normal's r, m/s: r without it is u_n,free
  double rest_gap = 0.0;  ///< as ContactHistory::rest_gap, m
};

/// The terms of a step's contacts. Numbers that all have zero are not held.
class TermsOfContacts {
 public:
  void reserve(std::size_t n) { flags_.reserve(n); }
  void push_back(const ContactTerms& terms);
  /// Appends the first @p count of a block, which are @p compliant or not, as they are told by @p
  /// histories, and have no pulls.
  void append(std::size_t count, const std::array<bool, kBlock>& compliant,
              const HistoryBlock& histories);
  void set_pull(std::size_t i, double pull) { put(pull_, i, pull); }
  void set_gap_bias(std::size_t i, double bias) { put(gap_bias_, i, bias); }

  std::size_t size() const { return flags_.size(); }
  ContactTerms operator[](std::size_t i) const {
    return {.compliant = is_compliant(i),
            .touched = (flags_[i] & kTouched) != 0,
            .pull = pull(i),
            .gap_bias = number(gap_bias_, i),
            .rest_gap = rest_gap(i)};
  }
  bool is_compliant(std::size_t i) const { return (flags_[i] & kCompliant) != 0; }
  double rest_gap(std::size_t i) const { return number(rest_gap_, i); }
  double pull(std::size_t i) const { return number(pull_, i); }
  bool any_compliant() const;
  bool any_pulls() const;

 private:
  static constexpr std::uint8_t kCompliant = 1;
  static constexpr std::uint8_t kTouched = 2;

  static std::uint8_t flags_of(bool compliant, bool touched) {
    return static_cast<std::uint8_t>((compliant ? kCompliant : 0) | (touched ? kTouched : 0));
  }
  static double number(const std::vector<double>& numbers, std::size_t i) {
    return i < numbers.size() ? numbers[i] : 0.0;
  }
  void put(std::vector<double>& numbers, std::size_t i, double number) const;

  std::vector<std::uint8_t> flags_;
  // those of the first contacts; zero of the others
  std::vector<double> pull_;
  std::vector<double> gap_bias_;
  std::vector<double> rest_gap_;
};

/// Facts of an impact of two.
struct ImpactTerms {
  double restitution = 0.0;  ///< e
  /// u_n^- at the start of the step (tools': of the step before), m/s.
  double normal_velocity_before = 0.0;
};

}  // namespace scree
