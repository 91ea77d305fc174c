#include "mesh_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "scree/base/check.hpp"

namespace scree {
namespace {

constexpr std::string_view kBlank = " \t\r";

[[noreturn]] void refuse_file(const std::filesystem::path& file, std::string_view problem,
                              std::string_view remedy) {
  throw InputError(fmt::format("{}: {}; {}", file.string(), problem, remedy));
}

/// Words of a text, line by line.
class Words {
 public:
  Words(const std::filesystem::path& file, std::string_view text) : file_(file), rest_(text) {}

  /// Goes to the next line that says something; false at the end.
  bool next_line() {
    while (!rest_.empty()) {
      ++number_;
      const std::size_t end = rest_.find('\n');
      line_ = rest_.substr(0, end);
      rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
      line_ = line_.substr(0, line_.find('#'));
      if (line_.find_first_not_of(kBlank) != std::string_view::npos) return true;
    }
    return false;
  }

  /// The next word of the line; empty at its end.
  std::string_view word() {
    const std::size_t begin = line_.find_first_not_of(kBlank);
    if (begin == std::string_view::npos) return {};
    const std::size_t end = std::min(line_.find_first_of(kBlank, begin), line_.size());
    const std::string_view found = line_.substr(begin, end - begin);
    line_ = line_.substr(end);
    return found;
  }

  double real() {
    std::string_view text = word();
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) {
      refuse_file(file_, fmt::format("line {}: \"{}\" is not a number", number_, text),
                  "give three coordinates");
    }
    return value;
  }

  Vec3 point() {
    const double x = real();
    const double y = real();
    return {x, y, real()};
  }

 private:
  const std::filesystem::path& file_;
  std::string_view rest_;
  std::string_view line_;
  std::int64_t number_ = 0;
};

/// `OFF`, then the numbers of vertices, faces and edges, then a vertex a line. Vertices may have
/// colours after their coordinates.
std::vector<Vec3> off_points(const std::filesystem::path& file, std::string_view text) {
  Words words(file, text);
  if (!words.next_line() || !words.word().ends_with("OFF")) {
    refuse_file(file, "does not begin with the word OFF", "give an OFF file");
  }
  std::string_view count = words.word();  // it may stand beside OFF
  if (count.empty() && words.next_line()) count = words.word();
  std::size_t n = 0;
  const auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), n);
  if (count.empty() || error != std::errc() || end != count.data() + count.size()) {
    refuse_file(file, "the number of vertices is missing", "give an OFF file");
  }
  std::vector<Vec3> points;
  while (points.size() < n) {
    if (!words.next_line()) {
      refuse_file(file, fmt::format("ends after {} of {} vertices", points.size(), n),
                  "give the whole file");
    }
    points.push_back(words.point());
  }
  return points;
}

/// The lines that begin with @p keyword.
std::vector<Vec3> points_after(const std::filesystem::path& file, std::string_view text,
                               std::string_view keyword) {
  Words words(file, text);
  std::vector<Vec3> points;
  while (words.next_line()) {
    if (words.word() == keyword) points.push_back(words.point());
  }
  return points;
}

/// 80 bytes, the number of triangles as 32 bits, and 50 bytes each: normal and three corners in
/// single precision, then two bytes. The least number comes first.
constexpr std::size_t kStlHead = 84;
constexpr std::size_t kStlTriangle = 50;

template <class T>
T little_endian(const char* bytes) {
  std::array<char, sizeof(T)> own;
  std::copy_n(bytes, sizeof(T), own.begin());
  if constexpr (std::endian::native == std::endian::big) std::reverse(own.begin(), own.end());
  return std::bit_cast<T>(own);
}

bool is_binary_stl(std::string_view bytes) {
  if (bytes.size() < kStlHead) return false;
  const auto n = little_endian<std::uint32_t>(bytes.data() + 80);
  return bytes.size() == kStlHead + kStlTriangle * std::size_t{n} || !bytes.starts_with("solid");
}

std::vector<Vec3> stl_points(const std::filesystem::path& file, std::string_view bytes) {
  if (!is_binary_stl(bytes)) return points_after(file, bytes, "vertex");
  const auto n = little_endian<std::uint32_t>(bytes.data() + 80);
  if (bytes.size() < kStlHead + kStlTriangle * std::size_t{n}) {
    refuse_file(file, fmt::format("ends within its {} triangles", n), "give the whole file");
  }
  std::vector<Vec3> points;
  for (std::size_t triangle = 0; triangle < n; ++triangle) {
    const char* corner = bytes.data() + kStlHead + kStlTriangle * triangle + 12;
    for (int k = 0; k < 3; ++k, corner += 12) {
      points.emplace_back(little_endian<float>(corner), little_endian<float>(corner + 4),
                          little_endian<float>(corner + 8));
    }
  }
  return points;
}

}  // namespace

std::vector<Vec3> mesh_points(const std::filesystem::path& file, std::string_view bytes) {
  std::string ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending != ".off" && ending != ".stl" && ending != ".obj") {
    refuse_file(file, fmt::format("\"{}\" is no known kind of mesh", ending),
                "allowed: .off, .stl and .obj");
  }
  if (ending == ".off") return off_points(file, bytes);
  if (ending == ".stl") return stl_points(file, bytes);
  return points_after(file, bytes, "v");
}

}  // namespace scree
