#include "contact_files.hpp"

#include "scree/io/run_folder/whole_file.hpp"
#include "scree/problem/natural_map.hpp"
#include "scree/step/contact_forces.hpp"

namespace scree {
namespace {

/// A contact slips where rho times its slip, by which the natural map would change the impulse, is more than
/// this share of it. A contact without friction slips.
constexpr double kSlipping = 1e-3;

/// How the surfaces of a contact move against each other.
struct Slip {
  double speed = 0.0;  ///< m/s
  bool slips = true;
};

/// The slips of this rank's contacts. Collective.
std::vector<Slip> slips_of(const StepResult& result) {
  const ContactProblem& problem = result.posed.problem;
  const std::vector<double>& rho = cone_scales(problem);
  std::vector<Slip> slips(result.contacts.size());
  for_each_natural_point(
      problem, result.impact.impulse.get(),
      [&](std::size_t number, const auto& impulse, const auto& at) {
        if (impulse.size() < 3) return;
        const double speed = at.velocity.segment(1, 2).norm();
        slips[number] = {speed, rho[number] * speed > kSlipping * impulse.norm()};
      });
  return slips;
}

/// The contacts of this rank that bear a force. Collective.
std::vector<ContactLine> lines_of(const StepResult& result) {
  const std::vector<Slip> slips = slips_of(result);
  const std::vector<ContactForce> forces = contact_forces(result);
  std::vector<ContactLine> lines;
  for (std::size_t i = 0; i < forces.size(); ++i) {
    const ContactForce& force = forces[i];
    const Contact& contact = result.contacts[i];
    if (force.force.isZero(0.0)) continue;
    lines.push_back({.id_a = contact.key.id_a,
                     .id_b = contact.key.id_b,
                     .from = force.centre_a,
                     .to = contact.key.id_b < kFirstToolId ? force.centre_b : force.point,
                     .point = force.point,
                     .force = force.force,
                     .normal_force = force.force.dot(contact.normal),
                     .slip = slips[i].speed,
                     .slips = slips[i].slips});
  }
  return lines;
}

}  // namespace

ContactFiles::ContactFiles(const ObservedRun& run)
    : Observer(run),
      options_(run.config().output.contacts),
      schedule_(options_.every, run.end_of_last_step(), run.config().time.dt),
      index_(run.folder.contact_index(), "contacts") {}

void ContactFiles::go_on() {
  together(run_.comm(), [this] {
    if (run_.is_speaker()) cut_contacts(run_.folder, run_.point(), index_);
  });
}

void ContactFiles::after_step(const ObservedStep& step) {
  const StepClock& clock = step.result.clock;
  if (!schedule_.due(clock.end, run_.config().time.dt)) return;
  together(run_.comm(), [this] {
    if (run_.is_speaker()) std::filesystem::create_directories(run_.folder.contacts());
  });
  const std::vector<ContactLine> lines = lines_of(step.result);
  const ContactFileInfo written = write_contacts(run_.comm(), run_.folder.contacts_of(clock.step),
                                                 lines, clock.end, clock.step);
  together(run_.comm(), [&] {
    if (run_.is_speaker()) index_.add(written);
  });
}

}  // namespace scree
