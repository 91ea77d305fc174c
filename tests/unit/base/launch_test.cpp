#include "scree/base/launch.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace scree {
namespace {

using Variables = std::map<std::string, std::string>;

/// An environment with these variables of launchers and no others, until it is left.
class Environment {
 public:
  explicit Environment(const Variables& variables) {
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "PMI_SIZE", "PMI_RANK",
                             "PMI_FD", "PMI_PORT", "PMIX_NAMESPACE", "ALPS_APP_PE",
                             "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS", "SLURM_PROCID"}) {
      if (const char* value = std::getenv(name)) before_[name] = value;
      names_.emplace_back(name);
      unsetenv(name);
    }
    for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
  }
  ~Environment() {
    for (const std::string& name : names_) unsetenv(name.c_str());
    for (const auto& [name, value] : before_) setenv(name.c_str(), value.c_str(), 1);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  std::vector<std::string> names_;
  Variables before_;
};

/// As Slurm starts four tasks without the plugin for PMIx.
TEST(Launch, TasksOfSrunThatMpiDoesNotKnowOf) {
  const Environment slurm(
      {{"SLURM_NTASKS", "4"}, {"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_PROCID", "2"}});
  EXPECT_TRUE(has_launcher());
  EXPECT_FALSE(can_find_launcher());
  EXPECT_FALSE(is_first_of_launch());
  const std::string fault = fault_of_launch(1);
  for (const char* text : {"srun has started 4 processes", "--mpi=pmix", "SLURM_STEP_NUM_TASKS"}) {
    EXPECT_NE(fault.find(text), std::string::npos) << fault;
  }
  EXPECT_EQ(fault_of_launch(4), "");
}

TEST(Launch, OneRankInALargeAllocationIsNoMistake) {
  for (const Variables& variables :
       {Variables{{"SLURM_NTASKS", "64"}},  // in the batch script itself
        Variables{{"SLURM_NTASKS", "64"}, {"SLURM_STEP_NUM_TASKS", "1"}, {"SLURM_PROCID", "0"}},
        // Open MPI's daemons are a step of as many tasks as there are nodes; its one rank is no
        // task of it.
        Variables{{"SLURM_STEP_NUM_TASKS", "8"},
                  {"OMPI_COMM_WORLD_SIZE", "1"},
                  {"OMPI_COMM_WORLD_RANK", "0"},
                  {"PMIX_NAMESPACE", "1"}},
        Variables{}}) {
    const Environment environment(variables);
    EXPECT_EQ(fault_of_launch(1), "");
    EXPECT_TRUE(is_first_of_launch());
  }
}

TEST(Launch, AProcessInABatchScriptHasNoLauncher) {
  const Environment script(Variables{{"SLURM_NTASKS", "64"}});
  EXPECT_FALSE(has_launcher());
}

TEST(Launch, ARankOfAnotherMpi) {
  const Environment mpich({{"PMI_SIZE", "2"}, {"PMI_RANK", "0"}, {"PMI_FD", "5"}});
  EXPECT_TRUE(has_launcher());
  EXPECT_TRUE(can_find_launcher());
  EXPECT_TRUE(is_first_of_launch());
  EXPECT_NE(fault_of_launch(1).find("the MPI that scree was built with"), std::string::npos);
  EXPECT_EQ(fault_of_launch(2), "");
}

TEST(Launch, VariablesThatAreNoNumbersSayNothing) {
  for (const char* text : {"", "many", "-3", "99999999999999999999"}) {
    const Environment environment(Variables{{"SLURM_STEP_NUM_TASKS", text}});
    EXPECT_EQ(fault_of_launch(1), "") << text;
  }
}

}  // namespace
}  // namespace scree
