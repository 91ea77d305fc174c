#include "mesh_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace scree {
namespace {

constexpr std::string_view kBetweenWords = " \t\r";

template <class T>
bool read_number(std::string_view text, T& value) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return !text.empty() && error == std::errc() && end == text.data() + text.size();
}

}  // namespace

bool read_whole(std::string_view text, std::int64_t& value) {
  return read_number(text, value);
}

bool MeshWords::next_line() {
  while (!rest_.empty()) {
    ++number_;
    const std::size_t end = rest_.find('\n');
    line_ = rest_.substr(0, end);
    rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
    line_ = line_.substr(0, line_.find('#'));
    if (line_.find_first_not_of(kBetweenWords) != std::string_view::npos) return true;
  }
  line_ = {};
  return false;
}

std::string_view MeshWords::word() {
  const std::size_t begin = line_.find_first_not_of(kBetweenWords);
  if (begin == std::string_view::npos) return {};
  const std::size_t end = std::min(line_.find_first_of(kBetweenWords, begin), line_.size());
  const std::string_view found = line_.substr(begin, end - begin);
  line_ = line_.substr(end);
  return found;
}

double MeshWords::real() {
  const std::string_view text = word();
  double value = 0.0;
  if (!read_number(text, value)) {
    refuse(fmt::format("\"{}\" is not a number", text), "correct it, or give the whole file");
  }
  return value;
}

std::int64_t MeshWords::whole() {
  const std::string_view text = word();
  std::int64_t value = 0;
  if (!read_number(text, value)) {
    refuse(fmt::format("\"{}\" is not a whole number", text), "correct it, or give the whole file");
  }
  return value;
}

Vec3 MeshWords::point() {
  const double x = real();
  const double y = real();
  return {x, y, real()};
}

void MeshWords::refuse(std::string_view problem, std::string_view remedy) const {
  refuse_mesh_file(file_, place(), problem, remedy);
}

}  // namespace scree
