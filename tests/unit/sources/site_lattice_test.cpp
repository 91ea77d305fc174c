// Lattices of sites and regions that are filled, against trying all pairs.

#include "scree/sources/site_lattice.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scree/base/check.hpp"
#include "scree/geometry/shapes/sphere.hpp"
#include "scree/sources/generators.hpp"

namespace scree {
namespace {

const std::vector<Region> kRegions{
    BoxRegion{{-0.1, 0.2, 0.0}, {0.33, 0.5, 0.27}},
    CylinderRegion{{0.1, 0.2, 0.3}, Vec3::UnitZ(), 0.21, 0.3},
    CylinderRegion{{0.1, 0.2, 0.3}, -2.0 * Vec3::UnitY(), 0.21, 0.3},
    CylinderRegion{{0.1, 0.2, 0.3}, Vec3::UnitX(), 0.2, 0.3},
    CylinderRegion{{0.1, 0.2, 0.3}, Vec3(1, -2, 2), 0.2, 0.4},
};

/// How deep a point is in a region; negative outside.
double depth(const Region& region, const Vec3& point) {
  if (const auto* box = std::get_if<BoxRegion>(&region)) {
    return std::min((point - box->low).minCoeff(), (box->high - point).minCoeff());
  }
  const auto& cylinder = std::get<CylinderRegion>(region);
  const Vec3 a = cylinder.axis.normalized();
  const Vec3 p = point - cylinder.base;
  const double along = p.dot(a);
  return std::min({along, cylinder.height - along, cylinder.radius - (p - along * a).norm()});
}

double volume_of(const Region& region) {
  if (const auto* box = std::get_if<BoxRegion>(&region)) return (box->high - box->low).prod();
  const auto& cylinder = std::get<CylinderRegion>(region);
  return std::numbers::pi * cylinder.radius * cylinder.radius * cylinder.height;
}

std::vector<Vec3> sites_of(const SiteLattice& lattice) {
  std::vector<Vec3> sites;
  for (std::int64_t i = 0; i < lattice.n_sites(); ++i) sites.push_back(lattice.site(i));
  return sites;
}

TEST(SiteLattice, SitesKeepTheirDistances) {
  constexpr double kSpacing = 0.04;
  for (const Region& region : kRegions) {
    for (const Arrangement arrangement : {Arrangement::loose, Arrangement::dense}) {
      const auto sites = sites_of({region, arrangement, kSpacing, 1000000});
      ASSERT_GT(sites.size(), 100u);
      for (std::size_t i = 0; i < sites.size(); ++i) {
        EXPECT_GE(depth(region, sites[i]), 0.5 * kSpacing - 1e-9);
        for (std::size_t j = 0; j < i; ++j) {
          ASSERT_GE((sites[i] - sites[j]).norm(), kSpacing - 1e-9);
        }
        if (i > 0) {
          EXPECT_GE(sites[i].z(), sites[i - 1].z() - 1e-12);
        }
      }
    }
  }
}

TEST(SiteLattice, DenseOnesFillARegion) {
  for (const Region& region : kRegions) {
    const double spacing = 0.008;
    const SiteLattice dense(region, Arrangement::dense, spacing, 10000000);
    const SiteLattice loose(region, Arrangement::loose, spacing, 10000000);
    const double ball = std::numbers::pi / 6.0 * std::pow(spacing, 3);
    const auto fraction = [&](const SiteLattice& lattice) {
      return static_cast<double>(lattice.n_sites()) * ball / volume_of(region);
    };
    EXPECT_GT(fraction(dense), 0.66);  // close packing has 0.7405, less what the surface costs
    EXPECT_LT(fraction(dense), 0.7405);
    EXPECT_GT(fraction(loose), 0.46);  // a cubic lattice has 0.5236
    EXPECT_LT(fraction(loose), 0.5237);
  }
}

TEST(SiteLattice, ExactFitsAreFilled) {
  const Region box = BoxRegion{Vec3::Zero(), {0.4, 0.2, 0.12}};
  EXPECT_EQ(SiteLattice(box, Arrangement::loose, 0.04, 1000).n_sites(), 10 * 5 * 3);
  const Region pipe = CylinderRegion{Vec3::Zero(), Vec3::UnitZ(), 0.02, 0.4};
  EXPECT_EQ(SiteLattice(pipe, Arrangement::loose, 0.04, 1000).n_sites(), 10);
  const Region lying = CylinderRegion{Vec3::Zero(), Vec3::UnitY(), 0.02, 0.4};
  EXPECT_EQ(SiteLattice(lying, Arrangement::loose, 0.04, 1000).n_sites(), 10);
  const Region along = CylinderRegion{Vec3::Zero(), Vec3::UnitX(), 0.02, 0.4};
  EXPECT_EQ(SiteLattice(along, Arrangement::loose, 0.04, 1000).n_sites(), 10);
  EXPECT_EQ(SiteLattice(pipe, Arrangement::loose, 0.0401, 1000).n_sites(), 0);
  EXPECT_EQ(SiteLattice(box, Arrangement::dense, 0.13, 1000).n_sites(), 0);
}

TEST(SiteLattice, VisitsThoseThatAreNear) {
  for (const Region& region : kRegions) {
    for (const Arrangement arrangement : {Arrangement::loose, Arrangement::dense}) {
      const SiteLattice lattice(region, arrangement, 0.03, 1000000);
      for (const Vec3& point : {Vec3(0.12, 0.31, 0.2), Vec3(0.3, 0.1, 0.4), Vec3(9, 9, 9)}) {
        std::vector<std::int64_t> visited;
        lattice.visit_near(point, 0.077, [&](std::int64_t i) { visited.push_back(i); });
        std::vector<std::int64_t> wanted;
        for (std::int64_t i = 0; i < lattice.n_sites(); ++i) {
          if ((lattice.site(i) - point).norm() < 0.077) wanted.push_back(i);
        }
        std::sort(visited.begin(), visited.end());
        EXPECT_EQ(visited, wanted);
      }
    }
  }
}

TEST(SiteLattice, AHugeRegionTakesNoMemory) {
  const Region box = BoxRegion{Vec3::Zero(), Vec3::Ones()};
  for (const Arrangement arrangement : {Arrangement::loose, Arrangement::dense}) {
    const SiteLattice lattice(box, arrangement, 1e-8, 5000);
    EXPECT_GE(lattice.n_sites(), 5000);
    EXPECT_NEAR(lattice.site(0).z(), 0.5e-8, 1e-16);
  }
}

double radius_of_ball(const Body& body) {
  return body.shape.get<Sphere>().radius;
}

BodyGroup group_in(const Places& place, const Radii& radii) {
  BodyGroup group;
  group.name = "bed";
  group.material = "gravel";
  group.radii = radii;
  group.place = place;
  return group;
}

TEST(FilledRegion, GrainsNeitherOverlapNorLeaveIt) {
  const std::vector<Material> materials{{"gravel", 2600.0}};
  for (const Region& region : kRegions) {
    for (const Arrangement arrangement : {Arrangement::loose, Arrangement::dense}) {
      for (const std::int64_t count : {0, 1, 77, 300}) {
        const Filling filling{.arrangement = arrangement, .count = count};
        const Places place = std::visit(
            [&]<class R>(const R& one) {
              return Places(RegionPlaces<R>{one, filling});
            },
            region);
        const auto bodies =
            generate(std::vector{group_in(place, UniformRadii{0.012, 0.016})}, materials);
        if (count > 0) {
          ASSERT_EQ(bodies.size(), static_cast<std::size_t>(count));
        }
        if (count == 0) {
          EXPECT_GT(bodies.size(), 300u);
        }
        for (std::size_t i = 0; i < bodies.size(); ++i) {
          EXPECT_GE(depth(region, bodies[i].position), radius_of_ball(bodies[i]) - 1e-9);
          for (std::size_t j = 0; j < i; ++j) {
            ASSERT_GE((bodies[i].position - bodies[j].position).norm(),
                      radius_of_ball(bodies[i]) + radius_of_ball(bodies[j]) - 1e-9);
          }
        }
      }
    }
  }
}

TEST(FilledRegion, DenseBedsOfEqualGrainsAreDense) {
  const std::vector<Material> materials{{"gravel", 2600.0}};
  const BoxPlaces place{{Vec3::Zero(), Vec3::Constant(0.5)}, {.arrangement = Arrangement::dense}};
  const auto bodies = generate(std::vector{group_in(place, RadiiList{{0.01}})}, materials);
  const double volume = static_cast<double>(bodies.size()) * 4.0 / 3.0 * std::numbers::pi * 1e-6;
  EXPECT_GT(volume / 0.125, 0.6);
}

TEST(FilledRegion, WhatDoesNotFitIsRefused) {
  const std::vector<Material> materials{{"gravel", 2600.0}};
  const auto error = [&](const CylinderRegion& region, std::int64_t count) -> std::string {
    const CylinderPlaces place{region, {.count = count}};
    try {
      generate(std::vector{group_in(place, RadiiList{{0.02}})}, materials);
    } catch (const InputError& fault) {
      return fault.what();
    }
    return "";
  };
  const CylinderRegion pipe{Vec3::Zero(), Vec3::UnitZ(), 0.02, 0.4};
  EXPECT_EQ(error(pipe, 10), "");
  EXPECT_EQ(
      error(pipe, 11),
      "bodies.bed.place: 11 grains of radius up to 0.02 m do not fit in the region; at most 10 "
      "do: enlarge the region or lower the count");
  const CylinderRegion thin{Vec3::Zero(), Vec3::UnitZ(), 0.019, 0.4};
  EXPECT_EQ(error(thin, 0),
            "bodies.bed.place: no grain of radius 0.02 m fits in the region: enlarge it");
}

}  // namespace
}  // namespace scree
