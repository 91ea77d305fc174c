#include "fclib_output.hpp"

#include <fmt/format.h>

#include <cmath>

namespace scree::fclib {
namespace {

/// Rank 0 writes it.
template <class T>
void write_one(const Output& output, const std::string& name, T value) {
  const std::vector<T> values(rank_of(output.comm) == 0 ? 1 : 0, value);
  output.write(name, values);
}

bool all_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

}  // namespace

void Output::write_scalar(const std::string& name, std::int32_t value) const {
  write_one(*this, name, value);
}

void Output::write_scalar(const std::string& name, double value) const {
  write_one(*this, name, value);
}

void Output::write_text(const std::string& name, const std::string& text) const {
  h5::write_text(file, name, text, rank_of(comm) == 0);
}

void Output::write_two(const std::string& name, const std::vector<double>& values,
                       const std::vector<double>& others) const {
  const h5::RowLayout first = h5::row_layout(comm, std::ssize(values));
  const h5::RowLayout second = h5::row_layout(comm, std::ssize(others));
  const h5::Dataset dataset = h5::create_numbers<double>(file, name, first.total + second.total);
  h5::write_part<double>(dataset, first.first, values);
  h5::write_part<double>(dataset, first.total + second.first, others);
}

MatrixOutput::MatrixOutput(const Output& output, const std::string& name, std::int64_t rows,
                           std::int64_t columns, std::int64_t entries) {
  output.write_scalar(name + "/m", static_cast<std::int32_t>(rows));
  output.write_scalar(name + "/n", static_cast<std::int32_t>(columns));
  output.write_scalar(name + "/nz", static_cast<std::int32_t>(entries));
  output.write_scalar(name + "/nzmax", static_cast<std::int32_t>(entries));
  column_ = h5::create_numbers<std::int32_t>(output.file, name + "/p", entries);
  row_ = h5::create_numbers<std::int32_t>(output.file, name + "/i", entries);
  value_ = h5::create_numbers<double>(output.file, name + "/x", entries);
}

void MatrixOutput::write(std::int64_t first, const std::vector<Entry>& entries) const {
  std::vector<std::int32_t> numbers(entries.size());
  const auto of = [&](auto member, auto& values) -> auto& {
    std::transform(entries.begin(), entries.end(), values.begin(),
                   [member](const Entry& entry) { return entry.*member; });
    return values;
  };
  h5::write_part<std::int32_t>(row_, first, of(&Entry::row, numbers));
  h5::write_part<std::int32_t>(column_, first, of(&Entry::column, numbers));
  std::vector<double> values(entries.size());
  h5::write_part<double>(value_, first, of(&Entry::value, values));
}

void write_solution(const Output& output, const std::string& group, const Solution& solution,
                    bool global) {
  const bool finite = all_finite(solution.r) && all_finite(solution.u) && all_finite(solution.v) &&
                      all_finite(solution.v_springs);
  fail_together(output.comm, finite ? std::string()
                                    : fmt::format("the {} has numbers that are not finite, which "
                                                  "no reader of FCLIB files takes",
                                                  group));
  h5::create_group(output.file, group);
  if (global) output.write_two(group + "/v", solution.v, solution.v_springs);
  output.write(group + "/r", solution.r);
  output.write(group + "/u", solution.u);
}

}  // namespace scree::fclib
