#pragma once

#include "app/run/observer.hpp"
#include "scree/io/paraview/contact_file.hpp"
#include "scree/io/run_folder/output_options.hpp"

namespace scree {

/// The loaded contacts of a step as lines, as `output.contacts` asks, and their index.
class ContactFiles final : public Observer {
 public:
  explicit ContactFiles(const ObservedRun& run);
  void go_on() override;
  void after_step(const ObservedStep& step) override;

 private:
  const ContactFileOptions& options_;
  Schedule schedule_;
  XdmfIndex index_;
};

}  // namespace scree
