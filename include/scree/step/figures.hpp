#pragma once

/// Figures that one row of a list gives of a step, an impact law or a way of constraints: each is a
/// column of steps.csv. All runs have the columns of all rows; those of rows that a run does not
/// use are 0.

#include <span>
#include <string_view>
#include <vector>

namespace scree {

/// Name, unit and meaning of a column.
struct FigureColumn {
  std::string_view name;
  std::string_view unit;
  std::string_view help;
};

/// Values of a step by the names of their columns.
class Figures {
 public:
  void add(std::string_view column, double value) { all_.push_back({column, value}); }
  void add(const Figures& others) {
    all_.insert(all_.end(), others.all_.begin(), others.all_.end());
  }
  /// 0 where it has none of that name.
  double of(std::string_view column) const {
    for (const Figure& figure : all_) {
      if (figure.column == column) return figure.value;
    }
    return 0.0;
  }

 private:
  struct Figure {
    std::string_view column;  ///< of a table that lasts as long as the program
    double value;
  };
  std::vector<Figure> all_;
};

/// A column whose value is a number of the struct @p T.
template <class T>
struct FigureOf {
  FigureColumn column;
  double (*value)(const T&);
};

template <class T>
std::vector<FigureColumn> columns_of(std::span<const FigureOf<T>> table) {
  std::vector<FigureColumn> columns;
  for (const FigureOf<T>& one : table) columns.push_back(one.column);
  return columns;
}

template <class T>
Figures figures_of(std::span<const FigureOf<T>> table, const T& values) {
  Figures figures;
  for (const FigureOf<T>& one : table) figures.add(one.column.name, one.value(values));
  return figures;
}

}  // namespace scree
