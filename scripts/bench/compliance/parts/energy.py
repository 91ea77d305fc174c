"""Whether the energy of compliant grains ever grows: kinetic, potential and elastic, after every step of a settling bed.

A quarter of the bed of configs/settle.yaml (1,250 grains, 0.3 m wide), contacts of 3.2e4 N/m (1e8 Pa at 1 N), without
and with `damping`, over 2 s. A checkpoint a step has what is summed:

    m v^2/2 + w I w/2 + m g z + sum k overlap^2/2 + sum F_t^2/(2 k_t),     k_t = 2 (1 - nu)/(2 - nu) k

An implicit step takes energy, so that growth is what the solver leaves. growth: of the sum in a step, the largest and of all
steps in which it grows; start_J: the sum after the first step, less that at the end. springs_over_force: at the end, sum k
overlap over the sum of all normal forces, 1 where the overlaps are those of the springs.
"""
import h5py
import numpy
import scipy.spatial

import common
import softness_runs as runs

TITLE = "Energy of a settling bed of compliant grains"
WIDTH, GRAVITY, DENSITY, STIFFNESS, POISSON, DT = 0.3, 9.81, 2600.0, 3.2e4, 0.3, 2e-3
TANGENTIAL = 2 * (1 - POISSON) / (2 - POISSON) * STIFFNESS
CASES = [(1e-4, 0.0), (1e-6, 0.0), (1e-8, 0.0), (1e-6, 0.3)]
END = 2.0  # s
ROUNDING = 1e-12  # of the start's energy: smaller changes are no growth


def energies(path):
    """Of a checkpoint: kinetic, potential and elastic energy, J, and what springs bear over all normal forces."""
    with h5py.File(path) as file:
        grains = {name: file[f"grains/{name}"][:] for name in ("position", "velocity", "angular_velocity", "mass", "inertia")}
        radius = numpy.cbrt(grains["mass"] / (DENSITY * 4 / 3 * numpy.pi))
        force, normal = file["contacts/force"][:], file["contacts/normal"][:]
    x, mass = grains["position"], grains["mass"]
    kinetic = 0.5 * (mass @ (grains["velocity"]**2).sum(axis=1)
                     + (grains["inertia"] * grains["angular_velocity"]**2).sum())  # balls: the same about each axis
    along = (force * normal).sum(axis=1)
    shear = (force**2).sum() - (along**2).sum()
    overlap = overlaps(x, radius)
    elastic = 0.5 * STIFFNESS * (overlap**2).sum() + 0.5 * shear / TANGENTIAL
    bears = STIFFNESS * overlap.sum() / abs(along).sum() if len(along) else 1.0
    return kinetic, GRAVITY * (mass @ x[:, 2]), elastic, bears


def overlaps(x, radius):
    """Of all pairs, and of grains with walls, m."""
    a, b = scipy.spatial.cKDTree(x).query_pairs(2 * radius.max(), output_type="ndarray").T
    pairs = radius[a] + radius[b] - numpy.linalg.norm(x[a] - x[b], axis=1)
    walls = [radius - gap for gap in (x[:, 2], x[:, 0], WIDTH - x[:, 0], x[:, 1], WIDTH - x[:, 1])]
    return numpy.maximum(numpy.concatenate([pairs, *walls]), 0)


def settle(tolerance, damping, folder, end, count):
    overrides = [f"time.end={end}", f"solver.tolerance={tolerance}", "output.snapshots.every=0",
                 f"output.checkpoints.every={DT}", "output.checkpoints.keep=100000", f"friction.0.stiffness={STIFFNESS}",
                 f"friction.0.damping={damping}",
                 f"bodies.grains.place={{type: box, low: [0, 0, 0], high: [{WIDTH}, {WIDTH}, 1.2], count: {count}, seed: 1}}",
                 f"tools.right.position=[{WIDTH}, 0, 0]", f"tools.back.position=[0, {WIDTH}, 0]"]
    runs.run(runs.SETTLE, folder, overrides)
    return numpy.array([energies(path) for path in sorted((folder / "checkpoints").glob("*.h5"))])


def measure(study):
    for tolerance, damping in CASES[1:2] if study.short else CASES:
        folder = study.folder / f"{tolerance:g}-{damping:g}"
        parts = settle(tolerance, damping, folder, 0.05 if study.short else END, 100 if study.short else 1250)
        total = parts[:, :3].sum(axis=1)
        growth = numpy.diff(total)
        start = total[0] - total[-1]
        grown = growth[growth > ROUNDING * start]
        steps = common.table(folder)
        study.add({"tolerance": f"{tolerance:g}", "zeta": damping, "steps": len(growth), "start_J": f"{start:.4g}",
                   "steps_that_grow": len(grown), "largest_growth_J": f"{grown.max(initial=0):.1e}",
                   "sum_of_growth_J": f"{grown.sum():.1e}",
                   "largest_over_start": f"{grown.max(initial=0) / start:.1e}",
                   "kinetic_end_J": f"{parts[-1, 0]:.1e}", "elastic_end_J": f"{parts[-1, 2]:.3g}",
                   "elastic_most_J": f"{parts[:, 2].max():.3g}", "springs_over_force": f"{parts[-1, 3]:.4f}",
                   "unsolved": runs.unsolved(steps)})
