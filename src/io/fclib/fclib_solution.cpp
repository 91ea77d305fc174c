#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "fclib_bodies.hpp"
#include "fclib_output.hpp"
#include "fclib_rolling.hpp"
#include "fclib_rows.hpp"
#include "scree/base/parallel.hpp"
#include "scree/io/fclib/fclib.hpp"
#include "scree/io/run_folder/whole_file.hpp"

namespace scree {
namespace fs = std::filesystem;
namespace {

/// An upper bound of the bytes of @p source with a solution.
std::int64_t bytes_with_solution(const fs::path& source, const fclib::Header& header) {
  constexpr std::int64_t kHeads = 1 << 15;  // of a group and three datasets
  std::error_code ignored;
  const auto of_source = static_cast<std::int64_t>(fs::file_size(source, ignored));
  return of_source + kHeads + 8 * (2 * header.n_rows() + header.n_dofs);
}

constexpr const char* kGuess = "guesses/1/r";

/// This rank's share of the first guess in @p path, by the file's @p rows; none where it has none.
/// @throws InputError.
std::vector<double> guess_share(hid_t file, const fs::path& path, const fclib::Shares& rows) {
  if (!h5::is_group(file, "guesses/1")) return {};
  const std::int64_t found = h5::count(file, kGuess);
  if (found != rows.total()) {
    fclib::refuse(path,
                  fmt::format("{} has {} numbers instead of {}", kGuess, found, rows.total()));
  }
  return fclib::read_share(file, path, kGuess, rows);
}

/// Velocities by the impulses @p r in a file that other programs may have written. Collective.
/// @throws InputError on every rank.
fclib::Solution solution_of_file(MPI_Comm comm, hid_t file, const fs::path& path,
                                 const fclib::Header& header, std::vector<double> r) {
  const fclib::Shares rows = fclib::even_shares(comm, header.n_contacts).of_parts(header.dim);
  fclib::Solution solution{.r = std::move(r)};
  std::vector<double> velocity;
  fclib::refuse_on_all(comm, path,
                       [&] { velocity = fclib::read_share(file, path, header.velocity(), rows); });
  if (header.global()) {
    const fclib::Bodies bodies = fclib::read_bodies(comm, file, path, header, rows);
    std::vector<double> momentum = fclib::transposed_times(bodies.jacobian.get(), solution.r);
    fclib::add_to(momentum, bodies.momentum);
    solution.v = fclib::MassInverse(comm, bodies.mass.get(), bodies.dofs, path).times(momentum);
    solution.u = fclib::times(bodies.jacobian.get(), solution.v);
  } else {
    solution.u =
        fclib::times(fclib::read_operator(comm, file, path, header, rows).get(), solution.r);
  }
  fclib::add_to(solution.u, velocity);
  return solution;
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
  MPI_Comm comm = problem.comm;
  fclib::Header header;
  fclib::Shares rows;
  std::vector<double> share;
  fclib::refuse_on_all(comm, path, [&] {
    const h5::File file = h5::open_file(path);
    header = fclib::read_header(file.get(), path);
    rows = fclib::even_shares(comm, header.n_contacts).of_parts(header.dim);
    share = guess_share(file.get(), path, rows);
  });
  petsc::Vector guess = petsc::duplicate(problem.r.get());
  if (max_over_ranks(comm, std::ssize(share)) == 0) return guess;
  std::vector<double> impulses =
      fclib::fetch(comm, rows, share, fclib::rows_in_file(problem, header.dim));
  const std::vector<double> length = fclib::row_lengths(problem);
  std::transform(impulses.begin(), impulses.end(), length.begin(), impulses.begin(),
                 std::divides<>());
  to_vec(impulses, guess.get());
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
  MPI_Comm comm = problem.comm;
  fclib::Header header;
  h5::File file;
  fclib::refuse_on_all(comm, source, [&] {
    file = h5::open_file(source);
    header = fclib::read_header(file.get(), source);
  });
  header.n_springs = 0;  // which are bodies like others to those who read the solution
  const fclib::Shares rows = fclib::even_shares(comm, header.n_contacts).of_parts(header.dim);
  const std::vector<std::int32_t> numbers = fclib::rows_in_file(problem, header.dim);
  const fclib::Solution solution = solution_of_file(
      comm, file.get(), source, header,
      fclib::deliver(comm, rows, numbers, fclib::impulses_in_file(problem, lambda), 0.0));
  file.close();
  change_whole_hdf5(comm, source, path,
                    {.kind = "solution", .bytes = bytes_with_solution(source, header)},
                    [&](hid_t copy) {
                      if (h5::exists(copy, "solution")) {
                        SCREE_HDF5(H5Ldelete(copy, "solution", H5P_DEFAULT));
                      }
                      fclib::write_solution({comm, copy}, "solution", solution, header.global());
                    });
}

}  // namespace scree
