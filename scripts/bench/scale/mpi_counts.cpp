/// Counts the messages and collective operations of an MPI program by MPI's profiling interface
/// (the standard's chapter "Tool Support"): preloaded, it needs no line in the program, since each
/// MPI_ function of this library calls the PMPI_ function of that name. At MPI_Finalize each rank
/// writes the file `$SCREE_MPI_COUNTS.RANK`, rows of `name,calls,bytes`:
///
///   send            messages to other ranks, those of persistent requests included
///   to R            those of them to rank R
///   MPI_Allreduce   and other collective operations on communicators of several ranks, with the
///                   bytes that this rank gives to them
///   processor       calls: nanoseconds of processor time outside of the functions below
///
/// The program may call MPI from one thread at a time.

#include <mpi.h>

#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <map>
#include <string>

namespace {

struct Count {
  std::int64_t calls = 0;
  std::int64_t bytes = 0;
};

struct Message {
  std::int64_t bytes;
  int to;
  MPI_Comm comm;
};

std::int64_t processor_nanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1'000'000'000 * static_cast<std::int64_t>(now.tv_sec) + now.tv_nsec;
}

std::int64_t bytes_of(std::int64_t count, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  return count * size;
}

int size_of(MPI_Comm comm) {
  int size = 1;
  PMPI_Comm_size(comm, &size);
  return size;
}

int rank_of(MPI_Comm comm) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  return rank;
}

int rank_in_world(int rank, MPI_Comm comm) {
  MPI_Group group{};
  MPI_Group world{};
  int result = rank;
  PMPI_Comm_group(comm, &group);
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  PMPI_Group_translate_ranks(group, 1, &rank, world, &result);
  PMPI_Group_free(&group);
  PMPI_Group_free(&world);
  return result;
}

class Counts {
 public:
  void start_clock() { outside_since_ = processor_nanoseconds(); }

  void sends(const Message& message) {
    if (message.to == rank_of(message.comm) || message.to == MPI_PROC_NULL) return;
    add("send", message.bytes);
    add("to " + std::to_string(rank_in_world(message.to, message.comm)), message.bytes);
  }
  /// The message is sent whenever its persistent request is started.
  void keeps(MPI_Request request, const Message& message) {
    persistent_.insert_or_assign(request, message);
  }
  void starts(MPI_Request request) {
    const auto found = persistent_.find(request);
    if (found != persistent_.end()) sends(found->second);
  }
  void frees(MPI_Request request) { persistent_.erase(request); }

  void collective(const char* name, std::int64_t bytes, MPI_Comm comm) {
    if (size_of(comm) > 1) add(name, bytes);
  }

  /// Makes a call of MPI, whose time is not the program's.
  template <class Call>
  int timed(const Call& call) {
    outside_ += processor_nanoseconds() - outside_since_;
    const int code = call();
    outside_since_ = processor_nanoseconds();
    return code;
  }

  void write() const {
    const char* path = std::getenv("SCREE_MPI_COUNTS");
    if (path == nullptr) return;
    std::ofstream file(std::string(path) + "." + std::to_string(rank_of(MPI_COMM_WORLD)));
    file << "name,calls,bytes\n";
    for (const auto& [name, count] : counts_) {
      file << name << ',' << count.calls << ',' << count.bytes << '\n';
    }
    file << "processor," << outside_ << ",0\n";
  }

 private:
  void add(const std::string& name, std::int64_t bytes) {
    Count& count = counts_[name];
    ++count.calls;
    count.bytes += bytes;
  }

  std::map<std::string, Count> counts_;
  std::map<MPI_Request, Message, std::less<>> persistent_;
  std::int64_t outside_ = 0;
  std::int64_t outside_since_ = 0;
};

Counts counts;

}  // namespace

int MPI_Init(int* argc, char*** argv) {
  const int code = PMPI_Init(argc, argv);
  counts.start_clock();
  return code;
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int code = PMPI_Init_thread(argc, argv, required, provided);
  counts.start_clock();
  return code;
}

int MPI_Finalize() {
  counts.timed([] { return MPI_SUCCESS; });
  counts.write();
  return PMPI_Finalize();
}

// Functions with the arguments of MPI_Send.
#define SCREE_SEND(NAME)                                                                       \
  int MPI_##NAME(const void* data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm) { \
    counts.sends({bytes_of(n, type), to, comm});                                               \
    return counts.timed([&] { return PMPI_##NAME(data, n, type, to, tag, comm); });            \
  }
SCREE_SEND(Send)
SCREE_SEND(Ssend)
SCREE_SEND(Rsend)
#undef SCREE_SEND

// Functions with those of MPI_Isend.
#define SCREE_ISEND(NAME)                                                                    \
  int MPI_##NAME(const void* data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm, \
                 MPI_Request* request) {                                                     \
    counts.sends({bytes_of(n, type), to, comm});                                             \
    return counts.timed([&] { return PMPI_##NAME(data, n, type, to, tag, comm, request); }); \
  }
SCREE_ISEND(Isend)
SCREE_ISEND(Issend)
SCREE_ISEND(Irsend)
#undef SCREE_ISEND

int MPI_Send_init(const void* data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request* request) {
  const int code = PMPI_Send_init(data, n, type, to, tag, comm, request);
  counts.keeps(*request, {bytes_of(n, type), to, comm});
  return code;
}

int MPI_Start(MPI_Request* request) {
  counts.starts(*request);
  return counts.timed([&] { return PMPI_Start(request); });
}

int MPI_Startall(int n, MPI_Request requests[]) {
  for (int i = 0; i < n; ++i) counts.starts(requests[i]);
  return counts.timed([&] { return PMPI_Startall(n, requests); });
}

int MPI_Request_free(MPI_Request* request) {
  counts.frees(*request);
  return PMPI_Request_free(request);
}

int MPI_Allreduce(const void* give, void* take, int n, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
  counts.collective("MPI_Allreduce", bytes_of(n, type), comm);
  return counts.timed([&] { return PMPI_Allreduce(give, take, n, type, op, comm); });
}

int MPI_Iallreduce(const void* give, void* take, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request* request) {
  counts.collective("MPI_Iallreduce", bytes_of(n, type), comm);
  return counts.timed([&] { return PMPI_Iallreduce(give, take, n, type, op, comm, request); });
}

int MPI_Reduce(const void* give, void* take, int n, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm) {
  counts.collective("MPI_Reduce", bytes_of(n, type), comm);
  return counts.timed([&] { return PMPI_Reduce(give, take, n, type, op, root, comm); });
}

int MPI_Reduce_scatter_block(const void* give, void* take, int n, MPI_Datatype type, MPI_Op op,
                             MPI_Comm comm) {
  counts.collective("MPI_Reduce_scatter_block", bytes_of(n, type) * size_of(comm), comm);
  return counts.timed([&] { return PMPI_Reduce_scatter_block(give, take, n, type, op, comm); });
}

int MPI_Scan(const void* give, void* take, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  counts.collective("MPI_Scan", bytes_of(n, type), comm);
  return counts.timed([&] { return PMPI_Scan(give, take, n, type, op, comm); });
}

int MPI_Exscan(const void* give, void* take, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  counts.collective("MPI_Exscan", bytes_of(n, type), comm);
  return counts.timed([&] { return PMPI_Exscan(give, take, n, type, op, comm); });
}

int MPI_Bcast(void* data, int n, MPI_Datatype type, int root, MPI_Comm comm) {
  counts.collective("MPI_Bcast", rank_of(comm) == root ? bytes_of(n, type) : 0, comm);
  return counts.timed([&] { return PMPI_Bcast(data, n, type, root, comm); });
}

int MPI_Barrier(MPI_Comm comm) {
  counts.collective("MPI_Barrier", 0, comm);
  return counts.timed([&] { return PMPI_Barrier(comm); });
}

int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
  counts.collective("MPI_Ibarrier", 0, comm);
  return counts.timed([&] { return PMPI_Ibarrier(comm, request); });
}

int MPI_Gather(const void* give, int n, MPI_Datatype type, void* take, int n_take,
               MPI_Datatype type_take, int root, MPI_Comm comm) {
  counts.collective("MPI_Gather", bytes_of(n, type), comm);
  return counts.timed(
      [&] { return PMPI_Gather(give, n, type, take, n_take, type_take, root, comm); });
}

int MPI_Allgather(const void* give, int n, MPI_Datatype type, void* take, int n_take,
                  MPI_Datatype type_take, MPI_Comm comm) {
  counts.collective("MPI_Allgather", bytes_of(n, type), comm);
  return counts.timed([&] { return PMPI_Allgather(give, n, type, take, n_take, type_take, comm); });
}

int MPI_Allgatherv(const void* give, int n, MPI_Datatype type, void* take, const int n_take[],
                   const int places[], MPI_Datatype type_take, MPI_Comm comm) {
  counts.collective("MPI_Allgatherv", bytes_of(n, type), comm);
  return counts.timed(
      [&] { return PMPI_Allgatherv(give, n, type, take, n_take, places, type_take, comm); });
}

int MPI_Alltoall(const void* give, int n, MPI_Datatype type, void* take, int n_take,
                 MPI_Datatype type_take, MPI_Comm comm) {
  counts.collective("MPI_Alltoall", bytes_of(n, type) * size_of(comm), comm);
  return counts.timed([&] { return PMPI_Alltoall(give, n, type, take, n_take, type_take, comm); });
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* result) {
  counts.collective("MPI_Comm_dup", 0, comm);
  return counts.timed([&] { return PMPI_Comm_dup(comm, result); });
}

int MPI_Comm_split(MPI_Comm comm, int colour, int key, MPI_Comm* result) {
  counts.collective("MPI_Comm_split", 0, comm);
  return counts.timed([&] { return PMPI_Comm_split(comm, colour, key, result); });
}

// Functions that wait, or look for messages.

int MPI_Recv(void* data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status* status) {
  return counts.timed([&] { return PMPI_Recv(data, n, type, from, tag, comm, status); });
}

int MPI_Mrecv(void* data, int n, MPI_Datatype type, MPI_Message* message, MPI_Status* status) {
  return counts.timed([&] { return PMPI_Mrecv(data, n, type, message, status); });
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  return counts.timed([&] { return PMPI_Wait(request, status); });
}

int MPI_Waitall(int n, MPI_Request requests[], MPI_Status* statuses) {
  return counts.timed([&] { return PMPI_Waitall(n, requests, statuses); });
}

int MPI_Waitany(int n, MPI_Request requests[], int* which, MPI_Status* status) {
  return counts.timed([&] { return PMPI_Waitany(n, requests, which, status); });
}

int MPI_Test(MPI_Request* request, int* done, MPI_Status* status) {
  return counts.timed([&] { return PMPI_Test(request, done, status); });
}

int MPI_Testall(int n, MPI_Request requests[], int* done, MPI_Status statuses[]) {
  return counts.timed([&] { return PMPI_Testall(n, requests, done, statuses); });
}

int MPI_Iprobe(int from, int tag, MPI_Comm comm, int* found, MPI_Status* status) {
  return counts.timed([&] { return PMPI_Iprobe(from, tag, comm, found, status); });
}

int MPI_Improbe(int from, int tag, MPI_Comm comm, int* found, MPI_Message* message,
                MPI_Status* status) {
  return counts.timed([&] { return PMPI_Improbe(from, tag, comm, found, message, status); });
}

int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status* status) {
  return counts.timed([&] { return PMPI_Probe(from, tag, comm, status); });
}
