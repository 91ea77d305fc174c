#pragma once

/// A graph whose vertices are distributed, its connected components, and the distances of vertices
/// from the ends of their components: an order in which neighbours stand together.

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "fclib_shares.hpp"

namespace scree::fclib {

/// Vertices with global numbers, and links between them.
class Graph {
 public:
  Graph(MPI_Comm comm, Shares vertices) : comm_(comm), vertices_(std::move(vertices)) {}

  /// Links @p a and @p b, which any rank may own. Not collective.
  void link(std::int32_t a, std::int32_t b) {
    if (a == b) return;
    links_.emplace_back(a, b);
    links_.emplace_back(b, a);
  }
  /// Tells the owners. Collective; after the last link.
  void close();

  /// Lowers the value of each vertex to that of any neighbour plus @p step, until none is too
  /// large. Collective: in as many rounds of messages as the longest way crosses between ranks.
  void lower(std::vector<std::int32_t>& values, std::int32_t step) const;
  /// The lowest number in the component of each of this rank's vertices. Collective.
  std::vector<std::int32_t> components() const;

  const Shares& vertices() const { return vertices_; }
  MPI_Comm comm() const { return comm_; }

 private:
  /// Calls `visit(neighbour)` for those of the local vertex @p v.
  template <class Visit>
  void for_each_neighbour(std::int32_t v, Visit&& visit) const {
    for (std::size_t k = start_[v]; k < start_[v + 1]; ++k) visit(links_[k].second);
  }

  MPI_Comm comm_;
  Shares vertices_;
  std::vector<std::pair<std::int32_t, std::int32_t>> links_;  ///< from own vertices, once closed
  std::vector<std::size_t> start_;                            ///< first link of a local vertex
  /// The links back from vertices of other ranks to own ones, sorted.
  std::vector<std::pair<std::int32_t, std::int32_t>> from_foreign_;
};

/// Where a vertex stands: component by component, in each by the number of links from its end.
struct Place {
  std::int32_t component = 0;
  std::int32_t distance = 0;
  std::int32_t number = 0;
  auto operator<=>(const Place&) const = default;
};

/// The places of this rank's vertices. The end of a component is a vertex that is farthest from its
/// lowest one. Collective.
std::vector<Place> places(const Graph& graph);

}  // namespace scree::fclib
