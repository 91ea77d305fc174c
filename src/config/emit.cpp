#include "scree/config/emit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "bounds.hpp"
#include "number_text.hpp"
#include "quoted.hpp"

namespace scree {
namespace {

/// Words that some YAML reader takes for no text, in small letters.
constexpr std::array<std::string_view, 7> kNoTexts{"null", "true", "false", "yes",
                                                   "no",   "on",   "off"};

/// A word that YAML takes as text without quotes, whatever the reader expects.
bool plain(std::string_view text) {
  std::string small(text);
  std::ranges::transform(small, small.begin(), [](unsigned char c) { return std::tolower(c); });
  if (std::ranges::find(kNoTexts, small) != kNoTexts.end()) return false;
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto inner = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '_'; };
  return !text.empty() && letter(text[0]) && std::all_of(text.begin(), text.end(), inner);
}

std::string scalar(std::string_view text) {
  if (plain(text)) return std::string(text);
  return config::double_quoted(text);
}
std::string scalar(double value) {
  return config::number_text(value);
}
std::string scalar(std::int64_t value) {
  return fmt::format("{}", value);
}
std::string scalar(const Vec3& v) {
  return fmt::format("[{}, {}, {}]", scalar(v.x()), scalar(v.y()), scalar(v.z()));
}

template <class T>
std::string flow(const std::vector<T>& values) {
  std::vector<std::string> words;
  for (const T& value : values) words.push_back(scalar(value));
  return fmt::format("[{}]", fmt::join(words, ", "));
}

class Emitter final : public Declaration {
 public:
  std::string take() { return std::move(text_); }

  void real(std::string_view key, double& value, const About& about) override {
    if (std::isfinite(value)) return line(key, scalar(value), about);
    text_ += fmt::format("{}# {}: {}  # {}\n", indent(), key, value, comment(about));
  }
  void real_or(std::string_view word, std::string_view key, std::optional<double>& value,
               const About& about) override {
    line(key, value ? scalar(*value) : scalar(word), about);
  }
  void integer(std::string_view key, std::int64_t& value, const About& about) override {
    line(key, scalar(value), about);
  }
  void flag(std::string_view key, bool& value, const About& about) override {
    line(key, value ? "true" : "false", about);
  }
  void text(std::string_view key, std::string& value, const About& about) override {
    line(key, scalar(value), about);
  }
  void path(std::string_view key, std::filesystem::path& value, const About& about) override {
    line(key, scalar(value.string()), about);
  }
  void vector(std::string_view key, Vec3& value, const About& about) override {
    if (value.allFinite()) return line(key, scalar(value), about);
    text_ += fmt::format("{}# {}: {}  # {}\n", indent(), key, scalar(value), comment(about));
  }
  void vectors(std::string_view key, std::vector<Vec3>& value, const About& about) override {
    if (value.empty()) return line(key, "[]", about);
    head(key, about);
    for (const Vec3& v : value) text_ += fmt::format("{}  - {}\n", indent(), scalar(v));
  }
  void reals(std::string_view key, std::vector<double>& value, const About& about) override {
    line(key, flow(value), about);
  }
  void integers(std::string_view key, std::vector<std::int64_t>& value,
                const About& about) override {
    line(key, flow(value), about);
  }
  void texts(std::string_view key, std::vector<std::string>& value, const About& about) override {
    line(key, flow(value), about);
  }
  void word(std::string_view key, std::string& value, std::span<const std::string_view> allowed,
            const About& about) override {
    line(key, scalar(value), about, fmt::format("{}", fmt::join(allowed, " | ")));
  }
  void words(std::string_view key, std::vector<std::string>& value,
             std::span<const std::string_view> allowed, const About& about) override {
    line(key, flow(value), about, "any of " + fmt::format("{}", fmt::join(allowed, ", ")));
  }
  void name_of(std::string_view /*kind*/, std::string_view key, std::string& value,
               const About& about) override {
    line(key, scalar(value), about);
  }
  void names_of(std::string_view /*kind*/, std::string_view key, std::vector<std::string>& value,
                const About& about) override {
    const bool is_word = !about.instead.empty() && value.size() == 1 && value[0] == about.instead;
    line(key, is_word ? scalar(value[0]) : flow(value), about);
  }
  void values_of_keys(std::string_view key, std::vector<KeyValues>& value,
                      const About& about) override {
    if (value.empty()) return line(key, "{}", about);
    head(key, about);
    for (const KeyValues& each : value) {
      text_ += fmt::format("{}  {}: [{}]\n", indent(), config::double_quoted(each.key),
                           fmt::join(each.values, ", "));
    }
  }
  void settings(std::string_view key, std::vector<Setting>& value, const About& about) override {
    if (value.empty()) return line(key, "{}", about);
    head(key, about);
    for (const Setting& each : value) {
      text_ += fmt::format("{}  {}: {}\n", indent(), config::double_quoted(each.key), each.value);
    }
  }
  void require(std::string_view, bool, std::string_view) override {}

 private:
  void nested(std::string_view key, const About& about, const Fill& fill) override {
    block(key, about, "{}", body(fill));
  }
  void optional_nested(std::string_view key, const About& about, bool present,
                       const std::function<void()>& /*reset*/, const Fill& fill) override {
    if (present) {
      nested(key, about, fill);
    } else {
      line(key, "null", about);
    }
  }
  void items(std::string_view key, const About& about, std::size_t count,
             const std::function<void(std::size_t)>& /*restart*/, const FillItem& fill) override {
    std::string all;
    for (std::size_t i = 0; i < count; ++i) {
      ++depth_;
      std::string item = body([&](Declaration& d) { fill(d, i); });
      if (item.empty()) item = indent() + "  {}\n";
      item.replace(2 * depth_, 2, "- ");
      --depth_;
      all += item;
    }
    block(key, about, "[]", all);
  }
  void named_items(std::string_view key, const About& about, const std::vector<std::string>& names,
                   const std::function<void(const std::vector<std::string>&)>& /*restart*/,
                   const FillItem& fill) override {
    block(key, about, "{}", body([&](Declaration&) {
            for (std::size_t i = 0; i < names.size(); ++i) {
              block(scalar(names[i]), {.help = ""}, "{}",
                    body([&](Declaration& d) { fill(d, i); }));
            }
          }));
  }
  void choice(std::string_view key, const About& about, std::size_t chosen,
              const Alternatives& alternatives) override {
    const Alternative& alternative = alternatives[chosen];
    const auto fill = [&](Declaration& d) {
      line("type", scalar(alternative.type), {.help = alternative.help}, types(alternatives));
      alternative.fill(d);
    };
    if (key.empty()) {
      fill(*this);
    } else {
      nested(key, about, fill);
    }
  }

  static std::string types(const Alternatives& alternatives) {
    std::vector<std::string_view> words;
    for (const Alternative& alternative : alternatives) words.push_back(alternative.type);
    return fmt::format("{}", fmt::join(words, " | "));
  }

  /// The lines of an object one level deeper; empty when it has no keys.
  std::string body(const Fill& fill) {
    std::string outer = std::move(text_);
    const int lines = lines_;
    text_.clear();
    ++depth_;
    fill(*this);
    --depth_;
    std::swap(outer, text_);
    return lines_ > lines ? outer : std::string{};
  }

  void block(std::string_view key, const About& about, std::string_view empty,
             const std::string& lines) {
    if (lines.empty()) return line(key, empty, about);
    head(key, about);
    text_ += lines;
  }
  void head(std::string_view key, const About& about) { line(key, "", about); }

  void line(std::string_view key, std::string_view value, const About& about,
            std::string_view words = "") {
    ++lines_;
    text_ += fmt::format("{}{}:{}{}", indent(), key, value.empty() ? "" : " ", value);
    std::string note = comment(about);
    if (!words.empty()) note += fmt::format("{}{}", note.empty() ? "" : ": ", words);
    text_ += note.empty() ? "\n" : fmt::format("  # {}\n", note);
  }

  static std::string comment(const About& about) {
    return config::allowed_in_words(about.help, about, ", ");
  }
  std::string indent() const { return std::string(2 * depth_, ' '); }

  std::string text_;
  int depth_ = 0;
  int lines_ = 0;
};

}  // namespace

std::string emit_declared(const std::function<void(Declaration&)>& declare) {
  Emitter emitter;
  declare(emitter);
  return emitter.take();
}

}  // namespace scree
