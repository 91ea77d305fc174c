#pragma once

/// The reader: walks a tree as declarations ask for keys, fills values, gathers faults. Single
/// values and lists are in walk_values.cpp; objects, names and choices in walk_objects.cpp.

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "faults.hpp"
#include "scalars.hpp"
#include "scree/config/declaration.hpp"
#include "tree.hpp"

namespace scree::config {

class Walk final : public Declaration {
 public:
  /// @p folder: what relative paths of the file are relative to. @p overrides: what has been put
  /// into the tree. @p read_file gives the bytes of files that are read with it.
  Walk(Faults& faults, std::filesystem::path folder, const Overrides& overrides,
       const ReadFile& read_file)
      : faults_(faults), folder_(std::move(folder)), overrides_(overrides), read_file_(read_file) {}

  /// Fills what @p fill declares from @p root.
  void read(const Tree& root, const Fill& fill);

  void real(std::string_view key, double& value, const About& about) override;
  void real_or(std::string_view word, std::string_view key, std::optional<double>& value,
               const About& about) override;
  void integer(std::string_view key, std::int64_t& value, const About& about) override;
  void flag(std::string_view key, bool& value, const About& about) override;
  void text(std::string_view key, std::string& value, const About& about) override;
  void path(std::string_view key, std::filesystem::path& value, const About& about) override;
  void file(std::string_view key, std::filesystem::path& value,
            const std::function<void(std::string_view)>& read, const About& about) override;
  void large_file(std::string_view key, std::filesystem::path& value, const std::string& how,
                  const std::function<std::any(std::string_view)>& make,
                  const std::function<void(const std::any&)>& take, const About& about) override;
  void vector(std::string_view key, Vec3& value, const About& about) override;
  void vectors(std::string_view key, std::vector<Vec3>& value, const About& about) override;
  void reals(std::string_view key, std::vector<double>& value, const About& about) override;
  void integers(std::string_view key, std::vector<std::int64_t>& value,
                const About& about) override;
  void texts(std::string_view key, std::vector<std::string>& value, const About& about) override;
  void word(std::string_view key, std::string& value, std::span<const std::string_view> allowed,
            const About& about) override;
  void words(std::string_view key, std::vector<std::string>& value,
             std::span<const std::string_view> allowed, const About& about) override;
  void name_of(std::string_view kind, std::string_view key, std::string& value,
               const About& about) override;
  void names_of(std::string_view kind, std::string_view key, std::vector<std::string>& value,
                const About& about) override;
  void values_of_keys(std::string_view key, std::vector<KeyValues>& value,
                      const About& about) override;
  void settings(std::string_view key, std::vector<Setting>& value, const About& about) override;
  void require(std::string_view key, bool holds, std::string_view problem) override;

 private:
  /// The object being read.
  struct Frame {
    const Tree& node;
    Place place;
    std::string path;
    std::size_t faults_before;
    std::vector<std::string> declared;
    bool check_unknown = true;  ///< false when a wrong `type:` leaves open which keys belong here
  };
  /// A name that stands for an entry of a map, to be looked up when the whole file is read.
  struct NameUse {
    std::string kind;
    Place place;
    std::string path;
    std::string name;
  };
  using Entries = std::vector<const Tree::Entry*>;
  using VisitItem =
      std::function<void(const Tree& item, const std::string& path, std::size_t index)>;

  void nested(std::string_view key, const About& about, const Fill& fill) override;
  void optional_nested(std::string_view key, const About& about, bool present,
                       const std::function<void()>& reset, const Fill& fill) override;
  void items(std::string_view key, const About& about, std::size_t count,
             const std::function<void(std::size_t)>& restart, const FillItem& fill) override;
  void named_items(std::string_view key, const About& about,
                   const std::vector<std::string>& defaults,
                   const std::function<void(const std::vector<std::string>&)>& restart,
                   const FillItem& fill) override;
  void choice(std::string_view key, const About& about, std::size_t chosen,
              const Alternatives& alternatives) override;

  /// The value under @p key of the present object, or null: then a required key is a fault.
  const Tree* take(std::string_view key, const About& about, std::string_view what);
  /// Whether a required key may be missing from the present object.
  bool is_excused(const WordOfKey& unless) const;
  template <class T, class Parse>
  void read_scalar(std::string_view key, const About& about, T& value, std::string_view what,
                   const Parse& parse);
  template <class T, class Parse>
  void read_list(std::string_view key, const About& about, std::vector<T>& value,
                 std::string_view what, const Parse& parse);
  /// The entries of the map from keys to values under @p key; none where there is no such map.
  std::optional<Entries> entries_of_keys(std::string_view key, const About& about);
  /// Visits the items of the list under @p key after telling @p restart their number.
  void each_item(std::string_view key, const About& about, std::string_view what,
                 const std::function<void(std::size_t)>& restart, const VisitItem& visit);
  /// Sets @p value, or adds a fault and returns false. @p allowed() says what is allowed: it is
  /// asked at faults only, since a list may have many items.
  template <class T, class Words>
  bool assign(const Tree& node, const std::string& path, const Parsed<T>& parsed, T& value,
              const Words& allowed);
  void read_triple(const Tree& node, const std::string& path, const About& about, Vec3& value);
  void read_word(const Tree& node, const std::string& path,
                 std::span<const std::string_view> allowed, std::string& value);
  void read_name(const Tree& node, const std::string& path, std::string_view kind,
                 std::string& value);
  /// The node of the path under @p key, whose absolute form is @p value; null where it names none.
  const Tree* read_path(std::string_view key, std::filesystem::path& value, const About& about);
  /// Calls `use()` for the path under @p key, which @p value becomes; what it throws is a fault.
  template <class Use>
  void use_file(std::string_view key, std::filesystem::path& value, const About& about,
                const Use& use);
  /// The folder that relative paths written at @p place are relative to.
  std::filesystem::path folder_at(Place place) const;
  std::filesystem::path located(const std::filesystem::path& given, Place place) const;

  void read_object(const Tree& node, Place place, const std::string& path, const Fill& fill);
  /// Reads `type` in the present object and lets the alternative of that name read the rest;
  /// without one, and if none is @p required, the alternative @p standard.
  void choose(bool required, std::size_t standard, const Alternatives& alternatives);
  void refuse_unknown(const Entries& entries);
  void check_name(const Tree::Entry& entry, const std::string& path);
  void resolve_names();
  /// The entries of a map without those whose key stood before, which are faults.
  Entries distinct_entries(const Tree& node, const std::string& path);

  const Tree::Entry* find(std::string_view key) const;
  Place entry_place(std::string_view key) const;
  std::string path_of(std::string_view key) const;

  Faults& faults_;
  std::filesystem::path folder_;
  const Overrides& overrides_;
  const ReadFile& read_file_;
  std::vector<Frame> frames_;
  std::map<std::string, std::set<std::string>> names_;  ///< names that the file defines, by kind
  std::vector<NameUse> uses_;
};

/// The message about a file that is not there.
std::string no_such_file(const std::filesystem::path& file);

/// `a, b, c`
std::string listed(std::span<const std::string_view> words);

}  // namespace scree::config
