#include "scree/domain/packing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "scree/base/check.hpp"

namespace scree {
namespace {

bool travels(const FieldInfo& field, Sync journey) {
  return field.sync >= journey;
}

}  // namespace

std::size_t record_size(Sync journey) {
  Store none;
  std::size_t size = 0;
  for_each_field(none, [&]<class T>(const FieldInfo& info, const std::vector<T>&) {
    static_assert(kTravelsAsBytes<T>);
    if (travels(info, journey)) size += sizeof(T);
  });
  return size;
}

std::vector<std::byte> pack(const Store& store, std::span<const std::int32_t> slots, Sync journey) {
  std::vector<std::byte> message(slots.size() * record_size(journey));
  std::byte* to = message.data();
  for_each_field(store, [&]<class T>(const FieldInfo& info, const SlotVector<T>& field) {
    if (!travels(info, journey)) return;
    for (const std::int32_t slot : slots) {
      std::memcpy(to, static_cast<const void*>(&field[slot]), sizeof(T));
      to += sizeof(T);
    }
  });
  return message;
}

std::int32_t unpack(Store& store, std::span<const std::byte> message, Sync journey) {
  const std::size_t record = record_size(journey);
  if (message.size() % record != 0) {
    throw Failure(fmt::format("a message of {} bytes holds no whole number of bodies of {} bytes",
                              message.size(), record));
  }
  const std::size_t count = message.size() / record;
  const std::size_t first = store.size();
  resize(store, static_cast<std::int32_t>(first + count));
  const std::byte* from = message.data();
  for_each_field(store, [&]<class T>(const FieldInfo& info, SlotVector<T>& field) {
    if (count == 0 || !travels(info, journey)) return;
    std::memcpy(static_cast<void*>(&field[first]), from, count * sizeof(T));
    from += count * sizeof(T);
  });
  return static_cast<std::int32_t>(count);
}

void unpack_into(Store& store, std::span<const std::int32_t> slots,
                 std::span<const std::byte> message, Sync journey) {
  if (message.size() != slots.size() * record_size(journey)) {
    throw Failure(fmt::format("a message of {} bytes is not one of {} bodies of {} bytes",
                              message.size(), slots.size(), record_size(journey)));
  }
  const std::byte* from = message.data();
  for_each_field(store, [&]<class T>(const FieldInfo& info, SlotVector<T>& field) {
    if (!travels(info, journey)) return;
    for (const std::int32_t slot : slots) {
      std::memcpy(static_cast<void*>(&field[slot]), from, sizeof(T));
      from += sizeof(T);
    }
  });
}

std::vector<std::int32_t> sort_by_id(Store& store, std::int32_t first, std::int32_t end) {
  const std::size_t n = end - first;
  const auto comes_before = [&store](std::int32_t x, std::int32_t y) {
    if (store.id[x] != store.id[y]) return store.id[x] < store.id[y];
    const Vec3i& i = store.image[x];
    const Vec3i& j = store.image[y];
    return std::lexicographical_compare(i.begin(), i.end(), j.begin(), j.end());
  };
  std::vector<std::int32_t> order(n);  // order[k]: which slot comes k-th
  std::iota(order.begin(), order.end(), first);
  if (std::is_sorted(order.begin(), order.end(), comes_before)) return {};
  std::sort(order.begin(), order.end(), comes_before);
  for_each_field(store, [&]<class T>(const FieldInfo&, SlotVector<T>& field) {
    std::vector<T> sorted;
    sorted.reserve(n);
    for (const std::int32_t slot : order) sorted.push_back(field[slot]);
    std::copy(sorted.begin(), sorted.end(), field.begin() + first);
  });
  std::vector<std::int32_t> new_slots(n);
  for (std::size_t k = 0; k < n; ++k) {
    new_slots[order[k] - first] = first + static_cast<std::int32_t>(k);
  }
  return new_slots;
}

}  // namespace scree
