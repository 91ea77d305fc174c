#include "approaching_contacts.hpp"

#include <algorithm>
#include <bit>

namespace scree {

namespace {
constexpr std::int32_t kChildren = 4;  // of a place of the heap: flat, and of one line of the cache
}  // namespace

Eigen::VectorXd thresholds_of(const Eigen::VectorXd& resting, double least, Eigen::Index n) {
  if (resting.size() == 0) return Eigen::VectorXd::Constant(n, least);
  return resting.cwiseMax(least);
}

void FastestFirst::start(const Eigen::VectorXd& approach, const Eigen::VectorXd& thresholds) {
  approach_ = &approach;
  thresholds_ = &thresholds;
  heap_.clear();
  place_.assign(static_cast<std::size_t>(approach.size()), -1);
  for (std::int32_t i = 0; i < approach.size(); ++i) {
    if (approach[i] < -thresholds[i]) heap_.push_back({approach[i], i});
  }
  const auto size = static_cast<std::int32_t>(heap_.size());
  for (std::int32_t p = 0; p < size; ++p) {
    place_[static_cast<std::size_t>(heap_[static_cast<std::size_t>(p)].contact)] = p;
  }
  for (std::int32_t p = (size - 2) / kChildren; size > 1 && p >= 0; --p) {
    sink(p, Entry(heap_[static_cast<std::size_t>(p)]));
  }
}

void FastestFirst::update(std::int32_t contact) {
  const Entry entry{(*approach_)[contact], contact};
  const std::int32_t place = place_[static_cast<std::size_t>(contact)];
  if (entry.approach < -(*thresholds_)[contact]) {
    if (place < 0) {
      heap_.push_back(entry);
      rise(static_cast<std::int32_t>(heap_.size()) - 1, entry);
    } else if (entry < heap_[static_cast<std::size_t>(place)]) {
      rise(place, entry);
    } else {
      sink(place, entry);
    }
  } else if (place >= 0) {
    place_[static_cast<std::size_t>(contact)] = -1;
    const Entry last = heap_.back();
    heap_.pop_back();
    if (last.contact == contact) return;
    if (last < heap_[static_cast<std::size_t>(place)]) {
      rise(place, last);
    } else {
      sink(place, last);
    }
  }
}

void FastestFirst::put(std::int32_t place, const Entry& entry) {
  heap_[static_cast<std::size_t>(place)] = entry;
  place_[static_cast<std::size_t>(entry.contact)] = place;
}

void FastestFirst::rise(std::int32_t place, const Entry& entry) {
  while (place > 0) {
    const std::int32_t parent = (place - 1) / kChildren;
    if (!(entry < heap_[static_cast<std::size_t>(parent)])) break;
    put(place, heap_[static_cast<std::size_t>(parent)]);
    place = parent;
  }
  put(place, entry);
}

void FastestFirst::sink(std::int32_t place, const Entry& entry) {
  const auto size = static_cast<std::int32_t>(heap_.size());
  for (;;) {
    const std::int32_t first = kChildren * place + 1;
    if (first >= size) break;
    const auto from = heap_.begin() + first;
    const auto least = std::min_element(from, from + std::min(kChildren, size - first));
    if (!(*least < entry)) break;
    put(place, *least);
    place = static_cast<std::int32_t>(least - heap_.begin());
  }
  put(place, entry);
}

void InOrder::start(const Eigen::VectorXd& approach, const Eigen::VectorXd& thresholds) {
  approach_ = &approach;
  thresholds_ = &thresholds;
  const auto n = static_cast<std::size_t>(approach.size());
  size_ = 0;
  top_ = static_cast<std::int32_t>(std::bit_floor(n));
  in_.assign(n, false);
  count_.assign(n + 1, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    in_[i] = approach[at] < -thresholds[at];
    if (in_[i]) {
      ++size_;
      ++count_[i + 1];
    }
    const std::size_t next = (i + 1) + ((i + 1) & -(i + 1));
    if (next <= n) count_[next] += count_[i + 1];
  }
}

void InOrder::update(std::int32_t contact) {
  const auto i = static_cast<std::size_t>(contact);
  const bool now = (*approach_)[contact] < -(*thresholds_)[contact];
  if (now == in_[i]) return;
  in_[i] = now;
  const std::int32_t change = now ? 1 : -1;
  size_ += change;
  for (std::size_t node = i + 1; node < count_.size(); node += node & -node) {
    count_[node] += change;
  }
}

std::int32_t InOrder::at(std::int32_t k) const {
  std::int32_t before = 0;  // contacts that are passed
  for (std::int32_t step = top_; step > 0; step /= 2) {
    const std::int32_t node = before + step;
    if (node >= static_cast<std::int32_t>(count_.size())) continue;
    const std::int32_t count = count_[static_cast<std::size_t>(node)];
    if (count > k) continue;
    k -= count;
    before = node;
  }
  return before;
}

void InOrder::list(std::vector<std::int32_t>& contacts) const {
  contacts.clear();
  for (std::size_t i = 0; i < in_.size(); ++i) {
    if (in_[i]) contacts.push_back(static_cast<std::int32_t>(i));
  }
}

}  // namespace scree
