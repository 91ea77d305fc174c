#include "tree.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <sstream>
#include <vector>

#include "quoted.hpp"
#include "scree/base/check.hpp"

namespace scree::config {
namespace {

/// Bounds what a document may cost: an alias may repeat a tree, or hold itself.
constexpr int kDeepest = 64;
constexpr std::size_t kMostNodes = 2'000'000;
constexpr std::size_t kMostBytes = std::size_t{1}
                                   << 26;  // of the text, and again of all its scalars

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
        if ((bytes_ += node.Scalar().size()) > kMostBytes)
          refuse(fmt::format("values of more than {} bytes in all", kMostBytes));
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
  std::size_t bytes_ = 0;
};

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

/// @p text holds one document or none. yaml-cpp takes a comma at the start of a line for an endless
/// number of empty ones, so that these cannot just be loaded and counted.
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

Place place_of(const Tree::Entry& entry) {
  return entry.value.place.override >= 0 ? entry.value.place : entry.place;
}

Tree parse_yaml(std::string_view text, const std::string& file) {
  if (text.size() > kMostBytes) {
    throw InputError(fmt::format(
        "{}:1: is longer than {} bytes; allowed: shorter ones, with grains in CSV or HDF5 files",
        file, kMostBytes));
  }
  try {
    const std::string whole(text);
    refuse_more_documents(whole, file);
    const YAML::Node document = YAML::Load(whole);
    if (document.IsNull()) return {};
    return Converter(file).convert(document, 0);
  } catch (const YAML::Exception& error) {
    const int line = error.mark.line < 0 ? 1 : error.mark.line + 1;
    throw InputError(printable(fmt::format("{}:{}: not valid YAML: {}", file, line, error.msg)));
  }
}

}  // namespace scree::config
