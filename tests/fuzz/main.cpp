/// Feeds a reader of users' files with mutations of files that it takes (targets.hpp), the same
/// ones each time for the same seed. What is being read stands in the work folder, so that an input
/// that ends the program (by a fault, or by the alarm that bounds its time) is there afterwards.
///
/// Mutations are blind: no coverage guides them. They are made by the project itself so that the
/// suite needs no second build of scree by clang, with which alone libFuzzer comes (libfuzzer.cpp).

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <fstream>
#include <limits>

#include "mutate.hpp"
#include "scree/base/check.hpp"
#include "scree/base/runtime.hpp"
#include "seeds.hpp"
#include "targets.hpp"

namespace scree::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kMostSeconds = 20;  ///< of one input

struct Arguments {
  std::string target;
  fs::path corpus = SCREE_SOURCE_DIR "/tests/fuzz/corpus";
  fs::path work = fs::temp_directory_path();
  std::int64_t mutations = 1000;
  double seconds = std::numeric_limits<double>::infinity();
  std::uint64_t seed = 1;
};

/// Memory that a damaged number asks for is refused by the system, and told as a find.
void bound_memory() {
#ifndef __SANITIZE_ADDRESS__
  constexpr rlim_t kMostBytes = rlim_t{4} << 30;
  const rlimit limit{kMostBytes, kMostBytes};
  setrlimit(RLIMIT_AS, &limit);
#endif
}

enum class Outcome { taken, refused, found };

Outcome feed(const Target& target, const fs::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
  alarm(kMostSeconds);
  Outcome outcome = Outcome::taken;
  try {
    target.read(file);
  } catch (const InputError&) {
    outcome = Outcome::refused;
  } catch (const std::exception& error) {
    fmt::print("{}: {}\n", target.name, error.what());
    outcome = Outcome::found;
  }
  alarm(0);
  return outcome;
}

const Target& find(std::string_view name) {
  for (const Target& target : targets()) {
    if (target.name == name) return target;
  }
  throw InputError(fmt::format("there is no target {}", name));
}

/// The number of finds, each kept in the work folder.
int run(const Arguments& arguments) {
  const Target& target = find(arguments.target);
  const fs::path file = arguments.work / fmt::format("{}{}", target.name, target.ending);
  const std::vector<std::string> corpus = seeds(target.name, arguments.corpus, arguments.work);
  int finds = 0;
  for (const std::string& seed : corpus) {
    if (feed(target, file, seed) == Outcome::taken) continue;
    fmt::print("{}: a file of the corpus is not taken\n", target.name);
    ++finds;
  }
  std::mt19937_64 random(arguments.seed);
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [start] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  std::int64_t tried = 0;
  std::int64_t taken = 0;
  for (; tried < arguments.mutations && elapsed() < arguments.seconds; ++tried) {
    const std::string bytes = mutant(corpus, random);
    const Outcome outcome = feed(target, file, bytes);
    taken += outcome == Outcome::taken ? 1 : 0;
    if (outcome != Outcome::found) continue;
    const fs::path kept = arguments.work / fmt::format("find_{}_{}_{}{}", target.name,
                                                       arguments.seed, tried, target.ending);
    std::ofstream(kept, std::ios::binary) << bytes;
    fmt::print("{}: kept as {}\n", target.name, kept.string());
    ++finds;
  }
  fmt::print("{}: {} files and {} mutations in {:.1f} s, {} taken, {} finds\n", target.name,
             corpus.size(), tried, elapsed(), taken, finds);
  const bool both = corpus.empty() || (taken > 0 && taken < tried);
  if (!both) fmt::print("{}: the mutations are all harmless or all fatal\n", target.name);
  return finds + (both && !corpus.empty() ? 0 : 1);
}

}  // namespace
}  // namespace scree::fuzz

int main(int argc, char** argv) {
  scree::fuzz::Arguments arguments;
  CLI::App app{"feeds a reader of users' files with mutations"};
  app.add_option("TARGET", arguments.target, "which reader")->required();
  app.add_option("--mutations", arguments.mutations, "how many at most");
  app.add_option("--seconds", arguments.seconds, "how long at most");
  app.add_option("--seed", arguments.seed, "another seed gives other mutations");
  app.add_option("--corpus", arguments.corpus, "folder of the corpora");
  app.add_option("--work", arguments.work, "folder for what is read and what is found");
  CLI11_PARSE(app, argc, argv);
  std::filesystem::create_directories(arguments.work);
  const scree::Runtime runtime;
  scree::fuzz::bound_memory();
  try {
    return scree::fuzz::run(arguments) == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    return runtime.fail(error.what(), 1);
  }
}
