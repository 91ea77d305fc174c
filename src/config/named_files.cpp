#include "scree/config/named_files.hpp"

namespace scree {
namespace {

using Path = std::filesystem::path;
using Text = std::string_view;

/// Looks at paths, and passes over all other values.
class FileCollector final : public Declaration {
 public:
  std::vector<Path> files;

  void path(Text, Path& value, const About& about) override {
    if (about.must_exist && !value.empty()) files.push_back(value);
  }
  void real(Text, double&, const About&) override {}
  void real_or(Text, Text, std::optional<double>&, const About&) override {}
  void integer(Text, std::int64_t&, const About&) override {}
  void flag(Text, bool&, const About&) override {}
  void text(Text, std::string&, const About&) override {}
  void vector(Text, Vec3&, const About&) override {}
  void vectors(Text, std::vector<Vec3>&, const About&) override {}
  void reals(Text, std::vector<double>&, const About&) override {}
  void integers(Text, std::vector<std::int64_t>&, const About&) override {}
  void texts(Text, std::vector<std::string>&, const About&) override {}
  void word(Text, std::string&, std::span<const Text>, const About&) override {}
  void words(Text, std::vector<std::string>&, std::span<const Text>, const About&) override {}
  void name_of(Text, Text, std::string&, const About&) override {}
  void names_of(Text, Text, std::vector<std::string>&, const About&) override {}
  void values_of_keys(Text, std::vector<KeyValues>&, const About&) override {}
  void settings(Text, std::vector<Setting>&, const About&) override {}
  void require(Text, bool, Text) override {}

 private:
  void nested(Text, const About&, const Fill& fill) override { fill(*this); }
  void optional_nested(Text, const About&, bool present, const std::function<void()>&,
                       const Fill& fill) override {
    if (present) fill(*this);
  }
  void items(Text, const About&, std::size_t count, const std::function<void(std::size_t)>&,
             const FillItem& fill) override {
    for (std::size_t i = 0; i < count; ++i) fill(*this, i);
  }
  void named_items(Text, const About&, const std::vector<std::string>& names,
                   const std::function<void(const std::vector<std::string>&)>&,
                   const FillItem& fill) override {
    for (std::size_t i = 0; i < names.size(); ++i) fill(*this, i);
  }
  void choice(Text, const About&, std::size_t chosen, const Alternatives& alternatives) override {
    if (chosen < alternatives.size()) alternatives[chosen].fill(*this);
  }
};

}  // namespace

std::vector<Path> files_of_declared(const std::function<void(Declaration&)>& declare) {
  FileCollector collector;
  declare(collector);
  return std::move(collector.files);
}

}  // namespace scree
