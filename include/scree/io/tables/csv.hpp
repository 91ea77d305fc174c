#pragma once

/// CSV files: one row of names, then rows of values; comma, full stop, one line a record (RFC 4180
/// quoting). Numbers are the shortest text that reads back as the same number; not-a-number is
/// `nan`. Units are in the table of columns (io/tables/columns.hpp), which `scree info steps.csv`
/// prints.

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "scree/io/tables/columns.hpp"

namespace scree {

std::string csv_text(double value);
std::string csv_text(std::int64_t value);
/// Quoted where it holds a comma, a quote or the end of a line.
std::string csv_text(std::string_view value);

/// A file of text that is written line by line, each flushed, so that a run that is watched or
/// killed has whole rows. Not collective: rank 0 makes one, other ranks leave it default-made,
/// which writes nothing.
class LineFile {
 public:
  LineFile() = default;
  /// Creates @p path, or goes on at its end. @throws Failure when that cannot be done.
  LineFile(const std::filesystem::path& path, bool append);
  /// @throws Failure when the line cannot be written (a full disk).
  void write(const std::string& line);
  /// Hands the lines written so far to the disk, so that they outlive the machine, too. @throws
  /// Failure.
  void flush_to_disk();
  bool is_open() const { return static_cast<bool>(file_); }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::filesystem::path path_;
  std::unique_ptr<std::FILE, Close> file_;
};

/// One line: what @p text says of each column.
template <class Record, class Text>
std::string csv_line(std::span<const Column<Record>> columns, Text&& text) {
  std::string line;
  for (const Column<Record>& column : columns) {
    if (!line.empty()) line += ',';
    line += text(column);
  }
  return line;
}

/// The names of the columns: the first line of the file.
template <class Record>
std::string csv_header(std::span<const Column<Record>> columns) {
  return csv_line(columns, [](const Column<Record>& column) { return csv_text(column.name); });
}

/// Writes records as rows of a CSV file. Use as LineFile.
template <class Record>
class CsvWriter {
 public:
  CsvWriter() = default;
  CsvWriter(const std::filesystem::path& path, std::span<const Column<Record>> columns,
            bool append = false)
      : columns_(columns), file_(path, append) {
    if (append && std::filesystem::file_size(path) > 0) return;
    file_.write(csv_header(columns));
  }

  /// Hands the lines written so far to the disk. @throws Failure.
  void flush_to_disk() { file_.flush_to_disk(); }

  void write(const Record& record) {
    if (!file_.is_open()) return;
    file_.write(csv_line(columns_, [&](const Column<Record>& c) { return c.text(record); }));
  }

 private:
  std::span<const Column<Record>> columns_;
  LineFile file_;
};

}  // namespace scree
