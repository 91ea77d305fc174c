#include "local_block.hpp"

#include "projected_scales.hpp"

namespace scree {

void put_scales(const BlockPart& part, const OwnBlocks& d, const LocalNumbers& local) {
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const cones::Square<3> block{
        {d[0][i], d[1][i], d[2][i]}, {d[1][i], d[3][i], d[4][i]}, {d[2][i], d[4][i], d[5][i]}};
    const double mu = local[LocalContact::kFriction][i];
    const cones::Rows<3> bound = projected_scales(block, cones::Circular{{mu}}).scale.cwiseAbs2();
    const double normal = bound[0];
    const double tangent = bound[1];
    local[LocalContact::kInverse][i] = inverse_or_zero(normal);
    local[LocalContact::kInverse + 1][i] = normal > 0.0 ? inverse_or_zero(tangent) : 0.0;
    local[LocalContact::kPull][i] = normal > 0.0 ? mu * tangent / normal : 0.0;
    local[LocalContact::kWeight][i] = block.trace() / 3.0;
    for (std::size_t k = LocalContact::kWeight + 1; k < LocalContact::kNumbers; ++k) {
      local[k][i] = 0.0;
    }
  }
}

}  // namespace scree
