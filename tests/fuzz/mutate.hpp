#pragma once

#include <random>
#include <string>
#include <vector>

namespace scree::fuzz {

/// A copy of one of @p corpus, changed by some of: a bit, a byte, a number of four or eight bytes,
/// a piece cut out, doubled, moved, or taken from another of the corpus, a troublesome word, the
/// end cut off. The same for the same state of @p random.
std::string mutant(const std::vector<std::string>& corpus, std::mt19937_64& random);

}  // namespace scree::fuzz
