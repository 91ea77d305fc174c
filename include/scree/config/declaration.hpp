#pragma once

/// How a struct says which keys of a YAML file fill it.
///
/// Every parameter is declared once, beside the struct that it fills:
///
///     struct TimeOptions {
///       double dt = 1e-3;
///       double end = 1.0;
///       void declare(Declaration& d) {
///         d.real("dt", dt, {.help = "time step", .unit = "s", .above = 0.0});
///         d.real("end", end, {.help = "time at which the run ends", .unit = "s", .above = 0.0});
///         d.require("end", end >= dt, "is shorter than one step");
///       }
///     };
///
/// The default is the value that a freshly made struct has. One declaration drives the reader, the
/// JSON Schema, the key reference and the effective configuration (config/reader.hpp,
/// config/schema.hpp, config/emit.hpp): each is a Declaration that the same code fills.
/// No MPI: files are read on rank 0 and their text broadcast by the caller (config/reader.hpp).

#include <any>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scree/base/enumeration.hpp"
#include "scree/base/math.hpp"
#include "scree/config/key_values.hpp"

namespace scree {

/// A key, which stands before another in its object, and a word that it may be.
struct WordOfKey {
  std::string_view key = "";
  std::string_view word = "";
};

/// Facts of a key besides its type and default.
struct About {
  std::string_view help;                                    ///< one line
  std::string_view unit = "";                               ///< SI; empty where there is none
  double min = -std::numeric_limits<double>::infinity();    ///< smallest allowed value
  double max = std::numeric_limits<double>::infinity();     ///< largest allowed value
  double above = -std::numeric_limits<double>::infinity();  ///< values must exceed this
  double below = std::numeric_limits<double>::infinity();   ///< values must stay below this
  bool required = false;                                    ///< no default: the file must give it
  WordOfKey unless = {};          ///< required, but not where that key is that word
  std::size_t count = 0;          ///< exact number of entries of a list; 0: any number
  std::string_view instead = "";  ///< a word in place of a list of names; empty: none
  /// The key that a single number in the place of an object stands for; empty: none may.
  std::string_view number_for = "";
  /// Whether a path must name a file that is there; false: one to be written.
  bool must_exist = true;
};

class Declaration {
 public:
  virtual ~Declaration() = default;

  virtual void real(std::string_view key, double& value, const About& about) = 0;
  /// A number, or @p word in its place, which is no value.
  virtual void real_or(std::string_view word, std::string_view key, std::optional<double>& value,
                       const About& about) = 0;
  virtual void integer(std::string_view key, std::int64_t& value, const About& about) = 0;
  virtual void flag(std::string_view key, bool& value, const About& about) = 0;
  virtual void text(std::string_view key, std::string& value, const About& about) = 0;
  /// A file that must exist (About::must_exist); a relative path is relative to the YAML file, or
  /// to the working directory when it comes from `--set`; absolute after reading. Empty: none.
  virtual void path(std::string_view key, std::filesystem::path& value, const About& about) = 0;
  /// A file that is read with the configuration; else as path(). @p read makes what it holds of its
  /// bytes, and is called where values are read; what it throws as InputError is a fault of the
  /// key.
  virtual void file(std::string_view key, std::filesystem::path& value,
                    const std::function<void(std::string_view bytes)>& /*read*/,
                    const About& about) {
    path(key, value, about);
  }
  /// As file(), for what is large: @p make is asked once for all keys that name one file and are
  /// alike in @p how, and @p take gets what it has made (ReadFile).
  virtual void large_file(std::string_view key, std::filesystem::path& value,
                          const std::string& /*how*/,
                          const std::function<std::any(std::string_view bytes)>& /*make*/,
                          const std::function<void(const std::any& made)>& /*take*/,
                          const About& about) {
    path(key, value, about);
  }
  /// A list of three numbers; bounds hold for each.
  virtual void vector(std::string_view key, Vec3& value, const About& about) = 0;
  /// A list of triples.
  virtual void vectors(std::string_view key, std::vector<Vec3>& value, const About& about) = 0;
  virtual void reals(std::string_view key, std::vector<double>& value, const About& about) = 0;
  virtual void integers(std::string_view key, std::vector<std::int64_t>& value,
                        const About& about) = 0;
  virtual void texts(std::string_view key, std::vector<std::string>& value, const About& about) = 0;
  /// One of @p allowed.
  virtual void word(std::string_view key, std::string& value,
                    std::span<const std::string_view> allowed, const About& about) = 0;
  /// One of the names of an enumeration (base/enumeration.hpp).
  template <NamedEnumeration E>
  void enumeration(std::string_view key, E& value, const About& about) {
    std::string name(to_string(value));
    word(key, name, kNamesOf<E>, about);
    if (const std::optional<E> given = value_named<E>(name)) value = *given;
  }
  /// Any of @p allowed, none twice.
  virtual void words(std::string_view key, std::vector<std::string>& value,
                     std::span<const std::string_view> allowed, const About& about) = 0;
  /// The name of an entry of the map declared under @p kind (`materials`, ...) anywhere in the
  /// file. Empty, where it is not required: none.
  virtual void name_of(std::string_view kind, std::string_view key, std::string& value,
                       const About& about) = 0;
  /// A list of such names; one may stand twice. About::instead may stand in its place, and is then
  /// the only entry of @p value.
  virtual void names_of(std::string_view kind, std::string_view key,
                        std::vector<std::string>& value, const About& about) = 0;

  /// A map from keys of another file to the values that each is to take (config/key_values.hpp).
  virtual void values_of_keys(std::string_view key, std::vector<KeyValues>& value,
                              const About& about) = 0;

  /// A map from keys of the same file to the value that each is to take at some time
  /// (config/key_values.hpp). Whether there are such keys is not asked.
  virtual void settings(std::string_view key, std::vector<Setting>& value, const About& about) = 0;

  /// A value that one declared type @p T fills.
  template <class T>
  void object(std::string_view key, T& value, const About& about) {
    nested(key, about, [&value](Declaration& d) { value.declare(d); });
  }

  /// A value that may be absent; `key: null` says so.
  template <class T>
  void optional_object(std::string_view key, std::optional<T>& value, const About& about) {
    optional_nested(
        key, about, value.has_value(), [&value] { value.reset(); },
        [&value](Declaration& d) {
          if (!value) value.emplace();
          value->declare(d);
        });
  }

  /// A YAML list of T. A file's list replaces the default one.
  template <class T>
  void list(std::string_view key, std::vector<T>& value, const About& about) {
    items(
        key, about, value.size(), [&value](std::size_t count) { value = std::vector<T>(count); },
        [&value](Declaration& d, std::size_t i) { value[i].declare(d); });
  }

  /// A YAML map from names, kept in the file's order. T has a member `std::string name`, which is
  /// set before T::declare is called. A file's map replaces the default one.
  template <class T>
  void named(std::string_view key, std::vector<T>& value, const About& about) {
    std::vector<std::string> names;
    for (const T& item : value) names.push_back(item.name);
    named_items(
        key, about, names,
        [&value](const std::vector<std::string>& given) {
          value = std::vector<T>(given.size());
          for (std::size_t i = 0; i < given.size(); ++i) value[i].name = given[i];
        },
        [&value](Declaration& d, std::size_t i) { value[i].declare(d); });
  }

  /// One of several types, chosen by the key `type:` inside the object under @p key. Each T has
  /// `static constexpr std::string_view kType` and `kHelp`; a type that declares nothing (no member
  /// `declare`) is made by the program only, is not offered, and stands last. With an empty @p key
  /// the choice and its keys stand in the present object itself.
  template <class... T>
  void one_of(std::string_view key, std::variant<T...>& value, const About& about) {
    Alternatives alternatives;
    (add_alternative<T>(value, alternatives), ...);
    choice(key, about, value.index(), alternatives);
  }

  /// A check over several keys, which stand before it in the same object: unless it @p holds, @p
  /// problem is reported at the place of @p key. Not asked when the object has other faults, since
  /// its values are then not those of the file.
  virtual void require(std::string_view key, bool holds, std::string_view problem) = 0;

 protected:
  using Fill = std::function<void(Declaration&)>;
  using FillItem = std::function<void(Declaration&, std::size_t)>;
  struct Alternative {
    std::string_view type;
    std::string_view help;
    Fill fill;
  };
  using Alternatives = std::vector<Alternative>;

  template <class T, class Variant>
  static void add_alternative(Variant& value, Alternatives& alternatives) {
    if constexpr (requires(T & t, Declaration & d) { t.declare(d); }) {
      alternatives.push_back({T::kType, T::kHelp, [&value](Declaration& d) {
                                if (!std::holds_alternative<T>(value)) value = T{};
                                std::get<T>(value).declare(d);
                              }});
    }
  }

  virtual void nested(std::string_view key, const About& about, const Fill& fill) = 0;
  /// @p reset makes the value absent; @p fill makes it present.
  virtual void optional_nested(std::string_view key, const About& about, bool present,
                               const std::function<void()>& reset, const Fill& fill) = 0;
  /// @p restart leaves that many fresh items, to be filled one by one.
  virtual void items(std::string_view key, const About& about, std::size_t count,
                     const std::function<void(std::size_t)>& restart, const FillItem& fill) = 0;
  virtual void named_items(std::string_view key, const About& about,
                           const std::vector<std::string>& names,
                           const std::function<void(const std::vector<std::string>&)>& restart,
                           const FillItem& fill) = 0;
  virtual void choice(std::string_view key, const About& about, std::size_t chosen,
                      const Alternatives& alternatives) = 0;
};

}  // namespace scree
