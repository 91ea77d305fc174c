#include "mutate.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <string_view>

namespace scree::fuzz {
namespace {

using namespace std::string_view_literals;

/// Words that readers of text stumble over.
constexpr std::array kWords = {"["sv,          "]"sv,      "{"sv,
                               "}"sv,          ": "sv,     "- "sv,
                               "\n"sv,         "&a "sv,    "*a"sv,
                               "\""sv,         "<<: "sv,   "|\n"sv,
                               ","sv,          "#"sv,      "\t"sv,
                               "1e999"sv,      "-1e308"sv, "nan"sv,
                               "inf"sv,        "0x1p3"sv,  "-0"sv,
                               "1e-320"sv,     "\0"sv,     "\xff"sv,
                               "\r\n"sv,       "..."sv,    "9223372036854775807"sv,
                               "2147483648"sv, "!!str "sv, "''"sv};

/// Numbers that readers stumble over.
constexpr std::array<std::uint64_t, 10> kNumbers = {0,
                                                    1,
                                                    0x7fffffff,
                                                    0x80000000,
                                                    0xffffffff,
                                                    0x7ff00000,
                                                    0x00000001ULL << 40,
                                                    0x7ff0000000000000,
                                                    0x8000000000000000,
                                                    ~std::uint64_t{0}};

class Editor {
 public:
  Editor(std::string& text, const std::vector<std::string>& corpus, std::mt19937_64& random)
      : text_(text), corpus_(corpus), random_(random) {}

  void edit() {
    if (text_.empty()) return insert_word();
    switch (below(9)) {
      case 0:
        text_[at()] ^= static_cast<char>(1U << below(8));
        break;
      case 1:
        text_[at()] = static_cast<char>(below(256));
        break;
      case 2:
        write_number();
        break;
      case 3:
        text_.erase(at(), 1 + below(32));
        break;
      case 4:
        text_.insert(at(), text_.substr(at(), 1 + below(64)));
        break;
      case 5:
        splice();
        break;
      case 6:
        if (below(8) == 0) text_.resize(at());
        break;
      default:
        insert_word();
    }
  }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }
  std::size_t at() { return below(text_.size()); }

  void insert_word() { text_.insert(below(text_.size() + 1), kWords[below(kWords.size())]); }

  void write_number() {
    const std::uint64_t number = kNumbers[below(kNumbers.size())];
    const std::size_t bytes = below(2) == 0 ? 4 : 8;
    if (text_.size() < bytes) return;
    std::memcpy(&text_[below(text_.size() - bytes + 1)], &number, bytes);
  }

  void splice() {
    const std::string& other = corpus_[below(corpus_.size())];
    if (other.empty()) return;
    const std::string piece = other.substr(below(other.size()), 1 + below(128));
    text_.replace(at(), below(piece.size() + 1), piece);
  }

  std::string& text_;
  const std::vector<std::string>& corpus_;
  std::mt19937_64& random_;
};

}  // namespace

std::string mutant(const std::vector<std::string>& corpus, std::mt19937_64& random) {
  std::string text = corpus[random() % corpus.size()];
  Editor editor(text, corpus, random);
  constexpr std::array kEdits{1, 1, 1, 2, 3, 8};
  for (int k = kEdits[random() % kEdits.size()]; k > 0; --k) editor.edit();
  return text;
}

}  // namespace scree::fuzz
