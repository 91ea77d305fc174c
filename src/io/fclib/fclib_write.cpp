#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "fclib_file.hpp"
#include "fclib_output.hpp"
#include "fclib_rows.hpp"
#include "fclib_written.hpp"
#include "scree/base/parallel.hpp"
#include "scree/io/fclib/fclib.hpp"
#include "scree/io/run_folder/whole_file.hpp"

namespace scree {
namespace {

using fclib::Entry;
using fclib::Output;
using fclib::Shares;
using fclib::Springs;
using fclib::Written;

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

/// Collective.
FclibSizes sizes_of(const ContactProblem& problem) {
  FclibSizes sizes;
  const bool rolling = max_over_ranks(problem.comm, problem.rolling_length.empty() ? 0 : 1) != 0;
  sizes.rows = (rolling ? 5 : 3) * problem.n_cones_global();
  sizes.operator_entries = sum_over_ranks(problem.comm, n_entries(fclib::main_matrix(problem)));
  if (!problem.delassus.is_product()) return sizes;
  PetscInt dofs = 0;
  SCREE_PETSC(VecGetSize(problem.v_free.get(), &dofs));
  const std::int64_t springs = sum_over_ranks(
      problem.comm, static_cast<std::int64_t>(std::count_if(
                        problem.compliance.begin(), problem.compliance.end(), fclib::is_soft)));
  sizes.dofs = dofs + springs;
  sizes.mass_entries = sum_over_ranks(problem.comm, n_entries(inverse_mass(problem))) + springs;
  sizes.operator_entries += springs;
  return sizes;
}

/// Writes the entries of @p matrix that @p keep(entry) keeps, and may change, and after those of
/// all ranks @p others of each. @p keep is called twice for each entry. Collective.
template <class Keep>
void write_entries(const Output& output, const std::string& name, Mat matrix, Keep&& keep,
                   std::int64_t rows, std::int64_t columns, const std::vector<Entry>& others) {
  std::int64_t n_kept = 0;
  fclib::for_each_entry(matrix, [&](std::int32_t row, std::int32_t column, double value) {
    if (keep({row, column, value})) ++n_kept;
  });
  const Shares kept = fclib::shares_of(output.comm, n_kept);
  const Shares added = fclib::shares_of(output.comm, std::ssize(others));
  const fclib::MatrixOutput target(output, name, rows, columns, kept.total() + added.total());
  std::int64_t first = kept.begin();
  for (const auto& [row, end] : fclib::rounds_of(output.comm, matrix)) {
    std::vector<Entry> entries;
    fclib::for_each_entry(matrix, row, end, [&](std::int32_t i, std::int32_t j, double value) {
      if (keep({i, j, value})) entries.push_back({i, j, value});
    });
    target.write(first, entries);
    first += std::ssize(entries);
  }
  target.write(kept.total() + added.begin(), others);
}

/// Collective.
void write_global(const Output& output, const Written& written) {
  const ContactProblem& problem = written.problem;
  const std::vector<double> v_free = to_rows(problem.v_free.get());
  const Shares dofs = fclib::shares_of(output.comm, std::ssize(v_free));
  const fclib::Mass mass = fclib::mass_of(problem, dofs);
  const Springs springs = fclib::springs_of(written);
  const Shares spring_dofs = fclib::shares_of(output.comm, std::ssize(springs.rows));
  std::vector<Entry> spring_masses;
  std::vector<Entry> spring_slopes;
  for (std::size_t k = 0; k < springs.rows.size(); ++k) {
    const auto dof = static_cast<std::int32_t>(dofs.total() + spring_dofs.begin() +
                                               static_cast<std::int64_t>(k));
    spring_masses.push_back({dof, dof, 1.0 / springs.r[k]});
    spring_slopes.push_back({dof, springs.rows[k], 1.0});
  }
  const std::string group = written.group();
  const std::int64_t n_dofs = dofs.total() + spring_dofs.total();
  write_entries(
      output, group + "/M", mass.matrix.get(), [](const Entry&) { return true; }, n_dofs, n_dofs,
      spring_masses);
  const petsc::Matrix h = fclib::moving_transposed(written, dofs, mass.held);
  write_entries(
      output, group + "/H", h.get(), [](const Entry& entry) { return entry.value != 0.0; }, n_dofs,
      written.rows.rows.total(), spring_slopes);
  output.write_two(group + "/vectors/f", fclib::times(mass.matrix.get(), v_free),
                   std::vector<double>(springs.rows.size(), 0.0));
  // held degrees of freedom and gaps
  std::vector<double> w = written.rows.spread(in_file_units(written, to_rows(problem.r.get())));
  const std::vector<double> moving = fclib::transposed_times(h.get(), v_free);
  std::transform(w.begin(), w.end(), moving.begin(), w.begin(), std::minus<>());
  output.write(group + "/vectors/w", w);
  if (spring_dofs.total() > 0) output.write(group + "/info/compliant_rows", springs.rows);
}

/// Collective.
void write_local(const Output& output, const Written& written) {
  const petsc::Matrix w = fclib::whole_operator(written);
  const std::int64_t n = written.rows.rows.total();
  write_entries(output, written.group() + "/W", w.get(), [](const Entry&) { return true; }, n, n,
                {});
  output.write(written.group() + "/vectors/q",
               written.rows.spread(in_file_units(written, to_rows(written.problem.r.get()))));
}

/// The impulses @p lambda and what follows from them. Collective.
fclib::Solution solution_of(const Written& written, Vec lambda) {
  const ContactProblem& problem = written.problem;
  const petsc::Vector u = petsc::duplicate(problem.r.get());
  DelassusProduct(problem).contact_velocity(lambda, u.get());
  fclib::Solution solution{.r = written.rows.spread(fclib::impulses_in_file(problem, lambda)),
                           .u = written.rows.spread(in_file_units(written, to_rows(u.get()))),
                           .v = {},
                           .v_springs = {}};
  if (!written.global) return solution;
  solution.v = to_rows(end_velocity(problem, lambda).get());
  const Springs springs = fclib::springs_of(written);
  for (std::size_t k = 0; k < springs.rows.size(); ++k) {
    solution.v_springs.push_back(springs.r[k] *
                                 solution.r[springs.rows[k] - written.rows.rows.begin()]);
  }
  return solution;
}

/// Collective.
void write_info(const Output& output, const Written& written, const FclibNotes& notes) {
  const std::string group = written.group();
  output.write_scalar(group + "/spacedim", static_cast<std::int32_t>(written.rows.dim));
  output.write(group + "/vectors/mu", written.rows.mu);
  if (written.rows.rolling()) output.write(group + "/vectors/mu_r", written.rows.mu_r);
  const std::string info = group + "/info/";
  output.write_text(info + "title", notes.title);
  output.write_text(info + "description", "written by scree from " + written.problem.origin);
  output.write_text(info + "math_info", "unknown");
  if (!notes.configuration.empty()) output.write_text(info + "configuration", notes.configuration);
  if (!notes.solver.empty()) output.write_text(info + "solver", notes.solver);
  if (notes.velocity_error > 0.0) {
    output.write_scalar(info + "velocity_error", notes.velocity_error);
  }
  const auto any = [&output](const std::vector<std::int64_t>& ids) {
    return max_over_ranks(output.comm, std::ssize(ids)) > 0;
  };
  if (any(notes.body_ids)) output.write(info + "body_id", notes.body_ids);
  if (any(notes.contact_ids)) output.write(info + "contact_id", notes.contact_ids, 2);
}

/// As FCLIB names it; its reader looks for the first guess at the root. Collective.
void write_guess(const Output& output, const Written& written, Vec guess) {
  h5::create_group(output.file, "guesses");
  output.write_scalar("guesses/number_of_guesses", std::int32_t{1});
  write_solution(output, "guesses/1", solution_of(written, guess), written.global);
  SCREE_HDF5(H5Lcreate_hard(output.file, "guesses/1", output.file, "1", H5P_DEFAULT, H5P_DEFAULT));
}

/// An upper bound of the bytes of a file.
std::int64_t bytes_of(const FclibSizes& sizes, const FclibNotes& notes) {
  constexpr std::int64_t kHeads = 1 << 18;  // of some sixty groups and datasets, 4 KiB each
  constexpr std::int64_t kEntry = 16;
  constexpr std::int64_t kOfRow = 72;  // w or q, mu and mu_r, ids, r and u twice, springs' rows
  constexpr std::int64_t kOfDof = 32;  // f, v twice, ids
  return kHeads + kEntry * (sizes.operator_entries + sizes.mass_entries) + kOfRow * sizes.rows +
         kOfDof * sizes.dofs +
         static_cast<std::int64_t>(notes.configuration.size() + notes.solver.size());
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
  const FclibSizes sizes = sizes_of(problem);
  if (const std::string fault = fclib_fault(sizes); !fault.empty()) {
    throw Failure(fmt::format("{}: cannot be written: {}", path.string(), fault));
  }
  const Written written = fclib::prepare(problem);
  write_whole_hdf5(problem.comm, path, {.kind = "contact problem", .bytes = bytes_of(sizes, notes)},
                   [&](hid_t file) {
                     const Output output{problem.comm, file};
                     create_groups(file, written.group(), written.global);
                     write_info(output, written, notes);
                     if (written.global) {
                       write_global(output, written);
                     } else {
                       write_local(output, written);
                     }
                     if (notes.guess != nullptr) write_guess(output, written, notes.guess);
                     if (notes.solution != nullptr) {
                       write_solution(output, "solution", solution_of(written, notes.solution),
                                      written.global);
                     }
                   });
}

}  // namespace scree
