#include "quickhull.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <memory>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

namespace scree {
namespace {

/// Qhull's state, freed with all it has given.
class Session {
 public:
  Session() { qh_zero(&state_, stderr); }
  ~Session() {
    qh_freeqhull(&state_, !qh_ALL);
    int long_blocks = 0;
    int bytes = 0;
    qh_memfreeshort(&state_, &long_blocks, &bytes);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  qhT* get() { return &state_; }

 private:
  qhT state_;
};

/// Qhull writes of a fault here, and the first line goes to the message.
struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using Transcript = std::unique_ptr<std::FILE, CloseFile>;

std::string first_line(std::FILE* transcript) {
  std::rewind(transcript);
  std::string line;
  for (int c = std::fgetc(transcript); c != EOF; c = std::fgetc(transcript)) {
    if (c != '\n') {
      line.push_back(static_cast<char>(c));
    } else if (!line.empty()) {
      break;
    }
  }
  return line.empty() ? "no reason given" : line;
}

std::vector<std::int32_t> loop_of(qhT* qh, facetT* facet) {
  std::vector<std::int32_t> loop;
  setT* vertices = qh_facet3vertex(qh, facet);  // in order, clockwise seen from outside
  const int n = qh_setsize(qh, vertices);
  for (int i = n - 1; i >= 0; --i) {
    const auto* vertex = static_cast<const vertexT*>(SETelem_(vertices, i));
    loop.push_back(static_cast<std::int32_t>(qh_pointid(qh, vertex->point)));
  }
  qh_settempfree(qh, &vertices);
  return loop;
}

}  // namespace

HullFaces quickhull(std::span<const Vec3> points, double tolerance) {
  HullFaces result;
  std::vector<coordT> coordinates;
  for (const Vec3& p : points) coordinates.insert(coordinates.end(), p.begin(), p.end());
  const Transcript transcript(std::tmpfile());
  if (!transcript) return {{}, "no temporary file for Qhull's messages"};
  Session session;
  qhT* qh = session.get();
  std::string command = fmt::format("qhull C-{:g} Pp", tolerance);
  if (qh_new_qhull(qh, 3, static_cast<int>(points.size()), coordinates.data(), False,
                   command.data(), nullptr, transcript.get()) != 0) {
    return {{}, first_line(transcript.get())};
  }
  for (facetT* facet = qh->facet_list; facet != nullptr && facet->next != nullptr;
       facet = facet->next) {
    result.loops.push_back(loop_of(qh, facet));
  }
  return result;
}

}  // namespace scree
