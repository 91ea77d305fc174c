#pragma once

/// A program that is started and watched. Its words go to it as they are: no shell reads them.

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scree/io/run_folder/file_lock.hpp"

namespace scree::sweep {

inline constexpr int kStopped = 3;  ///< exit status of a program that a signal stopped

/// How a program ended.
struct Ending {
  int status =
      0;  ///< that it ended with; of one that a signal ended, 128 and the signal, as of a shell
  int signal() const { return status > 128 ? status - 128 : 0; }
};

class Child {
 public:
  /// Starts @p words, with what it says appended to @p log and nothing to read. It is in a process
  /// group of its own, so that Ctrl-C reaches it through the sweep alone, gets SIGUSR1 should the
  /// sweep be killed, and shares @p lock. Not collective. @throws Failure when no process can be
  /// made.
  static Child start(const std::vector<std::string>& words, const std::filesystem::path& log,
                     const FileLock& lock);

  /// How it ended; none while it runs.
  std::optional<Ending> ended() const;
  /// Asks it to stop: a run of scree writes a checkpoint and ends with status 3; mpirun and srun
  /// pass the signal on.
  void ask_to_stop() const;
  /// Ends it and what it has started.
  void kill() const;

 private:
  explicit Child(pid_t process) : process_(process) {}
  pid_t process_;
};

/// The program that this process runs. @throws Failure.
std::filesystem::path own_program();

}  // namespace scree::sweep
