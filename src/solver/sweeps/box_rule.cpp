#include <algorithm>
#include <array>
#include <limits>

#include "scree/solver/sweeps/sweep.hpp"
#include "scree/solver/sweeps/sweep_common.hpp"

namespace scree {
namespace {

/// The step of pgs.hpp for the law `box`, a row at a time; `Memory` carries x_- from sweep to sweep.
class BoxRule final : public ContactRule {
 public:
  BoxRule(double relaxation, Memory memory) : ContactRule(relaxation), memory_(memory) {}

  void add_contact(const std::array<double, 9>& d, double mu) override {
    contacts_.push_back({d, mu, {}});
  }

  bool move(std::size_t i, const double* u, double* l, double* change) override {
    Contact& c = contacts_[i];
    std::array<double, 3> velocity{u[0], u[1], u[2]};
    std::array<double, 3> next{l[0], l[1], l[2]};
    for (std::size_t k = 0; k < 3; ++k) {
      const double high = k == 0 ? std::numeric_limits<double>::infinity() : c.mu * next[0];
      const double low = k == 0 ? 0.0 : -high;
      const double diagonal = c.d[4 * k];
      // a row that nothing moves, as that of a tangent in a plane, keeps none
      next[k] = diagonal > 0.0 ? row(c, k, l[k], velocity[k] / diagonal, low, high) : 0.0;
      const double moved = next[k] - l[k];
      for (std::size_t j = k + 1; j < 3; ++j) velocity[j] += c.d[3 * j + k] * moved;
    }
    return take(next, l, change);
  }

 private:
  struct Contact {
    std::array<double, 9> d;  ///< D_ii, row-major
    double mu;
    std::array<double, 3> negative;  ///< x_-, N s
  };

  /// The impulse of row @p k of a contact, from @p l at the velocity @p v over D_kk.
  double row(Contact& c, std::size_t k, double l, double v, double low, double high) const {
    const double x = l + (1.0 - relaxation()) * c.negative[k] - relaxation() * v;
    const double next = std::clamp(x, low, high);
    if (memory_ == Memory::modulus) c.negative[k] = next - x;
    return next;
  }

  Memory memory_;
  std::vector<Contact> contacts_;
};

}  // namespace

std::unique_ptr<ContactRule> make_box_rule(double relaxation, Memory memory) {
  return std::make_unique<BoxRule>(relaxation, memory);
}

}  // namespace scree
