/// A target of targets.hpp for libFuzzer, whose mutations follow coverage. Which one is
/// SCREE_FUZZ_TARGET.

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>

#include "scree/base/check.hpp"
#include "scree/base/runtime.hpp"
#include "targets.hpp"

namespace {

namespace fs = std::filesystem;

const scree::fuzz::Target& target() {
  static const auto found = std::ranges::find(
      scree::fuzz::targets(), std::string_view(SCREE_FUZZ_TARGET), &scree::fuzz::Target::name);
  return *found;
}

/// The input that is being read, of this process alone.
const fs::path& file() {
  static const fs::path path =
      fs::temp_directory_path() / fmt::format("scree_fuzz_{}{}", getpid(), target().ending);
  return path;
}

void remove_file() {
  fs::remove(file());
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  static const scree::Runtime runtime;
  file();  // made before the function that needs it, so that it is there as long
  return std::atexit(remove_file);
}

/// An InputError refuses the file; whatever else is thrown ends the program, which keeps the input.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::ofstream(file(), std::ios::binary | std::ios::trunc)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  try {
    target().read(file());
  } catch (const scree::InputError&) {
  }
  return 0;
}
