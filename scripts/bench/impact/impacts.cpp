/// Figures of impact operators as CSV, one table a call: scripts/bench/impact runs it.
///
///   bench_impacts cases | wedge | random N | beds | zones

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <random>
#include <string>

#include "scree/impact/resolve_impacts.hpp"
#include "support/impacts.hpp"

namespace scree {
namespace {

struct NamedOperator {
  const char* name;
  ElasticOptions options;
};

const std::vector<NamedOperator> kOperators = {
    {"reflections", {}},
    {"gauss_seidel lexicographic", {.kind = ImpactOperatorKind::gauss_seidel}},
    {"gauss_seidel random",
     {.kind = ImpactOperatorKind::gauss_seidel, .order = ImpactOrder::random}},
    {"gauss_seidel worst_first",
     {.kind = ImpactOperatorKind::gauss_seidel, .order = ImpactOrder::worst_first}}};

/// An outcome, its seconds, and its errors: of the energy over that before, and of the momentum
/// that the impulses give over the norm of the velocities, both in the energy norm.
struct Run {
  ElasticOutcome outcome;
  double seconds = 0.0;
  double energy_error = 0.0;
  double momentum_error = 0.0;
};

/// |y - y_0 - A l|, summed in extended precision: the judge must not add its own rounding where large impulses cancel.
double momentum_error(const EnergySpace& space, const ElasticOutcome& outcome) {
  std::vector<long double> sums(static_cast<std::size_t>(space.velocity.size()));
  for (Eigen::Index k = 0; k < space.velocity.size(); ++k) {
    sums[static_cast<std::size_t>(k)] =
        static_cast<long double>(outcome.velocity[k]) - space.velocity[k];
  }
  for (Eigen::Index i = 0; i < space.normals.cols(); ++i) {
    for (SparseColumns::InnerIterator it(space.normals, i); it; ++it) {
      sums[static_cast<std::size_t>(it.row())] -=
          static_cast<long double>(it.value()) * outcome.impulse[i];
    }
  }
  long double square = 0.0L;
  for (const long double sum : sums) square += sum * sum;
  return static_cast<double>(std::sqrt(square));
}

Run run(const ImpactProblem& problem, const ElasticOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const EnergySpace space = energy_space(problem);
  Run run{elastic_outcome(space.normals, space.velocity, options)};
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const double before = space.velocity.squaredNorm();
  run.energy_error =
      std::abs(run.outcome.velocity.squaredNorm() + 2.0 * run.outcome.lost_energy - before) /
      before;
  run.momentum_error = momentum_error(space, run.outcome) / std::sqrt(before);
  return run;
}

void print_cases() {
  const std::vector<std::pair<const char*, ImpactProblem>> cases = {
      {"cradle, 1 in", test::cradle({1, 1, 1, 1, 1}, {1, 0, 0, 0, 0})},
      {"cradle, 2 in", test::cradle({1, 1, 1, 1, 1}, {1, 1, 0, 0, 0})},
      {"cradle, masses 1 to 100", test::cradle({1, 3, 10, 30, 100}, {1, 0, 0, 0, 0})},
      {"Fig. 2, one ball", test::between_walls(1, Vec3(1, 1, 0))},
      {"Fig. 2, two balls", test::between_walls(2, Vec3(1, 1, 0))},
      {"Fig. 1, geyser 4 x 4", test::geyser(4, 4)},
      {"Fig. 1, geyser 10 x 10", test::geyser(10, 10)},
      {"pool break", test::pool_break()}};
  std::printf(
      "case,contacts,operator,detection,ended,applications,equalities,programs,lost_energy_J,"
      "energy_error\n");
  for (const auto& [name, problem] : cases) {
    for (const NamedOperator& of : kOperators) {
      for (const bool detect : {false, true}) {
        ElasticOptions options = of.options;
        if (!detect) options.patience = options.max_applications = 100'000;
        const Run r = run(problem, options);
        std::printf("\"%s\",%zu,%s,%s,%s,%ld,%zu,%d,%.3g,%.1e\n", name, problem.contacts.size(),
                    of.name, detect ? "yes" : "no", r.outcome.ended ? "yes" : "no",
                    static_cast<long>(r.outcome.applications), r.outcome.equalities.size(),
                    r.outcome.programs, r.outcome.lost_energy, r.energy_error);
      }
    }
  }
}

void print_wedge() {
  std::printf("degrees,bound");
  for (const NamedOperator& of : kOperators) std::printf(",%s", of.name);
  std::printf("\n");
  for (const double degrees : {90.0, 60.0, 45.0, 30.0, 10.0, 3.0, 1.0, 0.3, 0.1, 0.01}) {
    std::printf("%g,%g", degrees, std::ceil(180.0 / degrees));
    for (const NamedOperator& of : kOperators) {
      const Run r = run(test::wedge(degrees * std::numbers::pi / 180.0), of.options);
      std::printf(r.outcome.ended ? ",%ld" : ",not ended (%ld)",
                  static_cast<long>(r.outcome.applications));
    }
    std::printf("\n");
  }
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void print_random(int count) {
  std::printf(
      "operator,problems,degenerate,ended,applications_median,applications_largest,applications_"
      "per_contact_largest,"
      "programs_largest,one_program_percent,energy_error_largest,momentum_error_largest,ms_median,"
      "ms_largest,programs_share\n");
  for (const NamedOperator& of : kOperators) {
    std::mt19937_64 random(1);
    std::vector<double> applications, per_contact, seconds;
    int degenerate = 0, ended = 0, one = 0, most_programs = 0;
    double energy = 0.0, momentum = 0.0, in_programs = 0.0, in_all = 0.0;
    for (int trial = 0; trial < count; ++trial) {
      const ImpactProblem problem =
          test::random_impact(random, 2 + random() % 199, trial % 10 == 0);
      const Run r = run(problem, of.options);
      applications.push_back(static_cast<double>(r.outcome.applications));
      per_contact.push_back(applications.back() / static_cast<double>(problem.contacts.size()));
      seconds.push_back(r.seconds);
      degenerate += !r.outcome.equalities.empty() ? 1 : 0;
      ended += r.outcome.ended ? 1 : 0;
      one += r.outcome.programs <= 1 ? 1 : 0;
      most_programs = std::max(most_programs, r.outcome.programs);
      energy = std::max(energy, r.energy_error);
      momentum = std::max(momentum, r.momentum_error);
      in_programs += r.outcome.program_seconds;
      in_all += r.seconds;
    }
    std::printf("%s,%d,%d,%d,%g,%g,%.2g,%d,%.1f,%.1e,%.1e,%.3g,%.3g,%.2f\n", of.name, count,
                degenerate, ended, median(applications),
                *std::max_element(applications.begin(), applications.end()),
                *std::max_element(per_contact.begin(), per_contact.end()), most_programs,
                100.0 * one / count, energy, momentum, 1e3 * median(seconds),
                1e3 * *std::max_element(seconds.begin(), seconds.end()), in_programs / in_all);
  }
}

/// A jittered stack of @p n cubed balls in a box without a lid, of all contacts within a gap, and a
/// heavy ball that falls on it.
ImpactProblem bed(int n) {
  std::mt19937_64 random(static_cast<std::uint64_t>(n));
  std::uniform_real_distribution<double> jitter(-0.05, 0.05);
  std::vector<test::Ball> balls;
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        const Vec3 place(2.0 * i + k % 2, 2.0 * j + k % 2, std::sqrt(2.0) * k);
        balls.push_back({place + Vec3(jitter(random), jitter(random), jitter(random)), 1.02});
      }
    }
  }
  const Vec3 top = balls[balls.size() - static_cast<std::size_t>(1 + n * n / 2 + n / 2)].centre;
  balls.push_back({top + Vec3(0, 0, 2.11), 1.1, 50.0, Vec3(0, 0, -5)});
  const double far = 2.0 * n;
  return test::touching(balls, {{Vec3(0, 0, -1), Vec3::UnitZ()},
                                {Vec3(-1, 0, 0), Vec3::UnitX()},
                                {Vec3(0, -1, 0), Vec3::UnitY()},
                                {Vec3(far, 0, 0), -Vec3::UnitX()},
                                {Vec3(0, far, 0), -Vec3::UnitY()}});
}

void print_beds() {
  std::printf(
      "balls,contacts,operator,ended,applications,programs,program_s,operator_s,energy_error,"
      "momentum_error\n");
  for (const int n : {4, 6, 8, 10}) {
    const ImpactProblem problem = bed(n);
    for (const NamedOperator& of : kOperators) {
      const Run r = run(problem, of.options);
      std::printf("%zu,%zu,%s,%s,%ld,%d,%.3g,%.3g,%.1e,%.1e\n", problem.bodies.size(),
                  problem.contacts.size(), of.name, r.outcome.ended ? "yes" : "no",
                  static_cast<long>(r.outcome.applications), r.outcome.programs,
                  r.outcome.program_seconds, r.seconds - r.outcome.program_seconds, r.energy_error,
                  r.momentum_error);
      std::fflush(stdout);
    }
  }
}

/// Beds with friction and restitution, as runs resolve them: without a look for equalities before
/// 20 applications a contact, and with what rests left.
void print_zones() {
  std::printf(
      "balls,contacts,applications,applications_a_contact,friction_sweeps,seconds,us_a_contact,"
      "exponent\n");
  double contacts_before = 0.0;
  double seconds_before = 0.0;
  for (const int n : {10, 14, 20, 22, 27}) {
    ImpactProblem problem = bed(n);
    for (ImpactContact& contact : problem.contacts) {
      contact.restitution = 0.8;
      contact.friction = 0.4;
    }
    ImpactOptions options;
    options.elastic = kOperators.back().options;
    options.elastic.patience = 20;
    options.resting = 0.02;  // m/s: twice what gravity gives in a step of 1 ms
    const auto start = std::chrono::steady_clock::now();
    const ImpactReport zone = resolve_impacts(problem, options).zones.at(0);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const auto contacts = static_cast<double>(problem.contacts.size());
    std::printf("%zu,%zu,%ld,%.2f,%ld,%.3g,%.3g,", problem.bodies.size(), problem.contacts.size(),
                static_cast<long>(zone.applications),
                static_cast<double>(zone.applications) / contacts,
                static_cast<long>(zone.friction_sweeps), seconds, 1e6 * seconds / contacts);
    if (seconds_before > 0.0) {
      std::printf("%.2f",
                  std::log(seconds / seconds_before) / std::log(contacts / contacts_before));
    }
    std::printf("\n");
    std::fflush(stdout);
    contacts_before = contacts;
    seconds_before = seconds;
  }
}

}  // namespace
}  // namespace scree

int main(int argc, char** argv) {
  const std::string table = argc > 1 ? argv[1] : "";
  if (table == "cases") {
    scree::print_cases();
  } else if (table == "wedge") {
    scree::print_wedge();
  } else if (table == "random" && argc > 2) {
    scree::print_random(std::atoi(argv[2]));
  } else if (table == "beds") {
    scree::print_beds();
  } else if (table == "zones") {
    scree::print_zones();
  } else {
    std::fprintf(stderr, "usage: bench_impacts cases | wedge | random N | beds | zones\n");
    return 2;
  }
  return 0;
}
