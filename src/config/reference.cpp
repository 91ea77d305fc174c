#include "scree/config/reference.hpp"

#include <fmt/format.h>

#include <utility>

#include "bounds.hpp"
#include "number_text.hpp"

namespace scree {
namespace {

std::string shown(double value) {
  return config::number_text(value);
}
std::string shown(std::int64_t value) {
  return fmt::format("{}", value);
}
std::string shown(const std::string& value) {
  return value;
}

template <class T>
std::string shown(const std::vector<T>& values) {
  std::vector<std::string> words;
  for (const T& value : values) words.push_back(shown(value));
  return fmt::format("[{}]", fmt::join(words, ", "));
}

/// Text for a cell: a bar would end it.
std::string cell(std::string_view text) {
  std::string result;
  for (const char c : text) result += c == '|' ? std::string("\\|") : std::string(1, c);
  return result;
}

class ReferenceWriter final : public Declaration {
 public:
  std::string take() { return std::move(text_); }

  void real(std::string_view key, double& value, const About& about) override {
    row(key, "number", shown(value), about);
  }
  void real_or(std::string_view word, std::string_view key, std::optional<double>& value,
               const About& about) override {
    row(key, fmt::format("number, or `{}`", word), value ? shown(*value) : std::string(word),
        about);
  }
  void integer(std::string_view key, std::int64_t& value, const About& about) override {
    row(key, "whole number", shown(value), about);
  }
  void flag(std::string_view key, bool& value, const About& about) override {
    row(key, "true or false", value ? "true" : "false", about);
  }
  void text(std::string_view key, std::string& value, const About& about) override {
    row(key, "text", value, about);
  }
  void path(std::string_view key, std::filesystem::path& value, const About& about) override {
    row(key, about.must_exist ? "file" : "path", value.string(), about);
  }
  void vector(std::string_view key, Vec3& value, const About& about) override {
    row(key, "3 numbers", fmt::format("[{}, {}, {}]", value.x(), value.y(), value.z()), about);
  }
  void vectors(std::string_view key, std::vector<Vec3>& /*value*/, const About& about) override {
    row(key, "list of triples", "[]", about);
  }
  void reals(std::string_view key, std::vector<double>& value, const About& about) override {
    row(key, "list of numbers", shown(value), about);
  }
  void integers(std::string_view key, std::vector<std::int64_t>& value,
                const About& about) override {
    row(key, "list of whole numbers", shown(value), about);
  }
  void texts(std::string_view key, std::vector<std::string>& value, const About& about) override {
    row(key, about.count > 0 ? fmt::format("{} texts", about.count) : "list of texts", shown(value),
        about);
  }
  void word(std::string_view key, std::string& value, std::span<const std::string_view> allowed,
            const About& about) override {
    row(key, in_code(allowed, " or "), value, about);
  }
  void words(std::string_view key, std::vector<std::string>& value,
             std::span<const std::string_view> allowed, const About& about) override {
    row(key, "list of " + in_code(allowed, ", "), shown(value), about);
  }
  void name_of(std::string_view kind, std::string_view key, std::string& value,
               const About& about) override {
    row(key, fmt::format("name from `{}`", kind), value, about);
  }
  void names_of(std::string_view kind, std::string_view key, std::vector<std::string>& value,
                const About& about) override {
    const std::string names = fmt::format("list of names from `{}`", kind);
    row(key, about.instead.empty() ? names : fmt::format("{}, or `{}`", names, about.instead),
        shown(value), about);
  }
  void values_of_keys(std::string_view key, std::vector<KeyValues>& /*value*/,
                      const About& about) override {
    row(key, "map from keys to values", "{}", about);
  }
  void settings(std::string_view key, std::vector<Setting>& /*value*/,
                const About& about) override {
    row(key, "map from keys to values", "{}", about);
  }
  void require(std::string_view, bool, std::string_view) override {}

 private:
  void nested(std::string_view key, const About& about, const Fill& fill) override {
    if (!about.number_for.empty()) {
      row(key, fmt::format("keys, or a number for `{}`", about.number_for), "", about);
    }
    inside(path_of(key), fill);
  }
  void optional_nested(std::string_view key, const About& about, bool present,
                       const std::function<void()>& /*reset*/, const Fill& fill) override {
    row(key, "keys or null", present ? "" : "null", about);
    inside(path_of(key), fill);
  }
  void items(std::string_view key, const About& about, std::size_t /*count*/,
             const std::function<void(std::size_t)>& restart, const FillItem& fill) override {
    row(key, "list", "[]", about);
    restart(1);
    inside(path_of(key) + ".N", [&](Declaration& d) { fill(d, 0); });
  }
  void named_items(std::string_view key, const About& about,
                   const std::vector<std::string>& /*names*/,
                   const std::function<void(const std::vector<std::string>&)>& restart,
                   const FillItem& fill) override {
    row(key, "map from names", "{}", about);
    restart({"NAME"});
    inside(path_of(key) + ".NAME", [&](Declaration& d) { fill(d, 0); });
  }
  void choice(std::string_view key, const About& about, std::size_t chosen,
              const Alternatives& alternatives) override {
    if (key.empty()) return choose(about, chosen, alternatives);
    inside(path_of(key), [&](Declaration&) { choose(about, chosen, alternatives); });
  }

  void choose(const About& about, std::size_t chosen, const Alternatives& alternatives) {
    std::vector<std::string_view> types;
    std::string help = fmt::format("{}. ", about.help);
    for (const Alternative& alternative : alternatives) {
      types.push_back(alternative.type);
      help += fmt::format("{}`{}`: {}", types.size() > 1 ? "; " : "", alternative.type,
                          alternative.help);
    }
    row("type", in_code(types, " or "), std::string(alternatives[chosen].type),
        {.help = help, .required = about.required});
    const std::string outer = type_;
    for (const Alternative& alternative : alternatives) {
      type_ = alternative.type;
      alternative.fill(*this);
    }
    type_ = outer;
  }

  void inside(const std::string& path, const Fill& fill) {
    const std::string outer_path = std::exchange(path_, path);
    const std::string outer_type = std::exchange(type_, {});
    fill(*this);
    path_ = outer_path;
    type_ = outer_type;
  }

  void row(std::string_view key, std::string_view type, const std::string& value,
           const About& about) {
    const std::string only = type_.empty() ? "" : fmt::format(" (type `{}`)", type_);
    std::string standard = "required";
    if (!about.required) standard = value.empty() ? "" : fmt::format("`{}`", value);
    if (about.required && !about.unless.key.empty()) {
      standard = fmt::format("required, unless `{}: {}`", about.unless.key, about.unless.word);
    }
    text_ +=
        fmt::format("| `{}`{} | {} | {} | {} | {} | {} |\n", path_of(key), only, cell(type),
                    about.unit, cell(standard), config::bounds_in_words(about), cell(about.help));
  }

  static std::string in_code(std::span<const std::string_view> words, std::string_view between) {
    std::vector<std::string> quoted;
    for (const std::string_view word : words) quoted.push_back(fmt::format("`{}`", word));
    return fmt::format("{}", fmt::join(quoted, between));
  }

  std::string path_of(std::string_view key) const {
    return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
  }

  std::string text_ =
      "| key | type | unit | default | range | meaning |\n"
      "| --- | --- | --- | --- | --- | --- |\n";
  std::string path_;
  std::string type_;
};

}  // namespace

std::string reference_of_declared(const std::function<void(Declaration&)>& declare) {
  ReferenceWriter writer;
  declare(writer);
  return writer.take();
}

}  // namespace scree
