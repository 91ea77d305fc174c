#include "fclib_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "scree/problem/measure.hpp"

namespace scree::fclib {
namespace {

constexpr int kRollingDim = 5;  ///< rows a contact: normal, two tangents, two of rolling

Dense read_vector(hid_t file, const std::filesystem::path& path, const std::string& name,
                  std::size_t size) {
  const std::vector<double> values = h5::read<double>(file, name);
  if (values.size() != size) {
    refuse(path, fmt::format("{} has {} numbers instead of {}", name, values.size(), size));
  }
  for (const double value : values) {
    if (!std::isfinite(value)) refuse(path, name + " holds a number that is not finite");
  }
  return Eigen::Map<const Dense>(values.data(), static_cast<Eigen::Index>(values.size()));
}

bool all_within(const std::vector<std::int32_t>& indices, Eigen::Index bound) {
  return std::all_of(indices.begin(), indices.end(),
                     [bound](std::int32_t i) { return i >= 0 && i < bound; });
}

/// Row (or column) of every entry from compressed starts.
std::vector<std::int32_t> expand(const std::vector<std::int32_t>& start, std::size_t n_entries) {
  std::vector<std::int32_t> index(n_entries);
  for (std::size_t k = 0; k + 1 < start.size(); ++k) {
    std::fill(index.begin() + start[k], index.begin() + start[k + 1], static_cast<std::int32_t>(k));
  }
  return index;
}

/// Are @p start the starts of @p lines compressed lines over at most @p available entries?
bool are_starts(const std::vector<std::int32_t>& start, Eigen::Index lines, std::size_t available) {
  return std::cmp_equal(start.size(), std::int64_t{lines} + 1) && start.front() == 0 &&
         std::is_sorted(start.begin(), start.end()) && std::cmp_less_equal(start.back(), available);
}

/// The kinds of problems, by their groups.
constexpr struct {
  const char* group;
  Kind kind;
  bool rolling;
} kGroups[] = {
    {"fclib_local", Kind::local, false},
    {"fclib_global", Kind::global, false},
    {"fclib_local_rolling", Kind::local, true},
    {"fclib_global_rolling", Kind::global, true},
    {"lcp", Kind::lcp, false},
};

/// One coefficient of friction a contact.
std::vector<double> read_friction(hid_t file, const std::filesystem::path& path,
                                  const std::string& name) {
  std::vector<double> friction = h5::read<double>(file, name);
  for (const double mu : friction) {
    if (!(mu >= 0.0 && mu <= kLargestLimit)) {
      refuse(path, fmt::format("{} holds {}; friction is at least 0 and at most {:g}", name, mu,
                               kLargestLimit));
    }
  }
  return friction;
}

/// The rows a contact, which must be those of the kind of problem.
int read_dim(hid_t file, const std::filesystem::path& path, const Header& header) {
  const std::string name = header.group() + "/spacedim";
  const int dim = h5::read_scalar<std::int32_t>(file, name);
  if (header.rolling && dim != kRollingDim) {
    refuse(path, fmt::format("{} is {}; {} is allowed", name, dim, kRollingDim));
  }
  if (!header.rolling && dim != 2 && dim != 3) {
    refuse(path, fmt::format("{} is {}; 2 and 3 are allowed", name, dim));
  }
  return dim;
}

}  // namespace

void refuse(const std::filesystem::path& path, const std::string& problem) {
  throw InputError(fmt::format("{}: {}", path.string(), problem));
}

std::string group_of(Kind kind, bool rolling) {
  for (const auto& known : kGroups) {
    if (known.kind == kind && known.rolling == rolling) return known.group;
  }
  return {};
}

Header read_header(hid_t file, const std::filesystem::path& path) {
  Header h;
  const auto* known = std::find_if(std::begin(kGroups), std::end(kGroups), [&](const auto& entry) {
    return h5::is_group(file, entry.group);
  });
  if (known == std::end(kGroups)) {
    refuse(path,
           "holds neither fclib_local, fclib_global (nor either with _rolling) nor lcp: no contact "
           "problem of FCLIB, no LCP");
  }
  h.kind = known->kind;
  h.rolling = known->rolling;
  const std::string group = h.group();
  if (h.kind == Kind::lcp) {
    const auto n = h5::read_scalar<std::int32_t>(file, h.matrix() + "/m");
    h.dim = 1;
    h.q = read_vector(file, path, group + "/vectors/b", std::max(n, 0));
    h.mu.assign(h.q.size(), 0.0);
    return h;
  }
  h.dim = read_dim(file, path, h);
  h.mu = read_friction(file, path, group + "/vectors/mu");
  if (h.rolling) h.mu_r = read_friction(file, path, group + "/vectors/mu_r");
  if (h.rolling && h.mu_r.size() != h.mu.size()) {
    refuse(path, fmt::format("{}/vectors/mu_r has {} numbers instead of {}", group, h.mu_r.size(),
                             h.mu.size()));
  }
  const std::size_t rows = h.mu.size() * h.dim;
  h.q = read_vector(file, path, group + (h.global() ? "/vectors/w" : "/vectors/q"), rows);
  if (h.global()) {
    const auto dofs = h5::read_scalar<std::int32_t>(file, group + "/M/m");
    h.f = read_vector(file, path, group + "/vectors/f", std::max(dofs, 0));
    const std::string springs = group + "/info/compliant_rows";
    if (h5::is_dataset(file, springs)) h.compliant_rows = h5::read<std::int32_t>(file, springs);
  }
  return h;
}

Sparse read_matrix(hid_t file, const std::filesystem::path& path, const std::string& name,
                   Eigen::Index rows, Eigen::Index columns) {
  const auto m = h5::read_scalar<std::int32_t>(file, name + "/m");
  const auto n = h5::read_scalar<std::int32_t>(file, name + "/n");
  const auto nz = h5::read_scalar<std::int32_t>(file, name + "/nz");
  if (m != rows || n != columns) {
    refuse(path,
           fmt::format("{} is {} x {}, and its vectors need {} x {}", name, m, n, rows, columns));
  }
  std::vector<std::int32_t> p = h5::read<std::int32_t>(file, name + "/p");
  std::vector<std::int32_t> i = h5::read<std::int32_t>(file, name + "/i");
  std::vector<double> x = h5::read<double>(file, name + "/x");
  const std::size_t available = std::min(i.size(), x.size());
  if (nz >= 0) {
    const std::size_t count = nz;
    if (count > available || count > p.size()) {
      refuse(path, fmt::format("{} claims {} triplets but holds {}", name, nz,
                               std::min(available, p.size())));
    }
    p.resize(count);
    i.resize(count);
    x.resize(count);
    if (!(all_within(i, m) && all_within(p, n))) std::swap(i, p);  // the other convention
  } else if (nz == -1 || nz == -2) {
    if (!are_starts(p, nz == -1 ? n : m, available)) {
      refuse(path, name + "/p does not hold the starts of compressed lines");
    }
    const std::size_t count = p.back();
    i.resize(count);
    x.resize(count);
    p = expand(p, count);
    if (nz == -2) std::swap(i, p);
  } else {
    refuse(path, fmt::format("{}/nz is {}: 0 and above are triplets, -1 compressed columns, -2 "
                             "compressed rows",
                             name, nz));
  }
  if (!(all_within(i, m) && all_within(p, n))) {
    refuse(path, fmt::format("{} has an entry outside its {} rows and {} columns", name, m, n));
  }
  std::vector<Eigen::Triplet<double>> triplets;
  triplets.reserve(x.size());
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (!std::isfinite(x[k])) refuse(path, name + "/x holds a number that is not finite");
    triplets.emplace_back(i[k], p[k], x[k]);
  }
  Sparse matrix(m, n);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return matrix;
}

GlobalMatrices read_global(hid_t file, const std::filesystem::path& path, const Header& header) {
  const Eigen::Index dofs = header.f.size();
  return {read_matrix(file, path, header.group() + "/M", dofs, dofs),
          read_matrix(file, path, header.group() + "/H", dofs, header.q.size()), header.f};
}

double asymmetry(const Sparse& a) {
  const Sparse difference = a - Sparse(a.transpose());
  const auto largest = [](const Sparse& s) {
    const Eigen::Map<const Dense> values(s.valuePtr(), s.nonZeros());
    return s.nonZeros() > 0 ? values.cwiseAbs().maxCoeff() : 0.0;
  };
  const double scale = largest(a);
  return scale > 0.0 ? largest(difference) / scale : 0.0;
}

}  // namespace scree::fclib
