#pragma once

/// The pace of accelerated gradient steps of all contacts at once: length and momentum of each,
/// from what the one before it has summed up. With d = x+ - y of a step from y,
///
///     x+ = P_K( y - t D^-1 (N y + r) ),        y+ = x+ + B (x+ - x)
///
/// | symbol | meaning                                                                               |
/// | ---    | ---                                                                                   |
/// | D      | the metric of P_K, of each contact                                                    |
/// | t      | at most d^T D d / d^T N d, up to what it grows by in a step                            |
/// | B      | Nesterov's momentum; 0 where d^T D (x+ - x) < 0: it points uphill                      |
///
/// No step is taken back. One that is longer than d^T N d allows shortens the next, and where it is
/// far too long, as the first may be, it ends the momentum. Growth is slow for that: steps that
/// grow by 2 % stand still at a residual of 1e-7 on a rigid box of 8,300 contacts
/// (docs/notes/sweeps.md).
/// References: Mazhar, Heyn, Negrut, Tasora, ACM Trans. Graph. 34 (2015); O'Donoghue, Candes (2015).

namespace scree {

/// Sums over the contacts of a step, in the unit of D l^2.
struct GradientSums {
  double moved = 0.0;      ///< d^T D d
  double along = 0.0;      ///< d^T D (x+ - x)
  double curvature = 0.0;  ///< d^T N d

  GradientSums& operator+=(const GradientSums& other) {
    moved += other.moved;
    along += other.along;
    curvature += other.curvature;
    return *this;
  }
};

class GradientPace {
 public:
  /// @param restarts whether momentum is dropped where it points uphill
  explicit GradientPace(bool restarts = true) : restarts_(restarts) {}
  /// t of the next step.
  double step() const { return step_; }
  /// B, by which the next step goes on from the last one.
  double momentum() const { return momentum_; }
  /// Takes the sums over all contacts of a step of step() and momentum().
  void update(const GradientSums& sums);
  /// Forgets the momentum, and keeps t: the impulses or their precision are others.
  void restart();

 private:
  bool restarts_;
  double step_ = 1.0;
  double theta_ = 1.0;
  double momentum_ = 0.0;
};

}  // namespace scree
