"""Whether the contact forces of a step are unique: one late step of configs/settle.yaml solved from ten random starts.

The step (0.7 s, of grains of each Young's modulus, which settled to 1e-4) is written as a problem file; its `guesses` are
replaced by impulses at random within the cones, each normal one between 0 and twice the mean of the run's, and `scree
solve --replay` goes on from there by `auto` to each tolerance, for 20 s at most. difference: of a contact's impulse
(normal and friction) between any two starts, over the mean impulse of the contacts that bear one.
"""
import shutil
import statistics

import h5py
import numpy

import common
import softness_runs as runs

TITLE = "Contact forces of one step from ten random starts"
MODULI = (1e8, 1e9, 1e10, None)
TOLERANCES = (1e-4, 1e-6, 1e-9)
STARTS = 10
STEP = 350
DT = 2e-3  # s, of configs/settle.yaml
MAX_SECONDS = 20
BEARING = 1e-3  # a contact bears an impulse above this share of the mean


def write_problem(young, folder, step):
    overrides = [f"time.end={step * DT}", f"debug.fclib.every={step}", "output.snapshots.every=0"]
    if young:
        overrides.append(f"materials.gravel.young_modulus={young}")
    runs.run(runs.SETTLE, folder / "run", overrides)
    return folder / "run" / "problems" / f"step_{step:08d}.hdf5"


def random_impulses(random, mu, mean):
    normal = random.uniform(0, 2 * mean, len(mu))
    angle = random.uniform(0, 2 * numpy.pi, len(mu))
    tangent = mu * normal * numpy.sqrt(random.uniform(0, 1, len(mu)))
    return numpy.column_stack([normal, tangent * numpy.cos(angle), tangent * numpy.sin(angle)])


def with_random_start(problem, seed, target):
    shutil.copy(problem, target)
    with h5py.File(target, "r+") as file:
        kept = file["guesses/1/r"]
        mean = bearing(kept[:].reshape(-1, 3))[:, 0].mean()
        start = random_impulses(numpy.random.default_rng(seed), file["fclib_global/vectors/mu"][:], mean)
        kept[:] = start.ravel()
    return target


def bearing(impulses):
    return impulses[impulses[:, 0] > BEARING * impulses[:, 0].mean()]


def spread(solutions):
    """Largest and root mean square difference of a contact's impulse between two solutions, over the mean."""
    mean = statistics.fmean(numpy.linalg.norm(bearing(s), axis=1).mean() for s in solutions)
    pairs = [(a, b) for i, a in enumerate(solutions) for b in solutions[:i]]
    size = [numpy.linalg.norm(a - b, axis=1) for a, b in pairs]
    return max(s.max() for s in size) / mean, max(numpy.sqrt((s**2).mean()) for s in size) / mean


def row_of(young, problem, tolerance, folder, starts):
    reports, solutions = [], []
    for seed in range(1, starts + 1):
        started, solved = folder / "started.hdf5", folder / "solved.hdf5"
        with_random_start(problem, seed, started)
        report = common.solve(started, "auto", "coulomb", tolerance, MAX_SECONDS, output=solved, replay=True)
        if "measures" not in report:
            raise SystemExit(f"{problem}: {report['status']}")
        reports.append(report)
        with h5py.File(solved) as file:
            solutions.append(file["solution/r"][:].reshape(-1, 3))
    largest, rms = spread(solutions)
    residuals = [r["measures"]["residual"] for r in reports]
    return {"E_Pa": runs.name_of(young), "contacts": reports[0]["contacts"], "tolerance": f"{tolerance:g}", "starts": starts,
            "reached": sum(r["status"] == "converged" for r in reports),
            "residual_worst": f"{max(residuals):.1e}",
            "largest_difference": f"{largest:.1e}", "rms_difference": f"{rms:.1e}",
            "iterations_median": round(statistics.median(r["iterations"] for r in reports)),
            "solvers": " ".join(sorted({r["solver"] for r in reports})),
            "cpu_s_median": f"{statistics.median(r['processor_seconds'] for r in reports):.2g}"}


def measure(study):
    for young in (1e8, None) if study.short else MODULI:
        folder = runs.folder_of(study.folder, runs.name_of(young))
        problem = write_problem(young, folder, 20 if study.short else STEP)
        for tolerance in TOLERANCES[:1] if study.short else TOLERANCES:
            study.add(row_of(young, problem, tolerance, folder, 2 if study.short else STARTS))
