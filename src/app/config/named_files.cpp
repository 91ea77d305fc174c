#include "named_files.hpp"

#include <fmt/format.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "scree/base/check.hpp"
#include "scree/base/node_memory.hpp"
#include "scree/base/parallel.hpp"
#include "scree/geometry/meshes/searchable_mesh.hpp"

namespace scree {
namespace {

using Path = NamedFiles::Path;
using Surface = NamedFiles::Surface;

template <class Values, class Key>
const auto& one_of(const Values& values, const Key& key, const Path& file) {
  const auto known = values.find(key);
  if (known != values.end()) return known->second;
  throw InputError(
      fmt::format("\"{}\" is not what rank 0 read; give an absolute path, or start all "
                  "ranks in one folder",
                  file.string()));
}

/// Calls `visit(node)` for each entry of rank 0's @p map, taken out of it, on every rank: empty on
/// others. Collective.
template <class Map, class Visit>
void for_each_of_first_rank(MPI_Comm comm, Map map, const Visit& visit) {
  const auto count = max_over_ranks(comm, static_cast<std::int64_t>(map.size()));
  for (std::int64_t i = 0; i < count; ++i) {
    typename Map::node_type next;
    if (!map.empty()) next = map.extract(map.begin());
    visit(std::move(next));
  }
}

/// The surface of rank 0, held once a node; a rank alone keeps its own. Collective.
Surface once_a_node(MPI_Comm comm, Surface own) {
  if (size_of(comm) == 1) return own;
  SharedBytes shared = scree::once_a_node(comm, own ? own->packed() : std::span<const std::byte>());
  return std::make_shared<const SearchableMesh>(std::move(shared));
}

}  // namespace

ReadFile recorded(NamedFiles& files) {
  const auto bytes = [&files](const Path& file) {
    const auto known = files.bytes.find(file);
    if (known != files.bytes.end()) return known->second;
    return files.bytes[file] = read_named_file(file);
  };
  const auto made = [&files](const Path& file, const std::string& how,
                             const ReadFile::Make& make) -> std::any {
    Surface& surface = files.surfaces[{file, how}];
    if (surface) return surface;
    surface = std::any_cast<Surface>(make(read_named_file(file)));
#ifdef __GLIBC__
    malloc_trim(0);  // twice the mesh is free now, in blocks that are kept by themselves
#endif
    return surface;
  };
  return {bytes, made};
}

ReadFile from(const NamedFiles& files) {
  const auto bytes = [&files](const Path& file) { return one_of(files.bytes, file, file); };
  const auto made = [&files](const Path& file, const std::string& how,
                             const ReadFile::Make&) -> std::any {
    return one_of(files.surfaces, NamedFiles::FileAndWay(file, how), file);
  };
  return {bytes, made};
}

NamedFiles over_ranks(MPI_Comm comm, NamedFiles files) {
  NamedFiles all;
  for_each_of_first_rank(comm, std::move(files.bytes), [&](auto next) {
    const std::string name = broadcast(comm, next ? next.key().string() : std::string());
    all.bytes[name] = broadcast(comm, next ? std::move(next.mapped()) : std::string());
  });
  for_each_of_first_rank(comm, std::move(files.surfaces), [&](auto next) {
    const std::string name = broadcast(comm, next ? next.key().first.string() : std::string());
    const std::string how = broadcast(comm, next ? next.key().second : std::string());
    all.surfaces[{name, how}] = once_a_node(comm, next ? std::move(next.mapped()) : Surface());
  });
  return all;
}

}  // namespace scree
