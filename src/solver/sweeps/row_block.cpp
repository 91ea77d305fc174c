#include "row_block.hpp"

#include <cmath>
#include <numeric>

#include "local_block.hpp"

namespace scree {
namespace {

constexpr std::size_t kSideNumbers = 18;  ///< B of one body: 3 x 6

/// The part of D_ii that a body gives; @p rows: B, 3 x 6, of the contact in lane @p i.
void add_body(const double* rows, double sharers, std::size_t i, OwnBlocks& d) {
  const auto product = [rows](std::size_t j, std::size_t k) {
    return std::inner_product(rows + 6 * j, rows + 6 * j + 6, rows + 6 * k, 0.0);
  };
  std::size_t at = 0;
  for (std::size_t j = 0; j < 3; ++j) {
    for (std::size_t k = j; k < 3; ++k) d[at++][i] += sharers * product(j, k);
  }
}

}  // namespace

void row_numbers(const NumberedRows& of, const BlockPart& part, RowNumbers& numbers) {
  const PairRows& rows = of.rows;
  const double unit = std::sqrt(of.impulse_unit);
  const LocalNumbers local{&numbers[RowContact::kLocal], LocalContact::kNumbers};
  OwnBlocks d;
  put_rows(of, part, local, d);
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const std::size_t contact = part.contact(i);
    std::array<std::array<double, kSideNumbers>, 2> sides{};
    std::size_t side = 0;
    for_each_block(rows, contact, [&](const double* block, std::size_t body) {
      std::array<double, kSideNumbers>& own = sides[side++];
      for (std::size_t k = 0; k < 6 * rows.n_rows(contact); ++k) own[k] = unit * block[k];
      add_body(own.data(), of.sharers[body], i, d);
    });
    for (std::size_t k = 0; k < 2 * kSideNumbers; ++k) {
      numbers[RowContact::kRows + k][i] = sides[k / kSideNumbers][k % kSideNumbers];
    }
  }
  put_steps(of.law, part, d, local);
}

}  // namespace scree
