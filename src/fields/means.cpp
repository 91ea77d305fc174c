#include "scree/fields/means.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "scree/fields/sums.hpp"

namespace scree {
namespace {

using Tensor = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

/// The fields of a cell.
struct Cell {
  double density = 0.0;
  double packing_fraction = 0.0;
  Vec3 momentum;
  Vec3 velocity;
  Tensor kinetic_stress;
  Tensor contact_stress;
  Vec3 wall_force;

  double pressure() const { return -(kinetic_stress + contact_stress).trace() / 3.0; }
};

/// @p sums of one cell, @p share: one over the seconds and the cell's volume.
Cell cell_of(const double* sums, double share) {
  const auto vector = [&](int first) { return Vec3(share * Eigen::Map<const Vec3>(sums + first)); };
  Cell cell;
  cell.density = share * sums[CellSums::kMass];
  cell.packing_fraction = share * sums[CellSums::kVolume];
  cell.momentum = vector(CellSums::kMomentum);
  cell.wall_force = vector(CellSums::kWall);
  cell.contact_stress = share * Eigen::Map<const Tensor>(sums + CellSums::kStress);
  cell.velocity.setConstant(std::numeric_limits<double>::quiet_NaN());
  cell.kinetic_stress.setZero();
  if (cell.density <= 0.0) return cell;
  cell.velocity = cell.momentum / cell.density;
  const Vec3 along = vector(CellSums::kFlux);
  const Vec3 across = vector(CellSums::kFlux + 3);
  Tensor flux;
  flux << along.x(), across.z(), across.y(), across.z(), along.y(), across.x(), across.y(),
      across.x(), along.z();
  cell.kinetic_stress = cell.momentum * cell.velocity.transpose() - flux;
  return cell;
}

constexpr std::array kKinds{
    FieldKind{"density", "kg/m^3", 1, "mass of the grains over the volume of space"},
    FieldKind{"packing_fraction", "1", 1, "volume of the grains over that of space"},
    FieldKind{"momentum", "kg/(m^2 s)", 3, "momentum of the grains over the volume of space"},
    FieldKind{"velocity", "m/s", 3, "momentum over density; nan where no grain is"},
    FieldKind{"kinetic_stress", "Pa", 9,
              "stress of the fluctuations of velocities about their mean; tension is positive"},
    FieldKind{"contact_stress", "Pa", 9,
              "stress of the forces of contacts: row i, column j is the force along i through a "
              "face across j; tension is positive"},
    FieldKind{"pressure", "Pa", 1, "minus a third of the trace of both stresses"},
    FieldKind{"wall_force", "N/m^3", 3,
              "force of walls, tools and held grains on the grains over the volume of space"},
};

template <int kCount>
void store(std::vector<double>& values, std::int64_t i, const double* numbers) {
  std::copy(numbers, numbers + kCount, values.begin() + i * kCount);
}

}  // namespace

std::span<const FieldKind> field_kinds() {
  return kKinds;
}

std::vector<MeanField> mean_fields(std::span<const double> sums, const FieldGrid& grid,
                                   double seconds) {
  const std::int64_t n = std::ssize(sums) / CellSums::kNumbers;
  std::vector<MeanField> fields;
  for (const FieldKind& kind : kKinds) {
    fields.push_back({&kind, std::vector<double>(n * kind.width)});
  }
  const double share = 1.0 / (seconds * grid.cell_volume());
  for (std::int64_t i = 0; i < n; ++i) {
    const Cell cell = cell_of(&sums[i * CellSums::kNumbers], share);
    const double pressure = cell.pressure();
    store<1>(fields[0].values, i, &cell.density);
    store<1>(fields[1].values, i, &cell.packing_fraction);
    store<3>(fields[2].values, i, cell.momentum.data());
    store<3>(fields[3].values, i, cell.velocity.data());
    store<9>(fields[4].values, i, cell.kinetic_stress.data());
    store<9>(fields[5].values, i, cell.contact_stress.data());
    store<1>(fields[6].values, i, &pressure);
    store<3>(fields[7].values, i, cell.wall_force.data());
  }
  return fields;
}

std::string field_reference() {
  std::string text = "| field | unit | numbers | meaning |\n| --- | --- | --- | --- |\n";
  for (const FieldKind& kind : kKinds) {
    text += fmt::format("| `{}` | {} | {} | {} |\n", kind.name, kind.unit, kind.width, kind.help);
  }
  return text;
}

}  // namespace scree
