#include "csv_lines.hpp"

#include <fmt/format.h>

#include <string_view>

#include "scree/base/check.hpp"

namespace scree {
namespace {

constexpr std::string_view kBlank = " \t\r";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

void trim(std::string& cell) {
  cell.erase(cell.find_last_not_of(kBlank) + 1);
  cell.erase(0, cell.find_first_not_of(kBlank));
}

}  // namespace

CsvLines::CsvLines(const std::filesystem::path& file) : file_(file), stream_(file) {
  if (!stream_)
    throw InputError(fmt::format("{}: no such file, or it cannot be read", file.string()));
}

bool CsvLines::next() {
  while (std::getline(stream_, text_)) {
    ++number_;
    if (number_ == 1 && text_.starts_with(kByteOrderMark)) text_.erase(0, kByteOrderMark.size());
    const std::size_t first = text_.find_first_not_of(kBlank);
    if (first == std::string::npos || text_[first] == '#') continue;
    split();
    return true;
  }
  if (stream_.bad()) throw Failure(fmt::format("{}: reading failed", file_.string()));
  return false;
}

void CsvLines::split() {
  std::size_t count = 0;
  const auto open_cell = [&] {
    if (cells_.size() == count) cells_.emplace_back();
    cells_[count++].clear();
  };
  open_cell();
  bool quoted = false;
  for (std::size_t k = 0; k < text_.size(); ++k) {
    const char c = text_[k];
    if (quoted && c == '"' && k + 1 < text_.size() && text_[k + 1] == '"') {
      cells_[count - 1] += text_[++k];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      open_cell();
    } else {
      cells_[count - 1] += c;
    }
  }
  cells_.resize(count);
  for (std::string& cell : cells_) trim(cell);
}

}  // namespace scree
