#pragma once

/// Values that are put into a document from outside: `--set a.b.c=value`, or a parameter of a
/// sweep.
///
/// A key names what to set, word by word between dots. In a map a word is a key; in a list it is
/// the number of an entry
/// (`friction.0.mu`), or names in brackets, of the one entry that holds exactly these:
/// `friction[gravel,steel].mu` is the entry with `between: [steel, gravel]`, in whatever order.

#include <string>

#include "scree/config/reader.hpp"
#include "tree.hpp"

namespace scree::config {

/// Puts the value of @p override into @p root, making maps on the way; @p index is its place in the
/// list of overrides. Returns what is wrong with it, empty when it is applied.
std::string apply_override(Tree& root, const Override& override, int index);

}  // namespace scree::config
