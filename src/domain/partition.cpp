#include "scree/domain/partition.hpp"

#include <fmt/format.h>
#include <zoltan.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <numeric>
#include <source_location>
#include <utility>

#include "scree/base/check.hpp"
#include "scree/base/fused_reduction.hpp"
#include "scree/base/parallel.hpp"
#include "scree/config/declaration.hpp"

namespace scree {
namespace {

/// Cuts that have grown worse by less than this are not worth moving bodies for.
constexpr double kWorthwhile = 1.05;
constexpr int kIdWords = 2;

/// Throws Failure when @p code is an error; ZOLTAN_WARN (say, more ranks than bodies) is none.
void check_zoltan(int code, const char* call,
                  std::source_location place = std::source_location::current()) {
  if (code == ZOLTAN_OK || code == ZOLTAN_WARN) return;
  throw Failure(fmt::format(
      "{}:{}: {} failed: {}", std::filesystem::path(place.file_name()).filename().string(),
      place.line(), call, code == ZOLTAN_MEMERR ? "out of memory" : fmt::format("code {}", code)));
}
#define SCREE_ZOLTAN(call) check_zoltan((call), #call)

/// Input of the callbacks.
struct Input {
  const Store& store;
  std::span<const double> weights;
};

const Input& input_of(void* data) {
  return *static_cast<const Input*>(data);
}

int count_bodies(void* data, int* error) {
  *error = ZOLTAN_OK;
  return input_of(data).store.n_owned;
}

int count_dimensions(void* /*data*/, int* error) {
  *error = ZOLTAN_OK;
  return 3;
}

void list_bodies(void* data, int id_words, int local_words, ZOLTAN_ID_PTR ids, ZOLTAN_ID_PTR locals,
                 int weight_dim, float* weights, int* error) {
  const Input& input = input_of(data);
  for (std::int32_t k = 0; k < input.store.n_owned; ++k) {
    const auto id = static_cast<std::uint64_t>(input.store.id[input.store.first_owned() + k]);
    ids[id_words * k] = static_cast<ZOLTAN_ID_TYPE>(id & 0xffffffffU);
    ids[id_words * k + 1] = static_cast<ZOLTAN_ID_TYPE>(id >> 32U);
    if (local_words > 0) locals[local_words * k] = static_cast<ZOLTAN_ID_TYPE>(k);
    if (weight_dim > 0) weights[weight_dim * k] = static_cast<float>(input.weights[k]);
  }
  *error = ZOLTAN_OK;
}

void give_positions(void* data, int /*id_words*/, int /*local_words*/, int n, ZOLTAN_ID_PTR /*ids*/,
                    ZOLTAN_ID_PTR locals, int dimensions, double* positions, int* error) {
  const Store& store = input_of(data).store;
  for (int k = 0; k < n; ++k) {
    const std::size_t slot = store.first_owned() + locals[k];
    for (int d = 0; d < 3; ++d) positions[dimensions * k + d] = store.position[slot][d];
  }
  *error = ZOLTAN_OK;
}

void require_finite(const Store& store) {
  for (std::int32_t slot = store.first_owned(); slot < store.end_owned(); ++slot) {
    const Vec3& p = store.position[slot];
    if (p.allFinite()) continue;
    throw Failure(
        fmt::format("body {}: its position is ({}, {}, {}) m: the motion has diverged; a smaller "
                    "time step or a tighter solver tolerance may help",
                    store.id[slot], p.x(), p.y(), p.z()));
  }
}

Zoltan_Struct* create(MPI_Comm comm) {
  float version = 0.0F;
  SCREE_ZOLTAN(Zoltan_Initialize(0, nullptr, &version));
  if (static_cast<int>(version) != static_cast<int>(ZOLTAN_VERSION_NUMBER)) {
    throw Failure(
        fmt::format("built for Zoltan {} but running with {}", ZOLTAN_VERSION_NUMBER, version));
  }
  Zoltan_Struct* zoltan = Zoltan_Create(comm);
  if (zoltan == nullptr) throw Failure("Zoltan_Create failed");
  return zoltan;
}

void set_parameters(Zoltan_Struct* zoltan) {
  const auto set = [zoltan](const char* name, const char* value) {
    SCREE_ZOLTAN(Zoltan_Set_Param(zoltan, name, value));
  };
  set("DEBUG_LEVEL", "0");
  set("LB_METHOD", "RCB");
  set("KEEP_CUTS", "1");
  set("RETURN_LISTS", "NONE");  // owners come from the cuts, every step
  set("REMAP", "0");            // region i is rank i's
  set("NUM_GID_ENTRIES", std::to_string(kIdWords).c_str());
  set("NUM_LID_ENTRIES", "1");
  set("OBJ_WEIGHT_DIM", "1");
  set("IMBALANCE_TOL", "1.01");
  set("RCB_RECOMPUTE_BOX", "1");  // across the longest edge of what is left, not of the whole
  set("AVERAGE_CUTS", "1");       // between two bodies, not through one
  set("RCB_REUSE", "0");          // bodies are with their region's owner already
  set("RCB_OUTPUT_LEVEL", "0");
}

}  // namespace

void BalanceOptions::declare(Declaration& d) {
  d.real("bound", bound,
         {.help = "the busiest rank's work over the mean above which regions are cut anew",
          .min = 1.0});
}

bool needs_new_cuts(const BalanceOptions& options, double imbalance, double achieved) {
  return imbalance > std::max(options.bound, kWorthwhile * achieved);
}

double imbalance(MPI_Comm comm, double local_weight) {
  double sum = local_weight;
  double largest = local_weight;
  sum_and_max_over_ranks(comm, {&sum, 1}, {&largest, 1});
  const double mean = sum / size_of(comm);
  return mean > 0.0 ? largest / mean : 1.0;
}

void Partition::Destroy::operator()(Zoltan_Struct* zoltan) const {
  Zoltan_Destroy(&zoltan);
}

Partition::Partition(MPI_Comm comm)
    : comm_(comm), rank_(rank_of(comm)), size_(size_of(comm)), zoltan_(create(comm)) {
  set_parameters(zoltan_.get());
}

void Partition::cut(const Store& store, std::span<const double> weights) {
  SCREE_ASSERT(std::cmp_equal(weights.size(), store.n_owned));
  require_finite(store);
  if (sum_over_ranks(comm_, std::int64_t{store.n_owned}) == 0) return;

  Input input{store, weights};
  Zoltan_Struct* zoltan = zoltan_.get();
  SCREE_ZOLTAN(Zoltan_Set_Num_Obj_Fn(zoltan, count_bodies, &input));
  SCREE_ZOLTAN(Zoltan_Set_Obj_List_Fn(zoltan, list_bodies, &input));
  SCREE_ZOLTAN(Zoltan_Set_Num_Geom_Fn(zoltan, count_dimensions, &input));
  SCREE_ZOLTAN(Zoltan_Set_Geom_Multi_Fn(zoltan, give_positions, &input));

  int changes = 0;
  int id_words = 0;
  int local_words = 0;
  int n_import = 0;
  int n_export = 0;
  ZOLTAN_ID_PTR no_ids[4] = {};
  int* no_ranks[4] = {};
  SCREE_ZOLTAN(Zoltan_LB_Partition(zoltan, &changes, &id_words, &local_words, &n_import, &no_ids[0],
                                   &no_ids[1], &no_ranks[0], &no_ranks[1], &n_export, &no_ids[2],
                                   &no_ids[3], &no_ranks[2], &no_ranks[3]));
  has_cuts_ = true;
  fresh_ = true;
  find_region();
}

/// Finds region_ in the present cuts. Not collective.
void Partition::find_region() {
  region_ = kNowhere;  // until the tree of cuts has been asked
  Box3 box;
  int dimensions = 0;
  SCREE_ZOLTAN(Zoltan_RCB_Box(zoltan_.get(), rank_, &dimensions, &box.low.x(), &box.low.y(),
                              &box.low.z(), &box.high.x(), &box.high.y(), &box.high.z()));
  // a cut belongs to its lower side
  for (double& low : box.low) low = std::nextafter(low, std::numeric_limits<double>::infinity());
  if (!box.is_empty() && owner(box.low) == rank_ && owner(box.high) == rank_) region_ = box;
}

bool Partition::rebalance(const Store& store, std::span<const double> weights,
                          const BalanceOptions& options) {
  imbalance_ = imbalance(comm_, std::accumulate(weights.begin(), weights.end(), 0.0));
  if (has_cuts_) {
    if (fresh_) achieved_ = imbalance_;
    fresh_ = false;
    if (!needs_new_cuts(options, imbalance_, achieved_)) return false;
  }
  cut(store, weights);
  return has_cuts_;
}

int Partition::owner(const Vec3& point) const {
  if (!has_cuts_ || size_ == 1) return 0;
  if (region_.contains(point)) return rank_;
  Vec3 copy = point;  // Zoltan takes no const
  int rank = -1;
  SCREE_ZOLTAN(Zoltan_LB_Point_Assign(zoltan_.get(), copy.data(), &rank));
  return rank;
}

std::vector<int> Partition::owners(const Store& store) const {
  require_finite(store);
  std::vector<int> ranks;
  ranks.reserve(store.n_owned);
  for (std::int32_t slot = store.first_owned(); slot < store.end_owned(); ++slot) {
    ranks.push_back(owner(store.position[slot]));
  }
  return ranks;
}

void Partition::ranks_meeting(const Box3& box, std::vector<int>& ranks) const {
  if (!has_cuts_ || size_ == 1) {
    ranks.assign(1, 0);
    return;
  }
  int count = 0;
  ranks.resize(size_);  // Zoltan asks for room for all
  SCREE_ZOLTAN(Zoltan_LB_Box_Assign(zoltan_.get(), box.low.x(), box.low.y(), box.low.z(),
                                    box.high.x(), box.high.y(), box.high.z(), ranks.data(),
                                    &count));
  ranks.resize(count);
}

}  // namespace scree
