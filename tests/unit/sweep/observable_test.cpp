/// Observables on small tables and beds, against numbers worked out by hand.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>

#include "scree/app/run/snapshot_options.hpp"
#include "scree/base/check.hpp"
#include "scree/config/reader.hpp"
#include "scree/io/hdf5/hdf5.hpp"
#include "scree/sweep/observable.hpp"
#include "support/temporary_folder.hpp"

namespace scree {
namespace {

class Observables : public ::testing::Test {
 protected:
  Observables() : run_(folder_.path()) {
    // The third step is cut into halves.
    std::ofstream(run_.steps()) << "time,step,dt,solver,discharged_mass,kinetic_energy\n"
                                   "0.1,1,0.1,nsgs,0,1\n0.2,2,0.1,nsgs,0.5,2\n0.25,3,0.05,nsgs,0."
                                   "75,8\n0.3,3,0.05,nsgs,1,4\n";
    std::ofstream(run_.tools()) << "time,step,dt,tool,force_x\n0.1,1,0.1,floor,5\n0.1,1,0.1,blade,-"
                                   "1\n0.2,2,0.1,floor,7\n0.2,2,0.1,blade,-3\n";
  }

  double value(const std::string& keys, const PeriodicCell& cell = {}) {
    ObservableSpec spec;
    read_yaml(keys, "o.yaml", {}, spec);
    return observe(spec, run_, cell);
  }
  std::string refusal(const std::string& keys) {
    try {
      value(keys);
    } catch (const InputError& error) {
      return error.what();
    }
    return "(accepted)";
  }
  void write_snapshot(const std::vector<double>& points, const std::vector<double>& radii,
                      const std::vector<std::uint8_t>& fixed) {
    const h5::File file = h5::create_in_memory();
    const auto n = static_cast<std::int64_t>(radii.size());
    h5::write_scalar(file.get(), "VTKHDF/NumberOfPoints", n);
    h5::write(file.get(), "VTKHDF/Points", points, 3);
    h5::write(file.get(), "VTKHDF/PointData/radius", radii);
    h5::write(file.get(), "VTKHDF/PointData/velocity", std::vector<double>(points.size(), 0.0), 3);
    h5::write(file.get(), "VTKHDF/PointData/fixed", fixed);
    std::filesystem::create_directories(run_.snapshots());
    std::ofstream(run_.snapshot_files().of(3), std::ios::binary) << h5::image(file);
  }

  test::TemporaryFolder folder_;
  RunFolder run_;
};

TEST_F(Observables, ColumnsOfSteps) {
  EXPECT_EQ(value("column: kinetic_energy"), 4.0);
  EXPECT_EQ(value("{column: kinetic_energy, of: max}"), 8.0);
  EXPECT_EQ(value("{column: kinetic_energy, of: min}"), 1.0);
  EXPECT_NEAR(value("{column: kinetic_energy, of: mean}"),
              (0.1 * 1 + 0.1 * 2 + 0.05 * 8 + 0.05 * 4) / 0.3, 1e-12);
}

TEST_F(Observables, WindowsTakeRowsThatEndInThem) {
  EXPECT_NEAR(value("{column: kinetic_energy, of: mean, from: 0.2}"), 6.0, 1e-12);
  EXPECT_EQ(value("{column: kinetic_energy, to: 0.25}"), 8.0);
  EXPECT_EQ(value("{column: kinetic_energy, of: max, to: 0.2}"), 2.0);
  EXPECT_EQ(refusal("{column: kinetic_energy, from: 0.3}"),
            run_.steps().string() + ": there is no row after 0.3 s and until inf s");
}

TEST_F(Observables, ColumnsOfATool) {
  EXPECT_NEAR(value("{tool: blade, column: force_x, of: mean}"), -2.0, 1e-12);
  EXPECT_EQ(value("{tool: floor, column: force_x}"), 7.0);
  EXPECT_NE(refusal("{tool: lid, column: force_x}").find("there is no row of lid"),
            std::string::npos);
}

TEST_F(Observables, DischargeIsASlope) {
  EXPECT_NEAR(value("{type: discharge_rate}"), 5.0, 1e-12);  // 5 kg/s from 0.1 s on
  EXPECT_NEAR(value("{type: discharge_rate, from: 0.2}"), 5.0, 1e-12);
  EXPECT_EQ(refusal("{type: discharge_rate, to: 0.1}"),
            "a slope needs two rows or more in the window");
}

TEST_F(Observables, PackingFractionCountsPartsAndImages) {
  // A ball in the middle, and one whose centre is on a face: half of it is inside, and the other
  // half as the image.
  write_snapshot({0.5, 0.5, 0.5, 0.0, 0.5, 0.5}, {0.2, 0.1}, {0, 0});
  const std::string box = "{type: packing_fraction, low: [0, 0, 0], high: [1, 1, 1]}";
  const double large = 4.0 / 3.0 * std::numbers::pi * 0.008;
  const double small = 4.0 / 3.0 * std::numbers::pi * 0.001;
  EXPECT_NEAR(value(box), large + small / 2.0, 1e-9);
  EXPECT_NEAR(value(box, {.low = Vec3::Zero(), .period = Vec3(1, 0, 0)}), large + small, 1e-9);
  EXPECT_NEAR(value("{type: packing_fraction, low: [0, 0, 0], high: [0.5, 1, 1]}"), large + small,
              1e-9);  // half over half
}

/// Grains on a plane of 20 degrees, in rows; held grains and one that lies on top of the others
/// count for nothing.
TEST_F(Observables, AngleOfASlope) {
  std::vector<double> points;
  std::vector<std::uint8_t> fixed;
  const double slope = std::tan(20.0 * std::numbers::pi / 180.0);
  for (int i = 0; i < 20; ++i) {
    for (int j = 0; j < 5; ++j) {
      for (const bool held : {false, true}) {
        points.insert(points.end(),
                      {0.1 * i + 0.05, 0.1 * j + 0.05, held ? 9.0 : -slope * 0.1 * i});
        fixed.push_back(held ? 63 : 0);
      }
    }
  }
  write_snapshot(points, std::vector<double>(fixed.size(), 0.05), fixed);
  EXPECT_NEAR(value("{type: angle_of_repose, along: y, from: 0, to: 0.5, cell: 0.1}"), 0.0, 1e-6);
  points.insert(points.end(), {1.05, 0.05, 0.9});
  fixed.push_back(0);
  write_snapshot(points, std::vector<double>(fixed.size(), 0.05), fixed);
  EXPECT_NEAR(value("{type: angle_of_repose, along: x, from: 0, to: 2, cell: 0.1}"), 20.0, 1e-6);
  EXPECT_EQ(refusal("{type: angle_of_repose, from: 0, to: 0.1, cell: 0.1}"),
            "the angle of repose needs grains in two columns of cells or more");
}

TEST_F(Observables, WhatIsMissingOrDamagedIsNamed) {
  EXPECT_EQ(refusal("{type: packing_fraction, low: [0, 0, 0], high: [1, 1, 1]}"),
            run_.snapshots().string() + ": there is no snapshot");
  write_snapshot({0, 0, 0}, {1, 2}, {0, 0});
  EXPECT_EQ(refusal("{type: packing_fraction, low: [0, 0, 0], high: [1, 1, 1]}"),
            run_.snapshot_files().of(3).string() + ": its arrays are not of one length");
  EXPECT_EQ(refusal("column: contacts"),
            run_.steps().string() + ":1: there is no column `contacts`");
  std::ofstream(run_.steps(), std::ios::app) << "0.4,4,x,nsgs,1,1\n";
  EXPECT_EQ(refusal("column: kinetic_energy"),
            run_.steps().string() + ":6: dt: \"x\" is no number");
}

// A column that a solved step leaves empty would fail each case at its end.
TEST_F(Observables, ColumnsWithoutANumberInEachRowAreRefused) {
  for (const std::string column : {"solver", "status", "reason", "worst_grain", "worst_other",
                                   "worst_x", "worst_y", "worst_z"}) {
    const std::string text = refusal("column: " + column);
    EXPECT_NE(text.find("column: \"" + column + "\" is "), std::string::npos) << text;
  }
}

TEST_F(Observables, SnapshotsWithoutTheArraysAreRefusedBeforehand) {
  ObservableSpec spec;
  spec.name = "packing";
  spec.what = PackingFraction{};
  RunConfig config;
  EXPECT_EQ(fault_of_observable(spec, config), "");
  config.output.of<SnapshotOptions>().content.arrays = {"velocity", "shape"};
  EXPECT_EQ(fault_of_observable(spec, config),
            "observables.packing: needs the array fixed; name it in output.snapshots.arrays");
  spec.what = AngleOfRepose{};
  config.output.of<SnapshotOptions>().content.arrays = {"fixed"};
  EXPECT_EQ(fault_of_observable(spec, config),
            "observables.packing: needs the array velocity; name it in output.snapshots.arrays");
}

TEST_F(Observables, UnitsAreThoseOfTheColumns) {
  const auto unit = [](const std::string& keys) {
    ObservableSpec spec;
    read_yaml(keys, "o.yaml", {}, spec);
    return spec.unit();
  };
  EXPECT_EQ(unit("column: kinetic_energy"), "J");
  EXPECT_EQ(unit("{tool: blade, column: force_y}"), "N");
  EXPECT_EQ(unit("column: bodies"), "");
  EXPECT_EQ(unit("{type: discharge_rate}"), "kg/s");
}

}  // namespace
}  // namespace scree
