#include "child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>

#include "scree/base/check.hpp"

namespace scree::sweep {
namespace {

constexpr int kNotStarted = 127;

/// The new process before it becomes the program makes system calls alone, as must be after fork.
[[noreturn]] void become(char* const* words, int log, int lock, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGUSR1);
  if (getppid() != parent) _exit(kNotStarted);  // the sweep was killed before that
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  dup2(log, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  fcntl(lock, F_SETFD, 0);  // stays open in the program
  execvp(words[0], words);
  const char* why = std::strerror(errno);
  for (const char* text :
       {"scree: ", static_cast<const char*>(words[0]), ": cannot be started: ", why, "\n"}) {
    if (write(STDERR_FILENO, text, std::strlen(text)) < 0) break;
  }
  _exit(kNotStarted);
}

}  // namespace

Child Child::start(const std::vector<std::string>& words, const std::filesystem::path& log,
                   const FileLock& lock) {
  std::vector<std::string> copies = words;  // execvp takes texts that it might change
  std::vector<char*> arguments;
  for (std::string& word : copies) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const int file = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0)
    throw Failure(fmt::format("{}: cannot be written: {}", log.string(), std::strerror(errno)));
  const pid_t parent = getpid();
  const pid_t process = fork();
  if (process == 0) become(arguments.data(), file, lock.file(), parent);
  const int error = errno;
  close(file);
  if (process < 0)
    throw Failure(
        fmt::format("{}: no process can be made: {}", words.front(), std::strerror(error)));
  return Child(process);
}

std::optional<Ending> Child::ended() const {
  int status = 0;
  if (waitpid(process_, &status, WNOHANG) != process_) return std::nullopt;
  return Ending{WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status)};
}

void Child::ask_to_stop() const {
  ::kill(process_, SIGUSR1);
}

void Child::kill() const {
  ::kill(-process_, SIGKILL);
}

std::filesystem::path own_program() {
  std::error_code code;
  std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", code);
  if (code) throw Failure(fmt::format("/proc/self/exe: cannot be read: {}", code.message()));
  return program;
}

}  // namespace scree::sweep
