#pragma once

/// The contacts of balls that all ranks find together, and those that trying all pairs in all
/// images of a periodic cell finds.

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <string>
#include <vector>

#include "scree/base/check.hpp"
#include "scree/base/parallel.hpp"
#include "scree/bodies/store.hpp"
#include "scree/contact/contact.hpp"
#include "scree/contact/reach.hpp"

namespace scree::test {

/// Names of contacts (ids, image, feature), and their gaps.
using Gaps = std::map<std::array<std::int64_t, 4>, double>;

/// All ranks' contacts, on every rank; none may be there twice.
inline Gaps gather(MPI_Comm comm, ContactView contacts) {
  std::vector<double> mine;
  for (const Contact& c : contacts) {
    for (const std::int64_t n : {c.key.id_a, c.key.id_b}) {
      mine.push_back(static_cast<double>(n >> 31));
      mine.push_back(static_cast<double>(n & 0x7fffffff));
    }
    mine.insert(mine.end(),
                {static_cast<double>(c.key.image), static_cast<double>(c.key.feature), c.gap});
  }
  const int n = static_cast<int>(mine.size());
  std::vector<int> counts(size_of(comm));
  SCREE_MPI(MPI_Allgather(&n, 1, MPI_INT, counts.data(), 1, MPI_INT, comm));
  std::vector<int> first(counts.size() + 1, 0);
  for (std::size_t p = 0; p < counts.size(); ++p) first[p + 1] = first[p] + counts[p];
  std::vector<double> all(first.back());
  SCREE_MPI(MPI_Allgatherv(mine.data(), n, MPI_DOUBLE, all.data(), counts.data(), first.data(),
                           MPI_DOUBLE, comm));
  Gaps gaps;
  const auto whole = [](double high, double low) {
    return (static_cast<std::int64_t>(high) << 31) | static_cast<std::int64_t>(low);
  };
  for (std::size_t i = 0; i < all.size(); i += 7) {
    const std::array<std::int64_t, 4> name{whole(all[i], all[i + 1]), whole(all[i + 2], all[i + 3]),
                                           static_cast<std::int64_t>(all[i + 4]),
                                           static_cast<std::int64_t>(all[i + 5])};
    EXPECT_TRUE(gaps.emplace(name, all[i + 6]).second) << "found twice";
  }
  return gaps;
}

/// By trying all pairs in all images. @pre margins are not capped, so that they alone decide.
inline Gaps by_trying_all(const Store& whole, const Reach& reach) {
  Gaps gaps;
  for (std::int32_t i = whole.first_owned(); i < whole.end_owned(); ++i) {
    for (std::int32_t j = whole.first_owned(); j < whole.end_owned(); ++j) {
      if (whole.id[i] >= whole.id[j]) continue;
      const int held = whole.fixed[i] & whole.fixed[j] & (kFixX | kFixY | kFixZ);
      if (held == (kFixX | kFixY | kFixZ)) continue;
      for (int k = 0; k < 125; ++k) {
        Vec3i image(k % 5 - 2, k / 5 % 5 - 2, k / 25 - 2);
        bool there = true;
        for (int axis = 0; axis < 3; ++axis) {
          there = there && (reach.cell.repeats(axis) || image[axis] == 0);
        }
        if (!there) continue;
        const double gap =
            (whole.position[i] - whole.position[j] - reach.cell.shift(image)).norm() -
            bounding_radius(whole, i) - bounding_radius(whole, j);
        if (gap >= margin(whole, i, reach) + margin(whole, j, reach)) continue;
        gaps[{whole.id[i], whole.id[j], image_code(image + whole.wraps[i] - whole.wraps[j]), 0}] =
            gap;
      }
    }
  }
  return gaps;
}

/// That @p found, which all ranks have, is all that there is in a step: one of them tries all
/// pairs.
inline void expect_all(const Gaps& found, const Store& whole, const Reach& reach,
                       const std::string& where) {
  if (rank_of(MPI_COMM_WORLD) > 0) return;
  const Gaps expected = by_trying_all(whole, reach);
  ASSERT_EQ(found.size(), expected.size()) << where;
  for (const auto& [name, gap] : expected) {
    const auto match = found.find(name);
    ASSERT_NE(match, found.end()) << where << ": " << name[0] << " and " << name[1] << " missed";
    EXPECT_NEAR(match->second, gap, 1e-14) << where;
  }
}

}  // namespace scree::test
