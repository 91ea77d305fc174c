#pragma once

/// Drawings for a web page, as SVG elements that need nothing else. Not collective.

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scree/base/math.hpp"

namespace scree::svg {

inline constexpr double kFigureWidth = 760.0;  ///< px

/// A curve: y over x, both as long. Points whose y is not finite (or not positive, on a logarithmic
/// axis) interrupt it. Where points stand closer than the drawing can show, the least and the
/// largest of each place are drawn, so that no peak is lost.
struct Series {
  std::string name;
  std::vector<double> x;
  std::vector<double> y;
  bool dots = false;              ///< at each point, where there are few
  std::vector<double> low = {};   ///< lower ends of bars about the points; empty: none
  std::vector<double> high = {};  ///< upper ends
};

struct Plot {
  std::string x_label;
  std::string y_label;
  bool logarithmic = false;
  std::vector<Series> series;
  bool logarithmic_x = false;
};

/// The colour of a plot's curve number @p k, as CSS says it.
std::string_view colour_of_curve(std::size_t k);

/// Axes with round ticks, a legend where there are several curves.
std::string draw(const Plot& plot);

/// A grain as it is drawn.
struct Ball {
  Vec3 position;  ///< m
  double radius;  ///< m
  double value;   ///< its colour
};

/// A triangle of a wall or tool, m.
using WallTriangle = std::array<Vec3, 3>;

/// The balls seen horizontally, z up, along the shorter of the x and y extents; near ones hide far
/// ones. The colour goes from the least value to the largest, whose meaning is @p label. Of more
/// than 20,000 balls the nearest are drawn. Behind them stand the @p walls, as far as they are
/// beside the balls.
std::string draw(std::vector<Ball> balls, std::string_view label,
                 std::span<const WallTriangle> walls = {});

}  // namespace scree::svg
