#pragma once

/// The rows that this rank's contacts have among those of a step's problem.
///
/// Rows have sources. Contacts are the first: contact i has cone i, as assemble() writes it. The
/// cones behind them are those of other sources (problem/given_rows.hpp), so that whoever asks
/// for the impulse of a contact asks this.

#include <cstddef>
#include <span>

#include "scree/problem/contact_problem.hpp"

namespace scree {

class ContactSpan {
 public:
  /// The first @p count cones of @p problem, which must outlive this.
  ContactSpan(const ContactProblem& problem, std::size_t count)
      : problem_(problem), count_(count) {}

  std::size_t count() const { return count_; }
  /// How many rows contact @p i has: normal, tangents, moments.
  int dim(std::size_t i) const { return problem_.cones.dim(i); }
  /// The place of the normal of contact @p i among the rows of the problem.
  std::size_t normal(std::size_t i) const { return problem_.cones.row(i); }
  /// The rows of contact @p i among @p all rows of the problem.
  template <class Number>
  std::span<Number> of(std::size_t i, std::span<Number> all) const {
    return all.subspan(normal(i), static_cast<std::size_t>(dim(i)));
  }
  /// The length l of the rows of moments, m; 0 where it has none.
  double length(std::size_t i) const {
    return problem_.rolling_length.empty() ? 0.0 : problem_.rolling_length[i];
  }
  /// R of the normal, 1/kg; 0 where it is rigid.
  double normal_softness(std::size_t i) const { return problem_.compliance_of(normal(i)); }

 private:
  const ContactProblem& problem_;
  std::size_t count_;
};

}  // namespace scree
