#pragma once

/// One proximal point of `pac`, by semismooth Newton (solver/newton/pac.hpp). All calls are
/// collective.

#include <functional>
#include <optional>

#include "pac_system.hpp"

namespace scree::pac {

/// How the search for a proximal point ended.
struct Search {
  enum class End { found, failed, stopped };
  End end = End::failed;  ///< stopped: the observer asked for it
  int steps = 0;          ///< Newton steps taken
};

class ProximalNewton {
 public:
  /// @p rho: dim / tr(N_ii) of this rank's cones (Measurer::rho).
  ProximalNewton(const ContactProblem& problem, const std::vector<double>& rho);

  /// Moves @p x towards the proximal point of itself for the parameter @p s; calls @p observe after
  /// each step, until it returns true.
  Search search(double s, Points& x, const std::function<bool()>& observe);

  const LinearSolver& linear() const { return system_->linear(); }
  /// How linear solves differed from those asked for; empty where they did not.
  std::string note() const { return system_->note(); }

 private:
  void set_parameter(double s);
  double residual(const Points& x);
  void linearise(const Points& x);
  std::optional<double> line_search(double bound, Points& x);
  bool is_accurate_enough(double merit, const Points& x) const;
  template <class Cone>
  cones::ContactMap<Cone::kDim> map(const Cone& cone, const ConePlace& at, const Points& x) const;

  const ContactProblem& problem_;
  const std::vector<double>& scale_;  ///< rho of the measure
  std::unique_ptr<System> system_;
  double last_s_ = 0.0;
  std::vector<double> r_;    ///< proximal parameter of each cone, 1/kg
  std::vector<double> rho_;  ///< scale rho of each cone's equation, kg
  Points centre_;
  Points u_;
  Points dx_;
  Points g_;  ///< -A^-1 F
  Blocks h_;  ///< A^-1 rho P'
};

}  // namespace scree::pac
