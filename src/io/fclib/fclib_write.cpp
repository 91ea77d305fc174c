#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "fclib_compliance.hpp"
#include "fclib_gather.hpp"
#include "fclib_mass.hpp"
#include "fclib_rolling.hpp"
#include "scree/base/parallel.hpp"
#include "scree/io/fclib/fclib.hpp"
#include "scree/io/run_folder/whole_file.hpp"

namespace scree {
namespace {

using fclib::Dense;
using fclib::FileRows;
using fclib::Sparse;
using fclib::to_vector;

Dense to_dense(const std::vector<double>& values) {
  return Eigen::Map<const Dense>(values.data(), static_cast<Eigen::Index>(values.size()));
}

void write_matrix(hid_t file, const std::string& name, const Sparse& matrix) {
  std::vector<std::int32_t> i;
  std::vector<std::int32_t> p;
  std::vector<double> x;
  for (int row = 0; row < matrix.rows(); ++row) {
    for (Sparse::InnerIterator entry(matrix, row); entry; ++entry) {
      i.push_back(row);
      p.push_back(static_cast<std::int32_t>(entry.col()));
      x.push_back(entry.value());
    }
  }
  const auto count = static_cast<std::int32_t>(x.size());
  h5::write_scalar(file, name + "/m", static_cast<std::int32_t>(matrix.rows()));
  h5::write_scalar(file, name + "/n", static_cast<std::int32_t>(matrix.cols()));
  h5::write_scalar(file, name + "/nz", count);
  h5::write_scalar(file, name + "/nzmax", count);
  h5::write(file, name + "/p", p);
  h5::write(file, name + "/i", i);
  h5::write(file, name + "/x", x);
}

/// M of M^-1 in which held degrees of freedom are zero rows: those get the mass 1.
Sparse mass_of(Sparse inverse, std::vector<bool>& held) {
  const Eigen::Index n = inverse.rows();
  held.assign(n, true);
  for (int row = 0; row < n; ++row) {
    for (Sparse::InnerIterator entry(inverse, row); entry; ++entry) {
      if (entry.value() != 0.0) held[row] = false;
    }
  }
  Sparse ones(n, n);
  for (int row = 0; row < n; ++row) {
    if (held[row]) ones.insert(row, row) = 1.0;
  }
  return fclib::MassInverse(inverse + ones, "the inverse mass").matrix();
}

/// The soft rows of a file, and their compliances in its units.
struct Springs {
  std::vector<std::int32_t> rows;
  std::vector<double> r;
};

void write_global(hid_t file, const std::string& group, const FileRows& rows,
                  const Sparse& jacobian, const Sparse& inverse_mass, const Dense& v_free,
                  const Dense& r, const Springs& springs) {
  std::vector<bool> held;
  const Sparse mass = mass_of(inverse_mass, held);
  Sparse moving = jacobian;
  moving.prune([&held](Eigen::Index, Eigen::Index column, double value) {
    return value != 0.0 && !held[column];
  });
  const Dense w = r - moving * v_free;  // what held degrees of freedom and gaps give
  const Sparse spread_rows = spread(moving, rows, false);
  fclib::GlobalMatrices matrices{mass, Sparse(spread_rows.transpose()), mass * v_free};
  fclib::append_springs(matrices, springs.rows, springs.r);
  write_matrix(file, group + "/M", matrices.mass);
  write_matrix(file, group + "/H", matrices.h);
  h5::write(file, group + "/vectors/f", to_vector(matrices.f));
  h5::write(file, group + "/vectors/w", to_vector(spread(to_vector(w), rows)));
  if (!springs.rows.empty()) h5::write(file, group + "/info/compliant_rows", springs.rows);
}

void create_groups(hid_t file, const std::string& group, bool global) {
  for (const char* matrix : {"M", "H", "W"}) {
    if ((std::string_view(matrix) == "W") == global) continue;
    h5::create_group(file, group + "/" + matrix);
  }
  h5::create_group(file, group + "/vectors");
  h5::create_group(file, group + "/info");
}

/// Collective. The entries of @p matrix on this rank.
std::int64_t n_entries(Mat matrix) {
  MatInfo info;
  SCREE_PETSC(MatGetInfo(matrix, MAT_LOCAL, &info));
  return static_cast<std::int64_t>(info.nz_used);
}

bool is_soft(double compliance) {
  return compliance != 0.0;
}

/// J or W. Collective.
Mat main_matrix(const ContactProblem& problem) {
  return problem.delassus.is_product() ? jacobian(problem) : problem.delassus.matrix.get();
}

/// Collective.
FclibSizes sizes_of(const ContactProblem& problem) {
  FclibSizes sizes;
  const bool rolling = max_over_ranks(problem.comm, problem.rolling_length.empty() ? 0 : 1) != 0;
  sizes.rows = (rolling ? 5 : 3) * problem.n_cones_global();
  sizes.operator_entries = sum_over_ranks(problem.comm, n_entries(main_matrix(problem)));
  if (!problem.delassus.is_product()) return sizes;
  PetscInt dofs = 0;
  SCREE_PETSC(VecGetSize(problem.v_free.get(), &dofs));
  const std::int64_t springs = sum_over_ranks(
      problem.comm, static_cast<std::int64_t>(std::count_if(problem.compliance.begin(),
                                                            problem.compliance.end(), is_soft)));
  sizes.dofs = dofs + springs;
  sizes.mass_entries = sum_over_ranks(problem.comm, n_entries(inverse_mass(problem))) + springs;
  sizes.operator_entries += springs;
  return sizes;
}

/// The whole problem on rank 0 before it writes, in the file's units.
struct Whole {
  FileRows rows;
  Sparse main;  ///< J or W
  Sparse inverse_mass;
  std::vector<double> v_free;
  std::vector<double> r;
  std::vector<double> compliance;  ///< compliance of all rows of the problem, 1/kg
  std::vector<std::int64_t> body_ids;
  std::vector<std::int64_t> contact_ids;
  std::vector<std::int32_t> dims;
  std::vector<double> guess;
  std::vector<double> solution;
};

/// Brings the rolling rows of @p whole to the file's units; @p length: l of all rows of the
/// problem.
void to_file_units(Whole& whole, const std::vector<double>& length, bool product) {
  const Dense factor = to_dense(length).cwiseInverse();
  whole.main = Sparse(factor.asDiagonal() * whole.main);
  if (!product) whole.main = Sparse(whole.main * factor.asDiagonal());
  whole.r = to_vector(factor.cwiseProduct(to_dense(whole.r)));
  whole.compliance = to_vector(factor.cwiseAbs2().cwiseProduct(to_dense(whole.compliance)));
}

/// Collective.
Whole gather_whole(const ContactProblem& problem, const FclibNotes& notes) {
  const MPI_Comm comm = problem.comm;
  const bool product = problem.delassus.is_product();
  Whole whole;
  whole.rows = fclib::file_rows(problem);
  whole.main = fclib::gather(comm, main_matrix(problem));
  if (product) {
    whole.inverse_mass = fclib::gather(comm, inverse_mass(problem));
    whole.v_free = fclib::gather(comm, problem.v_free.get());
  }
  whole.r = fclib::gather(comm, problem.r.get());
  std::vector<double> compliance = problem.compliance;
  compliance.resize(problem.cones.rows(), 0.0);
  whole.compliance = fclib::gather(comm, compliance);
  const std::vector<double> length = fclib::gather(comm, fclib::row_lengths(problem));
  if (whole.rows.rolling()) to_file_units(whole, length, product);
  whole.body_ids = fclib::gather(comm, notes.body_ids);
  whole.contact_ids = fclib::gather(comm, notes.contact_ids);
  whole.dims = fclib::gather_dims(problem);
  if (notes.guess != nullptr) whole.guess = fclib::gather_impulses(problem, notes.guess);
  if (notes.solution != nullptr) whole.solution = fclib::gather_impulses(problem, notes.solution);
  return whole;
}

Springs springs_of(const Whole& whole) {
  Springs springs;
  for (std::size_t k = 0; k < whole.compliance.size(); ++k) {
    if (!is_soft(whole.compliance[k])) continue;
    springs.rows.push_back(whole.rows.row[k]);
    springs.r.push_back(whole.compliance[k]);
  }
  return springs;
}

/// W + R.
Sparse with_compliance(const Whole& whole) {
  Sparse w = whole.main;
  for (std::size_t k = 0; k < whole.compliance.size(); ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    if (is_soft(whole.compliance[k])) w.coeffRef(row, row) += whole.compliance[k];
  }
  return w;
}

void write_info(hid_t file, const std::string& group, const Whole& whole, const FclibNotes& notes,
                const ContactProblem& problem) {
  h5::write_scalar(file, group + "/spacedim", static_cast<std::int32_t>(whole.rows.dim));
  h5::write(file, group + "/vectors/mu", whole.rows.mu);
  if (whole.rows.rolling()) h5::write(file, group + "/vectors/mu_r", whole.rows.mu_r);
  const std::string info = group + "/info/";
  h5::write_text(file, info + "title", notes.title);
  h5::write_text(file, info + "description", "written by scree from " + problem.origin);
  h5::write_text(file, info + "math_info", "unknown");
  if (!notes.configuration.empty())
    h5::write_text(file, info + "configuration", notes.configuration);
  if (!notes.solver.empty()) h5::write_text(file, info + "solver", notes.solver);
  if (notes.velocity_error > 0.0) {
    h5::write_scalar(file, info + "velocity_error", notes.velocity_error);
  }
  if (!whole.body_ids.empty()) h5::write(file, info + "body_id", whole.body_ids);
  if (!whole.contact_ids.empty()) h5::write(file, info + "contact_id", whole.contact_ids, 2);
}

/// As FCLIB names it; its reader looks for the first guess at the root.
void write_guess(hid_t file, const std::filesystem::path& path, const Whole& whole) {
  h5::create_group(file, "guesses");
  h5::write_scalar(file, "guesses/number_of_guesses", std::int32_t{1});
  fclib::write_impulses(file, path, "guesses/1", {whole.dims, {}}, whole.guess);
  SCREE_HDF5(H5Lcreate_hard(file, "guesses/1", file, "1", H5P_DEFAULT, H5P_DEFAULT));
}

}  // namespace

std::string fclib_fault(const FclibSizes& sizes) {
  static constexpr std::int64_t kLargest = std::numeric_limits<std::int32_t>::max();
  const auto fault = [](std::int64_t count, std::string_view what) {
    return fmt::format(
        "an FCLIB file counts in 32 bits, up to {}; this contact problem has {} {}: write that of "
        "a smaller run",
        kLargest, count, what);
  };
  if (sizes.rows > kLargest) return fault(sizes.rows, "rows of contacts");
  if (sizes.dofs > kLargest) return fault(sizes.dofs, "degrees of freedom");
  if (sizes.operator_entries > kLargest) {
    return fault(sizes.operator_entries, sizes.dofs > 0 ? "entries in H" : "entries in W");
  }
  if (sizes.mass_entries > kLargest) return fault(sizes.mass_entries, "entries in M");
  return {};
}

void write_fclib(const ContactProblem& problem, const std::filesystem::path& path,
                 const FclibNotes& notes) {
  if (const std::string fault = fclib_fault(sizes_of(problem)); !fault.empty()) {
    throw Failure(fmt::format("{}: cannot be written: {}", path.string(), fault));
  }
  const bool global = problem.delassus.is_product();
  const Whole whole = gather_whole(problem, notes);
  fclib::on_rank_0(problem.comm, [&] {
    const std::string group =
        fclib::group_of(global ? fclib::Kind::global : fclib::Kind::local, whole.rows.rolling());
    const h5::File file = h5::create_in_memory();
    create_groups(file.get(), group, global);
    write_info(file.get(), group, whole, notes, problem);
    if (global) {
      write_global(file.get(), group, whole.rows, whole.main, whole.inverse_mass,
                   to_dense(whole.v_free), to_dense(whole.r), springs_of(whole));
    } else {
      write_matrix(file.get(), group + "/W", spread(with_compliance(whole), whole.rows, true));
      h5::write(file.get(), group + "/vectors/q", to_vector(spread(whole.r, whole.rows)));
    }
    if (notes.guess != nullptr) write_guess(file.get(), path, whole);
    if (notes.solution != nullptr) {
      fclib::write_impulses(file.get(), path, "solution", {whole.dims, {}}, whole.solution);
    }
    write_whole(path, h5::image(file));
  });
}

}  // namespace scree
