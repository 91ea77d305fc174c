#pragma once

/// The sweeps of nsgs, over either form of N. Impulses are padded: three numbers a cone.

#include <memory>
#include <vector>

#include "scree/problem/contact_problem.hpp"

namespace scree {

class Sweep {
 public:
  virtual ~Sweep() = default;
  /// Collective. Takes @p lambda as the present impulses.
  virtual void start(const std::vector<double>& lambda) = 0;
  /// Collective. One sweep; writes @p lambda, which only sweeps have changed since start().
  virtual void run(double omega, std::vector<double>& lambda) = 0;
  /// Not collective, after start(): u = N lambda + r for the impulses given there, padded.
  virtual void velocities(std::vector<double>& u) const = 0;
};

/// Collective.
std::unique_ptr<Sweep> make_sweep(const ContactProblem& problem);

std::unique_ptr<Sweep> make_body_sweep(const ContactProblem& problem);
std::unique_ptr<Sweep> make_matrix_sweep(const ContactProblem& problem);

}  // namespace scree
