#include "contact_files.hpp"

#include "scree/config/declaration.hpp"
#include "scree/io/run_folder/whole_file.hpp"
#include "scree/step/contact_forces.hpp"
#include "slips.hpp"

namespace scree {
namespace {

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

StepFileNames names_in(const RunFolder& folder) {
  return {folder.root() / "contacts", "contacts", "hdf"};
}

std::filesystem::path index_in(const RunFolder& folder) {
  return folder.root() / "contacts.xdmf";
}

std::vector<ContactFileInfo> kept_contacts(const RunFolder& folder, const RunPoint& point) {
  return kept_infos(names_in(folder), point, read_contact_info);
}

}  // namespace

void ContactFileOptions::declare(Declaration& d) {
  d.real("every", every,
         {.help = "simulated time from one file of loaded contacts to the next; 0: never",
          .unit = "s",
          .min = 0.0});
}

void ContactFiles::declare(Declaration& d, Options& options) {
  d.object("contacts", options,
           {.help = "loaded contacts as lines with their forces, which ParaView opens"});
}

void ContactFiles::add_files(const RunFolder& folder, RunFiles& files) {
  const StepFileNames names = names_in(folder);
  files.of_steps.push_back(names);
  files.single.push_back(index_in(folder));
  files.folders_later.push_back(names.folder);
}

void ContactFiles::check_files(const RunFolder& folder, const RunConfig& /*config*/,
                               const RunPoint& point) {
  static_cast<void>(kept_contacts(folder, point));
}

ContactFiles::ContactFiles(const ObservedRun& run)
    : Observer(run),
      options_(run.config().output.of<ContactFileOptions>()),
      schedule_(options_.every, run.end_of_last_step(), run.config().time.dt),
      index_(index_in(run.folder), "contacts") {}

void ContactFiles::go_on() {
  together(run_.comm(), [this] {
    if (!run_.is_speaker()) return;
    cut_indexed(names_in(run_.folder), kept_contacts(run_.folder, run_.point()), run_.point(),
                index_);
  });
}

void ContactFiles::after_step(const ObservedStep& step) {
  const StepClock& clock = step.result.clock;
  if (!schedule_.due(clock.end, run_.config().time.dt)) return;
  const StepFileNames names = names_in(run_.folder);
  together(run_.comm(), [&] {
    if (run_.is_speaker()) std::filesystem::create_directories(names.folder);
  });
  const std::vector<ContactLine> lines = lines_of(step.result);
  const ContactFileInfo written =
      write_contacts(run_.comm(), names.of(clock.step), lines, clock.end, clock.step);
  together(run_.comm(), [&] {
    if (run_.is_speaker()) index_.add(written);
  });
}

}  // namespace scree
