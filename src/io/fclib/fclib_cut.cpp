#include "fclib_cut.hpp"

#include <algorithm>
#include <numeric>

#include "scree/base/petsc.hpp"

namespace scree::fclib {
namespace {

/// The pattern of @p a with blocks of @p rows x @p columns for entries; all values are 1.
Sparse block_pattern(const Sparse& a, int rows, int columns) {
  std::vector<Eigen::Triplet<double>> triplets;
  for (int row = 0; row < a.rows(); ++row) {
    for (Sparse::InnerIterator entry(a, row); entry; ++entry) {
      if (entry.value() == 0.0) continue;
      triplets.emplace_back(row / rows, static_cast<int>(entry.col()) / columns, 1.0);
    }
  }
  Sparse pattern(a.rows() / rows, a.cols() / columns);
  pattern.setFromTriplets(triplets.begin(), triplets.end(), [](double, double) { return 1.0; });
  return pattern;
}

/// Vertices of a symmetric graph in reverse Cuthill-McKee order.
std::vector<int> band_order(const Sparse& graph) {
  petsc::Matrix matrix;
  const auto n = static_cast<PetscInt>(graph.rows());
  SCREE_PETSC(MatCreateSeqAIJ(PETSC_COMM_SELF, n, n, 0, nullptr, matrix.out()));
  SCREE_PETSC(MatSeqAIJSetPreallocationCSR(matrix.get(), graph.outerIndexPtr(),
                                           graph.innerIndexPtr(), graph.valuePtr()));
  petsc::IndexSet rows;
  petsc::IndexSet columns;
  SCREE_PETSC(MatGetOrdering(matrix.get(), MATORDERINGRCM, rows.out(), columns.out()));
  const PetscInt* order = nullptr;
  SCREE_PETSC(ISGetIndices(rows.get(), &order));
  std::vector<int> result(order, order + n);
  SCREE_PETSC(ISRestoreIndices(rows.get(), &order));
  return result;
}

std::vector<int> counting(Eigen::Index n) {
  std::vector<int> numbers(n);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

std::vector<int> even_shares(Eigen::Index n, int n_ranks) {
  std::vector<int> first;
  for (Eigen::Index rank = 0; rank <= n_ranks; ++rank) {
    first.push_back(static_cast<int>(n * rank / n_ranks));
  }
  return first;
}

/// The place of each contact, that of its body with the fewest contacts: a plate under many grains
/// says little of where a contact is. Contacts without bodies are put first.
std::vector<int> contact_places(const Sparse& pattern, const std::vector<int>& place) {
  std::vector<int> degree(pattern.cols(), 0);
  for (Eigen::Index k = 0; k < pattern.nonZeros(); ++k) {
    ++degree[pattern.innerIndexPtr()[k]];
  }
  std::vector<int> result(pattern.rows(), 0);
  for (int contact = 0; contact < pattern.rows(); ++contact) {
    int fewest = -1;
    for (Sparse::InnerIterator entry(pattern, contact); entry; ++entry) {
      const std::size_t body = entry.col();
      if (fewest >= 0 && degree[body] >= fewest) continue;
      fewest = degree[body];
      result[contact] = place[body];
    }
  }
  return result;
}

}  // namespace

std::vector<int> places(const std::vector<int>& order) {
  std::vector<int> place(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    place[order[k]] = static_cast<int>(k);
  }
  return place;
}

std::vector<int> Order::of_rank(int rank) const {
  return {number.begin() + first[rank], number.begin() + first[rank + 1]};
}

void Order::sort_on_ranks(const std::vector<int>& key) {
  for (std::size_t rank = 0; rank + 1 < first.size(); ++rank) {
    std::stable_sort(number.begin() + first[rank], number.begin() + first[rank + 1],
                     [&key](int a, int b) { return key[a] < key[b]; });
  }
}

Cut cut_matrix(const Sparse& w, int dim, int n_ranks) {
  Cut cut;
  const Eigen::Index n = w.rows() / dim;
  cut.contacts = {counting(n), even_shares(n, n_ranks)};
  if (n_ranks == 1) return cut;
  const Sparse pattern = block_pattern(w, dim, dim);
  cut.contacts.number = band_order(pattern + Sparse(pattern.transpose()));
  return cut;
}

Cut cut_product(const Sparse& jacobian, int dim, int unit, int n_ranks) {
  Cut cut;
  const Eigen::Index n = jacobian.rows() / dim;
  const Eigen::Index n_units = jacobian.cols() / unit;
  cut.contacts = {counting(n), even_shares(n, n_ranks)};
  cut.units = {counting(n_units), even_shares(n_units, n_ranks)};
  if (n_ranks == 1 || n == 0) return cut;
  const Sparse pattern = block_pattern(jacobian, dim, unit);
  cut.units.number = band_order(Sparse(pattern.transpose()) * pattern);
  const std::vector<int> place = contact_places(pattern, places(cut.units.number));
  const auto at = [&place](int contact) { return place[contact]; };
  std::stable_sort(cut.contacts.number.begin(), cut.contacts.number.end(),
                   [&at](int a, int b) { return at(a) < at(b); });
  // a rank's bodies begin with that of its first contact
  for (int rank = 1; rank < n_ranks; ++rank) {
    const Eigen::Index contact = std::min<Eigen::Index>(cut.contacts.first[rank], n - 1);
    cut.units.first[rank] = at(cut.contacts.number[contact]);
  }
  return cut;
}

}  // namespace scree::fclib
