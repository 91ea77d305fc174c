#include "row_products.hpp"

#include "scree/base/instructions.hpp"

namespace scree {
namespace {

/// Calls `visit.operator()<kDim>(first, count, row)` for every batch, compiled for the instructions
/// of the processor.
template <class Visit>
void for_each_batch(const Cones& cones, const Visit& visit) {
  const Instructions used = instructions();
  for (const ConeBatch& batch : cones.batches) {
    const auto first = static_cast<std::size_t>(batch.first);
    const auto count = static_cast<std::size_t>(batch.count);
    cones::with_rows(batch.type, [&]<int kDim>() {
      run_by(used, [&] { visit.template operator()<kDim>(first, count, cones.row(first)); });
    });
  }
}

}  // namespace

void multiply(const BlockRows& rows, const Cones& cones, std::span<const double> v,
              std::span<double> u) {
  for_each_batch(cones, [&]<int kDim>(std::size_t first, std::size_t count, std::size_t row) {
    add_velocities<kDim>(rows, first, count, v.data(), u.data() + row);
  });
}

void multiply_transposed(const BlockRows& rows, const Cones& cones, std::span<const double> lambda,
                         std::span<double> momenta) {
  for_each_batch(cones, [&]<int kDim>(std::size_t first, std::size_t count, std::size_t row) {
    add_impulses<kDim>(rows, first, count, lambda.data() + row, momenta.data());
  });
}

}  // namespace scree
