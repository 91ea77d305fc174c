#pragma once

/// Keys by which things that lie anywhere are cut into equal parts, one for each rank.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "scree/base/parallel.hpp"
#include "scree/base/sparse_exchange.hpp"

namespace scree::fclib {

/// A key for those that follow it in the order of its rank.
template <class Key>
struct Sample {
  Key key;
  std::int64_t count;
};

/// At most kSamples of @p keys, evenly spread in their order.
template <class Key>
std::vector<Sample<Key>> samples_of(std::vector<Key> keys) {
  static constexpr std::int64_t kSamples = 4096;
  std::sort(keys.begin(), keys.end());
  const auto n = static_cast<std::int64_t>(keys.size());
  const std::int64_t n_samples = std::min(n, kSamples);
  std::vector<Sample<Key>> samples;
  for (std::int64_t k = 0; k < n_samples; ++k) {
    const std::int64_t first = n * k / n_samples;
    samples.push_back({keys[first], n * (k + 1) / n_samples - first});
  }
  return samples;
}

/// The first key of each part but the first, of @p n_parts parts.
template <class Key>
std::vector<Key> split(std::vector<Sample<Key>> samples, int n_parts) {
  std::sort(samples.begin(), samples.end(),
            [](const auto& a, const auto& b) { return a.key < b.key; });
  std::int64_t total = 0;
  for (const Sample<Key>& sample : samples) total += sample.count;
  std::vector<Key> first;
  std::int64_t before = 0;
  for (const Sample<Key>& sample : samples) {
    while (std::ssize(first) + 1 < n_parts && before >= total * (std::ssize(first) + 1) / n_parts) {
      first.push_back(sample.key);
    }
    before += sample.count;
  }
  return first;
}

/// The first key of each rank but rank 0 when @p keys of all ranks are cut into equal parts; none
/// without keys. Collective.
template <class Key>
std::vector<Key> splitters(MPI_Comm comm, const std::vector<Key>& keys) {
  RankBytes outgoing;
  for (const Sample<Key>& sample : samples_of(keys)) append_record(outgoing[0], sample);
  std::vector<Sample<Key>> samples;
  for (const auto& [from, bytes] : sparse_exchange(comm, outgoing)) read_records(bytes, samples);
  outgoing.clear();
  if (rank_of(comm) == 0) {
    const std::vector<Key> first = split(samples, size_of(comm));
    for (int rank = 0; rank < size_of(comm); ++rank) {
      for (const Key& key : first) append_record(outgoing[rank], key);
    }
  }
  std::vector<Key> result;
  for (const auto& [from, bytes] : sparse_exchange(comm, outgoing)) read_records(bytes, result);
  return result;
}

/// The rank that has @p key. Not collective.
template <class Key>
int rank_of_key(const std::vector<Key>& splitters, const Key& key) {
  return static_cast<int>(std::upper_bound(splitters.begin(), splitters.end(), key) -
                          splitters.begin());
}

}  // namespace scree::fclib
