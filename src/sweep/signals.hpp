#pragma once

/// Signals as what a loop waits for: while this lives, SIGINT, SIGTERM, SIGUSR1 and the end of a
/// child interrupt nothing, and wait() tells of them.

#include <csignal>
#include <string_view>

namespace scree::sweep {

class Signals {
 public:
  /// @pre the process has one thread.
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  /// The next of the signals that ask to stop; 0 when a child has ended, or none came within @p
  /// seconds.
  int wait(double seconds) const;

 private:
  sigset_t watched_;
  sigset_t before_;
};

std::string_view name_of_signal(int signal);

}  // namespace scree::sweep
