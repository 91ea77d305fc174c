// ranks: 1 2 4
/// Which rank keeps which contacts and bodies of an FCLIB file, and the graph by which that is
/// chosen.

#include "io/fclib/fclib_cut.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <queue>
#include <random>
#include <vector>

#include "io/fclib/fclib_graph.hpp"

namespace scree::fclib_cut_test {
namespace {

using namespace fclib;

constexpr int kDim = 3;
constexpr int kUnit = 6;
MPI_Comm kAll = MPI_COMM_WORLD;

using Pairs = std::vector<std::pair<int, int>>;

/// Numbers of all ranks, each set by one of them and -1 on the others.
std::vector<int> joined(std::vector<int> numbers) {
  SCREE_MPI(MPI_Allreduce(MPI_IN_PLACE, numbers.data(), static_cast<int>(numbers.size()), MPI_INT,
                          MPI_MAX, kAll));
  return numbers;
}

/// The rank that keeps each of @p n things. Each is kept once.
std::vector<int> ranks_of(const std::vector<std::int32_t>& kept, int n) {
  std::vector<int> rank(n, -1);
  for (const std::int32_t thing : kept) {
    EXPECT_EQ(rank[thing], -1) << "twice: " << thing;
    rank[thing] = rank_of(kAll);
  }
  rank = joined(rank);
  EXPECT_EQ(std::count(rank.begin(), rank.end(), -1), 0);
  EXPECT_EQ(sum_over_ranks(kAll, static_cast<int>(kept.size())), n);
  return rank;
}

/// J of contacts between two bodies each (or one, where the second is -1), brought by rank 0.
petsc::Matrix jacobian(const Pairs& contacts, const Shares& rows, const Shares& dofs) {
  Assembly j(kAll, rows);
  for (int i = 0; i < static_cast<int>(contacts.size()) && rank_of(kAll) == 0; ++i) {
    for (const int body : {contacts[i].first, contacts[i].second}) {
      if (body >= 0) j.add(kDim * i, kUnit * body, 1.0);
    }
  }
  j.send();
  return fclib::make_matrix(kAll, j, dofs);
}

FileContacts file_contacts(std::size_t n) {
  FileContacts contacts{.shares = even_shares(kAll, static_cast<std::int64_t>(n)), .dim = kDim};
  contacts.dims.assign(contacts.shares.count(), kDim);
  return contacts;
}

struct CutOfAll {
  std::vector<int> contacts;  ///< rank of each
  std::vector<int> bodies;
};

CutOfAll cut_of(const Pairs& pairs, int n_bodies) {
  const FileContacts contacts = file_contacts(pairs.size());
  FileDofs dofs{.unit = kUnit, .units = even_shares(kAll, n_bodies)};
  dofs.body.resize(dofs.units.count());
  std::iota(dofs.body.begin(), dofs.body.end(), static_cast<std::int32_t>(dofs.units.begin()));
  const petsc::Matrix j =
      jacobian(pairs, contacts.shares.of_parts(kDim), dofs.units.of_parts(kUnit));
  const Cut cut = cut_product(kAll, j.get(), contacts, dofs);
  std::vector<std::int32_t> bodies;
  for (std::size_t k = 0; k < cut.dofs.size(); k += kUnit) {
    bodies.push_back(cut.dofs[k] / kUnit);
    for (std::int32_t d = 0; d < kUnit; ++d) EXPECT_EQ(cut.dofs[k + d], kUnit * bodies.back() + d);
  }
  return {ranks_of(cut.contacts, static_cast<int>(pairs.size())), ranks_of(bodies, n_bodies)};
}

/// A chain of bodies, numbered at random, and its contacts in a random order.
Pairs shuffled_chain(int n_bodies, std::mt19937& random) {
  std::vector<int> name(n_bodies);
  std::iota(name.begin(), name.end(), 0);
  std::shuffle(name.begin(), name.end(), random);
  Pairs contacts;
  for (std::size_t k = 1; k < name.size(); ++k) contacts.emplace_back(name[k - 1], name[k]);
  std::shuffle(contacts.begin(), contacts.end(), random);
  return contacts;
}

TEST(FclibCut, NeighboursStandTogether) {
  std::mt19937 random(5);
  constexpr int kBodies = 200;
  const int n_ranks = size_of(kAll);
  const Pairs contacts = shuffled_chain(kBodies, random);
  const CutOfAll cut = cut_of(contacts, kBodies);
  int foreign = 0;  // bodies that a contact finds on another rank
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    foreign += cut.bodies[contacts[i].first] != cut.contacts[i];
    foreign += cut.bodies[contacts[i].second] != cut.contacts[i];
  }
  EXPECT_LE(foreign, 2 * (n_ranks - 1));
  for (int r = 0; r < n_ranks; ++r) {
    const auto count = [r](const std::vector<int>& ranks) {
      return static_cast<double>(std::count(ranks.begin(), ranks.end(), r));
    };
    // so few are cut exactly, to whole ones; a body of a contact at a cut is on one of its two
    // sides
    EXPECT_NEAR(count(cut.contacts), (kBodies - 1.0) / n_ranks, 1.0);
    EXPECT_NEAR(count(cut.bodies), static_cast<double>(kBodies) / n_ranks, 2.0);
  }
}

/// The last two thirds touch nothing, or all.
TEST(FclibCut, BodiesThatTouchNothingAreSharedEvenly) {
  constexpr int kBodies = 120;
  Pairs chain;
  for (int body = 1; body < kBodies / 3; ++body) chain.emplace_back(body - 1, body);
  for (const auto& [contacts, n_touching] :
       {std::pair{chain, kBodies / 3}, std::pair{Pairs{}, 0}}) {
    const CutOfAll cut = cut_of(contacts, kBodies);
    const Shares shares = even_shares(kAll, kBodies);
    for (int body = n_touching; body < kBodies; ++body) {
      EXPECT_EQ(cut.bodies[body], shares.owner(body)) << body;
    }
  }
}

TEST(FclibCut, APlateUnderAllDoesNotDrawThemTogether) {
  std::mt19937 random(6);
  constexpr int kBodies = 101;  // the last is the plate
  Pairs contacts = shuffled_chain(kBodies - 1, random);
  for (int body = 0; body < kBodies - 1; ++body) contacts.emplace_back(kBodies - 1, body);
  contacts.emplace_back(3, -1);
  const CutOfAll cut = cut_of(contacts, kBodies);
  int foreign = 0;
  for (std::size_t i = 99; i < 199; ++i) {  // those of the plate: with their small body
    foreign += cut.bodies[contacts[i].second] != cut.contacts[i];
  }
  EXPECT_LE(foreign, size_of(kAll) - 1);
}

TEST(FclibCut, CutsWByItsPattern) {
  std::mt19937 random(7);
  constexpr int kContacts = 100;
  std::vector<int> name(kContacts);
  std::iota(name.begin(), name.end(), 0);
  std::shuffle(name.begin(), name.end(), random);
  const FileContacts contacts = file_contacts(kContacts);
  Assembly w(kAll, contacts.shares.of_parts(kDim));
  Pairs neighbours;
  for (int k = 0; k < kContacts; ++k) {
    if (rank_of(kAll) == 0) w.add(kDim * name[k], kDim * name[k], 2.0);
    if (k == 0) continue;
    neighbours.emplace_back(name[k - 1], name[k]);
    // one of the two entries, and a zero that links nothing
    if (rank_of(kAll) == 0) w.add(kDim * name[k], kDim * name[k - 1] + 1, -1.0);
    if (rank_of(kAll) == 0) w.add(kDim * name[k], kDim * ((name[k] * 37) % kContacts), 0.0);
  }
  w.send();
  const petsc::Matrix matrix = fclib::make_matrix(kAll, w, w.rows());
  const std::vector<int> rank =
      ranks_of(cut_matrix(kAll, matrix.get(), contacts).contacts, kContacts);
  int cut_links = 0;
  for (const auto& [a, b] : neighbours) cut_links += rank[a] != rank[b];
  EXPECT_LE(cut_links, size_of(kAll) - 1);
}

TEST(FclibCut, OneRankKeepsTheOrderAndOthersCutNothing) {
  EXPECT_EQ(cut_of({{0, 1}}, 3).bodies.size(), 3U);
  EXPECT_EQ(cut_of({}, 3).bodies.size(), 3U);
  if (size_of(kAll) > 1) return;
  std::mt19937 random(8);
  const Pairs pairs = shuffled_chain(10, random);
  FileContacts contacts = file_contacts(pairs.size());
  contacts.dims[2] = 1;
  const Shares dofs = even_shares(kAll, 60, kUnit);
  const petsc::Matrix j = jacobian(pairs, contacts.shares.of_parts(kDim), dofs);
  FileDofs units{.unit = kUnit, .units = even_shares(kAll, 10)};
  units.body.resize(10);
  const Cut cut = cut_product(kAll, j.get(), contacts, units);
  EXPECT_EQ(cut.contacts, (std::vector<std::int32_t>{2, 0, 1, 3, 4, 5, 6, 7, 8}));
  EXPECT_TRUE(std::is_sorted(cut.dofs.begin(), cut.dofs.end()));
}

/// A random graph of several components, against a search from each end.
TEST(FclibGraph, ComponentsAndDistancesAreThoseOfASearch) {
  std::mt19937 random(9);
  constexpr int kVertices = 300;
  std::vector<std::vector<int>> neighbours(kVertices);
  Graph graph(kAll, even_shares(kAll, kVertices));
  for (int k = 0; k < 280; ++k) {  // fewer than vertices: many components
    const int a = static_cast<int>(random() % kVertices);
    const int b = static_cast<int>(random() % kVertices);
    neighbours[a].push_back(b);
    neighbours[b].push_back(a);
    if (k % size_of(kAll) == rank_of(kAll)) graph.link(a, b);
  }
  graph.close();
  std::vector<int> component(kVertices, -1);
  std::vector<int> distance(kVertices, -1);
  for (const Place& place : places(graph)) {
    component[place.number] = place.component;
    distance[place.number] = place.distance;
  }
  component = joined(component);
  distance = joined(distance);
  const auto search = [&neighbours](int from) {
    std::vector<int> steps(kVertices, -1);
    std::queue<int> waiting({from});
    steps[from] = 0;
    for (; !waiting.empty(); waiting.pop()) {
      for (const int next : neighbours[waiting.front()]) {
        if (steps[next] >= 0) continue;
        steps[next] = steps[waiting.front()] + 1;
        waiting.push(next);
      }
    }
    return steps;
  };
  for (int lowest = 0; lowest < kVertices; ++lowest) {
    if (component[lowest] != lowest) continue;
    const std::vector<int> from_lowest = search(lowest);
    const auto end = std::max_element(from_lowest.begin(), from_lowest.end());
    const std::vector<int> from_end = search(static_cast<int>(end - from_lowest.begin()));
    for (int v = 0; v < kVertices; ++v) {
      EXPECT_EQ(component[v] == lowest, from_lowest[v] >= 0) << v;
      if (component[v] != lowest) continue;
      EXPECT_GE(v, lowest);
      EXPECT_EQ(distance[v], from_end[v]) << v;
    }
  }
}

}  // namespace
}  // namespace scree::fclib_cut_test
