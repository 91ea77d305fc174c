#include "scree/impact/gram.hpp"

#include <algorithm>
#include <utility>

namespace scree {
namespace {

/// Adds the entries of two lists by ascending rows.
void add_merged(std::span<const Gram::Entry> a, std::span<const Gram::Entry> b,
                std::vector<Gram::Entry>& sum) {
  sum.clear();
  auto at = a.begin();
  for (const Gram::Entry& entry : b) {
    while (at != a.end() && at->row < entry.row) sum.push_back(*at++);
    sum.push_back(entry);
    if (at != a.end() && at->row == entry.row) sum.back().value += (at++)->value;
  }
  sum.insert(sum.end(), at, a.end());
}

}  // namespace

Gram::Gram(const SparseColumns& columns)
    : rows_(columns.innerIndexPtr(), columns.innerIndexPtr() + columns.nonZeros()),
      values_(columns.valuePtr(), columns.valuePtr() + columns.nonZeros()),
      segments_of_column_(static_cast<std::size_t>(columns.cols())),
      segments_of_body_(static_cast<std::size_t>(columns.rows()) / kRowsOfBody + 1),
      columns_(static_cast<std::size_t>(columns.cols())) {
  by_column_.reserve(2 * columns_.size());
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    segments_of_column_[j].first = by_column_.size();
    const auto end = static_cast<std::size_t>(columns.outerIndexPtr()[j + 1]);
    for (auto k = static_cast<std::size_t>(columns.outerIndexPtr()[j]); k < end;) {
      Segment segment{static_cast<int>(j), rows_[k] / kRowsOfBody, k, k};
      while (k < end && rows_[k] / kRowsOfBody == segment.body) ++k;
      segment.last = k;
      by_column_.push_back(segment);
      ++segments_of_body_[static_cast<std::size_t>(segment.body)].last;
    }
    segments_of_column_[j].last = by_column_.size();
  }
  std::size_t first = 0;
  for (Part& part : segments_of_body_) {
    const std::size_t count = part.last;
    part = {first, first};
    first += count;
  }
  by_body_.resize(by_column_.size());
  for (const Segment& segment : by_column_) {
    by_body_[segments_of_body_[static_cast<std::size_t>(segment.body)].last++] = segment;
  }
}

std::span<const Gram::Entry> Gram::column(Eigen::Index j) const {
  const Part& part = columns_[static_cast<std::size_t>(j)];
  if (part.first == part.last) add_column(static_cast<int>(j));
  return std::span(entries_).subspan(part.first, part.last - part.first);
}

Eigen::MatrixXd Gram::dense() const {
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(size(), size());
  for (Eigen::Index j = 0; j < size(); ++j) {
    for (const Entry& entry : column(j)) dense(entry.row, j) = entry.value;
  }
  return dense;
}

double Gram::product(const Segment& a, const Segment& b) const {
  double sum = 0.0;
  for (std::size_t i = a.first, k = b.first; i < a.last && k < b.last;) {
    if (rows_[i] == rows_[k]) {
      sum += values_[i++] * values_[k++];
    } else {
      ++(rows_[i] < rows_[k] ? i : k);
    }
  }
  return sum;
}

void Gram::add_column(int j) const {
  const Part own = segments_of_column_[static_cast<std::size_t>(j)];
  made_.clear();
  for (std::size_t k = own.first; k < own.last; ++k) {
    const Segment& at = by_column_[k];
    const Part others = segments_of_body_[static_cast<std::size_t>(at.body)];
    beside_.clear();
    for (std::size_t o = others.first; o < others.last; ++o) {
      beside_.push_back({by_body_[o].column, product(at, by_body_[o])});
    }
    add_merged(made_, beside_, merged_);
    std::swap(made_, merged_);
  }
  Part& part = columns_[static_cast<std::size_t>(j)];
  part.first = entries_.size();
  entries_.insert(entries_.end(), made_.begin(), made_.end());
  part.last = entries_.size();
}

}  // namespace scree
