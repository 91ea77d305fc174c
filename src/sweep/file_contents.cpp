#include "file_contents.hpp"

#include <fmt/format.h>

#include <array>
#include <fstream>

#include "scree/base/check.hpp"
#include "scree/base/fingerprint.hpp"
#include "scree/config/named_files.hpp"

namespace scree {

std::string FileContents::lines_of(const RunConfig& config) {
  std::vector<std::filesystem::path> files = named_files(config);
  for (const StageSpec& stage : config.stages) {
    for (std::filesystem::path& file : named_files(*stage.config)) files.push_back(std::move(file));
  }
  std::string lines;
  for (const std::filesystem::path& file : files) {
    lines += fmt::format("{} {}\n", file.string(), content_of(file));
  }
  return lines;
}

const std::string& FileContents::content_of(const std::filesystem::path& file) {
  const auto [entry, fresh] = known_.emplace(file, "");
  if (!fresh) return entry->second;
  std::ifstream stream(file, std::ios::binary);
  Fingerprint content;
  std::array<char, 1 << 16> block{};
  while (stream.read(block.data(), block.size()) || stream.gcount() > 0) {
    content.add({block.data(), static_cast<std::size_t>(stream.gcount())});
  }
  if (!stream.eof() || stream.bad())
    throw InputError(fmt::format("{}: cannot be read", file.string()));
  entry->second = fmt::format("{:016x}", content.value());
  return entry->second;
}

}  // namespace scree
