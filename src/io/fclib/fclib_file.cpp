#include "fclib_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "scree/problem/measure.hpp"

namespace scree::fclib {
namespace {

constexpr int kRollingDim = 5;  ///< rows a contact: normal, two tangents, two of rolling

/// @throws InputError where the dataset @p name does not have @p n numbers.
void require_count(hid_t file, const std::filesystem::path& path, const std::string& name,
                   std::int64_t n) {
  const std::int64_t found = h5::count(file, name);
  if (found == n) return;
  refuse(path, fmt::format("{} has {} numbers instead of {}", name, found, n));
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

/// This rank's share of coefficients of friction.
std::vector<double> read_coefficients(hid_t file, const std::filesystem::path& path,
                                      const std::string& name, const Shares& shares) {
  std::vector<double> friction = h5::read_part<double>(file, name, shares.begin(), shares.count());
  for (const double mu : friction) {
    if (!(mu >= 0.0 && mu <= kLargestLimit)) {
      refuse(path, fmt::format("{} holds {}; friction is at least 0 and at most {:g}", name, mu,
                               kLargestLimit));
    }
  }
  return friction;
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

std::string Header::velocity() const {
  return group() + "/vectors/" + (kind == Kind::lcp ? "b" : global() ? "w" : "q");
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
    h.dim = 1;
    h.n_contacts = std::max(h5::read_scalar<std::int32_t>(file, h.matrix() + "/m"), 0);
  } else {
    h.dim = read_dim(file, path, h);
    h.n_contacts = h5::count(file, group + "/vectors/mu");
  }
  if (h.rolling) require_count(file, path, group + "/vectors/mu_r", h.n_contacts);
  require_count(file, path, h.velocity(), h.n_rows());
  if (h.global()) {
    h.n_dofs = std::max(h5::read_scalar<std::int32_t>(file, group + "/M/m"), 0);
    require_count(file, path, group + "/vectors/f", h.n_dofs);
    const std::string springs = group + "/info/compliant_rows";
    if (h5::is_dataset(file, springs)) h.n_springs = h5::count(file, springs);
  }
  return h;
}

std::vector<double> read_share(hid_t file, const std::filesystem::path& path,
                               const std::string& name, const Shares& shares) {
  std::vector<double> values = h5::read_part<double>(file, name, shares.begin(), shares.count());
  for (const double value : values) {
    if (!std::isfinite(value)) refuse(path, name + " holds a number that is not finite");
  }
  return values;
}

FrictionOfContacts read_friction(hid_t file, const std::filesystem::path& path,
                                 const Header& header, const Shares& shares) {
  if (header.kind == Kind::lcp) return {.mu = std::vector<double>(shares.count(), 0.0)};
  const std::string vectors = header.group() + "/vectors/";
  FrictionOfContacts friction{.mu = read_coefficients(file, path, vectors + "mu", shares)};
  if (header.rolling) friction.mu_r = read_coefficients(file, path, vectors + "mu_r", shares);
  return friction;
}

}  // namespace scree::fclib
