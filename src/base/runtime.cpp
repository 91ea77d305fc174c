#include "scree/base/runtime.hpp"

#include <fmt/format.h>
#include <petscsys.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include "scree/base/check.hpp"
#include "scree/base/launch.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

namespace scree {
namespace {

/// How long a rank that failed waits for the others to fail, too.
constexpr std::chrono::milliseconds kPatience{2000};
constexpr std::chrono::milliseconds kPause{5};

constexpr int kWrongInput = 2;  ///< the status that an InputError ends with

bool completes(MPI_Request& request, std::chrono::milliseconds patience) {
  const auto end = std::chrono::steady_clock::now() + patience;
  for (int done = 0;;) {
    if (MPI_Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) return false;
    if (done) return true;
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(kPause);
  }
}

/// With the address sanitizer leaks are looked for while MPI and PETSc still hold what is theirs:
/// at the end of the process, after they have unloaded their plugins, what they keep would be taken
/// for lost and hide what scree has lost. What MPI and PETSc lose in starting is theirs, too.
void check_leaks() {
#ifdef __SANITIZE_ADDRESS__
  __lsan_do_leak_check();
#endif
}

/// Open MPI gives a file that is opened in parallel a shared pointer, which HDF5 has no use for.
/// Two of its three components for that copy the file's path to a buffer of a fixed size, and abort
/// where it is longer than some 230 characters.
///
/// A process without a launcher has no other to talk to: Open MPI need not start a daemon for
/// processes to come, nor wait for networks to answer. Most of its start is that. Nor does it
/// need Open MPI's folder among the temporary files, which all such processes have in common: one
/// that ends takes it from others that start. The environment may say otherwise, files of Open
/// MPI's may not.
void choose_components() {
  setenv("OMPI_MCA_sharedfp", "individual", 1);
  if (has_launcher()) return;
  constexpr int kUnlessSet = 0;
  setenv("OMPI_MCA_ess_singleton_isolated", "1", kUnlessSet);
  setenv("OMPI_MCA_pml", "ob1", kUnlessSet);
  setenv("OMPI_MCA_orte_create_session_dirs", "0", kUnlessSet);
}

/// SuperLU_DIST, which PETSc may load, has the C library take all memory from one heap and give
/// none of it back, so that what a step frees between blocks that stay is lost. Large blocks have
/// pages of their own again, from the largest size on that the C library allows to set: smaller
/// ones are used again from step to step, and pages are dear to take anew. (The program has large
/// ones from the pool of pages, src/large_blocks.cpp.) The address sanitizer has a heap of its own,
/// which takes no such orders.
void give_memory_back() {
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
  constexpr int kLargest = 32 << 20;  // bytes
  constexpr int kMostBlocks = 1 << 16;
  [[maybe_unused]] const bool is_set = mallopt(M_MMAP_MAX, kMostBlocks) == 1 &&
                                       mallopt(M_MMAP_THRESHOLD, kLargest) == 1 &&
                                       mallopt(M_TRIM_THRESHOLD, 2 * kLargest) == 1;
  SCREE_ASSERT(is_set);
#endif
}

void start_libraries() {
  choose_components();
#ifdef __SANITIZE_ADDRESS__
  const __lsan::ScopedDisabler not_ours;
#endif
  SCREE_MPI(MPI_Init(nullptr, nullptr));
  SCREE_PETSC(PetscInitialize(nullptr, nullptr, nullptr, nullptr));
  give_memory_back();
}

void say(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace

bool names_a_place(std::string_view message) {
  if (message.starts_with("--set ")) return true;
  const std::string_view place = message.substr(0, message.find(": "));
  const std::size_t digits = place.find_last_not_of("0123456789") + 1;
  return digits > 1 && digits < place.size() && place[digits - 1] == ':';
}

Runtime::Runtime() {
  start_libraries();
  SCREE_PETSC(PetscPopSignalHandler());
  SCREE_PETSC(PetscPushErrorHandler(PetscReturnErrorHandler, nullptr));
  SCREE_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  SCREE_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &error_comm_));
}

Runtime::~Runtime() {
  check_leaks();
  static_cast<void>(MPI_Comm_free(&error_comm_));
  static_cast<void>(PetscFinalize());
  static_cast<void>(MPI_Finalize());
}

int Runtime::fail(std::string_view message, int status) const {
  int rank = 0;
  static_cast<void>(MPI_Comm_rank(error_comm_, &rank));
  MPI_Request request = MPI_REQUEST_NULL;
  const bool together =
      MPI_Ibarrier(error_comm_, &request) == MPI_SUCCESS && completes(request, kPatience);
  if (together) {
    const bool bare = status == kWrongInput && names_a_place(message);
    if (rank == 0) say(fmt::format("{}{}\n", bare ? "" : "scree: ", message));
    return status;
  }
  say(fmt::format("scree: rank {}: {}\n", rank, message));
  MPI_Abort(MPI_COMM_WORLD, status);
  return status;
}

}  // namespace scree
