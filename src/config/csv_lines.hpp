#pragma once

/// The lines of a CSV file, split into cells: what both readers of tables (config/csv.hpp) stand
/// on.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace scree {

class CsvLines {
 public:
  /// @throws InputError when @p file cannot be read.
  explicit CsvLines(const std::filesystem::path& file);

  /// Goes to the next line that says something: no blank one, none that begins with #.
  /// @returns whether there is one. @throws Failure when reading fails.
  bool next();

  /// The cells of the line (RFC 4180; a cell does not go over its line), without the blanks about
  /// them.
  const std::vector<std::string>& cells() const { return cells_; }

  std::int64_t number() const { return number_; }  ///< number of the line in the file, from 1
  bool ended() const { return !stream_.eof(); }    ///< whether the line has its end

 private:
  void split();
  /// Reads the quoted cell that begins at @p begin. @returns where its closing mark stands. @throws
  /// InputError.
  std::size_t read_quoted(std::size_t begin, std::string& cell) const;

  std::filesystem::path file_;
  std::ifstream stream_;
  std::string text_;
  std::int64_t number_ = 0;
  std::vector<std::string> cells_;
};

}  // namespace scree
