#include "scree/sources/generators.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "scree/base/check.hpp"
#include "scree/geometry/shapes/all_grain_shapes.hpp"
#include "scree/geometry/shapes/capsule.hpp"
#include "scree/geometry/shapes/sphere.hpp"
#include "support/folders.hpp"
#include "support/temporary_file.hpp"

namespace scree {
namespace {

using testing::TemporaryFile;

const std::vector<Material> kMaterials{{"gravel", 2600.0}, {"steel", 7850.0}};

BodyGroup bed(std::int64_t count, double min, double max, const Vec3& low, const Vec3& high) {
  BodyGroup group;
  group.name = "bed";
  group.material = "gravel";
  group.radii = UniformRadii{min, max};
  group.place = BoxPlaces{{low, high}, {.count = count}};
  return group;
}

double radius_of(const Body& body) {
  return body.shape.get<Sphere>().radius;
}

double smallest_gap(const std::vector<Body>& bodies) {
  double gap = 1e300;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (std::size_t j = i + 1; j < bodies.size(); ++j) {
      gap = std::min(gap, (bodies[i].position - bodies[j].position).norm() - radius_of(bodies[i]) -
                              radius_of(bodies[j]));
    }
  }
  return gap;
}

void expect_same(const Body& a, const Body& b) {
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.position, b.position);
  EXPECT_EQ(radius_of(a), radius_of(b));
  EXPECT_EQ(a.velocity, b.velocity);
  EXPECT_EQ(a.group, b.group);
}

TEST(Generate, NeverOverlapsAndStaysInTheBox) {
  const Vec3 low(-0.3, 0.1, 0.0);
  const Vec3 high(0.3, 0.7, 0.5);
  for (const double min : {0.004, 0.02}) {
    for (const std::int64_t count : {1, 7, 300, 1900}) {
      const auto bodies = generate(std::vector{bed(count, min, 0.02, low, high)}, kMaterials);
      ASSERT_EQ(bodies.size(), static_cast<std::size_t>(count));
      EXPECT_GT(smallest_gap(bodies), -1e-12);
      for (const Body& body : bodies) {
        const Vec3 r = Vec3::Constant(radius_of(body) - 1e-12);
        EXPECT_TRUE((Box3{low + r, high - r}).contains(body.position));
        EXPECT_GE(radius_of(body), min);
        EXPECT_LE(radius_of(body), 0.02);
        EXPECT_EQ(body.density, 2600.0);
      }
    }
  }
}

TEST(Generate, FillsUpToTheBoundAndRefusesMore) {
  const Vec3 high(0.4, 0.2, 0.12);  // 10 x 5 x 3 cells of 0.04
  const auto full = generate(std::vector{bed(150, 0.02, 0.02, Vec3::Zero(), high)}, kMaterials);
  EXPECT_GT(smallest_gap(full), -1e-12);
  std::set<std::int64_t> ids;
  for (const Body& body : full) ids.insert(body.id);
  EXPECT_EQ(ids.size(), 150u);
  try {
    generate(std::vector{bed(151, 0.02, 0.02, Vec3::Zero(), high)}, kMaterials);
    FAIL() << "151 grains were placed";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("at most 150"), std::string::npos) << error.what();
  }
}

TEST(Generate, RefusesMoreGrainsInAllThanCanBeNumbered) {
  const TemporaryFile csv("x,y,z,r\n0,0,0,0.1\n1,0,0,0.2\n");
  BodyGroup file;
  file.name = "file";
  file.material = "steel";
  file.place = CsvPlaces{csv.path()};
  const Vec3 high = Vec3::Constant(1e3);
  const BodyGroup nearly_all = bed(kMaxGrains - 2, 0.01, 0.01, Vec3::Zero(), high);
  BodyGroup point = bed(1, 0.01, 0.01, Vec3::Zero(), Vec3::Ones());
  point.name = "point";
  point.place = PointPlaces{{Vec3(-5, 0, 0)}};
  const Share small{0, 1 << 20};  // the refusal is of the whole, whatever the rank's share
  EXPECT_NO_THROW(generate(std::vector{nearly_all, file}, kMaterials, small));
  try {
    generate(std::vector{nearly_all, file, point}, kMaterials, small);
    FAIL() << "no exception";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()),
              "bodies.point.place: 1 grains here make 357913942 with the groups before; at most "
              "357913941 can be numbered; give fewer");
  }
}

TEST(Generate, DoesNotDependOnTheNumberOfRanks) {
  TemporaryFile csv("id,x,y,z,r\n5,0,0,0,0.1\n3,1,0,0,0.2\n9,2,0,0,0.1\n11,3,0,0,0.1\n");
  BodyGroup file;
  file.name = "file";
  file.material = "steel";
  file.place = CsvPlaces{csv.path()};
  BodyGroup points = bed(1, 0.01, 0.02, Vec3::Zero(), Vec3::Ones());
  points.place = PointPlaces{{Vec3(5, 0, 0), Vec3(6, 0, 0), Vec3(7, 0, 0)}};
  const std::vector<BodyGroup> groups{bed(101, 0.01, 0.02, Vec3::Zero(), Vec3::Ones()), file,
                                      points};
  auto truth = generate(groups, kMaterials);
  ASSERT_EQ(truth.size(), 108u);
  const auto by_id = [](const Body& a, const Body& b) { return a.id < b.id; };
  std::sort(truth.begin(), truth.end(), by_id);
  for (const int ranks : {2, 3, 7, 200}) {
    std::vector<Body> bodies;
    std::size_t most = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      const auto part = generate(groups, kMaterials, {rank, ranks});
      most = std::max(most, part.size());
      bodies.insert(bodies.end(), part.begin(), part.end());
    }
    EXPECT_LE(most, 108u / static_cast<unsigned>(ranks) + 3u);
    std::sort(bodies.begin(), bodies.end(), by_id);
    ASSERT_EQ(bodies.size(), truth.size());
    for (std::size_t i = 0; i < truth.size(); ++i) expect_same(bodies[i], truth[i]);
  }
  EXPECT_EQ(truth[101].id, 101 + 3);  // the file's ids follow on the first group's
  EXPECT_EQ(truth.back().id, 101 + 12 + 2);
}

TEST(Generate, SeedsGiveOtherBedsAndPlaysAreWide) {
  const Vec3 high(0.5, 0.5, 0.5);
  BodyGroup a = bed(200, 0.02, 0.02, Vec3::Zero(), high);
  BodyGroup b = a;
  std::get<BoxPlaces>(b.place).filling.seed = 2;
  const auto first = generate(std::vector{a}, kMaterials);
  const auto second = generate(std::vector{b}, kMaterials);
  double moved = 0.0;
  double spread = 0.0;  // of heights in the lowest layer
  for (std::size_t i = 0; i < 100; ++i) {
    moved = std::max(moved, (first[i].position - second[i].position).norm());
    spread = std::max(spread, std::abs(first[i].position.z() - first[0].position.z()));
  }
  EXPECT_GT(moved, 1e-3);
  EXPECT_GT(spread, 1e-3);
}

TEST(Generate, UniformRadiiHaveTheRightMeanAndListsAreDrawnFrom) {
  BodyGroup group = bed(20000, 0.01, 0.03, Vec3::Zero(), Vec3::Constant(2.0));
  double sum = 0.0;
  double squares = 0.0;
  for (const Body& body : generate(std::vector{group}, kMaterials)) {
    sum += radius_of(body);
    squares += radius_of(body) * radius_of(body);
  }
  const double mean = sum / 20000;
  EXPECT_NEAR(mean, 0.02, 2e-4);
  EXPECT_NEAR(squares / 20000 - mean * mean, 0.02 * 0.02 / 12, 1e-6);
  group.radii = RadiiList{{0.01, 0.02, 0.03}};
  std::array<int, 3> counts{};
  for (const Body& body : generate(std::vector{group}, kMaterials)) {
    ++counts[std::lround(radius_of(body) / 0.01) - 1];
  }
  for (const int count : counts) EXPECT_NEAR(count, 20000 / 3, 400);
}

TEST(Generate, PointsTakeListedRadiiInTurnAndGroupsTheirHeldDirections) {
  BodyGroup group = bed(1, 0.1, 0.1, Vec3::Zero(), Vec3::Ones());
  group.radii = RadiiList{{0.1, 0.2}};
  group.place = PointPlaces{{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(2, 0, 0)}};
  group.fix = {"y", "rotation"};
  group.velocity = Vec3(1, 2, 3);
  const auto bodies = generate(std::vector{group}, kMaterials);
  ASSERT_EQ(bodies.size(), 3u);
  EXPECT_EQ(radius_of(bodies[1]), 0.2);
  EXPECT_EQ(radius_of(bodies[2]), 0.1);
  EXPECT_EQ(bodies[0].fixed, kFixY | kFixRotation);
  EXPECT_EQ(bodies[0].velocity, Vec3(1, 2, 3));
  group.fix = {"all"};
  EXPECT_EQ(group.fixed(), kFixAll);
  group.fix = {"rotation_w"};
  EXPECT_THROW(group.fixed(), InputError);
}

TEST(Generate, CsvGivesIdsRadiiAndVelocities) {
  TemporaryFile csv(
      "# made by hand\nid, x,y,z,r,vx,vy,vz\n\n7,1,2,3,0.5,0.1,0.2,0.3\r\n8,1,2,5,0.25,0,0,1\n");
  BodyGroup group;
  group.name = "file";
  group.material = "steel";
  group.place = CsvPlaces{csv.path()};
  group.angular_velocity = Vec3(0, 0, 9);
  const auto bodies = generate(std::vector{group}, kMaterials);
  ASSERT_EQ(bodies.size(), 2u);
  EXPECT_EQ(bodies[0].id, 7);
  EXPECT_EQ(bodies[0].position, Vec3(1, 2, 3));
  EXPECT_EQ(radius_of(bodies[1]), 0.25);
  EXPECT_EQ(bodies[0].velocity, Vec3(0.1, 0.2, 0.3));
  EXPECT_EQ(bodies[0].angular_velocity, Vec3(0, 0, 9));
  EXPECT_EQ(bodies[0].density, 7850.0);
}

TEST(Generate, CsvGivesOrientations) {
  TemporaryFile csv("x,y,z,r,qw,qx,qy,qz\n0,0,0,1,0.6,0,0,0.8\n3,0,0,1,0.7071,0.7071,0,0\n");
  BodyGroup group;
  group.name = "file";
  group.material = "steel";
  group.shape = Capsule{1.0, 2.0};
  group.place = CsvPlaces{csv.path()};
  const auto bodies = generate(std::vector{group}, kMaterials);
  ASSERT_EQ(bodies.size(), 2u);
  EXPECT_LT(bodies[0].orientation.angularDistance(Quat(0.6, 0, 0, 0.8)), 1e-15);
  EXPECT_LT(bodies[1].orientation.angularDistance(Quat(std::sqrt(0.5), std::sqrt(0.5), 0, 0)),
            1e-15);
}

std::string error_of_csv(const std::string& text, const Share& share = {}) {
  TemporaryFile csv(text);
  BodyGroup group;
  group.material = "steel";
  group.place = CsvPlaces{csv.path()};
  try {
    generate(std::vector{group}, kMaterials, share);
  } catch (const InputError& error) {
    return std::string(error.what()).substr(csv.path().string().size());
  }
  return "no error";
}

TEST(Generate, CsvFaultsNameTheirLine) {
  EXPECT_EQ(error_of_csv("x,y,z,r\n0,0,0,1\n1,1,1,nan\n"), ":3: r: \"nan\" is not a finite number");
  EXPECT_EQ(error_of_csv("x,y,z,r\n0,0,oops,1\n"), ":2: z: \"oops\" is not a finite number");
  EXPECT_EQ(error_of_csv("x,y,z,r\n0,0,inf,1\n"), ":2: z: \"inf\" is not a finite number");
  EXPECT_EQ(error_of_csv("x,y,z,r\n0,0,,1\n"), ":2: z: \"\" is not a finite number");
  EXPECT_EQ(error_of_csv("x,y,z,r\n\n# c\n0,0,0\n"), ":4: 3 values; the header names 4 columns");
  EXPECT_EQ(error_of_csv("x,y,z\n"), ":1: column \"r\" is missing");
  EXPECT_EQ(error_of_csv("x,y,z,r,x\n"), ":1: column \"x\" is there twice");
  EXPECT_EQ(error_of_csv("x,y,z,r\n0,0,0,-1\n"), ":2: r: -1 is no radius; it must be above 0");
  EXPECT_EQ(error_of_csv("id,x,y,z,r\n1,0,0,0,1\n2,0,0,0,1\n1,0,0,0,1\n"),
            ":4: id: 1 stands in an earlier row too");
  EXPECT_EQ(error_of_csv("id,x,y,z,r\n1.5,0,0,0,1\n"),
            ":2: id: 1.5 is not a whole number from 0 to 2^53");
  EXPECT_EQ(error_of_csv("x,y,z,r,qw,qx,qy,qz\n0,0,0,1,1,1,0,0\n"),
            ":2: qw,qx,qy,qz: the length is 1.414; allowed: all four columns, of the length 1");
  EXPECT_EQ(error_of_csv("x,y,z,r,qw,qz\n0,0,0,1,1,0\n"),
            ":2: qw,qx,qy,qz: the length is nan; allowed: all four columns, of the length 1");
  EXPECT_EQ(error_of_csv(""), ":1: the header with the columns' names is missing");
  EXPECT_EQ(error_of_csv("x,y,z,r\n"), ":1: there are no rows");
  EXPECT_NE(error_of_csv("x,y,z,rr\n").find("unknown column \"rr\""), std::string::npos);
}

TEST(Generate, ADoubledIdIsFoundByExactlyOneOfTheRanks) {
  int found = 0;
  for (int rank = 0; rank < 5; ++rank) {
    const std::string error =
        error_of_csv("id,x,y,z,r\n1,0,0,0,1\n2,0,0,0,1\n1,0,0,0,1\n", {rank, 5});
    if (error != "no error") ++found;
  }
  EXPECT_EQ(found, 1);
}

TEST(Generate, UnknownMaterialsAndMissingFilesAreRefused) {
  BodyGroup group = bed(1, 0.1, 0.1, Vec3::Zero(), Vec3::Ones());
  group.material = "gravle";
  EXPECT_THROW(generate(std::vector{group}, kMaterials), InputError);
  group.material = "gravel";
  group.place = CsvPlaces{"/nowhere/there.csv"};
  EXPECT_THROW(generate(std::vector{group}, kMaterials), InputError);
}

TEST(Generate, ReadsTheSettlingScene) {
  const std::filesystem::path file = test::shared_dir() / "scenes/box-settle-5k.csv";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << file << " is not here";
  BodyGroup group;
  group.material = "gravel";
  group.place = CsvPlaces{file};
  const auto bodies = generate(std::vector{group}, kMaterials);
  ASSERT_EQ(bodies.size(), 5000u);
  EXPECT_EQ(bodies[0].id, 1);
  EXPECT_DOUBLE_EQ(bodies[0].position.x(), 0.31295775633226919);
  EXPECT_GT(smallest_gap(bodies), -1e-12);
}

}  // namespace
}  // namespace scree
