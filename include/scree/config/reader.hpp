#pragma once

/// Fills a declared struct from the text of a YAML file.
///
/// All faults of a file are collected and thrown together, one line each, in the file's order:
///
///     trench.yaml:3: time.dtt: unknown key; did you mean "dt"? allowed: dt, end
///     trench.yaml:9: materials.gravel.density: -1 is out of range; allowed: a number above 0, in
///     kg/m^3
///     --set solver.method=nsg: solver.method: "nsg" is unknown; did you mean "nsgs"? allowed: ...
///
/// A fault is: a key that is not declared, or stands twice; a value of another type, out of range,
/// infinite or not a number; a required key that is missing; a file that is not there; a name that
/// the file does not define; a `type:` that does not exist; an override that fits no key; YAML that
/// is none (this one comes alone).
///
/// Not collective and no MPI: rank 0 reads the file, and every rank reads the text it was sent. So
/// with the files that are read with it (Declaration::file): ReadFile is where their bytes come
/// from.

#include <any>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scree/base/check.hpp"
#include "scree/config/declaration.hpp"

namespace scree {

/// A key that is set from outside its file, `a.b.c=value`; the value is YAML. An entry of a list is
/// named by its number (`friction.0.mu`), or by the names that it alone holds
/// (`friction[gravel,steel].mu`).
struct Override {
  std::string assignment;
  std::string place = {};  ///< where it was given, for messages; empty: `--set ASSIGNMENT`
  std::filesystem::path folder =
      {};  ///< of relative paths in the value; empty: the working directory

  Override(std::string text) : assignment(std::move(text)) {}
  Override(const char* text) : assignment(text) {}
  Override(std::string text, std::string given_at, std::filesystem::path relative_to)
      : assignment(std::move(text)), place(std::move(given_at)), folder(std::move(relative_to)) {}
};
using Overrides = std::vector<Override>;

/// Where the contents of the files come from that a configuration names.
struct ReadFile {
  using Path = std::filesystem::path;
  using Make = std::function<std::any(std::string_view bytes)>;

  /// The bytes of a file. @throws InputError that tells why there are none.
  std::function<std::string(const Path& file)> bytes;
  /// Gives @p make the bytes and returns its result, now or an earlier one: it is asked once for a
  /// file and a way (Declaration::large_file).
  std::function<std::any(const Path& file, const std::string& how, const Make& make)> made =
      [read = bytes](const Path& file, const std::string&, const Make& make) {
        return make(read(file));
      };
};

/// The whole of @p file, from the disk. Not collective. @throws InputError when there is no such
/// file, it cannot be read, or it has 2^30 bytes or more.
std::string read_named_file(const std::filesystem::path& file);

/// Fills what @p declare declares. @p file names the file in messages; relative paths in the text
/// are relative to its folder. @throws InputError with all faults.
void read_declared(std::string_view text, const std::filesystem::path& file,
                   const Overrides& overrides, const std::function<void(Declaration&)>& declare,
                   const ReadFile& read_file = {read_named_file});

/// Fills @p value, which keeps its own values for the keys that are not given.
template <class T>
void read_yaml(std::string_view text, const std::filesystem::path& file, const Overrides& overrides,
               T& value, const ReadFile& read_file = {read_named_file}) {
  read_declared(
      text, file, overrides, [&value](Declaration& d) { value.declare(d); }, read_file);
}

/// The value of the key @p path, `a.b.c`, in @p text as it stands there, with nothing else of it
/// checked: of the configuration of a run that has been made, whose files may be gone. @p file
/// names it in messages.
/// @throws InputError when the text is no YAML or has no such value.
std::string value_of_key(std::string_view text, const std::filesystem::path& file,
                         std::string_view path);

/// The whole of @p file. Not collective. @throws InputError when it cannot be read.
std::string read_text_file(const std::filesystem::path& file);

}  // namespace scree
