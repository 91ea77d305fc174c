#include "ply_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace scree {
namespace {

PlyType ply_type(const MeshWords& words, std::string_view name) {
  constexpr std::pair<std::string_view, PlyType> kNames[] = {
      {"char", PlyType::int8},      {"int8", PlyType::int8},       {"uchar", PlyType::uint8},
      {"uint8", PlyType::uint8},    {"short", PlyType::int16},     {"int16", PlyType::int16},
      {"ushort", PlyType::uint16},  {"uint16", PlyType::uint16},   {"int", PlyType::int32},
      {"int32", PlyType::int32},    {"uint", PlyType::uint32},     {"uint32", PlyType::uint32},
      {"float", PlyType::float32},  {"float32", PlyType::float32}, {"double", PlyType::float64},
      {"float64", PlyType::float64}};
  for (const auto& [known, type] : kNames) {
    if (name == known) return type;
  }
  words.refuse(fmt::format("\"{}\" is no type of a property", name),
               "allowed: char, uchar, short, ushort, int, uint, float and double");
}

PlyRole role_in(std::string_view element, std::string_view name, bool is_list) {
  if (element == "vertex" && !is_list) {
    if (name == "x") return PlyRole::x;
    if (name == "y") return PlyRole::y;
    if (name == "z") return PlyRole::z;
  }
  const bool is_corners = name == "vertex_indices" || name == "vertex_index";
  return element == "face" && is_list && is_corners ? PlyRole::corners : PlyRole::none;
}

PlyProperty ply_property(MeshWords& words, std::string_view element) {
  std::string_view type = words.word();
  std::optional<PlyType> count;
  if (type == "list") {
    count = ply_type(words, words.word());
    type = words.word();
  }
  const PlyType of_values = ply_type(words, type);
  return {of_values, count, role_in(element, words.word(), count.has_value())};
}

std::optional<std::endian> ply_format(MeshWords& words) {
  const std::string_view format = words.word();
  if (format == "ascii") return std::nullopt;
  if (format == "binary_little_endian") return std::endian::little;
  if (format == "binary_big_endian") return std::endian::big;
  words.refuse(fmt::format("\"{}\" is no format of PLY", format),
               "allowed: ascii, binary_little_endian and binary_big_endian");
}

void check_elements(const MeshWords& words, const PlyHeader& header) {
  const auto is_vertex = [](const PlyElement& element) { return element.name == "vertex"; };
  if (std::ranges::none_of(header.elements, is_vertex)) {
    words.refuse("the head has no element vertex", "give a PLY file of a mesh");
  }
  for (const PlyElement& element : header.elements) {
    if (is_vertex(element) &&
        !(element.has(PlyRole::x) && element.has(PlyRole::y) && element.has(PlyRole::z))) {
      words.refuse("the element vertex lacks a property x, y or z", "give points in space");
    }
    if (element.name == "face" && element.count > 0 && !element.has(PlyRole::corners)) {
      words.refuse("the element face lacks a list vertex_indices", "give faces by their corners");
    }
  }
}

}  // namespace

bool PlyElement::has(PlyRole role) const {
  return std::ranges::count(properties, role, &PlyProperty::role) == 1;
}

PlyHeader read_ply_header(MeshWords& words) {
  if (!words.next_line() || words.word() != "ply") {
    words.refuse("does not begin with the word ply", "give a PLY file");
  }
  PlyHeader header;
  bool has_format = false;
  while (words.next_line()) {
    const std::string_view keyword = words.word();
    if (keyword == "end_header") {
      if (!has_format) words.refuse("the head has no line format", "give a whole PLY file");
      check_elements(words, header);
      return header;
    }
    if (keyword == "format") {
      header.binary = ply_format(words);
      has_format = true;
    } else if (keyword == "element") {
      const std::string_view name = words.word();
      header.elements.push_back({name, words.whole(), {}});
      if (header.elements.back().count < 0) words.refuse("a number below 0", "give a whole file");
    } else if (keyword == "property" && !header.elements.empty()) {
      PlyElement& element = header.elements.back();
      element.properties.push_back(ply_property(words, element.name));
    } else if (keyword != "comment" && keyword != "obj_info") {
      words.refuse(fmt::format("\"{}\" is no line of a PLY file's head", keyword),
                   "give a whole PLY file");
    }
  }
  words.refuse("the head does not end", "give the whole file");
}

}  // namespace scree
