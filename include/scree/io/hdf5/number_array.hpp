#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace scree {

/// Rows of plain numbers: `width` a row.
struct NumberArray {
  std::string name;
  std::string unit;
  int width = 1;
  std::variant<std::vector<double>, std::vector<std::int64_t>, std::vector<std::int32_t>,
               std::vector<std::uint8_t>, std::vector<float>>
      values;

  std::int64_t rows() const {
    return std::visit([this](const auto& v) { return static_cast<std::int64_t>(v.size()) / width; },
                      values);
  }
  /// Bytes of one number.
  int precision() const {
    return std::visit([](const auto& v) { return static_cast<int>(sizeof(v[0])); }, values);
  }
};

}  // namespace scree
