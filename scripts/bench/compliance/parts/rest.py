"""Whether what rests stays: displacements of a bed and of a heap over 10 s.

bed: configs/settle.yaml, from 1 s on. heap: 2,000 of its grains in a box of 0.3 m, whose walls go away at 1 s, from 3 s
on; grains roll on without end where nothing resists, so that the pair has a rolling friction of 1 mm there. moved: median over
the grains of the way between snapshots 1 s apart, um a second, in the first and the last second and the mean over all ten
of the straight way from first to last; p99: what 1 in 100 exceeds in the last second. Kinetic energy at the end is that of
loose grains that go on spinning about the vertical, which nothing resists.
"""
import h5py
import numpy

import common
import softness_runs as runs

TITLE = "Displacement at rest"
NOTE = "A heap of rigid grains is left out: its collapse alone, to 3.4 s, takes ten minutes."
REST = 10  # s
CASES = [("bed", 1e8, 1e-4), ("heap", 1e8, 1e-4), ("bed", None, 1e-4), ("bed", 1e8, 1e-6)]


def heap():
    """Keys that make a heap of configs/settle.yaml."""
    away = {"left": [-5, 0, 0], "right": [5, 0, 0], "front": [0, -5, 0], "back": [0, 5, 0]}
    yield "bodies.grains.place={type: box, low: [0, 0, 0], high: [0.3, 0.3, 1.6], count: 2000, seed: 1}"
    yield "friction.0.rolling=1e-3"
    for wall, position in (("right", [0.3, 0, 0]), ("back", [0, 0.3, 0])):
        yield f"tools.{wall}.position={position}"
    for wall, way in away.items():
        yield f"tools.{wall}.motion={{type: table, times: [1.0, 2.0], displacements: [[0, 0, 0], {way}]}}"


def positions(folder):
    """By time in whole seconds, of grains in the order of their ids."""
    found = {}
    for path in (folder / "snapshots").glob("*.hdf"):
        with h5py.File(path) as file:
            order = numpy.argsort(file["VTKHDF/PointData/id"][:])
            step = int(path.stem.split("_")[1])
            found[step] = file["VTKHDF/Points"][:][order]
    return [found[step] for step in sorted(found)]


def row_of(scene, young, tolerance, folder, rest, start, short):
    overrides = [f"time.end={start + rest}", f"solver.tolerance={tolerance}", "output.snapshots.every=1",
                 "debug.fclib.not_converged=0", *(heap() if scene == "heap" else ())]
    if short:
        overrides.append("bodies.grains.place.count=300")
    if young:
        overrides.append(f"materials.gravel.young_modulus={young}")
    seconds, _ = runs.run(runs.SETTLE, folder, overrides)
    steps = common.table(folder)
    places = positions(folder)[start:]
    ways = [1e6 * numpy.linalg.norm(b - a, axis=1) for a, b in zip(places, places[1:])]
    whole = 1e6 * numpy.linalg.norm(places[-1] - places[0], axis=1) / len(ways)
    late = [s for s in steps if s["time"] > steps[-1]["time"] - 1]
    return {"scene": scene, "E_Pa": runs.name_of(young), "tolerance": f"{tolerance:g}",
            "rest_s": f"{steps[-1]['time'] - start:.1f}", "moved_first_um_s": f"{numpy.median(ways[0]):.2g}",
            "moved_last_um_s": f"{numpy.median(ways[-1]):.2g}", "moved_p99_um_s": f"{numpy.quantile(ways[-1], 0.99):.2g}",
            "moved_mean_um_s": f"{numpy.median(whole):.2g}", "kinetic_energy_J": f"{steps[-1]['kinetic_energy']:.1e}",
            "late_sweeps": numpy.median([s["iterations"] for s in late]), "unsolved": runs.unsolved(steps),
            "residual_worst": f"{max(s['residual'] for s in steps):.1e}", "cpu_s": f"{seconds:.0f}"}


def measure(study):
    for scene, young, tolerance in CASES[:1] if study.short else CASES:
        folder = study.folder / f"{scene}-{runs.name_of(young)}-{tolerance:g}"
        start = 1 if scene == "bed" else 3
        study.add(row_of(scene, young, tolerance, folder, 1 if study.short else REST, start, study.short))
