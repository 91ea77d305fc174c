#pragma once

/// The Gram matrix A^T A of columns A, each of its columns made when it is first asked for: impacts
/// that stay near a place ask for few.

#include <Eigen/SparseCore>
#include <span>
#include <vector>

namespace scree {

using SparseColumns = Eigen::SparseMatrix<double>;

/// Rows of a column that are of one body: three of moving, three of turning.
inline constexpr int kRowsOfBody = 6;

class Gram {
 public:
  struct Entry {
    int row;
    double value;
  };

  Gram() = default;
  /// @param columns which share few rows, six rows a body.
  explicit Gram(const SparseColumns& columns);

  Eigen::Index size() const { return static_cast<Eigen::Index>(columns_.size()); }
  /// By ascending rows; what shares no body with the column is left out. Valid until another column
  /// is asked for. Not for several threads at once.
  std::span<const Entry> column(Eigen::Index j) const;
  Eigen::MatrixXd dense() const;

 private:
  /// The entries of a column of A in the rows of a body.
  struct Segment {
    int column;
    int body;
    std::size_t first;  ///< among the entries of all columns
    std::size_t last;
  };
  /// Part of a list.
  struct Part {
    std::size_t first = 0;
    std::size_t last = 0;
  };

  double product(const Segment& a, const Segment& b) const;
  void add_column(int j) const;

  std::vector<int> rows_;  ///< of the entries of A
  std::vector<double> values_;
  std::vector<Segment> by_column_;
  std::vector<Segment> by_body_;
  std::vector<Part> segments_of_column_;
  std::vector<Part> segments_of_body_;
  mutable std::vector<Part> columns_;  ///< entries of each column that is made; empty before
  mutable std::vector<Entry> entries_;
  mutable std::vector<Entry> made_;  ///< room for what add_column() makes
  mutable std::vector<Entry> merged_;
  mutable std::vector<Entry> beside_;
};

}  // namespace scree
