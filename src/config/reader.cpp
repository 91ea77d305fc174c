#include "scree/config/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <system_error>

#include "faults.hpp"
#include "override.hpp"
#include "scalars.hpp"
#include "tree.hpp"
#include "walk.hpp"

namespace scree {
namespace {

constexpr std::uintmax_t kMostBytes = std::uintmax_t{1} << 30;  ///< a text is sent in one message

/// @throws InputError where it has more bytes than are allowed, as a pipe may.
/// Looks at the size first, of what has one: a pipe has none.
std::string whole_text(std::ifstream& stream, const std::filesystem::path& file) {
  const auto refuse_beyond = [&file](std::uintmax_t bytes) {
    if (bytes < kMostBytes) return;
    throw InputError(fmt::format("\"{}\" has {} bytes or more; allowed: files below 2^30 bytes",
                                 file.string(), kMostBytes));
  };
  std::error_code none;
  const std::uintmax_t size = std::filesystem::file_size(file, none);
  std::string text;
  if (!none) {
    refuse_beyond(size);
    text.reserve(size);
  }
  std::string piece(std::size_t{1} << 20, '\0');
  while (stream.read(piece.data(), static_cast<std::streamsize>(piece.size())) ||
         stream.gcount() > 0) {
    text.append(piece, 0, static_cast<std::size_t>(stream.gcount()));
    refuse_beyond(text.size());
  }
  return text;
}

}  // namespace

void read_declared(std::string_view text, const std::filesystem::path& file,
                   const Overrides& overrides, const std::function<void(Declaration&)>& declare,
                   const ReadFile& read_file) {
  config::Tree root = config::parse_yaml(text, file.string());
  config::Faults faults(file.string(), overrides);
  if (root.kind == config::Tree::Kind::scalar || root.kind == config::Tree::Kind::list) {
    faults.add(root.place, "", config::kind_in_words(root) + "; allowed: a map of keys");
    faults.throw_if_any();
  }
  for (std::size_t i = 0; i < overrides.size(); ++i) {
    const int index = static_cast<int>(i);
    const std::string wrong = config::apply_override(root, overrides[i], index);
    if (!wrong.empty()) faults.add({.line = 1, .override = index}, "", wrong);
  }
  config::Walk walk(faults, std::filesystem::absolute(file).parent_path(), overrides, read_file);
  walk.read(root, declare);
  faults.throw_if_any();
}

std::string value_of_key(std::string_view text, const std::filesystem::path& file,
                         std::string_view path) {
  const config::Tree root = config::parse_yaml(text, file.string());
  const config::Tree* node = &root;
  for (std::string_view rest = path; node != nullptr && !rest.empty();) {
    const std::size_t dot = rest.find('.');
    const std::string_view key = rest.substr(0, dot);
    const auto entry = std::ranges::find(node->entries, key, &config::Tree::Entry::key);
    node = entry == node->entries.end() ? nullptr : &entry->value;
    rest = dot == std::string_view::npos ? std::string_view() : rest.substr(dot + 1);
  }
  if (node == nullptr || node->kind != config::Tree::Kind::scalar) {
    throw InputError(fmt::format("{}: {}: there is no such value", file.string(), path));
  }
  return node->scalar;
}

std::string read_text_file(const std::filesystem::path& file) {
  std::error_code ignored;
  std::ifstream stream(file, std::ios::binary);
  if (!stream || std::filesystem::is_directory(file, ignored)) {
    throw InputError(fmt::format("{}: cannot be read; allowed: a YAML file", file.string()));
  }
  return whole_text(stream, file);
}

std::string read_named_file(const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) {
    throw InputError(config::no_such_file(file));
  }
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    throw InputError(
        fmt::format("\"{}\" cannot be read; allowed: a file that may be read", file.string()));
  }
  return whole_text(stream, file);
}

}  // namespace scree
