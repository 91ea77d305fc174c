#include "scree/app/run/stop_request.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <csignal>
#include <regex>

#include "scree/base/check.hpp"

namespace scree {
namespace {

struct Noted {
  int number;
  const char* name;
};
constexpr std::array<Noted, 3> kNoted{
    {{SIGTERM, "SIGTERM"}, {SIGINT, "SIGINT"}, {SIGUSR1, "SIGUSR1"}}};

volatile std::sig_atomic_t received = 0;
std::array<struct sigaction, kNoted.size()> earlier;

void note(int signal) {
  received = signal;
}

std::string name_of(int signal) {
  for (const Noted& noted : kNoted) {
    if (noted.number == signal) return noted.name;
  }
  return fmt::format("signal {}", signal);
}

}  // namespace

StopRequest::StopRequest(double wall_limit, double start) : wall_limit_(wall_limit), start_(start) {
  received = 0;
  for (std::size_t i = 0; i < kNoted.size(); ++i) {
    struct sigaction action {};
    action.sa_handler = note;
    action.sa_flags = kNoted[i].number == SIGINT ? SA_RESTART | SA_RESETHAND : SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(kNoted[i].number, &action, &earlier[i]);
  }
}

StopRequest::~StopRequest() {
  for (std::size_t i = 0; i < kNoted.size(); ++i) {
    sigaction(kNoted[i].number, &earlier[i], nullptr);
  }
}

Moment StopRequest::agree(MPI_Comm comm, double output) const {
  std::array<double, 3> values{MPI_Wtime() - start_, static_cast<double>(received), output};
  SCREE_MPI(MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE,
                          MPI_MAX, comm));
  return {.elapsed = values[0], .signal = static_cast<int>(values[1]), .output = values[2]};
}

bool StopRequest::has_signal() const {
  return received != 0;
}

bool StopRequest::is_due() const {
  return has_signal() || (wall_limit_ > 0.0 && MPI_Wtime() - start_ >= wall_limit_);
}

std::string StopRequest::reason(const Moment& moment) const {
  if (moment.signal != 0) return name_of(moment.signal);
  if (wall_limit_ > 0.0 && moment.elapsed >= wall_limit_) return "--wall-limit";
  return {};
}

double parse_wall_limit(std::string_view text) {
  static const std::regex kClock("([0-9]{1,6}):([0-5][0-9]):([0-5][0-9])");
  std::cmatch match;
  double seconds = 0.0;
  if (std::regex_match(text.begin(), text.end(), match, kClock)) {
    seconds = 3600.0 * std::stoi(match[1]) + 60.0 * std::stoi(match[2]) + std::stoi(match[3]);
  } else {
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (code != std::errc{} || end != text.data() + text.size()) seconds = 0.0;
  }
  if (!(seconds > 0.0) || !std::isfinite(seconds)) {
    throw InputError(fmt::format(
        "--wall-limit: \"{}\" is no length of time; allowed: seconds above 0, or hh:mm:ss", text));
  }
  return seconds;
}

}  // namespace scree
