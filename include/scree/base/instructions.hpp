#pragma once

/// The vector instructions that code with a variant for each kind of processor uses: the most that
/// the processor has, or those that the environment variable SCREE_INSTRUCTIONS names, `plain`,
/// `avx2` or `avx512`, so that one machine tests all variants.
///
/// | name   | the processor has                       |
/// | ---    | ---                                     |
/// | plain  | what every one of its architecture has  |
/// | avx2   | AVX2 and FMA                            |
/// | avx512 | these, and AVX-512 F, DQ, VL and BW     |
///
/// Results differ by rounding between the variants, where the compiler contracts a product and a
/// sum to one operation or sums by lanes.

#include <string>
#include <string_view>

#include "scree/base/enumeration.hpp"

/// GCC for x86-64 alone: clang knows no pragma for the target of functions.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define SCREE_VARIANTS
#endif

/// For code that each caller compiles for its own instructions.
#define SCREE_INLINE [[gnu::always_inline]] inline

namespace scree {

enum class Instructions { plain, avx2, avx512 };
template <>
inline constexpr std::array kNamesOf<Instructions> = names("plain", "avx2", "avx512");

/// The most that this processor, and this build, has.
Instructions best_instructions();

/// Why code cannot use the instructions called @p name where @p best is the most that there is;
/// empty where it can.
std::string fault_of_instructions(std::string_view name, Instructions best);

/// Those that code uses, the same in the whole life of the process.
/// @throws InputError where SCREE_INSTRUCTIONS names none, or some that this processor lacks.
Instructions instructions();

#ifdef SCREE_VARIANTS
template <class Function>
[[gnu::target("avx512f"), gnu::flatten]] void run_by_avx512(const Function& function) {
  function();
}
template <class Function>
[[gnu::target("avx2"), gnu::flatten]] void run_by_avx2(const Function& function) {
  function();
}
#endif

/// Calls @p function, of plain loops over many numbers, compiled once for each of the instructions
/// together with all inline code that it calls.
template <class Function>
void run_by(Instructions used, const Function& function) {
#ifdef SCREE_VARIANTS
  if (used == Instructions::avx512) return run_by_avx512(function);
  if (used == Instructions::avx2) return run_by_avx2(function);
#endif
  static_cast<void>(used);
  function();
}

}  // namespace scree
