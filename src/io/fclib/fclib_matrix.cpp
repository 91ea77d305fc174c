#include "fclib_matrix.hpp"

#include <cmath>
#include <tuple>

namespace scree::fclib {
namespace {

bool stands_before(const Entry& a, const Entry& b) {
  return std::tie(a.row, a.column) < std::tie(b.row, b.column);
}

/// The largest |A_ij| of this rank's rows.
double largest_entry(Mat a) {
  double largest = 0.0;
  for_each_entry(a, [&largest](std::int32_t, std::int32_t, double value) {
    largest = std::max(largest, std::abs(value));
  });
  return largest;
}

}  // namespace

void Assembly::send() {
  const std::vector<Entry> received =
      fclib::send(comm_, foreign_, [this](const Entry& entry) { return rows_.owner(entry.row); });
  own_.insert(own_.end(), received.begin(), received.end());
  foreign_.clear();
}

CsrRows Assembly::take_rows() {
  std::vector<Entry> entries = std::exchange(own_, {});
  std::sort(entries.begin(), entries.end(), stands_before);
  CsrRows rows;
  rows.reserve(rows_.count(), entries.size());
  auto entry = entries.begin();
  for (std::int64_t row = rows_.begin(); row < rows_.end(); ++row) {
    for (; entry != entries.end() && entry->row == row; ++entry) {
      const bool again = static_cast<std::size_t>(rows.start.back()) < rows.column.size() &&
                         rows.column.back() == entry->column;
      if (again) {
        rows.value.back() += entry->value;
      } else {
        rows.add(entry->column, entry->value);
      }
    }
    rows.end_row();
  }
  return rows;
}

petsc::Matrix make_matrix(MPI_Comm comm, Assembly& assembly, const Shares& columns) {
  return scree::make_matrix(comm, assembly.take_rows(), static_cast<PetscInt>(columns.count()));
}

std::vector<std::pair<PetscInt, PetscInt>> rounds_of(MPI_Comm comm, Mat matrix) {
  PetscInt row = 0;
  PetscInt end = 0;
  SCREE_PETSC(MatGetOwnershipRange(matrix, &row, &end));
  std::vector<std::pair<PetscInt, PetscInt>> rounds{{row, row}};
  std::int64_t entries = 0;
  for (; row < end; ++row) {
    PetscInt n = 0;
    SCREE_PETSC(MatGetRow(matrix, row, &n, nullptr, nullptr));
    const PetscInt of_row = n;
    SCREE_PETSC(MatRestoreRow(matrix, row, &n, nullptr, nullptr));
    if (entries > 0 && entries + of_row > Assembly::kRound) {
      rounds.emplace_back(row, row);
      entries = 0;
    }
    entries += of_row;
    rounds.back().second = row + 1;
  }
  rounds.resize(max_over_ranks(comm, static_cast<std::int64_t>(rounds.size())), {end, end});
  return rounds;
}

void add_renumbered(Assembly& assembly, MPI_Comm comm, Mat matrix, const Renumbering& numbers) {
  PetscInt first_row = 0;
  SCREE_PETSC(MatGetOwnershipRange(matrix, &first_row, nullptr));
  for (const auto& [first, end] : rounds_of(comm, matrix)) {
    std::vector<std::int32_t> old_columns;
    for_each_entry(matrix, first, end, [&](std::int32_t, std::int32_t column, double) {
      old_columns.push_back(column);
    });
    const std::vector<std::int32_t> new_columns =
        fetch(comm, numbers.columns, numbers.of_columns, old_columns);
    auto column = new_columns.begin();
    for_each_entry(matrix, first, end, [&](std::int32_t row, std::int32_t, double value) {
      const std::int32_t new_row = numbers.of_rows[row - first_row];
      if (new_row >= 0 && *column >= 0) assembly.add(new_row, *column, value);
      ++column;
    });
    assembly.send();
  }
}

petsc::Matrix renumber(MPI_Comm comm, Mat matrix, const Renumbering& numbers, const Shares& rows,
                       const Shares& columns) {
  Assembly assembly(comm, rows);
  add_renumbered(assembly, comm, matrix, numbers);
  return make_matrix(comm, assembly, columns);
}

petsc::Vector make_vector(MPI_Comm comm, const std::vector<double>& values) {
  petsc::Vector vector = petsc::make_vector(comm, values.size());
  to_vec(values, vector.get());
  return vector;
}

std::vector<double> times(Mat a, const std::vector<double>& x) {
  petsc::Vector in;
  petsc::Vector out;
  SCREE_PETSC(MatCreateVecs(a, in.out(), out.out()));
  to_vec(x, in.get());
  SCREE_PETSC(MatMult(a, in.get(), out.get()));
  return to_rows(out.get());
}

std::vector<double> transposed_times(Mat a, const std::vector<double>& x) {
  petsc::Vector in;
  petsc::Vector out;
  SCREE_PETSC(MatCreateVecs(a, out.out(), in.out()));
  to_vec(x, in.get());
  SCREE_PETSC(MatMultTranspose(a, in.get(), out.get()));
  return to_rows(out.get());
}

double asymmetry(MPI_Comm comm, Mat a) {
  petsc::Matrix difference;
  SCREE_PETSC(MatTranspose(a, MAT_INITIAL_MATRIX, difference.out()));
  SCREE_PETSC(MatAXPY(difference.get(), -1.0, a, DIFFERENT_NONZERO_PATTERN));
  const double scale = max_over_ranks(comm, largest_entry(a));
  const double largest_difference = max_over_ranks(comm, largest_entry(difference.get()));
  return scale > 0.0 ? largest_difference / scale : 0.0;
}

}  // namespace scree::fclib
