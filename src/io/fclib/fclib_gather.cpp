#include "fclib_gather.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "fclib_mass.hpp"
#include "fclib_rolling.hpp"

namespace scree::fclib {

std::vector<double> gather(MPI_Comm comm, Vec v) {
  const petsc::ConstView view(v);
  return gather(comm, std::vector<double>(view.span().begin(), view.span().end()));
}

Sparse gather(MPI_Comm comm, Mat matrix) {
  std::vector<std::int32_t> row;
  std::vector<std::int32_t> column;
  std::vector<double> value;
  PetscInt first = 0;
  PetscInt end = 0;
  SCREE_PETSC(MatGetOwnershipRange(matrix, &first, &end));
  for (PetscInt i = first; i < end; ++i) {
    PetscInt n = 0;
    const PetscInt* c = nullptr;
    const double* v = nullptr;
    SCREE_PETSC(MatGetRow(matrix, i, &n, &c, &v));
    row.insert(row.end(), n, i);
    column.insert(column.end(), c, c + n);
    value.insert(value.end(), v, v + n);
    SCREE_PETSC(MatRestoreRow(matrix, i, &n, &c, &v));
  }
  row = gather(comm, row);
  column = gather(comm, column);
  value = gather(comm, value);
  PetscInt n_rows = 0;
  PetscInt n_columns = 0;
  SCREE_PETSC(MatGetSize(matrix, &n_rows, &n_columns));
  std::vector<Eigen::Triplet<double>> triplets;
  triplets.reserve(value.size());
  for (std::size_t k = 0; k < value.size(); ++k) {
    triplets.emplace_back(row[k], column[k], value[k]);
  }
  Sparse all(n_rows, n_columns);
  if (rank_of(comm) == 0) all.setFromTriplets(triplets.begin(), triplets.end());
  return all;
}

FileRows file_rows(const Contacts& contacts, std::vector<double> mu, int dim) {
  FileRows rows;
  rows.mu = std::move(mu);
  rows.dim = dim;
  for (std::size_t i = 0; i < contacts.dims.size(); ++i) {
    const int number = contacts.number.empty() ? static_cast<int>(i) : contacts.number[i];
    for (int k = 0; k < contacts.dims[i]; ++k) rows.row.push_back(number * dim + k);
  }
  return rows;
}

namespace {

/// The rows a contact that a file for cones of @p dims needs.
int file_dim(const std::vector<std::int32_t>& dims) {
  const bool two = std::find(dims.begin(), dims.end(), 2) != dims.end();
  const int largest = dims.empty() ? 3 : std::max(3, *std::max_element(dims.begin(), dims.end()));
  if (!two) return largest;
  if (std::any_of(dims.begin(), dims.end(), [](int dim) { return dim > 2; })) {
    throw Failure("an FCLIB file cannot hold contacts of dim 2 beside contacts of dim 3");
  }
  return 2;
}

/// Collective. @throws Failure.
void require_contacts(const ContactProblem& problem) {
  constexpr std::array kTypes{
      cones::kTypeOf<cones::HalfLine>,      cones::kTypeOf<cones::Planar>,
      cones::kTypeOf<cones::Circular>,      cones::kTypeOf<cones::Pyramid>,
      cones::kTypeOf<cones::Rolling>,       cones::kTypeOf<cones::FacetedCircular>,
      cones::kTypeOf<cones::FacetedRolling>};
  std::string fault;
  for (const ConeBatch& batch : problem.cones.batches) {
    if (std::find(kTypes.begin(), kTypes.end(), batch.type) != kTypes.end()) continue;
    fault = fmt::format("an FCLIB file cannot hold {}", cones::kNames[batch.type]);
  }
  fail_together(problem.comm, fault);
}

}  // namespace

std::vector<std::int32_t> gather_dims(const ContactProblem& problem) {
  std::vector<std::int32_t> dims;
  for (std::size_t i = 0; i < problem.cones.count(); ++i) dims.push_back(problem.cones.dim(i));
  return gather(problem.comm, dims);
}

std::vector<double> gather_impulses(const ContactProblem& problem, Vec lambda) {
  std::vector<double> impulses = row_lengths(problem);
  const petsc::ConstView view(lambda);
  std::transform(impulses.begin(), impulses.end(), view.data(), impulses.begin(),
                 std::multiplies<>());
  return gather(problem.comm, impulses);
}

FileRows file_rows(const ContactProblem& problem) {
  require_contacts(problem);
  const std::vector<std::int32_t> dims = gather_dims(problem);
  std::vector<double> mu = gather(problem.comm, friction_coefficients(problem.cones));
  std::vector<double> mu_r = gather(problem.comm, rolling_coefficients(problem));
  FileRows rows;
  on_rank_0(problem.comm, [&] {
    rows = file_rows({dims, {}}, std::move(mu), file_dim(dims));
    if (rows.rolling()) rows.mu_r = std::move(mu_r);
  });
  return rows;
}

Dense spread(const std::vector<double>& values, const FileRows& rows) {
  Dense all = Dense::Zero(rows.count());
  for (std::size_t k = 0; k < values.size(); ++k) all[rows.row[k]] = values[k];
  return all;
}

Sparse spread(const Sparse& matrix, const FileRows& rows, bool columns_too) {
  std::vector<Eigen::Triplet<double>> triplets;
  for (int row = 0; row < matrix.rows(); ++row) {
    for (Sparse::InnerIterator entry(matrix, row); entry; ++entry) {
      const std::size_t column = entry.col();
      triplets.emplace_back(
          rows.row[row], columns_too ? rows.row[column] : static_cast<int>(column), entry.value());
    }
  }
  Sparse all(rows.count(), columns_too ? rows.count() : matrix.cols());
  all.setFromTriplets(triplets.begin(), triplets.end());
  return all;
}

void write_impulses(hid_t file, const std::filesystem::path& path, const std::string& group,
                    const Contacts& contacts, const std::vector<double>& impulses) {
  const Header header = read_header(file, path);
  const Eigen::Index n = header.q.size();
  const Dense r = spread(impulses, file_rows(contacts, header.mu, header.dim));
  h5::create_group(file, group);
  Dense u;
  Dense v;
  if (header.global()) {
    const GlobalMatrices matrices = read_global(file, path, header);
    v = MassInverse(matrices.mass, path).times(matrices.h * r + matrices.f);
    u = matrices.h.transpose() * v + header.q;
  } else {
    u = read_matrix(file, path, header.matrix(), n, n) * r + header.q;
  }
  if (!r.allFinite() || !u.allFinite() || !v.allFinite()) {
    throw Failure(fmt::format(
        "the {} has numbers that are not finite, which no reader of FCLIB files takes", group));
  }
  if (header.global()) h5::write(file, group + "/v", to_vector(v));
  h5::write(file, group + "/r", to_vector(r));
  h5::write(file, group + "/u", to_vector(u));
}

}  // namespace scree::fclib
