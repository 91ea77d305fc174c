#include "seeds.hpp"

#include <algorithm>

#include "app/run/checkpoint_state.hpp"
#include "app/run/simulation.hpp"
#include "scree/config/emit.hpp"
#include "scree/config/named_files.hpp"
#include "scree/config/reader.hpp"
#include "scree/io/fclib/fclib.hpp"
#include "scree/io/hdf5/hdf5.hpp"
#include "scree/io/paraview/snapshot.hpp"
#include "scree/io/run_folder/whole_file.hpp"
#include "support/problems.hpp"
#include "support/sample_store.hpp"

namespace scree::fuzz {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<std::string> texts;
  for (const fs::path& file : files) texts.push_back(read_text_file(file));
  return texts;
}

std::string snapshot_in(const fs::path& work) {
  const fs::path file = work / "seed.hdf";
  write_snapshot(MPI_COMM_SELF, file, test::sample_store(0, 5, 1),
                 {.time = 0.1,
                  .step = 3,
                  .dt = 1e-3,
                  .configuration = "name: seed\n",
                  .materials = {"stone", "steel"},
                  .groups = {"a", "b", "c"},
                  .tools = {"floor", "blade"}});
  return read_text_file(file);
}

std::string checkpoint_in(const fs::path& work, const fs::path& corpus) {
  const fs::path file = corpus / "yaml" / "everything.yaml";
  const RunConfig config = read_run_config(read_text_file(file), file, {}, {read_named_file});
  Simulation simulation(MPI_COMM_SELF, config);
  simulation.step();
  CheckpointContent content = checkpoint_of(simulation.state(), config.time.dt);
  content.configuration = emit_yaml(config);
  const fs::path checkpoint = work / "seed.h5";
  write_checkpoint(MPI_COMM_SELF, checkpoint, content);
  return read_text_file(checkpoint);
}

std::string problem_in(const fs::path& work, const ContactProblem& problem) {
  const fs::path file = work / "seed.hdf5";
  write_fclib(problem, file, {.title = "seed", .solver = "solver:\n  method: nsgs\n"});
  return read_text_file(file);
}

std::string lcp() {
  const h5::File file = h5::create_in_memory();
  for (const char* name : {"m", "n", "nz", "nzmax"}) {
    h5::write_scalar(file.get(), std::string("lcp/A/") + name, std::int32_t{3});
  }
  const std::vector<std::int32_t> diagonal{0, 1, 2};
  h5::write(file.get(), "lcp/A/i", diagonal);
  h5::write(file.get(), "lcp/A/p", diagonal);
  h5::write(file.get(), "lcp/A/x", std::vector<double>{2.0, 1.0, 3.0});
  h5::write(file.get(), "lcp/vectors/b", std::vector<double>{-1.0, 2.0, -3.0});
  return h5::image(file);
}

/// Problems in both forms, with rolling friction, and an LCP.
std::vector<std::string> problems_in(const fs::path& work) {
  test::ProblemBuilder balls = test::random_graph(4, 6, 11);
  const ContactProblem product = balls.build(MPI_COMM_SELF, FrictionLaw::coulomb, "seed");
  balls.resist_rolling(0.01);
  const ContactProblem rolling = balls.build(MPI_COMM_SELF, FrictionLaw::coulomb, "seed");
  return {problem_in(work, product), problem_in(work, test::as_matrix(product)),
          problem_in(work, rolling), lcp()};
}

}  // namespace

std::vector<std::string> seeds(std::string_view target, const fs::path& corpus,
                               const fs::path& work) {
  if (target == "snapshot" || target == "grains") return {snapshot_in(work)};
  if (target == "checkpoint") return {checkpoint_in(work, corpus)};
  if (target == "fclib") return problems_in(work);
  if (target == "info") {
    std::vector<std::string> all = problems_in(work);
    all.push_back(snapshot_in(work));
    all.push_back(checkpoint_in(work, corpus));
    return all;
  }
  return files_in(corpus / target);
}

}  // namespace scree::fuzz
