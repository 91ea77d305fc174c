#include "fclib_compliance.hpp"

#include <fmt/format.h>

namespace scree::fclib {
namespace {

[[noreturn]] void refuse_spring(const std::filesystem::path& path, std::int32_t row,
                                std::int64_t dof) {
  refuse(path, fmt::format("info/compliant_rows names row {}, but degree of freedom {} is no "
                           "spring on it alone",
                           row, dof));
}

}  // namespace

SpringReader::SpringReader(MPI_Comm comm, hid_t file, const std::filesystem::path& path,
                           const Header& header)
    : comm_(comm),
      path_(path),
      first_dof_(static_cast<std::int32_t>(header.n_body_dofs())),
      springs_(even_shares(comm, header.n_springs)) {
  if (header.n_springs == 0) return;
  refuse_on_all(comm, path, [&] {
    const std::string group = header.group();
    const std::string rows = group + "/info/compliant_rows";
    if (first_dof_ < 0) {
      refuse_spring(path, h5::read_part<std::int32_t>(file, rows, 0, 1).front(), first_dof_);
    }
    row_of_ = h5::read_part<std::int32_t>(file, rows, springs_.begin(), springs_.count());
    momentum_ = h5::read_part<double>(file, group + "/vectors/f", first_dof_ + springs_.begin(),
                                      springs_.count());
  });
}

void SpringReader::add_to_mass(const Entry& entry) {
  if (entry.row == entry.column) {
    parts_.push_back({entry.row - first_dof_, kDiagonal, entry.value});
    return;
  }
  for (const std::int32_t dof : {entry.row, entry.column}) {
    if (is_spring(dof)) parts_.push_back({dof - first_dof_, kCoupled, entry.value});
  }
}

std::vector<double> SpringReader::flexibilities(const std::vector<Part>& parts) const {
  struct Spring {
    double mass = 0.0;
    double slope = 0.0;
    bool is_alone = true;
  };
  std::vector<Spring> springs(springs_.count());
  for (const Part& part : parts) {
    const std::int64_t k = part.spring - springs_.begin();
    if (part.row == kDiagonal) {
      springs[k].mass += part.value;
    } else if (part.row == row_of_[k]) {
      springs[k].slope += part.value;
    } else if (part.value != 0.0) {
      springs[k].is_alone = false;
    }
  }
  std::vector<double> r(springs.size(), 0.0);
  for (std::size_t k = 0; k < r.size(); ++k) {
    const Spring& spring = springs[k];
    if (spring.is_alone && spring.mass > 0.0 && momentum_[k] == 0.0) {
      r[k] = spring.slope * spring.slope / spring.mass;
    }
  }
  return r;
}

std::vector<double> SpringReader::compliance(const Shares& rows) const {
  const auto owner = [this](const Part& part) { return springs_.owner(part.spring); };
  const std::vector<double> r = flexibilities(send(comm_, parts_, owner));
  refuse_on_all(comm_, path_, [&] {
    for (std::size_t k = 0; k < r.size(); ++k) {
      const bool known = row_of_[k] >= 0 && row_of_[k] < rows.total();
      if (known && r[k] > 0.0) continue;
      refuse_spring(path_, row_of_[k],
                    first_dof_ + springs_.begin() + static_cast<std::int64_t>(k));
    }
  });
  struct RowCompliance {
    std::int32_t row;
    double r;
  };
  std::vector<RowCompliance> of_rows(r.size());
  for (std::size_t k = 0; k < r.size(); ++k) of_rows[k] = {row_of_[k], r[k]};
  std::vector<double> compliance(rows.count(), 0.0);
  const auto row_owner = [&rows](const RowCompliance& each) { return rows.owner(each.row); };
  for (const RowCompliance& each : send(comm_, of_rows, row_owner)) {
    compliance[each.row - rows.begin()] += each.r;
  }
  return compliance;
}

}  // namespace scree::fclib
