#include <array>

#include "scree/solver/options.hpp"

namespace scree {

void IpmOptions::declare(Declaration& d) {
  static constexpr std::array<std::string_view, 2> kLinearSolvers{"cg", "mumps"};
  d.word("linear_solver", linear_solver, kLinearSolvers,
         {.help = "of each Newton step: conjugate gradients, or a factorisation"});
}

}  // namespace scree
