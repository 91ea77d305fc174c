#pragma once

/// The impulses on each wall and tool: of the grains, gathered by blocks of contacts, and of the
/// rows that sources give.

#include <mpi.h>

#include <span>
#include <vector>

#include "contact_results.hpp"
#include "scree/bodies/store.hpp"
#include "scree/problem/given_rows.hpp"
#include "scree/step/tool_forces.hpp"

namespace scree {

class ToolImpulses {
 public:
  explicit ToolImpulses(std::int32_t n_tools) : sums_(kSums * n_tools, 0.0) {}

  /// The total impulses of contacts, less what cohesion pulls, where B is a tool. Not collective.
  void add(const ResultBlock& block);
  /// Impulses of the cones of sources that hold a grain, @p lambda, where a body is a tool. Not
  /// collective.
  void add(const GivenRows& given, std::span<const double> lambda);
  /// One wrench for each tool slot of a step of @p dt, summed over the ranks. Collective. Ends
  /// this.
  std::vector<Wrench> forces(MPI_Comm comm, double dt);

 private:
  void add_of_tool(const ContactResult& result);

  static constexpr std::size_t kSums = 7;  // impulse, moment, number of contacts

  std::vector<double> sums_;
};

}  // namespace scree
