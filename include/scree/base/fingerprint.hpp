#pragma once

/// A number that tells texts and files from one another: FNV-1a of 64 bits (Fowler, Noll and Vo).
/// It is no guard against anyone who wants two texts to look alike.

#include <cstdint>
#include <string_view>

namespace scree {

class Fingerprint {
 public:
  void add(std::string_view bytes) {
    for (const char c : bytes) {
      hash_ ^= static_cast<unsigned char>(c);
      hash_ *= 0x100000001b3U;
    }
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325U;
};

inline std::uint64_t fingerprint(std::string_view bytes) {
  Fingerprint result;
  result.add(bytes);
  return result.value();
}

}  // namespace scree
