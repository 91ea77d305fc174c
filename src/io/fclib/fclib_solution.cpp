#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "fclib_gather.hpp"
#include "fclib_rolling.hpp"
#include "scree/base/parallel.hpp"
#include "scree/io/fclib/fclib.hpp"
#include "scree/io/run_folder/whole_file.hpp"

namespace scree {
namespace fs = std::filesystem;
namespace {

/// This rank's rows of the first guess in @p path; zero where it has none.
std::vector<double> guess_rows(const ContactProblem& problem, const fs::path& path) {
  const Cones& cones = problem.cones;
  std::vector<double> rows(cones.rows(), 0.0);
  const h5::File file = h5::open_file(path);
  if (!h5::is_group(file.get(), "guesses/1")) return rows;
  const fclib::Header header = fclib::read_header(file.get(), path);
  const std::vector<double> all = h5::read<double>(file.get(), "guesses/1/r");
  if (std::cmp_not_equal(all.size(), header.q.size())) {
    throw InputError(fmt::format("{}: guesses/1/r has {} numbers instead of {}", path.string(),
                                 all.size(), header.q.size()));
  }
  const std::vector<double> length = fclib::row_lengths(problem);
  for (std::size_t i = 0; i < cones.count(); ++i) {
    const std::size_t from = problem.number_in_file[i] * header.dim;
    for (int k = 0; k < cones.dim(i); ++k) {
      const double value = all[from + k];
      if (!std::isfinite(value)) {
        throw InputError(
            fmt::format("{}: guesses/1/r holds a number that is not finite", path.string()));
      }
      const std::size_t row = cones.offset[i] + k;
      rows[row] = value / length[row];
    }
  }
  return rows;
}

FclibSolve solve_of(const fs::path& path) {
  const h5::File file = h5::open_file(path);
  const std::string info = fclib::read_header(file.get(), path).group() + "/info/";
  const std::string keys = info + "solver";
  if (!h5::is_dataset(file.get(), keys)) {
    throw InputError(
        fmt::format("{}: does not say how it was solved ({} is missing); solve it without --replay",
                    path.string(), keys));
  }
  FclibSolve solve{.keys = h5::read_text(file.get(), keys)};
  const std::string bound = info + "velocity_error";
  if (!h5::is_dataset(file.get(), bound)) return solve;
  solve.velocity_error = h5::read_scalar<double>(file.get(), bound);
  if (!(solve.velocity_error > 0.0)) {
    throw InputError(fmt::format("{}: {} is {}; it must be above 0", path.string(), bound,
                                 solve.velocity_error));
  }
  return solve;
}

}  // namespace

petsc::Vector read_fclib_guess(const ContactProblem& problem, const fs::path& path) {
  SCREE_ASSERT(problem.number_in_file.size() == problem.cones.count());
  petsc::Vector guess = petsc::duplicate(problem.r.get());
  std::string error;
  try {
    const std::vector<double> rows = h5::reading(path, [&] { return guess_rows(problem, path); });
    std::copy(rows.begin(), rows.end(), petsc::View(guess.get()).data());
  } catch (const InputError& fault) {
    error = fault.what();
  }
  refuse_together(problem.comm, error);
  return guess;
}

FclibSolve read_fclib_solve(MPI_Comm comm, const fs::path& path) {
  FclibSolve solve;
  std::string error;
  try {
    if (rank_of(comm) == 0) solve = h5::reading(path, [&] { return solve_of(path); });
  } catch (const InputError& fault) {
    error = fault.what();
  }
  refuse_together(comm, error);
  solve.keys = broadcast(comm, solve.keys);
  SCREE_MPI(MPI_Bcast(&solve.velocity_error, 1, MPI_DOUBLE, 0, comm));
  return solve;
}

void write_fclib_solution(const ContactProblem& problem, Vec lambda, const fs::path& source,
                          const fs::path& path) {
  const fclib::Contacts contacts{fclib::gather_dims(problem),
                                 fclib::gather(problem.comm, problem.number_in_file)};
  const std::vector<double> impulses = fclib::gather_impulses(problem, lambda);
  fclib::on_rank_0(problem.comm, [&] {
    const h5::File file = h5::open_in_memory(source);
    if (h5::exists(file.get(), "solution")) {
      SCREE_HDF5(H5Ldelete(file.get(), "solution", H5P_DEFAULT));
    }
    fclib::write_impulses(file.get(), source, "solution", contacts, impulses);
    write_whole(path, h5::image(file));
  });
}

}  // namespace scree
