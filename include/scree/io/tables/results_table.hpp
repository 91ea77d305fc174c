#pragma once

/// A table of results: a row for each of many runs, columns of numbers or texts, as CSV and as
/// HDF5.
///
///     /                    attributes: program, version, git_hash
///     /columns             text: the columns in order, GROUP/NAME, a line each
///     /configuration       text: what was asked for
///     /GROUP/NAME          the column, one entry a row; attribute `unit`
///
/// Not collective.

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace scree {

struct ResultsColumn {
  std::string group;  ///< `cases`, `parameters`, `repeats`, `observables` or `provenance`
  std::string name;
  std::string unit;
  std::variant<std::vector<double>, std::vector<std::string>> values;
};

struct ResultsTable {
  std::string configuration;
  std::vector<ResultsColumn> columns;  ///< all of one length

  std::size_t rows() const;
};

/// One line of names, one line a row; texts that take more than a line are left out. The file
/// appears when it is whole.
/// @throws Failure.
void write_results_csv(const std::filesystem::path& path, const ResultsTable& table);

/// @throws Failure.
void write_results_hdf5(const std::filesystem::path& path, const ResultsTable& table);

/// The table that write_results_hdf5 wrote. @throws InputError when @p path is no such file.
ResultsTable read_results(const std::filesystem::path& path);

}  // namespace scree
