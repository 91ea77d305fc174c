#include "row_products.hpp"

#include "scree/base/instructions.hpp"

namespace scree {
namespace {

/// Calls `visit(cone, place)` for every cone, as for_each_cone, with the vector instructions of the
/// processor.
template <class Visit>
void for_each_cone_by_vectors(const Cones& cones, const Visit& visit) {
  const Instructions used = instructions();
  for (const ConeBatch& batch : cones.batches) {
    cones::with_type(batch.type, [&]<class Cone>() {
      run_by(used, [&] { for_each_cone_of<Cone>(cones, batch, visit); });
    });
  }
}

}  // namespace

void multiply(const BlockRows& rows, const Cones& cones, std::span<const double> v,
              std::span<double> u) {
  const Instructions used = instructions();
  for (const ConeBatch& batch : cones.batches) {
    cones::with_type(batch.type, [&]<class Cone>() {
      const auto first = static_cast<std::size_t>(batch.first);
      double* own = u.data() + cones.row(first);
      run_by(used, [&] { add_velocities<Cone>(rows, first, batch.count, v.data(), own); });
    });
  }
}

void multiply_transposed(const BlockRows& rows, const Cones& cones, std::span<const double> lambda,
                         std::span<double> momenta) {
  for_each_cone_by_vectors(cones, [&]<class Cone>(const Cone& cone, const ConePlace& at) {
    const auto own = rows_of(cone, lambda.data() + at.row);
    if (at.number < rows.pattern.n_frames) {
      const Contact& contact = rows.frames[at.number];
      const auto [a, b] = bodies_of_frame(rows.pattern, at.number, momenta.data());
      add_impulse(contact, in_world<Cone::kDim>(contact.frame(), own, rows.length_of(at.number)), a,
                  b);
      return;
    }
    for_each_entry<Cone::kDim>(
        rows.pattern, rows.jacobian, at.number, [&](const auto& block, std::int32_t body) {
          Eigen::Map<Vec6>(&momenta[kBodyDofs * static_cast<std::size_t>(body)]) +=
              block.transpose() * own;
        });
  });
}

}  // namespace scree
