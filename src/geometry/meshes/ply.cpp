#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "binary_numbers.hpp"
#include "mesh_formats.hpp"
#include "ply_header.hpp"

namespace scree {
namespace {

/// Numbers of a text: each element is a line.
class PlyText {
 public:
  explicit PlyText(MeshWords words) : words_(words) {}

  MeshPlace begin(const PlyElement& element, std::int64_t row) {
    if (!words_.next_line()) {
      words_.refuse(
          fmt::format("ends after {} of {} elements {}", row, element.count, element.name),
          "give the whole file");
    }
    return words_.place();
  }
  double next(PlyType) { return words_.real(); }

 private:
  MeshWords words_;
};

/// Numbers as bytes, without gaps.
class PlyBytes {
 public:
  PlyBytes(const std::filesystem::path& file, std::string_view bytes, std::endian order)
      : file_(file), rest_(bytes), order_(order) {}

  MeshPlace begin(const PlyElement& element, std::int64_t row) {
    place_ = {element.name, row + 1};
    return place_;
  }

  double next(PlyType type) {
    switch (type) {
      case PlyType::int8:
        return take<std::int8_t>();
      case PlyType::uint8:
        return take<std::uint8_t>();
      case PlyType::int16:
        return take<std::int16_t>();
      case PlyType::uint16:
        return take<std::uint16_t>();
      case PlyType::int32:
        return take<std::int32_t>();
      case PlyType::uint32:
        return take<std::uint32_t>();
      case PlyType::float32:
        return take<float>();
      default:
        return take<double>();
    }
  }

 private:
  template <class T>
  double take() {
    if (rest_.size() < sizeof(T)) {
      refuse_mesh_file(file_, place_, "the file ends", "give the whole file");
    }
    const T value = number_at<T>(rest_.data(), order_);
    rest_.remove_prefix(sizeof(T));
    return value;
  }

  const std::filesystem::path& file_;
  std::string_view rest_;
  std::endian order_;
  MeshPlace place_{"element", 0};
};

/// A number that counts. Every whole number of the format is a double, too.
std::int64_t ply_whole(const std::filesystem::path& file, const MeshPlace& place, double value) {
  if (!(value >= 0.0 && value < 1e15) || value != std::trunc(value)) {
    refuse_mesh_file(file, place,
                     fmt::format("{} is no number of a point, nor one of values", value),
                     "give whole numbers from 0");
  }
  return static_cast<std::int64_t>(value);
}

/// One vertex or face, or what is passed over.
struct PlyRow {
  Vec3 point = Vec3::Zero();
  std::vector<std::int64_t> corners;
};

template <class Body>
void read_row(const std::filesystem::path& file, const PlyElement& element, Body& body,
              const MeshPlace& place, PlyRow& row) {
  row.corners.clear();
  for (const PlyProperty& property : element.properties) {
    if (property.count) {
      const bool is_corners = property.role == PlyRole::corners;
      for (auto left = ply_whole(file, place, body.next(*property.count)); left > 0; --left) {
        const double value = body.next(property.type);
        if (is_corners) row.corners.push_back(ply_whole(file, place, value));
      }
    } else {
      const double value = body.next(property.type);
      if (property.role != PlyRole::none) row.point[static_cast<int>(property.role)] = value;
    }
  }
}

template <class Body>
MeshFile read_elements(const std::filesystem::path& file, const PlyHeader& header, Body body) {
  MeshBuilder mesh(file);
  PlyRow row;
  for (const PlyElement& element : header.elements) {
    if (element.properties.empty()) continue;  // its rows are of no length
    for (std::int64_t k = 0; k < element.count; ++k) {
      const MeshPlace place = body.begin(element, k);
      read_row(file, element, body, place, row);
      if (element.name == "vertex") mesh.add_point(row.point, place);
      if (element.name == "face") mesh.add_face(row.corners, place);
    }
  }
  return mesh.finish();
}

}  // namespace

MeshFile read_ply(const std::filesystem::path& file, std::string_view bytes) {
  MeshWords words(file, bytes);
  const PlyHeader header = read_ply_header(words);
  if (!header.binary) return read_elements(file, header, PlyText(words));
  return read_elements(file, header, PlyBytes(file, words.rest(), *header.binary));
}

}  // namespace scree
