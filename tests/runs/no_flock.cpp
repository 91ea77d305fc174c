// Loaded before a program (LD_PRELOAD), makes each file system one without locks.

#include <sys/file.h>

#include <cerrno>

extern "C" int flock(int /*file*/, int /*operation*/) noexcept {
  errno = ENOSYS;
  return -1;
}
