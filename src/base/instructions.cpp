#include "scree/base/instructions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>

#include "scree/base/check.hpp"

namespace scree {
namespace {

constexpr const char* kVariable = "SCREE_INSTRUCTIONS";

Instructions choose() {
  const Instructions best = best_instructions();
  const char* name = std::getenv(kVariable);
  if (name == nullptr) return best;
  if (const std::string fault = fault_of_instructions(name, best); !fault.empty()) {
    throw InputError(fault);
  }
  return *value_named<Instructions>(name);
}

}  // namespace

Instructions best_instructions() {
#ifdef SCREE_VARIANTS
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return Instructions::plain;
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
  return avx512 ? Instructions::avx512 : Instructions::avx2;
#else
  return Instructions::plain;
#endif
}

std::string fault_of_instructions(std::string_view name, Instructions best) {
  const auto named = value_named<Instructions>(name);
  if (!named) {
    return fmt::format("the environment variable {} is `{}`; allowed: {}", kVariable, name,
                       fmt::join(kNamesOf<Instructions>, ", "));
  }
  if (*named <= best) return {};
#ifdef SCREE_VARIANTS
  const std::string_view reason = "this processor lacks these";
#else
  const std::string_view reason = "this build has none but plain code";
#endif
  return fmt::format("the environment variable {} is `{}`: {}; the most it may be is `{}`",
                     kVariable, name, reason, to_string(best));
}

Instructions instructions() {
  static const Instructions chosen = choose();
  return chosen;
}

}  // namespace scree
