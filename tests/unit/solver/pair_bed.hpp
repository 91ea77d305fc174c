#pragma once

/// A bed of bodies as plain arrays: what the kernels sweep over, without a problem around it.

#include <Eigen/Cholesky>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "scree/base/math.hpp"
#include "scree/problem/block_rows.hpp"
#include "solver/sweeps/pair_forms.hpp"

namespace scree::test {

struct PairBed {
  std::vector<std::int32_t> first{0};
  std::vector<std::int32_t> body;
  std::vector<std::size_t> place;
  std::vector<double> jacobian;
  std::vector<std::int32_t> offset{0};
  std::vector<double> velocity;
  std::vector<double> compliance;
  std::vector<double> friction;
  std::vector<double> inverse_mass;  ///< 36 a body
  std::vector<double> sharers;

  std::size_t n_bodies() const { return inverse_mass.size() / 36; }
  PairRows rows() const { return rows(jacobian); }
  PairRows rows(const std::vector<double>& blocks) const {
    PairRows rows = rows_without_blocks();
    rows.place = place;
    rows.blocks = blocks;
    return rows;
  }
  /// In another form. The arguments are what frames_of() and FormOfBed gave.
  PairRows rows(PairForm form, const std::vector<PairFrame>& frames,
                const BodyMasses& masses) const {
    PairRows rows = rows_without_blocks();
    rows.recovered = frames;
    rows.form = form;
    rows.masses = masses;
    return rows;
  }
  PairRows rows_without_blocks() const {
    PairRows rows;
    rows.bodies = {first, body};
    rows.offset = offset;
    rows.velocity = velocity;
    rows.compliance = compliance;
    rows.friction = friction;
    rows.n_bodies = n_bodies();
    return rows;
  }

  /// B = J L, M^-1 = L L^T.
  std::vector<double> factored() const {
    std::vector<double> b = jacobian;
    for (std::size_t i = 0; i + 1 < first.size(); ++i) {
      double* at = b.data() + place[i];
      const std::size_t n_rows = offset[i + 1] - offset[i];
      for (std::int32_t e = first[i]; e < first[i + 1]; ++e) {
        const Mat6 l = factor_of(body[e]);
        for (std::size_t k = 0; k < n_rows; ++k, at += 6) {
          Eigen::Map<Eigen::RowVector<double, 6>> row(at);
          row = (row * l).eval();
        }
      }
    }
    return b;
  }

 private:
  /// L, zero of a body that is held.
  Mat6 factor_of(std::size_t b) const {
    const Mat6 m = Eigen::Map<const Mat6>(&inverse_mass[36 * b]);
    return m.isZero(0.0) ? m : Mat6(m.llt().matrixL());
  }
};

inline const char* name_of(PairForm form) {
  const char* names[]{"Spheres", "Points", "Rows"};
  return names[index_of(form)];
}

/// The form of a bed, by its numbers, and the masses of its bodies in that form.
class FormOfBed {
 public:
  explicit FormOfBed(const PairBed& bed) {
    for (std::size_t b = 0; b < bed.n_bodies(); ++b) {
      inverse_.push_back(Mat6::Map(&bed.inverse_mass[36 * b]));
    }
    const auto [form, masses] = masses_in_form(inverse_, storage_);
    masses_ = masses;
    const std::vector<PairFrame> frames = frames_of(bed.rows());
    if (form == PairForm::rows || !have_point_rows(bed.rows(), frames, masses)) return;
    const bool spheres = form == PairForm::spheres && have_sphere_rows(bed.rows(), frames, masses);
    form_ = spheres ? PairForm::spheres : PairForm::points;
  }
  FormOfBed(const FormOfBed&) = delete;
  FormOfBed& operator=(const FormOfBed&) = delete;

  PairForm form() const { return form_; }
  const BodyMasses& masses() const { return masses_; }

 private:
  PairForm form_ = PairForm::rows;
  InverseMasses inverse_;
  std::vector<BodyMass> storage_;
  BodyMasses masses_;
};

/// The options of a bed.
struct BedShape {
  int side = 8;               ///< spheres along each edge of the block
  double flat = 0.0;          ///< how far arms and inertias are from a sphere's
  double frictionless = 0.0;  ///< share of contacts with one row
  double planar = 0.0;        ///< and with two
  double compliance = 0.0;    ///< R of each row, 1/kg; a contact has N_nn of about 1500
  bool shared = false;        ///< some bodies count for two or three ranks
};

/// Turns a body with the inverse mass @p m by the angles |axis| about @p axis.
inline void turn(Mat6& m, const Vec3& axis) {
  const Mat3 r = Eigen::AngleAxisd(axis.norm(), axis.normalized()).toRotationMatrix();
  m.bottomRightCorner<3, 3>() = (r * m.bottomRightCorner<3, 3>() * r.transpose()).eval();
}

/// A block of grains of 10 mm on a floor, neighbours of a disturbed cubic lattice and its diagonals
/// in contact, falling at random velocities, gravity of one step added.
inline PairBed make_bed(const BedShape& shape) {
  PairBed bed;
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  const int n = shape.side;
  const double radius = 0.005;
  std::vector<Vec3> at;
  std::vector<Vec3> v;
  for (int z = 0; z < n; ++z) {
    for (int y = 0; y < n; ++y) {
      for (int x = 0; x < n; ++x) {
        const Vec3 noise(normal(random), normal(random), normal(random));
        at.push_back(2.0 * radius * Vec3(x, y, z) + 0.1 * radius * noise);
        v.push_back(0.05 * Vec3(normal(random), normal(random), normal(random)) -
                    Vec3(0.0, 0.0, 0.02));
        const double mass = 2500.0 * 4.19 * radius * radius * radius * (0.5 + uniform(random));
        const double inertia = 0.4 * mass * radius * radius;
        Mat6 block = Mat6::Zero();
        for (int c = 0; c < 6; ++c) {
          block(c, c) = c < 3 ? 1.0 / mass : std::exp(shape.flat * normal(random)) / inertia;
        }
        if (shape.flat > 0.0) turn(block, Vec3(normal(random), normal(random), normal(random)));
        bed.inverse_mass.insert(bed.inverse_mass.end(), block.data(), block.data() + 36);
        bed.sharers.push_back(shape.shared ? 1.0 + static_cast<double>(random() % 3) : 1.0);
      }
    }
  }
  const auto add = [&](std::size_t a, int b, const Vec3& to_first) {
    const Vec3 e = to_first.normalized();
    const Vec3 t1 = e.cross(std::abs(e[0]) < 0.5 ? Vec3(1, 0, 0) : Vec3(0, 1, 0)).normalized();
    const Vec3 frame[3] = {e, t1, e.cross(t1)};
    const double kind = uniform(random) - shape.frictionless;
    const std::size_t n_rows = kind < 0.0 ? 1 : kind < shape.planar ? 2 : 3;
    bed.place.push_back(bed.jacobian.size());
    for (int side = 0; side < (b < 0 ? 1 : 2); ++side) {
      const double sign = side == 0 ? 1.0 : -1.0;
      const Vec3 tilt = shape.flat * Vec3(normal(random), normal(random), normal(random));
      const Vec3 arm = -sign * radius * (e + 0.6 * tilt);
      for (std::size_t k = 0; k < n_rows; ++k) {
        const Vec3 turn = sign * arm.cross(frame[k]);
        for (const double x : {sign * frame[k][0], sign * frame[k][1], sign * frame[k][2], turn[0],
                               turn[1], turn[2]}) {
          bed.jacobian.push_back(x);
        }
      }
      bed.body.push_back(side == 0 ? static_cast<std::int32_t>(a) : b);
    }
    bed.first.push_back(static_cast<std::int32_t>(bed.body.size()));
    bed.offset.push_back(bed.offset.back() + static_cast<std::int32_t>(n_rows));
    const Vec3 relative = v[a] - (b < 0 ? Vec3(0, 0, 0) : v[b]);
    for (std::size_t k = 0; k < n_rows; ++k) bed.velocity.push_back(frame[k].dot(relative));
    bed.friction.push_back(n_rows == 1 ? 0.0 : 0.2 + 0.6 * uniform(random));
    if (shape.compliance > 0.0) {
      for (std::size_t k = 0; k < n_rows; ++k) {
        bed.compliance.push_back(k == 0 ? shape.compliance : 1.25 * shape.compliance);
      }
    }
  };
  for (std::size_t a = 0; a < at.size(); ++a) {
    if (at[a][2] < radius) add(a, -1, Vec3(0.0, 0.0, 1.0));
    for (std::size_t b = a + 1; b < at.size(); ++b) {
      const Vec3 to_first = at[a] - at[b];
      if (to_first.norm() < 2.2 * radius) add(a, static_cast<int>(b), to_first);
    }
  }
  return bed;
}

}  // namespace scree::test
