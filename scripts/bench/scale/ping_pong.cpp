/// The latency of a message between two ranks and its seconds a byte, on one line: half the round
/// trip, the least of many, of a message of eight bytes and of one of 64 KiB.

#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <vector>

namespace {

constexpr int kTrips = 20000;
constexpr int kSmall = 8;
constexpr int kLarge = 65536;

double one_way(int rank, int bytes) {
  std::vector<char> data(static_cast<std::size_t>(bytes));
  double least = std::numeric_limits<double>::infinity();
  for (int trip = 0; trip < kTrips; ++trip) {
    const double start = MPI_Wtime();
    if (rank == 0) MPI_Send(data.data(), bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(data.data(), bytes, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(data.data(), bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    least = std::min(least, 0.5 * (MPI_Wtime() - start));
  }
  return least;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size != 2) MPI_Abort(MPI_COMM_WORLD, 2);
  const double small = one_way(rank, kSmall);
  const double large = one_way(rank, kLarge);
  if (rank == 0) std::printf("%.4g %.4g\n", small, (large - small) / (kLarge - kSmall));
  MPI_Finalize();
  return 0;
}
