#pragma once

/// Compliance of contacts in global FCLIB files, which know none: a body of its own for each soft
/// contact, with one degree of freedom for each soft row and no momentum,
///
///     M = 1 / R,   H = 1 on the row,   f = 0       so that  H^T M^-1 H = R
///
/// which any code reads as it reads other bodies. They are the last degrees of freedom of M;
/// info/compliant_rows names their rows, in their order, by which scree makes R of them again.

#include <filesystem>
#include <string>
#include <vector>

#include "fclib_file.hpp"

namespace scree::fclib {

/// The springs of a file, while its matrices are read.
class SpringReader {
 public:
  /// Collective. @throws InputError on every rank.
  SpringReader(MPI_Comm comm, hid_t file, const std::filesystem::path& path, const Header& header);

  bool is_spring(std::int32_t dof) const { return dof >= first_dof_; }
  /// An entry of M in the row or the column of a spring.
  void add_to_mass(const Entry& entry);
  /// An entry of H in the row of a spring.
  void add_to_h(const Entry& entry) {
    parts_.push_back({entry.row - first_dof_, entry.column, entry.value});
  }
  /// R by the rows of the file, which are shared by @p rows. Collective. @throws InputError on
  /// every rank, when some degree of freedom is no spring.
  std::vector<double> compliance(const Shares& rows) const;

 private:
  struct Part {
    std::int32_t spring;
    std::int32_t row;  ///< of the file; kDiagonal for M's own entry, kCoupled for one beside it
    double value;
  };
  static constexpr std::int32_t kDiagonal = -1;
  static constexpr std::int32_t kCoupled = -2;
  /// R of each of this rank's springs, 0 for what is none, from what all ranks have of them.
  std::vector<double> flexibilities(const std::vector<Part>& parts) const;

  MPI_Comm comm_;
  std::filesystem::path path_;
  std::int32_t first_dof_;
  Shares springs_;
  std::vector<std::int32_t> row_of_;  ///< of this rank's springs
  std::vector<double> momentum_;      ///< of this rank's springs
  std::vector<Part> parts_;
};

}  // namespace scree::fclib
