#include "io/fclib/fclib_cut.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

namespace scree::fclib {
namespace {

constexpr int kDim = 3;
constexpr int kBodyDofs = 6;

/// J of contacts between two bodies each (or one, where the second is -1).
Sparse jacobian(const std::vector<std::pair<int, int>>& contacts, int n_bodies) {
  std::vector<Eigen::Triplet<double>> triplets;
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
    const auto [a, b] = contacts[i];
    for (const int body : {a, b}) {
      if (body >= 0) triplets.emplace_back(kDim * i, kBodyDofs * body, 1.0);
    }
  }
  Sparse j(kDim * static_cast<int>(contacts.size()), kBodyDofs * n_bodies);
  j.setFromTriplets(triplets.begin(), triplets.end());
  return j;
}

/// The rank of each thing.
std::vector<int> ranks_of(const Order& order) {
  std::vector<int> rank(order.number.size(), -1);
  for (int r = 0; r + 1 < static_cast<int>(order.first.size()); ++r) {
    for (const int thing : order.of_rank(r)) {
      EXPECT_EQ(rank[thing], -1) << "twice: " << thing;
      rank[thing] = r;
    }
  }
  EXPECT_EQ(std::count(rank.begin(), rank.end(), -1), 0);
  return rank;
}

/// A chain of bodies, numbered at random, and its contacts in a random order.
std::vector<std::pair<int, int>> shuffled_chain(int n_bodies, std::mt19937& random) {
  std::vector<int> name(n_bodies);
  std::iota(name.begin(), name.end(), 0);
  std::shuffle(name.begin(), name.end(), random);
  std::vector<std::pair<int, int>> contacts;
  for (std::size_t k = 1; k < name.size(); ++k) contacts.emplace_back(name[k - 1], name[k]);
  std::shuffle(contacts.begin(), contacts.end(), random);
  return contacts;
}

TEST(FclibCut, NeighboursStandTogether) {
  std::mt19937 random(5);
  constexpr int kBodies = 200;
  constexpr int kRanks = 4;
  const auto contacts = shuffled_chain(kBodies, random);
  const Cut cut = cut_product(jacobian(contacts, kBodies), kDim, kBodyDofs, kRanks);
  const std::vector<int> rank = ranks_of(cut.units);
  const std::vector<int> contact_rank = ranks_of(cut.contacts);
  int foreign = 0;  // bodies that a contact finds on another rank
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const auto [a, b] = contacts[i];
    foreign += rank[a] != contact_rank[i];
    foreign += rank[b] != contact_rank[i];
  }
  EXPECT_LE(foreign, 2 * (kRanks - 1));
  for (int r = 0; r < kRanks; ++r) {
    EXPECT_NEAR(static_cast<double>(cut.contacts.of_rank(r).size()), (kBodies - 1.0) / kRanks, 1.0);
    EXPECT_NEAR(static_cast<double>(cut.units.of_rank(r).size()), kBodies / kRanks, 2.0);
  }
}

TEST(FclibCut, APlateUnderAllDoesNotDrawThemTogether) {
  std::mt19937 random(6);
  constexpr int kBodies = 101;  // the last is the plate
  auto contacts = shuffled_chain(kBodies - 1, random);
  for (int body = 0; body < kBodies - 1; ++body) contacts.emplace_back(kBodies - 1, body);
  contacts.emplace_back(3, -1);
  const Cut cut = cut_product(jacobian(contacts, kBodies), kDim, kBodyDofs, 2);
  const std::vector<int> rank = ranks_of(cut.units);
  const std::vector<int> contact_rank = ranks_of(cut.contacts);
  int foreign = 0;
  for (std::size_t i = 99; i < 199; ++i) {  // those of the plate: with their small body
    foreign += rank[contacts[i].second] != contact_rank[i];
  }
  EXPECT_LE(foreign, 1);
}

TEST(FclibCut, CutsWByItsPattern) {
  std::mt19937 random(7);
  constexpr int kBodies = 101;
  const auto contacts = shuffled_chain(kBodies, random);
  const Sparse j = jacobian(contacts, kBodies);
  const Sparse w = j * Sparse(j.transpose());
  const std::vector<int> rank = ranks_of(cut_matrix(w, kDim, 3).contacts);
  int foreign = 0;
  for (int row = 0; row < w.rows(); ++row) {
    for (Sparse::InnerIterator entry(w, row); entry; ++entry) {
      foreign += rank[row / kDim] != rank[entry.col() / kDim];
    }
  }
  EXPECT_LE(foreign, 4);
}

TEST(FclibCut, OneRankKeepsTheOrder) {
  std::mt19937 random(8);
  const Cut cut = cut_product(jacobian(shuffled_chain(10, random), 10), kDim, kBodyDofs, 1);
  EXPECT_TRUE(std::is_sorted(cut.contacts.number.begin(), cut.contacts.number.end()));
  EXPECT_TRUE(std::is_sorted(cut.units.number.begin(), cut.units.number.end()));
}

TEST(FclibCut, MoreRanksThanContacts) {
  const Cut cut = cut_product(jacobian({{0, 1}}, 3), kDim, kBodyDofs, 4);
  EXPECT_EQ(ranks_of(cut.units).size(), 3U);
  EXPECT_EQ(ranks_of(cut.contacts).size(), 1U);
  const Cut none = cut_product(jacobian({}, 3), kDim, kBodyDofs, 2);
  EXPECT_EQ(ranks_of(none.units).size(), 3U);
}

}  // namespace
}  // namespace scree::fclib
