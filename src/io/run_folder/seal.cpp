#include "scree/io/run_folder/seal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <vector>

#include "scree/base/parallel.hpp"
#include "scree/io/run_folder/whole_file.hpp"
#include "scree/sources/generators.hpp"

namespace scree {
namespace fs = std::filesystem;
namespace {

constexpr std::int64_t kBlockBytes = std::int64_t{1} << 20;
constexpr std::string_view kMagic = "scree checkpoint\n";

/// Each step is one to one in the hash for a given word, so that a change within one word of a
/// block always changes the block's hash.
std::uint64_t stir(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
  return hash ^ (hash >> 29U);
}

std::uint64_t hash_of_block(std::int64_t number, std::span<const char> bytes) {
  std::uint64_t hash = stir(static_cast<std::uint64_t>(number) + 1, bytes.size());
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min(sizeof(word), bytes.size() - at));
    hash = stir(hash, word);
  }
  return hash;
}

[[noreturn]] void fail_at(const fs::path& path, std::string_view what) {
  throw Failure(fmt::format("{}: cannot be {}: {}", path.string(), what, std::strerror(errno)));
}

/// The sum over this rank's share of the blocks. Not collective. @throws Failure when it cannot be
/// read.
std::uint64_t local_sum(const fs::path& path, std::int64_t bytes, const Share& share) {
  const std::int64_t n_blocks = (bytes - kSealBytes + kBlockBytes - 1) / kBlockBytes;
  std::vector<char> block(kBlockBytes);
  std::uint64_t sum = 0;
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  for (std::int64_t i = share.begin(n_blocks); i < share.end(n_blocks); ++i) {
    const std::int64_t start = kSealBytes + i * kBlockBytes;
    const std::size_t length = std::min(kBlockBytes, bytes - start);
    file.seekg(start);
    file.read(block.data(), static_cast<std::streamsize>(length));
    if (!file) fail_at(path, "read");
    sum += hash_of_block(i, {block.data(), length});
  }
  return sum;
}

/// Collective. @throws Failure on all ranks.
std::uint64_t checksum(MPI_Comm comm, const fs::path& path, std::int64_t bytes) {
  std::uint64_t sum = 0;
  together(comm, [&] { sum = local_sum(path, bytes, {rank_of(comm), size_of(comm)}); });
  return sum_over_ranks(comm, sum);
}

/// The whole seal, padded.
std::string seal_text(std::int64_t bytes, std::uint64_t sum) {
  std::string text = fmt::format("{}format {}\nbytes {}\nchecksum {:016x}\n", kMagic,
                                 kCheckpointFormat, bytes, sum);
  text.resize(kSealBytes, '\0');
  return text;
}

/// The bytes in the place of the file's seal; shorter where the file is.
std::string read_seal(const fs::path& path) {
  if (fs::is_directory(path)) throw Failure("is a folder");
  if (fs::exists(path) && !fs::is_regular_file(path)) {  // a pipe would be waited for
    throw Failure("is a device or a pipe");
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text(kSealBytes, '\0');
  file.read(text.data(), kSealBytes);
  if (!file && !file.eof()) {
    throw Failure(fmt::format("cannot be read: {}", std::strerror(errno)));
  }
  text.resize(file.gcount());
  return text;
}

/// The fault of the head of the file, or of its length; empty when there is none. Not collective.
std::string fault_of_head(const fs::path& path, const std::string& text) {
  if (!text.starts_with(kMagic)) return "is no checkpoint of scree";
  std::istringstream words(text.substr(kMagic.size()));
  std::string word;
  int format = 0;
  std::int64_t bytes = 0;
  words >> word >> format;
  if (format != kCheckpointFormat) {
    return fmt::format("is of format {}, and this version of scree reads format {}", format,
                       kCheckpointFormat);
  }
  words >> word >> bytes;
  const auto found = static_cast<std::int64_t>(fs::file_size(path));
  if (found != bytes) {
    return fmt::format("is {} bytes long and not {}: it was cut off or changed", found, bytes);
  }
  return {};
}

}  // namespace

void seal(MPI_Comm comm, const fs::path& path) {
  std::int64_t bytes = 0;
  together(comm, [&] { bytes = static_cast<std::int64_t>(fs::file_size(path)); });
  const std::uint64_t sum = checksum(comm, path, bytes);
  together(comm, [&] {
    if (rank_of(comm) != 0) return;
    errno = 0;
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    file << seal_text(bytes, sum);
    file.close();
    if (!file) fail_at(path, "sealed");
  });
}

std::string fault_of_seal(MPI_Comm comm, const fs::path& path) {
  try {
    std::string text;
    std::string fault;
    together(comm, [&] {
      if (rank_of(comm) != 0) return;
      text = read_seal(path);
      fault = fault_of_head(path, text);
    });
    fault = broadcast(comm, fault);
    if (!fault.empty()) return fault;
    std::int64_t bytes = 0;
    together(comm, [&] { bytes = static_cast<std::int64_t>(fs::file_size(path)); });
    const std::uint64_t sum = checksum(comm, path, bytes);
    const bool damaged = rank_of(comm) == 0 && text != seal_text(bytes, sum);
    if (max_over_ranks(comm, damaged ? 1 : 0) == 1) return "is damaged: its checksum is not right";
    return {};
  } catch (const Failure& failure) {
    return failure.what();
  }
}

}  // namespace scree
