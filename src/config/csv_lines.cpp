#include "csv_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
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
  for (std::size_t k = 0; k < text_.size(); ++k) {
    std::string& cell = cells_[count - 1];
    if (text_[k] == ',') {
      open_cell();
    } else if (text_[k] == '"' && cell.find_first_not_of(kBlank) == std::string::npos) {
      k = read_quoted(k, cell);
    } else {
      cell += text_[k];
    }
  }
  cells_.resize(count);
  for (std::string& cell : cells_) trim(cell);
}

std::size_t CsvLines::read_quoted(std::size_t begin, std::string& cell) const {
  cell.clear();
  std::size_t k = begin + 1;
  for (; k < text_.size(); ++k) {
    if (text_[k] != '"') {
      cell += text_[k];
    } else if (k + 1 < text_.size() && text_[k + 1] == '"') {
      cell += text_[++k];
    } else {
      break;
    }
  }
  const std::size_t next = text_.find_first_not_of(kBlank, std::min(k + 1, text_.size()));
  const bool ends = next == std::string::npos || text_[next] == ',';
  if (k < text_.size() && ends) return k;
  throw InputError(fmt::format("{}:{}: a quotation mark is not closed at the end of its cell",
                               file_.string(), number_));
}

}  // namespace scree
