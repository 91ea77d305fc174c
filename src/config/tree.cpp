#include "tree.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>
#include <vector>

#include "scree/base/check.hpp"

namespace scree::config {
namespace {

/// Bounds what a document may cost: an alias may repeat a tree, or hold itself.
constexpr int kDeepest = 64;
constexpr std::size_t kMostNodes = 2'000'000;

class Converter {
 public:
  explicit Converter(const std::string& file) : file_(file) {}

  Tree convert(const YAML::Node& node, int depth) {
    Tree tree;
    if (node.Mark().line >= 0) last_line_ = node.Mark().line + 1;
    tree.place.line = last_line_;
    if (depth > kDeepest) refuse(fmt::format("nested deeper than {} levels", kDeepest));
    if (++nodes_ > kMostNodes) refuse(fmt::format("more than {} values", kMostNodes));
    switch (node.Type()) {
      case YAML::NodeType::Undefined:
      case YAML::NodeType::Null:
        break;
      case YAML::NodeType::Scalar:
        tree.kind = Tree::Kind::scalar;
        tree.scalar = node.Scalar();
        tree.quoted = node.Tag() == "!" || node.Tag() == "tag:yaml.org,2002:str";
        break;
      case YAML::NodeType::Sequence:
        tree.kind = Tree::Kind::list;
        tree.items.reserve(node.size());
        for (const YAML::Node& item : node) tree.items.push_back(convert(item, depth + 1));
        break;
      case YAML::NodeType::Map:
        tree.kind = Tree::Kind::map;
        tree.entries.reserve(node.size());
        for (const auto& entry : node) {
          const Tree key = convert(entry.first, depth + 1);
          if (key.kind != Tree::Kind::scalar) refuse("a key must be a word");
          tree.entries.push_back({key.scalar, key.place, convert(entry.second, depth + 1)});
        }
        break;
    }
    return tree;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw InputError(fmt::format("{}:{}: {}", file_, last_line_, why));
  }

  const std::string& file_;
  int last_line_ = 1;
  std::size_t nodes_ = 0;
};

void set_place(Tree& tree, Place place) {
  tree.place = place;
  for (Tree& item : tree.items) set_place(item, place);
  for (Tree::Entry& entry : tree.entries) {
    entry.place = place;
    set_place(entry.value, place);
  }
}

std::optional<std::size_t> as_index(std::string_view word) {
  std::size_t index = 0;
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), index);
  if (code != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return index;
}

/// The value under @p word inside @p tree, made when it is not there; null with @p problem set when
/// there can be none.
Tree* descend(Tree& tree, std::string_view word, Place place, std::string& problem) {
  if (tree.kind == Tree::Kind::list) {
    const auto index = as_index(word);
    if (index && *index < tree.items.size()) return &tree.items[*index];
    problem = fmt::format("\"{}\" is no entry of a list; allowed: 0 to {}", word,
                          static_cast<std::ptrdiff_t>(tree.items.size()) - 1);
    if (tree.items.empty()) problem = fmt::format("\"{}\" is no entry of an empty list", word);
    return nullptr;
  }
  if (tree.kind == Tree::Kind::scalar) {
    problem = fmt::format("\"{}\" stands under \"{}\", which is a single value", word, tree.scalar);
    return nullptr;
  }
  tree.kind = Tree::Kind::map;
  const auto found = std::find_if(tree.entries.begin(), tree.entries.end(),
                                  [&](const Tree::Entry& entry) { return entry.key == word; });
  if (found != tree.entries.end()) {
    return &found->value;
  }
  Tree fresh;
  fresh.place = place;
  tree.entries.push_back({std::string(word), place, std::move(fresh)});
  return &tree.entries.back().value;
}

/// Notes where documents begin.
class DocumentStarts final : public YAML::EventHandler {
 public:
  std::vector<YAML::Mark> marks;

  void OnDocumentStart(const YAML::Mark& mark) override { marks.push_back(mark); }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}
};

/// @p text holds one document or none. yaml-cpp takes a comma at the start of a line for an endless number
/// of empty ones, so that these cannot just be loaded and counted.
void refuse_more_documents(const std::string& text, const std::string& file) {
  std::istringstream stream{text};
  YAML::Parser parser(stream);
  DocumentStarts starts;
  while (starts.marks.size() < 2 && parser.HandleNextDocument(starts)) continue;
  if (starts.marks.size() < 2) return;
  const int line = starts.marks[1].line + 1;
  if (starts.marks[1].pos == starts.marks[0].pos) {
    throw InputError(fmt::format("{}:{}: not valid YAML: no value can begin here", file, line));
  }
  throw InputError(fmt::format("{}:{}: a second document (`---`); allowed: one", file, line));
}

}  // namespace

Tree parse_yaml(std::string_view text, const std::string& file) {
  try {
    const std::string whole(text);
    refuse_more_documents(whole, file);
    const YAML::Node document = YAML::Load(whole);
    if (document.IsNull()) return {};
    return Converter(file).convert(document, 0);
  } catch (const YAML::Exception& error) {
    const int line = error.mark.line < 0 ? 1 : error.mark.line + 1;
    throw InputError(fmt::format("{}:{}: not valid YAML: {}", file, line, error.msg));
  }
}

std::string apply_override(Tree& root, std::string_view assignment, int index) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    return "is not of the form key.key=value";
  }
  const Place place{.line = 1, .override = index};
  Tree value;
  try {
    value = parse_yaml(assignment.substr(equals + 1), "value");
  } catch (const InputError& error) {
    return error.what();
  }
  set_place(value, place);

  Tree* target = &root;
  std::string_view path = assignment.substr(0, equals);
  while (target != nullptr) {
    const std::size_t dot = path.find('.');
    const std::string_view word = path.substr(0, dot);
    if (word.empty()) return "has an empty key";
    std::string problem;
    target = descend(*target, word, place, problem);
    if (target == nullptr) return problem;
    if (dot == std::string_view::npos) break;
    path.remove_prefix(dot + 1);
  }
  *target = std::move(value);
  return {};
}

}  // namespace scree::config
