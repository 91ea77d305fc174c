#include "pair_springs.hpp"

#include <algorithm>

#include "contact_histories.hpp"

namespace scree {
namespace {

/// The least load of a point, over that of all, and over their number.
constexpr double kLeast = 1e-6;

Vec6 row_of(const Contact& contact, const Vec3& arm) {
  Vec6 row;
  row << contact.normal, arm.cross(contact.normal);
  return row;
}

double alike(const Contact& a, const Contact& b) {
  return std::max(0.0, a.normal.dot(b.normal));
}

/// s of points with these @p loads.
std::vector<double> sharing_of(std::span<const LoadedContact> points,
                               const Eigen::VectorXd& loads) {
  const double sum = loads.sum();
  const double least = sum > 0.0 ? kLeast * sum / static_cast<double>(points.size()) : 1.0;
  std::vector<double> sharing;
  for (std::size_t i = 0; i < points.size(); ++i) {
    double all = 0.0;
    for (std::size_t j = 0; j < points.size(); ++j) {
      all += alike(points[i].contact, points[j].contact) *
             std::max(loads[static_cast<Eigen::Index>(j)], least);
    }
    sharing.push_back(all / std::max(loads[static_cast<Eigen::Index>(i)], least));
  }
  return sharing;
}

}  // namespace

Eigen::VectorXd impulses_of_pair(const Eigen::MatrixXd& n, const Eigen::VectorXd& r,
                                 Eigen::VectorXd start) {
  constexpr int kSweeps = 2000;
  constexpr double kTolerance = 1e-12;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    double change = 0.0;
    for (Eigen::Index i = 0; i < r.size(); ++i) {
      if (!(n(i, i) > 0.0)) continue;  // neither body can move
      const double next = std::max(0.0, start[i] - (n.row(i).dot(start) + r[i]) / n(i, i));
      change = std::max(change, std::abs(next - start[i]));
      start[i] = next;
    }
    if (change <= kTolerance * start.maxCoeff()) break;
  }
  return start;
}

void share_stiffness(std::span<LoadedContact> points, const Mat6& inverse_mass_a,
                     const Mat6& inverse_mass_b) {
  const auto size = static_cast<Eigen::Index>(points.size());
  Eigen::MatrixXd n(size, size);
  Eigen::VectorXd r(size);
  Eigen::VectorXd loads(size);
  for (Eigen::Index i = 0; i < size; ++i) {
    const LoadedContact& one = points[static_cast<std::size_t>(i)];
    const Vec6 of_a = inverse_mass_a * row_of(one.contact, one.contact.arm_a);
    const Vec6 of_b = inverse_mass_b * row_of(one.contact, one.contact.arm_b);
    loads[i] = one.load;
    r[i] = one.speed;
    for (Eigen::Index j = 0; j < size; ++j) {
      const Contact& other = points[static_cast<std::size_t>(j)].contact;
      n(j, i) = of_a.dot(row_of(other, other.arm_a)) + of_b.dot(row_of(other, other.arm_b));
    }
  }
  r -= n * loads;
  for (Eigen::Index i = 0; i < size; ++i) {
    for (Eigen::Index j = 0; j < size; ++j) {
      const LoadedContact& one = points[static_cast<std::size_t>(i)];
      const LoadedContact& other = points[static_cast<std::size_t>(j)];
      n(i, j) += alike(one.contact, other.contact) * one.softness;
    }
  }
  loads = impulses_of_pair(n, r, loads);
  const std::vector<double> sharing = sharing_of(points, loads);
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i].load = loads[static_cast<Eigen::Index>(i)];
    points[i].history.force *= points[i].contact.sharing / sharing[i];
    points[i].contact.sharing = sharing[i];
  }
}

LoadedContact joined(const Contact& found, double speed, double dt,
                     std::span<const LoadedContact> points) {
  LoadedContact one;
  one.contact = found;
  one.history.stiffness_gap = found.gap;
  one.speed = speed;
  if (!points.empty()) {
    const LoadedContact& nearest = *std::ranges::min_element(points, {}, [&](const auto& point) {
      return (point.contact.arm_a - found.arm_a).squaredNorm();
    });
    one.history = nearest.history;
    one.history.force = turned_with(nearest.contact.normal, found.normal, nearest.history.force);
    one.contact.sharing = nearest.contact.sharing;
    one.softness = nearest.softness;
    one.bias_share = nearest.bias_share;
  }
  const double gap = found.gap - one.history.rest_gap;
  one.speed += (gap < 0.0 ? one.bias_share : 1.0) * gap / dt;
  return one;
}

}  // namespace scree
