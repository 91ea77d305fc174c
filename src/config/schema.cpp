#include "scree/config/schema.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace scree {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Vec3& v) {
  return Json::array({v.x(), v.y(), v.z()});
}

void put_bounds(Json& schema, const About& about) {
  if (std::isfinite(about.min)) schema["minimum"] = about.min;
  if (std::isfinite(about.above)) schema["exclusiveMinimum"] = about.above;
  if (std::isfinite(about.max)) schema["maximum"] = about.max;
  if (std::isfinite(about.below)) schema["exclusiveMaximum"] = about.below;
}

Json number(std::string_view type, const About& about) {
  Json schema = {{"type", type}};
  put_bounds(schema, about);
  return schema;
}

Json array_of(Json items, std::size_t count) {
  Json schema = {{"type", "array"}, {"items", std::move(items)}};
  if (count > 0) schema["minItems"] = schema["maxItems"] = count;
  return schema;
}

Json one_of_words(std::span<const std::string_view> allowed) {
  return {{"type", "string"}, {"enum", std::vector<std::string>(allowed.begin(), allowed.end())}};
}

class SchemaWriter final : public Declaration {
 public:
  Json schema_of(const Fill& fill) {
    frames_.emplace_back();
    fill(*this);
    Json schema = finish(std::move(frames_.back()));
    frames_.pop_back();
    return schema;
  }

  void real(std::string_view key, double& value, const About& about) override {
    Json schema = number("number", about);
    if (std::isfinite(value)) put_default(schema, value, about);
    put(key, std::move(schema), about);
  }
  void real_or(std::string_view word, std::string_view key, std::optional<double>& value,
               const About& about) override {
    Json schema = {{"anyOf", Json::array({number("number", about), {{"const", word}}})}};
    if (value) put_default(schema, *value, about);
    put(key, std::move(schema), about);
  }
  void integer(std::string_view key, std::int64_t& value, const About& about) override {
    put(key, with_default(number("integer", about), value, about), about);
  }
  void flag(std::string_view key, bool& value, const About& about) override {
    put(key, with_default({{"type", "boolean"}}, value, about), about);
  }
  void text(std::string_view key, std::string& value, const About& about) override {
    put(key, with_default({{"type", "string"}}, value, about), about);
  }
  void path(std::string_view key, std::filesystem::path& /*value*/, const About& about) override {
    put(key, {{"type", "string"}}, about);
  }
  void vector(std::string_view key, Vec3& value, const About& about) override {
    Json schema = array_of(number("number", about), 3);
    if (value.allFinite()) put_default(schema, json_of(value), about);
    put(key, std::move(schema), about);
  }
  void vectors(std::string_view key, std::vector<Vec3>& /*value*/, const About& about) override {
    put(key, array_of(array_of(number("number", about), 3), about.count), about);
  }
  void reals(std::string_view key, std::vector<double>& value, const About& about) override {
    put(key, with_default(array_of(number("number", about), about.count), value, about), about);
  }
  void integers(std::string_view key, std::vector<std::int64_t>& value,
                const About& about) override {
    put(key, with_default(array_of(number("integer", about), about.count), value, about), about);
  }
  void texts(std::string_view key, std::vector<std::string>& value, const About& about) override {
    const Json text = {{"type", {"string", "number"}}};
    put(key, with_default(array_of(text, about.count), value, about), about);
  }
  void word(std::string_view key, std::string& value, std::span<const std::string_view> allowed,
            const About& about) override {
    put(key, with_default(one_of_words(allowed), value, about), about);
  }
  void words(std::string_view key, std::vector<std::string>& value,
             std::span<const std::string_view> allowed, const About& about) override {
    Json schema = array_of(one_of_words(allowed), about.count);
    schema["uniqueItems"] = true;
    put(key, with_default(std::move(schema), value, about), about);
  }
  void name_of(std::string_view kind, std::string_view key, std::string& /*value*/,
               const About& about) override {
    put(key, {{"type", "string"}}, about, fmt::format("name of one of the {}", kind));
  }
  void names_of(std::string_view kind, std::string_view key, std::vector<std::string>& /*value*/,
                const About& about) override {
    Json names = array_of({{"type", "string"}}, about.count);
    if (!about.instead.empty()) {
      names = {{"anyOf", Json::array({{{"const", about.instead}}, std::move(names)})}};
    }
    put(key, std::move(names), about, fmt::format("names of {}", kind));
  }
  void values_of_keys(std::string_view key, std::vector<KeyValues>& /*value*/,
                      const About& about) override {
    Json values = {{"anyOf", Json::array({{{"type", "array"}, {"minItems", 1}}})}};
    for (const std::string_view grid : {"linear", "log", "range"}) {
      values["anyOf"].push_back({{"type", "object"},
                                 {"properties", {{grid, array_of({{"type", "number"}}, 3)}}},
                                 {"required", {grid}},
                                 {"additionalProperties", false}});
    }
    put(key, {{"type", "object"}, {"additionalProperties", std::move(values)}}, about);
  }
  void settings(std::string_view key, std::vector<Setting>& /*value*/,
                const About& about) override {
    put(key, {{"type", "object"}}, about);
  }
  void require(std::string_view, bool, std::string_view) override {}

 private:
  /// The object being described. With alternatives it is one of several, which share its keys.
  struct Frame {
    Json properties = Json::object();
    std::vector<std::string> required;
    std::vector<Json> conditions;  ///< keys that are required but where another is some word
    std::vector<Frame> alternatives;
    std::string help;
  };

  void nested(std::string_view key, const About& about, const Fill& fill) override {
    if (about.number_for.empty()) return put(key, schema_of(fill), about);
    Json object = schema_of(fill);
    Json number = object["properties"][std::string(about.number_for)];
    put(key, {{"anyOf", Json::array({std::move(number), std::move(object)})}}, about);
  }
  void optional_nested(std::string_view key, const About& about, bool /*present*/,
                       const std::function<void()>& /*reset*/, const Fill& fill) override {
    put(key, {{"anyOf", Json::array({schema_of(fill), {{"type", "null"}}})}}, about);
  }
  void items(std::string_view key, const About& about, std::size_t /*count*/,
             const std::function<void(std::size_t)>& restart, const FillItem& fill) override {
    restart(1);
    put(key, array_of(schema_of([&](Declaration& d) { fill(d, 0); }), about.count), about);
  }
  void named_items(std::string_view key, const About& about,
                   const std::vector<std::string>& /*names*/,
                   const std::function<void(const std::vector<std::string>&)>& restart,
                   const FillItem& fill) override {
    restart({"NAME"});
    put(key,
        {{"type", "object"},
         {"propertyNames", {{"pattern", "^[A-Za-z0-9_-]+$"}}},
         {"additionalProperties", schema_of([&](Declaration& d) { fill(d, 0); })}},
        about);
  }
  void choice(std::string_view key, const About& about, std::size_t chosen,
              const Alternatives& alternatives) override {
    if (!key.empty()) {
      put(key, schema_of([&](Declaration&) { add_alternatives(chosen, true, alternatives); }),
          about);
    } else {
      add_alternatives(chosen, about.required, alternatives);
    }
  }

  void add_alternatives(std::size_t chosen, bool required, const Alternatives& alternatives) {
    for (std::size_t i = 0; i < alternatives.size(); ++i) {
      frames_.emplace_back();
      frames_.back().help = alternatives[i].help;
      frames_.back().properties["type"] = {{"const", alternatives[i].type}};
      if (required || i != chosen) frames_.back().required.emplace_back("type");
      alternatives[i].fill(*this);
      Frame alternative = std::move(frames_.back());
      frames_.pop_back();
      frames_.back().alternatives.push_back(std::move(alternative));
    }
  }

  static Json finish(Frame frame) {
    if (frame.alternatives.empty()) return object(frame);
    Json schema = {{"oneOf", Json::array()}};
    for (Frame& alternative : frame.alternatives) {
      Frame merged = frame;
      merged.help = alternative.help;
      merged.properties.update(alternative.properties);
      merged.required.insert(merged.required.end(), alternative.required.begin(),
                             alternative.required.end());
      merged.conditions.insert(merged.conditions.end(), alternative.conditions.begin(),
                               alternative.conditions.end());
      schema["oneOf"].push_back(object(merged));
    }
    return schema;
  }

  static Json object(const Frame& frame) {
    Json schema = {{"type", "object"}};
    if (!frame.help.empty()) schema["description"] = frame.help;
    schema["properties"] = frame.properties;
    if (!frame.required.empty()) schema["required"] = frame.required;
    if (!frame.conditions.empty()) schema["allOf"] = frame.conditions;
    schema["additionalProperties"] = false;
    return schema;
  }

  template <class T>
  static void put_default(Json& schema, const T& value, const About& about) {
    if (!about.required) schema["default"] = value;
  }
  template <class T>
  static Json with_default(Json schema, const T& value, const About& about) {
    put_default(schema, value, about);
    return schema;
  }

  void put(std::string_view key, Json schema, const About& about, std::string_view note = "") {
    std::string description(about.help);
    if (!note.empty()) description += fmt::format("; {}", note);
    if (!about.unit.empty()) description += fmt::format(" [{}]", about.unit);
    schema["description"] = description;
    frames_.back().properties[std::string(key)] = std::move(schema);
    if (!about.required) return;
    if (about.unless.key.empty()) {
      frames_.back().required.emplace_back(key);
    } else {
      frames_.back().conditions.push_back(required_unless(key, about.unless));
    }
  }

  static Json required_unless(std::string_view key, const WordOfKey& unless) {
    const Json is_word = {{"properties", {{unless.key, {{"const", unless.word}}}}},
                          {"required", {unless.key}}};
    return {{"anyOf", Json::array({is_word, {{"required", {key}}}})}};
  }

  std::vector<Frame> frames_;
};

}  // namespace

Json schema_of_declared(std::string_view title, const std::function<void(Declaration&)>& declare) {
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", title}};
  schema.update(SchemaWriter().schema_of(declare));
  return schema;
}

}  // namespace scree
