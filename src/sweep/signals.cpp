#include "signals.hpp"

#include <cmath>
#include <ctime>

namespace scree::sweep {

Signals::Signals() {
  sigemptyset(&watched_);
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1, SIGCHLD}) sigaddset(&watched_, signal);
  sigprocmask(SIG_BLOCK, &watched_, &before_);
}

Signals::~Signals() {
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

int Signals::wait(double seconds) const {
  timespec time{};
  time.tv_sec = static_cast<std::time_t>(seconds);
  time.tv_nsec = static_cast<long>((seconds - std::floor(seconds)) * 1e9);
  const int signal = sigtimedwait(&watched_, nullptr, &time);
  return signal == SIGCHLD || signal < 0 ? 0 : signal;
}

std::string_view name_of_signal(int signal) {
  switch (signal) {
    case SIGINT:
      return "SIGINT";
    case SIGTERM:
      return "SIGTERM";
    case SIGUSR1:
      return "SIGUSR1";
    case SIGKILL:
      return "SIGKILL";
    case SIGSEGV:
      return "SIGSEGV";
    case SIGABRT:
      return "SIGABRT";
    default:
      return "a signal";
  }
}

}  // namespace scree::sweep
