#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "scree/io/tables/markup.hpp"
#include "svg.hpp"

namespace scree::svg {
namespace {

constexpr std::size_t kMost = 20000;
constexpr double kLegend = 28.0;
constexpr double kRoomForWalls = 0.03;  ///< beside the balls, over their extent

/// Colours of equal steps to the eye, from dark to light (viridis).
constexpr std::array<std::array<double, 3>, 5> kScale{
    {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}}};

std::string colour(double share) {
  const double place = std::clamp(share, 0.0, 1.0) * (kScale.size() - 1);
  const auto k = std::min(static_cast<std::size_t>(place), kScale.size() - 2);
  const double t = place - static_cast<double>(k);
  std::array<int, 3> rgb{};
  for (std::size_t c = 0; c < rgb.size(); ++c) {
    rgb[c] = static_cast<int>(std::lround((1.0 - t) * kScale[k][c] + t * kScale[k + 1][c]));
  }
  return fmt::format("#{:02x}{:02x}{:02x}", rgb[0], rgb[1], rgb[2]);
}

std::string legend(double width, double low, double high, std::string_view label) {
  std::string result;
  constexpr int kSteps = 20;
  constexpr double kStep = 8.0;
  const double left = width - kSteps * kStep - 60.0;
  for (int k = 0; k < kSteps; ++k) {
    result += fmt::format(R"(<rect x="{:.1f}" y="6" width="{}" height="12" fill="{}"/>)",
                          left + kStep * k, kStep, colour((k + 0.5) / kSteps));
  }
  result += fmt::format(R"(<text x="{:.1f}" y="16" text-anchor="end">{}   {:.3g}</text>)",
                        left - 6.0, escaped(label), low);
  return result +
         fmt::format(R"(<text x="{:.1f}" y="16">{:.3g}</text>)", left + kSteps * kStep + 6.0, high);
}

}  // namespace

std::string draw(std::vector<Ball> balls, std::string_view label,
                 std::span<const WallTriangle> walls) {
  if (balls.empty()) return {};
  Vec3 low = balls.front().position;
  Vec3 high = low;
  double least = balls.front().value;
  double largest = least;
  for (const Ball& ball : balls) {
    const Vec3 reach = Vec3::Constant(ball.radius);
    low = low.cwiseMin(ball.position - reach);
    high = high.cwiseMax(ball.position + reach);
    least = std::min(least, ball.value);
    largest = std::max(largest, ball.value);
  }
  const double beside = walls.empty() ? 0.0 : kRoomForWalls;
  const Vec3 room = Vec3::Constant(beside * (high - low).maxCoeff());
  low -= room;
  high += room;
  // across the picture, and away from the eye
  const int across = high.x() - low.x() >= high.y() - low.y() ? 0 : 1;
  const int away = 1 - across;
  const double sign = across == 0 ? 1.0 : -1.0;  // seen along +y, or along -x
  std::stable_sort(balls.begin(), balls.end(), [&](const Ball& a, const Ball& b) {
    return sign * a.position[away] > sign * b.position[away];
  });
  if (balls.size() > kMost) balls.erase(balls.begin(), balls.end() - kMost);
  const double scale = kFigureWidth / std::max(high[across] - low[across], high.z() - low.z());
  const double width = std::max(kFigureWidth, scale * (high[across] - low[across]));
  const double margin = 0.5 * (width - scale * (high[across] - low[across]));
  const double height = kLegend + scale * (high.z() - low.z());
  const auto x_of = [&](const Vec3& p) { return margin + scale * (p[across] - low[across]); };
  const auto y_of = [&](const Vec3& p) { return kLegend + scale * (high.z() - p.z()); };
  std::string result =
      fmt::format(R"(<svg viewBox="0 0 {:.1f} {:.1f}" role="img">)", width, height);
  result +=
      R"(<g class="walls" fill="#ccd2d9" fill-opacity="0.25" stroke="#8a94a0" stroke-opacity="0.5">)";
  for (const WallTriangle& wall : walls) {
    result += R"(<polygon points=")";
    for (const Vec3& p : wall) result += fmt::format("{:.1f},{:.1f} ", x_of(p), y_of(p));
    result += R"("/>)";
  }
  result += R"(</g><g stroke="#fff" stroke-width="0.4">)";
  const double range = largest > least ? largest - least : 1.0;
  for (const Ball& ball : balls) {
    result += fmt::format(R"(<circle cx="{:.1f}" cy="{:.1f}" r="{:.2f}" fill="{}"/>)",
                          x_of(ball.position), y_of(ball.position), scale * ball.radius,
                          colour((ball.value - least) / range));
  }
  return result + "</g>" + legend(width, least, largest, label) + "</svg>\n";
}

}  // namespace scree::svg
