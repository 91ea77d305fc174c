#include "row_products.hpp"

#include "scree/base/instructions.hpp"

namespace scree {
namespace {

/// Calls `visit.operator()<Cone>(first, count, row)` for every batch, compiled for the instructions
/// of the processor.
template <class Visit>
void for_each_batch(const Cones& cones, const Visit& visit) {
  const Instructions used = instructions();
  for (const ConeBatch& batch : cones.batches) {
    const auto first = static_cast<std::size_t>(batch.first);
    const auto count = static_cast<std::size_t>(batch.count);
    cones::with_type(batch.type, [&]<class Cone>() {
      run_by(used, [&] { visit.template operator()<Cone>(first, count, cones.row(first)); });
    });
  }
}

}  // namespace

void multiply(const BlockRows& rows, const Cones& cones, std::span<const double> v,
              std::span<double> u) {
  for_each_batch(cones, [&]<class Cone>(std::size_t first, std::size_t count, std::size_t row) {
    add_velocities<Cone>(rows, first, count, v.data(), u.data() + row);
  });
}

void multiply_transposed(const BlockRows& rows, const Cones& cones, std::span<const double> lambda,
                         std::span<double> momenta) {
  for_each_batch(cones, [&]<class Cone>(std::size_t first, std::size_t count, std::size_t row) {
    add_impulses<Cone>(rows, first, count, lambda.data() + row, momenta.data());
  });
}

}  // namespace scree
