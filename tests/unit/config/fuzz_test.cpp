#include <gtest/gtest.h>

#include <random>
#include <string>

#include "sample.hpp"
#include "scree/config/emit.hpp"
#include "scree/config/reader.hpp"

namespace scree {
namespace {

/// One random edit: a byte changed, a piece removed, doubled, or replaced by a troublesome one.
std::string mutate(std::string text, std::mt19937_64& random) {
  static constexpr std::array<std::string_view, 17> kPieces = {
      "[",  "]",    "{",      "}",   ": ",    "- ", "\n", "&a ",   "*a",
      "\"", "<<: ", "!!str ", "|\n", "1e999", " ",  "1",  " # c\n"};
  const auto below = [&](std::size_t n) { return random() % n; };
  const std::size_t at = below(text.size() + 1);
  switch (below(4)) {
    case 0:
      if (at < text.size()) text[at] = static_cast<char>(below(256));
      break;
    case 1:
      text.erase(at, below(20));
      break;
    case 2:
      text.insert(below(text.size() + 1), text.substr(at, below(40)));
      break;
    default:
      text.insert(at, kPieces[below(kPieces.size())]);
  }
  return text;
}

/// Reads @p text; true when it was accepted. Anything thrown but InputError fails the test.
bool reads(const std::string& text) {
  Sample s;
  try {
    read_yaml(text, "c.yaml", {}, s);
  } catch (const InputError& error) {
    const std::string_view what = error.what();
    EXPECT_EQ(what.substr(0, 7), "c.yaml:");
    return false;
  }
  const std::string emitted = emit_yaml(s);
  Sample back;
  read_yaml(emitted, "c.yaml", {}, back);
  return true;
}

TEST(Fuzz, MutatedTextIsReadOrRefused) {
  std::mt19937_64 random(20240501);
  int accepted = 0;
  constexpr int kTries = 1500;
  for (int i = 0; i < kTries; ++i) {
    std::string text(kSampleText);
    const int edits = 1 + static_cast<int>(random() % 3);
    for (int k = 0; k < edits; ++k) text = mutate(std::move(text), random);
    SCOPED_TRACE(text);
    accepted += reads(text) ? 1 : 0;
    if (HasFailure()) return;
  }
  // Both ways are taken often: the mutations are neither harmless nor all fatal.
  EXPECT_GT(accepted, 5);
  EXPECT_LT(accepted, kTries / 2);
}

TEST(Fuzz, HostileDocumentsAreRefused) {
  std::string bomb = "a: &a [x, x, x, x, x, x, x, x, x, x]\n";
  for (char c = 'b'; c < 'n'; ++c) {
    const std::string last = std::string("*") + static_cast<char>(c - 1);
    bomb += std::string(1, c) + ": &" + c + " [" + last;
    for (int i = 0; i < 9; ++i) bomb += ", " + last;
    bomb += "]\n";
  }
  EXPECT_FALSE(reads(bomb));
  EXPECT_FALSE(reads("a: &a [*a]\n"));
  EXPECT_FALSE(reads("radii: " + std::string(100000, '[')));
  // a megabyte by a thousand aliases
  std::string bytes = "a: &a " + std::string(1 << 20, 'x') + "\nb: [*a";
  for (int i = 0; i < 1000; ++i) bytes += ", *a";
  EXPECT_FALSE(reads(bytes + "]\n"));
  EXPECT_FALSE(reads("name: " + std::string((std::size_t{1} << 26), 'x') + "\n"));
  EXPECT_FALSE(reads(std::string("name: a\0b\n", 10) + "\xff\xfe"));
}

}  // namespace
}  // namespace scree
