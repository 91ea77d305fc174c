#pragma once

#include "app/run/observer.hpp"
#include "app/run/schedule.hpp"
#include "scree/io/paraview/contact_file.hpp"

namespace scree {

/// The keys under `output.contacts`.
struct ContactFileOptions {
  double every = 0.0;  ///< s of simulated time; 0: never

  void declare(Declaration& d);
};

/// The loaded contacts of a step as lines, as `output.contacts` asks, and their index.
class ContactFiles final : public Observer {
 public:
  using Options = ContactFileOptions;
  static void declare(Declaration& d, Options& options);
  static void add_files(const RunFolder& folder, RunFiles& files);
  static void check_files(const RunFolder& folder, const RunConfig& config, const RunPoint& point);

  explicit ContactFiles(const ObservedRun& run);
  void go_on() override;
  void after_step(const ObservedStep& step) override;

 private:
  const ContactFileOptions& options_;
  Schedule schedule_;
  XdmfIndex index_;
};

}  // namespace scree
