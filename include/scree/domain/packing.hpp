#pragma once

/// Bodies as bytes: the field table (bodies/store.hpp) says what travels.
///
/// A message holds one block a field, in the table's order, each with one value a body; the number
/// of bodies follows from the message's length. No MPI.

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "scree/bodies/store.hpp"

namespace scree {

/// Whether a value of type T is its bytes. Eigen's fixed-size types are, though their constructors
/// hide it from the compiler.
template <class T>
inline constexpr bool kTravelsAsBytes = std::is_trivially_copyable_v<T>;
template <>
inline constexpr bool kTravelsAsBytes<Vec3> = true;
template <>
inline constexpr bool kTravelsAsBytes<Vec6> = true;
template <>
inline constexpr bool kTravelsAsBytes<Vec3i> = true;
template <>
inline constexpr bool kTravelsAsBytes<Quat> = true;
template <>
inline constexpr bool kTravelsAsBytes<Box3> = true;

/// The bodies in @p slots as one message. Sync::migrate takes all fields, Sync::ghost those that
/// ghosts have, the others those of them that change while ghosts are kept.
std::vector<std::byte> pack(const Store& store, std::span<const std::int32_t> slots, Sync journey);
/// Bytes of a body in such a message.
std::size_t record_size(Sync journey);

/// Appends the bodies of @p message behind the last slot, and returns how many. The caller counts
/// them as owned or leaves them ghosts. @throws Failure when the length is no whole number of
/// bodies.
std::int32_t unpack(Store& store, std::span<const std::byte> message, Sync journey);

/// Gives the bodies in @p slots the values of @p message, one body each in its order. @throws
/// Failure when they are not as many.
void unpack_into(Store& store, std::span<const std::int32_t> slots,
                 std::span<const std::byte> message, Sync journey);

/// Sorts the slots [first, end) by id, and by image where several are of one. Returns where each
/// went: slot first + k is now result[k]; empty when they were sorted already.
std::vector<std::int32_t> sort_by_id(Store& store, std::int32_t first, std::int32_t end);

}  // namespace scree
