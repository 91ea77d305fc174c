#include "scree/io/paraview/snapshot_grains.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "scree/io/hdf5/hdf5.hpp"

namespace scree {

namespace {

/// An array of the grains, which output.snapshots.arrays may leave out.
template <class T>
std::vector<T> read_array(const std::filesystem::path& path, hid_t file, const std::string& name) {
  const std::string dataset = "VTKHDF/PointData/" + name;
  if (!h5::exists(file, dataset)) {
    throw InputError(fmt::format("{}: has no array {}; name it in output.snapshots.arrays",
                                 path.string(), name));
  }
  return h5::read<T>(file, dataset);
}

std::vector<SnapshotGrain> grains_of(const std::filesystem::path& path) {
  const h5::File file = h5::open_file(path);
  const auto n =
      static_cast<std::size_t>(h5::read_scalar<std::int64_t>(file.get(), "VTKHDF/NumberOfPoints"));
  const auto position = h5::read<double>(file.get(), "VTKHDF/Points");
  const auto radius = read_array<double>(path, file.get(), "radius");
  const auto velocity = read_array<double>(path, file.get(), "velocity");
  const auto fixed = read_array<std::int64_t>(path, file.get(), "fixed");
  if (position.size() != 3 * n || radius.size() != n || velocity.size() != 3 * n ||
      fixed.size() != n) {
    throw InputError(fmt::format("{}: its arrays are not of one length", path.string()));
  }
  const auto row = [](const std::vector<double>& all, std::size_t i) {
    return Vec3(all[3 * i], all[3 * i + 1], all[3 * i + 2]);
  };
  std::vector<SnapshotGrain> grains;
  grains.reserve(n);
  for (std::size_t i = 0; i < n; ++i)
    grains.push_back({row(position, i), radius[i], row(velocity, i), fixed[i] != 0});
  return grains;
}

}  // namespace

std::vector<SnapshotGrain> read_snapshot_grains(const std::filesystem::path& path) {
  return h5::reading(path, [&] { return grains_of(path); });
}

}  // namespace scree
