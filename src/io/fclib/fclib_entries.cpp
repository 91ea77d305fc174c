#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "fclib_file.hpp"

namespace scree::fclib {
namespace {

using Indices = std::vector<std::int32_t>;

bool all_within(const Indices& indices, std::int64_t bound) {
  return std::all_of(indices.begin(), indices.end(),
                     [bound](std::int32_t i) { return i >= 0 && i < bound; });
}

/// The entries of one of several parts of a matrix in a file, in any of FCLIB's three forms.
class EntryReader {
 public:
  /// @throws InputError.
  EntryReader(hid_t file, const std::filesystem::path& path, const MatrixPlace& place, int part,
              int n_parts)
      : file_(file), path_(path), place_(place) {
    check_shape();
    const std::int64_t available = std::min(count("/i"), count("/x"));
    form_ = h5::read_scalar<std::int32_t>(file_, name("/nz"));
    if (form_ >= 0) {
      plan_triplets(available, part, n_parts);
    } else if (form_ == kColumns || form_ == kRows) {
      plan_lines(available, part, n_parts);
    } else {
      refuse(path_, fmt::format("{} is {}: 0 and above are triplets, -1 compressed columns, -2 "
                                "compressed rows",
                                name("/nz"), form_));
    }
  }

  std::int64_t n_entries() const { return end_ - first_; }

  /// Whether no triplet of the part lies outside the matrix when `i` is the row.
  bool fits() const {
    if (form_ < 0 || place_.rows == place_.columns) return true;
    for (std::int64_t at = first_; at < end_; at += Assembly::kRound) {
      const std::int64_t n = std::min(Assembly::kRound, end_ - at);
      if (!all_within(read<std::int32_t>("/i", at, n), place_.rows)) return false;
      if (!all_within(read<std::int32_t>("/p", at, n), place_.columns)) return false;
    }
    return true;
  }
  /// Takes `p` for the row, as some writers do.
  void take_other_convention() { p_is_row_ = true; }

  /// As many of the next entries as a round has. @throws InputError.
  std::vector<Entry> next() {
    const std::int64_t n = std::min(Assembly::kRound, end_ - first_);
    Indices row = read<std::int32_t>("/i", first_, n);
    Indices column = form_ >= 0 ? read<std::int32_t>("/p", first_, n) : next_lines(n);
    const std::vector<double> value = read<double>("/x", first_, n);
    if (p_is_row_ || form_ == kRows) std::swap(row, column);
    if (!(all_within(row, place_.rows) && all_within(column, place_.columns))) {
      refuse(path_, fmt::format("{} has an entry outside its {} rows and {} columns", place_.name,
                                place_.rows, place_.columns));
    }
    std::vector<Entry> entries(n);
    for (std::int64_t k = 0; k < n; ++k) {
      if (!std::isfinite(value[k])) {
        refuse(path_, name("/x") + " holds a number that is not finite");
      }
      entries[k] = {row[k], column[k], value[k]};
    }
    first_ += n;
    return entries;
  }

 private:
  static constexpr std::int32_t kColumns = -1;
  static constexpr std::int32_t kRows = -2;

  std::string name(const char* dataset) const { return place_.name + dataset; }
  std::int64_t count(const char* dataset) const { return h5::count(file_, name(dataset)); }
  template <class T>
  std::vector<T> read(const char* dataset, std::int64_t first, std::int64_t n) const {
    return h5::read_part<T>(file_, name(dataset), first, n);
  }

  void check_shape() const {
    const auto m = h5::read_scalar<std::int32_t>(file_, name("/m"));
    const auto n = h5::read_scalar<std::int32_t>(file_, name("/n"));
    if (m == place_.rows && n == place_.columns) return;
    refuse(path_, fmt::format("{} is {} x {}, and its vectors need {} x {}", place_.name, m, n,
                              place_.rows, place_.columns));
  }

  void plan_triplets(std::int64_t available, int part, int n_parts) {
    const std::int64_t held = std::min(available, count("/p"));
    if (form_ > held) {
      refuse(path_, fmt::format("{} claims {} triplets but holds {}", place_.name, form_, held));
    }
    first_ = std::int64_t{form_} * part / n_parts;
    end_ = std::int64_t{form_} * (part + 1) / n_parts;
  }

  /// A part has whole lines.
  void plan_lines(std::int64_t available, int part, int n_parts) {
    const std::int64_t lines = form_ == kColumns ? place_.columns : place_.rows;
    const std::int64_t first_line = lines * part / n_parts;
    const std::int64_t end_line = lines * (part + 1) / n_parts;
    if (count("/p") == lines + 1) {
      starts_ = read<std::int32_t>("/p", first_line, end_line - first_line + 1);
    }
    const bool are_starts = !starts_.empty() && std::is_sorted(starts_.begin(), starts_.end()) &&
                            starts_.front() >= 0 && starts_.back() <= available &&
                            (part > 0 || starts_.front() == 0);
    if (!are_starts) refuse(path_, name("/p") + " does not hold the starts of compressed lines");
    line_ = static_cast<std::int32_t>(first_line);
    first_ = starts_.front();
    end_ = starts_.back();
  }

  /// The lines of the next @p n entries.
  Indices next_lines(std::int64_t n) {
    Indices lines;
    lines.reserve(n);
    for (std::int64_t entry = first_; entry < first_ + n; ++entry) {
      while (starts_[passed_ + 1] <= entry) ++passed_;
      lines.push_back(line_ + static_cast<std::int32_t>(passed_));
    }
    return lines;
  }

  hid_t file_;
  std::filesystem::path path_;
  MatrixPlace place_;
  std::int32_t form_ = 0;  ///< nz of the file: the number of triplets, or the form of compression
  std::int64_t first_ = 0;
  std::int64_t end_ = 0;
  bool p_is_row_ = false;
  Indices starts_;          ///< of the part's lines, and the end of the last
  std::int32_t line_ = 0;   ///< the part's first
  std::size_t passed_ = 0;  ///< lines of the part before that of the next entry
};

}  // namespace

void read_entries(MPI_Comm comm, hid_t file, const std::filesystem::path& path,
                  const MatrixPlace& place,
                  const std::function<void(const std::vector<Entry>&)>& take) {
  std::optional<EntryReader> reader;
  int fits = 1;
  refuse_on_all(comm, path, [&] {
    reader.emplace(file, path, place, rank_of(comm), size_of(comm));
    fits = reader->fits() ? 1 : 0;
  });
  if (min_over_ranks(comm, fits) == 0) reader->take_other_convention();
  while (max_over_ranks(comm, reader->n_entries()) > 0) {
    std::vector<Entry> entries;
    refuse_on_all(comm, path, [&] { entries = reader->next(); });
    take(entries);
  }
}

}  // namespace scree::fclib
