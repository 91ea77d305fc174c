#include "named_files.hpp"

#include <fmt/format.h>

#include <utility>

#include "scree/base/check.hpp"
#include "scree/base/parallel.hpp"

namespace scree {

ReadFile recorded(NamedFiles& files) {
  return [&files](const std::filesystem::path& file) -> std::string {
    const auto known = files.find(file);
    if (known != files.end()) return known->second;
    return files[file] = read_named_file(file);
  };
}

ReadFile from(const NamedFiles& files) {
  return [&files](const std::filesystem::path& file) -> std::string {
    const auto known = files.find(file);
    if (known != files.end()) return known->second;
    throw InputError(
        fmt::format("\"{}\" is not what rank 0 read; give an absolute path, or start all "
                    "ranks in one folder",
                    file.string()));
  };
}

NamedFiles broadcast(MPI_Comm comm, NamedFiles files) {
  const auto count = max_over_ranks(comm, static_cast<std::int64_t>(files.size()));
  NamedFiles all;
  for (std::int64_t i = 0; i < count; ++i) {
    NamedFiles::node_type next;
    if (!files.empty()) next = files.extract(files.begin());
    const std::string name = scree::broadcast(comm, next ? next.key().string() : std::string());
    all[name] = scree::broadcast(comm, next ? std::move(next.mapped()) : std::string());
  }
  return all;
}

}  // namespace scree
