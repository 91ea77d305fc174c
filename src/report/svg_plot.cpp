#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "scree/io/tables/markup.hpp"
#include "svg.hpp"

namespace scree::svg {
namespace {

constexpr double kHeight = 260.0;
constexpr double kLeft = 78.0;
constexpr double kRight = 744.0;
constexpr double kTop = 30.0;
constexpr double kBottom = 216.0;
constexpr int kTicks = 5;

/// Told apart by those who do not see red or green, too (Okabe and Ito).
constexpr std::array kColours{"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                              "#E69F00", "#56B4E9", "#000000", "#999900"};

/// An axis: values, or their logarithms, to places.
struct Axis {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  bool logarithmic = false;

  bool shows(double value) const { return std::isfinite(value) && (!logarithmic || value > 0.0); }
  double scaled(double value) const { return logarithmic ? std::log10(value) : value; }
  void include(double value) {
    if (!shows(value)) return;
    low = std::min(low, scaled(value));
    high = std::max(high, scaled(value));
  }
  /// Never empty, never of no length.
  void finish() {
    if (low > high) low = 0.0, high = 1.0;
    if (logarithmic) low = std::floor(low), high = std::ceil(high);
    if (high - low > 1e-12 * std::max(std::abs(low), std::abs(high))) return;
    const double half = low == 0.0 ? 0.5 : 0.05 * std::abs(low);
    low -= half;
    high += half;
  }
  /// Scaled values at which to draw ticks.
  std::vector<double> ticks() const {
    const double raw = (high - low) / kTicks;
    double step =
        logarithmic ? std::max(1.0, std::ceil(raw)) : std::pow(10.0, std::floor(std::log10(raw)));
    if (!logarithmic) {
      for (const double factor : {2.0, 2.5, 2.0}) {
        if (step < raw) step *= factor;
      }
    }
    std::vector<double> result;
    const double first = std::ceil(low / step - 1e-9);
    for (double k = first; k * step <= high + 1e-9 * step; k += 1.0) result.push_back(k * step);
    return result;
  }
  std::string name(double tick) const {
    if (logarithmic) return fmt::format("1e{}", std::lround(tick));
    if (std::abs(tick) < 1e-9 * (high - low)) return "0";
    const double largest = std::max(std::abs(low), std::abs(high));
    const double needed = std::log10(kTicks * largest / (high - low));  // so that ticks differ
    return fmt::format("{:.{}g}", tick, 3 + std::max(0, static_cast<int>(needed)));
  }
  double place(double scaled_value, double from, double to) const {
    return from + (scaled_value - low) / (high - low) * (to - from);
  }
};

std::string text(double x, double y, std::string_view anchor, std::string_view words) {
  return fmt::format(R"(<text x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>)", x, y, anchor,
                     escaped(words));
}

std::string line(double x1, double y1, double x2, double y2, std::string_view colour) {
  return fmt::format(R"(<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" stroke="{}"/>)", x1,
                     y1, x2, y2, colour);
}

/// The least and the largest place of what falls on one column of the drawing.
struct Column {
  double x = -1.0;
  double first = 0.0;
  double last = 0.0;
  double low = 0.0;
  double high = 0.0;
};

/// The path through points of one curve, column by column.
class Path {
 public:
  void point(double x, double y) {
    const double column = std::round(x * 2.0) / 2.0;
    if (open_ && column == column_.x) {
      column_.last = y;
      column_.low = std::min(column_.low, y);
      column_.high = std::max(column_.high, y);
      return;
    }
    flush();
    column_ = {column, y, y, y, y};
    open_ = true;
  }
  void interrupt() {
    flush();
    if (length_ == 1) to(column_.last);  // a point alone is a dot
    length_ = 0;
  }
  std::string finish() {
    interrupt();
    return text_;
  }

 private:
  void flush() {
    if (!open_) return;
    to(column_.first);
    if (column_.low != column_.high) {
      for (const double y : {column_.low, column_.high, column_.last}) to(y);
    }
    open_ = false;
  }
  void to(double y) {
    text_ += fmt::format("{}{:.1f} {:.1f}", length_++ == 0 ? 'M' : 'L', column_.x, y);
  }

  std::string text_;
  Column column_;
  bool open_ = false;
  int length_ = 0;  ///< points since the last interruption
};

std::string curve(const Series& series, const Axis& x, const Axis& y, std::string_view colour) {
  Path path;
  for (std::size_t k = 0; k < series.x.size(); ++k) {
    if (!x.shows(series.x[k]) || !y.shows(series.y[k])) {
      path.interrupt();
      continue;
    }
    path.point(x.place(x.scaled(series.x[k]), kLeft, kRight),
               y.place(y.scaled(series.y[k]), kBottom, kTop));
  }
  return fmt::format(R"(<path d="{}" fill="none" stroke="{}" stroke-linecap="round"/>)",
                     path.finish(), colour);
}

/// Dots at the points of a curve, and bars about them.
std::string marks(const Series& series, const Axis& x, const Axis& y, std::string_view colour) {
  std::string result;
  const auto height = [&y](double value) { return y.place(y.scaled(value), kBottom, kTop); };
  for (std::size_t k = 0; k < series.x.size(); ++k) {
    if (!x.shows(series.x[k]) || !y.shows(series.y[k])) continue;
    const double at = x.place(x.scaled(series.x[k]), kLeft, kRight);
    if (series.dots)
      result += fmt::format(R"(<circle cx="{:.1f}" cy="{:.1f}" r="3" fill="{}"/>)", at,
                            height(series.y[k]), colour);
    if (series.low.empty() || !y.shows(series.low[k]) || !y.shows(series.high[k])) continue;
    result += line(at, height(series.low[k]), at, height(series.high[k]), colour);
  }
  return result;
}

std::string frame(const Plot& plot, const Axis& x, const Axis& y) {
  std::string result;
  for (const double tick : y.ticks()) {
    const double place = y.place(tick, kBottom, kTop);
    result +=
        line(kLeft, place, kRight, place, "#ddd") + text(kLeft - 6, place + 4, "end", y.name(tick));
  }
  for (const double tick : x.ticks()) {
    const double place = x.place(tick, kLeft, kRight);
    result += line(place, kBottom, place, kBottom + 4, "#444") +
              text(place, kBottom + 18, "middle", x.name(tick));
  }
  result +=
      line(kLeft, kBottom, kRight, kBottom, "#444") + line(kLeft, kTop, kLeft, kBottom, "#444");
  result += text(0.5 * (kLeft + kRight), kHeight - 6, "middle", plot.x_label);
  return result + text(4, 16, "start", plot.y_label);
}

/// Names of the curves, from the right of the top line.
std::string legend(const std::vector<Series>& series) {
  constexpr double kLetter = 6.4;
  std::string result;
  double x = kRight;
  for (std::size_t k = series.size(); k-- > 0;) {
    result += fmt::format(R"(<text x="{:.1f}" y="16" text-anchor="end" fill="{}">{}</text>)", x,
                          colour_of_curve(k), escaped(series[k].name));
    x -= kLetter * static_cast<double>(series[k].name.size()) + 16.0;
  }
  return result;
}

}  // namespace

std::string_view colour_of_curve(std::size_t k) {
  return kColours[k % kColours.size()];
}

std::string draw(const Plot& plot) {
  Axis x;
  Axis y;
  x.logarithmic = plot.logarithmic_x;
  y.logarithmic = plot.logarithmic;
  for (const Series& series : plot.series) {
    for (const double value : series.x) x.include(value);
    for (const auto* values : {&series.y, &series.low, &series.high}) {
      for (const double value : *values) y.include(value);
    }
  }
  x.finish();
  y.finish();
  std::string result =
      fmt::format(R"(<svg viewBox="0 0 {} {}" role="img">)", kFigureWidth, kHeight);
  result += frame(plot, x, y);
  for (std::size_t k = 0; k < plot.series.size(); ++k) {
    result += curve(plot.series[k], x, y, colour_of_curve(k)) +
              marks(plot.series[k], x, y, colour_of_curve(k));
  }
  if (plot.series.size() > 1) result += legend(plot.series);
  return result + "</svg>\n";
}

}  // namespace scree::svg
