#include "fclib_graph.hpp"

#include <deque>
#include <limits>

namespace scree::fclib {
namespace {

constexpr std::int32_t kFar = std::numeric_limits<std::int32_t>::max();

/// A vertex of another rank, or of this one for others, and its value.
struct Told {
  std::int32_t vertex;
  std::int32_t value;
};

/// The end that a rank proposes for a component.
struct End {
  std::int32_t component;
  std::int32_t distance;
  std::int32_t vertex;
};

bool is_farther(const End& a, const End& b) {
  return a.distance != b.distance ? a.distance > b.distance : a.vertex < b.vertex;
}

using Ends = std::map<std::int32_t, End>;  // by component

void keep_farthest(Ends& ends, const End& end) {
  const auto [known, is_new] = ends.try_emplace(end.component, end);
  if (!is_new && is_farther(end, known->second)) known->second = end;
}

std::vector<End> to_list(const Ends& ends) {
  std::vector<End> list;
  for (const auto& [component, end] : ends) list.push_back(end);
  return list;
}

/// Zero at @p sources, which are among this rank's numbers, and far elsewhere.
std::vector<std::int32_t> zero_at(const Shares& vertices, const std::vector<End>& sources) {
  std::vector<std::int32_t> distance(vertices.count(), kFar);
  for (const End& source : sources) distance[source.vertex - vertices.begin()] = 0;
  return distance;
}

/// The vertex of each component that is farthest from where @p distance is zero, on the vertex's
/// owner. Collective.
std::vector<End> farthest(const Graph& graph, const std::vector<std::int32_t>& component,
                          const std::vector<std::int32_t>& distance) {
  const Shares& vertices = graph.vertices();
  Ends own;
  for (std::size_t v = 0; v < component.size(); ++v) {
    const auto number = static_cast<std::int32_t>(vertices.begin() + static_cast<std::int64_t>(v));
    keep_farthest(own, {component[v], distance[v], number});
  }
  Ends of_all;  // of the components whose lowest vertices are this rank's
  const auto judge = [&](const End& end) { return vertices.owner(end.component); };
  for (const End& end : send(graph.comm(), to_list(own), judge)) keep_farthest(of_all, end);
  return send(graph.comm(), to_list(of_all),
              [&](const End& end) { return vertices.owner(end.vertex); });
}

}  // namespace

void Graph::close() {
  links_ = send(comm_, links_, [this](const auto& link) { return vertices_.owner(link.first); });
  std::sort(links_.begin(), links_.end());
  links_.erase(std::unique(links_.begin(), links_.end()), links_.end());
  start_.assign(vertices_.count() + 1, 0);
  for (const auto& [from, to] : links_) {
    ++start_[from - vertices_.begin() + 1];
    if (!vertices_.owns(to)) from_foreign_.emplace_back(to, from);
  }
  for (std::size_t v = 1; v < start_.size(); ++v) start_[v] += start_[v - 1];
  std::sort(from_foreign_.begin(), from_foreign_.end());
}

void Graph::lower(std::vector<std::int32_t>& values, std::int32_t step) const {
  const std::int64_t first = vertices_.begin();
  std::deque<std::int32_t> waiting;  // own vertices whose neighbours have not heard their values
  for (std::int32_t v = 0; v < static_cast<std::int32_t>(values.size()); ++v) {
    if (values[v] < kFar) waiting.push_back(v);
  }
  for (;;) {
    std::map<std::pair<int, std::int32_t>, std::int32_t> news;  // by rank and vertex
    for (; !waiting.empty(); waiting.pop_front()) {
      const std::int32_t v = waiting.front();
      for_each_neighbour(v, [&](std::int32_t neighbour) {
        if (!vertices_.owns(neighbour)) {
          news[{vertices_.owner(neighbour), static_cast<std::int32_t>(first + v)}] = values[v];
          return;
        }
        const auto w = static_cast<std::int32_t>(neighbour - first);
        if (values[v] + step >= values[w]) return;
        values[w] = values[v] + step;
        waiting.push_back(w);
      });
    }
    if (max_over_ranks(comm_, news.empty() ? 0 : 1) == 0) return;
    RankBytes outgoing;
    for (const auto& [key, value] : news) {
      append_record(outgoing[key.first], Told{key.second, value});
    }
    std::vector<Told> heard;
    for (const auto& [from, bytes] : sparse_exchange(comm_, outgoing)) read_records(bytes, heard);
    for (const Told& told : heard) {
      auto link = std::lower_bound(from_foreign_.begin(), from_foreign_.end(),
                                   std::pair(told.vertex, std::int32_t{-1}));
      for (; link != from_foreign_.end() && link->first == told.vertex; ++link) {
        const auto w = static_cast<std::int32_t>(link->second - first);
        if (told.value + step >= values[w]) continue;
        values[w] = told.value + step;
        waiting.push_back(w);
      }
    }
  }
}

std::vector<std::int32_t> Graph::components() const {
  std::vector<std::int32_t> lowest(vertices_.count());
  for (std::size_t v = 0; v < lowest.size(); ++v) {
    lowest[v] = static_cast<std::int32_t>(vertices_.begin() + static_cast<std::int64_t>(v));
  }
  lower(lowest, 0);
  return lowest;
}

std::vector<Place> places(const Graph& graph) {
  const Shares& vertices = graph.vertices();
  const std::vector<std::int32_t> component = graph.components();
  std::vector<End> sources;  // the lowest vertices
  for (std::size_t v = 0; v < component.size(); ++v) {
    if (component[v] != vertices.begin() + static_cast<std::int64_t>(v)) continue;
    sources.push_back({component[v], 0, component[v]});
  }
  std::vector<std::int32_t> distance = zero_at(vertices, sources);
  graph.lower(distance, 1);
  distance = zero_at(vertices, farthest(graph, component, distance));
  graph.lower(distance, 1);
  std::vector<Place> result(component.size());
  for (std::size_t v = 0; v < result.size(); ++v) {
    result[v] = {component[v], distance[v],
                 static_cast<std::int32_t>(vertices.begin() + static_cast<std::int64_t>(v))};
  }
  return result;
}

}  // namespace scree::fclib
