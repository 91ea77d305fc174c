#include "scree/io/hdf5/hdf5.hpp"

#include <fmt/format.h>
#include <fmt/std.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "hdf5_values.hpp"
#include "scree/base/parallel.hpp"

namespace scree::h5 {
namespace {

/// Keeps the innermost description of an error stack: the first that a walk upwards meets.
herr_t keep_innermost(unsigned /*n*/, const H5E_error2_t* error, void* data) {
  auto& text = *static_cast<std::string*>(data);
  if (text.empty() && error->desc != nullptr) text = error->desc;
  return 0;
}

std::string hdf5_explanation() {
  std::string text;
  static_cast<void>(H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, &text));
  static_cast<void>(H5Eclear2(H5E_DEFAULT));
  return text.empty() ? "no explanation" : text;
}

void refuse_unreadable(const std::filesystem::path& path) {
  std::error_code code;
  if (!std::filesystem::exists(path, code)) {
    throw InputError(
        fmt::format("{}: no such file; give the path of an existing HDF5 file", path.string()));
  }
  if (std::filesystem::is_directory(path, code)) {
    throw InputError(fmt::format("{}: is a folder; give a file in it", path.string()));
  }
  if (!std::filesystem::is_regular_file(path, code)) {  // a pipe would be waited for
    throw InputError(fmt::format("{}: is a device or a pipe; give a file", path.string()));
  }
  errno = 0;
  if (!std::ifstream(path, std::ios::binary)) {
    throw InputError(fmt::format("{}: cannot be read: {}", path.string(), std::strerror(errno)));
  }
  if (SCREE_HDF5(H5Fis_hdf5(path.c_str())) == 0) {
    throw InputError(fmt::format(
        "{}: not an HDF5 file, or one whose writing was cut off; give a snapshot, a checkpoint or "
        "an FCLIB problem",
        path.string()));
  }
}

Properties parallel_access(MPI_Comm comm) {
  Properties access(SCREE_HDF5(H5Pcreate(H5P_FILE_ACCESS)));
  SCREE_HDF5(H5Pset_fapl_mpio(access.get(), comm, MPI_INFO_NULL));
  SCREE_HDF5(H5Pset_all_coll_metadata_ops(access.get(), true));
  SCREE_HDF5(H5Pset_coll_metadata_write(access.get(), true));
  return access;
}

File open_with(const std::filesystem::path& path, unsigned flags, hid_t access) {
  try {
    return File(SCREE_HDF5(H5Fopen(path.c_str(), flags, access)));
  } catch (const LibraryFailure& failure) {
    refuse_damaged(path, failure.in_words);
  }
}

File create_with(const std::filesystem::path& path, hid_t access, std::int64_t user_block) {
  try {
    Properties creation(SCREE_HDF5(H5Pcreate(H5P_FILE_CREATE)));
    SCREE_HDF5(H5Pset_userblock(creation.get(), static_cast<hsize_t>(user_block)));
    return File(SCREE_HDF5(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.get(), access)));
  } catch (const Failure& failure) {
    throw Failure(fmt::format("{}: cannot be created: {}", path.string(), failure.what()));
  }
}

/// The driver that keeps a file in memory and writes nothing to disk.
Properties memory_access() {
  constexpr std::size_t kGrowth = std::size_t{1} << 20;
  Properties access(SCREE_HDF5(H5Pcreate(H5P_FILE_ACCESS)));
  SCREE_HDF5(H5Pset_fapl_core(access.get(), kGrowth, false));
  return access;
}

H5O_type_t type_of_object(hid_t object, const std::string& name) {
  H5O_info_t info;
  SCREE_HDF5(H5Oget_info_by_name2(object, name.c_str(), &info, H5O_INFO_BASIC, H5P_DEFAULT));
  return info.type;
}

}  // namespace

void silence() {
  static const herr_t done = H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  static_cast<void>(done);
}

void fail(const char* call, std::source_location place) {
  const std::string why = hdf5_explanation();
  throw LibraryFailure(fmt::format("{}:{}: {} failed: {}",
                                   std::filesystem::path(place.file_name()).filename().string(),
                                   place.line(), call, why),
                       why);
}

void refuse_damaged(const std::filesystem::path& path, const std::string& in_words) {
  throw InputError(
      fmt::format("{}: is damaged, or its writing was cut off ({}); copy it again, or make it anew",
                  path.string(), in_words));
}

File open_file(const std::filesystem::path& path) {
  refuse_unreadable(path);
  return open_with(path, H5F_ACC_RDONLY, H5P_DEFAULT);
}

namespace {

File open_together(MPI_Comm comm, const std::filesystem::path& path, unsigned flags) {
  std::string problem;
  try {
    refuse_unreadable(path);
  } catch (const InputError& error) {
    problem = error.what();
  }
  refuse_together(comm, problem);
  return open_with(path, flags, parallel_access(comm).get());
}

}  // namespace

File open_file(MPI_Comm comm, const std::filesystem::path& path) {
  return open_together(comm, path, H5F_ACC_RDONLY);
}

File open_to_change(MPI_Comm comm, const std::filesystem::path& path) {
  return open_together(comm, path, H5F_ACC_RDWR);
}

File create_file(MPI_Comm comm, const std::filesystem::path& path, std::int64_t user_block) {
  return create_with(path, parallel_access(comm).get(), user_block);
}

File create_in_memory() {
  return create_with("in memory", memory_access().get(), 0);
}

std::string image(const File& file) {
  SCREE_HDF5(H5Fflush(file.get(), H5F_SCOPE_GLOBAL));
  std::string bytes(SCREE_HDF5(H5Fget_file_image(file.get(), nullptr, 0)), '\0');
  SCREE_HDF5(H5Fget_file_image(file.get(), bytes.data(), bytes.size()));
  return bytes;
}

bool exists(hid_t object, const std::string& name) {
  // H5Lexists answers only for a last component whose parents exist.
  for (std::size_t end = 0; end != std::string::npos;) {
    end = name.find('/', end + 1);
    const std::string part = name.substr(0, end);
    if (part.empty() || part == "/") continue;
    if (SCREE_HDF5(H5Lexists(object, part.c_str(), H5P_DEFAULT)) == 0) return false;
  }
  return SCREE_HDF5(H5Oexists_by_name(object, name.c_str(), H5P_DEFAULT)) > 0;
}

bool is_group(hid_t object, const std::string& name) {
  return exists(object, name) && type_of_object(object, name) == H5O_TYPE_GROUP;
}

bool is_dataset(hid_t object, const std::string& name) {
  return exists(object, name) && type_of_object(object, name) == H5O_TYPE_DATASET;
}

std::vector<std::string> children(hid_t group) {
  std::vector<std::string> names;
  const auto add = [](hid_t, const char* name, const H5L_info_t*, void* data) -> herr_t {
    static_cast<std::vector<std::string>*>(data)->emplace_back(name);
    return 0;
  };
  SCREE_HDF5(H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &names));
  return names;
}

Group open_group(hid_t object, const std::string& name) {
  if (!is_group(object, name)) {
    throw InputError(fmt::format("{}: no such group", place_of(object, name)));
  }
  return Group(SCREE_HDF5(H5Gopen2(object, name.c_str(), H5P_DEFAULT)));
}

Group create_group(hid_t object, const std::string& name) {
  return at(object, name, [&] {
    return Group(SCREE_HDF5(
        H5Gcreate2(object, name.c_str(), create_parents().get(), H5P_DEFAULT, H5P_DEFAULT)));
  });
}

}  // namespace scree::h5
