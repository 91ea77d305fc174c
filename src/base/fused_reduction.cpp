#include "scree/base/fused_reduction.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "scree/base/check.hpp"

namespace scree {
namespace {

/// The operation on one message: the number of its sums, the sums, the maxima. All of a message is
/// one element to MPI, which may cut messages between elements.
void add_message(const double* in, double* into, std::size_t size) {
  const auto end_sums = 1 + static_cast<std::size_t>(in[0]);
  for (std::size_t k = 1; k < end_sums; ++k) into[k] += in[k];
  for (std::size_t k = end_sums; k < size; ++k) into[k] = std::max(into[k], in[k]);
}

void add_messages(void* in, void* into, int* count, MPI_Datatype* type) {
  int bytes = 0;
  MPI_Type_size(*type, &bytes);
  const std::size_t size = static_cast<std::size_t>(bytes) / sizeof(double);
  for (std::size_t i = 0; i < static_cast<std::size_t>(*count); ++i) {
    add_message(static_cast<const double*>(in) + i * size, static_cast<double*>(into) + i * size,
                size);
  }
}

/// An operation and a type of MPI that are freed with it.
class MessageReduction {
 public:
  explicit MessageReduction(std::size_t size) {
    SCREE_MPI(MPI_Type_contiguous(static_cast<int>(size), MPI_DOUBLE, &type_));
    SCREE_MPI(MPI_Type_commit(&type_));
    SCREE_MPI(MPI_Op_create(add_messages, 1, &op_));
  }
  ~MessageReduction() {
    MPI_Op_free(&op_);
    MPI_Type_free(&type_);
  }
  MessageReduction(const MessageReduction&) = delete;
  MessageReduction& operator=(const MessageReduction&) = delete;

  void reduce(MPI_Comm comm, double* message) const {
    SCREE_MPI(MPI_Allreduce(MPI_IN_PLACE, message, 1, type_, op_, comm));
  }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  MPI_Op op_ = MPI_OP_NULL;
};

}  // namespace

void sum_and_max_over_ranks(MPI_Comm comm, std::span<double> sums, std::span<double> maxima) {
  std::vector<double> message{static_cast<double>(sums.size())};
  message.insert(message.end(), sums.begin(), sums.end());
  message.insert(message.end(), maxima.begin(), maxima.end());
  MessageReduction(message.size()).reduce(comm, message.data());
  const auto end_sums = message.begin() + 1 + static_cast<std::ptrdiff_t>(sums.size());
  std::copy(message.begin() + 1, end_sums, sums.begin());
  std::copy(end_sums, message.end(), maxima.begin());
}

}  // namespace scree
