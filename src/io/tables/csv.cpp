#include "scree/io/tables/csv.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "scree/base/check.hpp"

namespace scree {

std::string csv_text(double value) {
  return fmt::format("{}", value);
}

std::string csv_text(std::int64_t value) {
  return fmt::format("{}", value);
}

std::string csv_text(std::string_view value) {
  if (value.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(value);
  std::string quoted = "\"";
  for (const char c : value) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

LineFile::LineFile(const std::filesystem::path& path, bool append)
    : path_(path), file_(std::fopen(path.c_str(), append ? "a" : "w")) {
  if (!file_) {
    throw Failure(
        fmt::format("{}: cannot be opened for writing: {}", path.string(), std::strerror(errno)));
  }
}

void LineFile::flush_to_disk() {
  if (file_ && fsync(fileno(file_.get())) != 0) {
    throw Failure(fmt::format("{}: cannot be flushed: {}", path_.string(), std::strerror(errno)));
  }
}

void LineFile::write(const std::string& line) {
  if (!file_) return;
  const std::string text = line + '\n';
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size() ||
      std::fflush(file_.get()) != 0) {
    throw Failure(fmt::format("{}: cannot be written: {}", path_.string(), std::strerror(errno)));
  }
}

}  // namespace scree
