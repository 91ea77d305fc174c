"""What a contact costs where a hundredth of the mass is in grains a hundredth as large, beside grains of one size, on one core.

  scripts/bench/run sizes [--grains 100000 300000] [--repeats 3] [--sweeps 300] [--results FOLDER]

Detection: bench_detection (cmake --preset release -DSCREE_BENCHMARKS=ON), `sphere` and `mixture`: the search for all pairs,
and a step with the list that it makes, nanoseconds of the processor over the potential contacts. Sweeps: those of
`scree solve --solver nsgs` on the first step of such beds between periodic sides, in single precision, told apart from the
measurements between them as in bench limit. `over_one_size` are the ratios of the three figures.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile

import h5py
import numpy

import common
import sweep_times

PROGRAM = common.ROOT / "build" / "scripts" / "bench" / "bench_detection"
BEDS = {"one size": "sphere", "1:100": "mixture"}  # and their names in bench_detection
RADIUS, FINE, FINE_MASS = 0.01, 0.01, 0.01  # as detection.cpp has them; its beds overlap
FRACTION, JITTER = 0.52, 0.001  # gaps of half a hundredth of a radius, which the first step closes all
SPEED, PASSED = 1.0, 0.5  # m/s, down onto the floor; of the smallest radius in a step


def spacing(radius):
    return radius * (4 / 3 * numpy.pi / FRACTION)**(1 / 3)


def lattice(random, radius, side, count):
    """Places of so many grains on a jittered lattice with a square base of so many sites along a side, from the floor up."""
    i = numpy.arange(count)
    sites = numpy.column_stack([i % side, i // side % side, i // side**2]) + random.uniform(-JITTER, JITTER, (count, 3))
    return spacing(radius) * sites + [0, 0, radius + JITTER * spacing(radius)]


def one_size(random, grains):
    side = round(grains**(1 / 3))
    return lattice(random, RADIUS, side, grains), numpy.full(grains, RADIUS), side * spacing(RADIUS)


def mixture(random, grains):
    """Large grains on the floor, and small ones in the room between them, from below."""
    large = max(1, int(grains / (1 + FINE_MASS / (1 - FINE_MASS) / FINE**3)))
    columns = int(numpy.ceil(large**0.5))
    side, fine = columns * spacing(RADIUS), FINE * RADIUS
    centres = lattice(random, RADIUS, columns, large)
    places = lattice(random, fine, int(side / spacing(fine)), 3 * grains)
    room = numpy.full(len(places), True)
    for centre in centres:
        way = places - centre
        way[:, :2] -= side * numpy.round(way[:, :2] / side)
        room &= numpy.linalg.norm(way, axis=1) > RADIUS + (1 + JITTER) * fine
    places = numpy.concatenate([centres, places[room][:grains - large]])
    return places, numpy.where(numpy.arange(grains) < large, RADIUS, fine), side


def problem(folder, name, grains):
    """The contact problem of a bed's first step."""
    bed = {"one size": one_size, "1:100": mixture}[name]
    places, radii, side = bed(numpy.random.default_rng(7), grains)
    dt = PASSED * radii.min() / SPEED
    velocities = numpy.tile([0, 0, -SPEED], (grains, 1))
    csv = folder / "bed.csv"
    numpy.savetxt(csv, numpy.column_stack([places, radii, velocities]), "%.17g", ",", header="x,y,z,r,vx,vy,vz", comments="")
    config = {"name": "bed", "time": {"dt": dt, "end": dt}, "gravity": [0, 0, -9.81], "periodic": {"x": [0, side], "y": [0, side]},
              "materials": {"gravel": {"density": 2600, "young_modulus": 1e8}},
              "friction": [{"between": ["gravel", "gravel"], "mu": 0.4}],
              "bodies": {"bed": {"material": "gravel", "radii": {"type": "file"}, "place": {"type": "csv", "file": str(csv)}}},
              "tools": {"floor": {"material": "gravel", "shape": {"type": "plane"}, "normal": [0, 0, 1]}},
              "solver": {"method": "nsgs", "max_iterations": 8, "tolerance": 1e-12, "on_not_converged": "continue"},
              "output": {"snapshots": {"start": False, "end": False}, "checkpoints": {"end": False}},
              "debug": {"fclib": {"every": 1}}}
    file = folder / "bed.yaml"
    file.write_text(json.dumps(config), encoding="utf-8")
    common.run(file, folder / "run")
    return folder / "run/problems/step_00000001.hdf5"


def sweep_ns(file, sweeps, repeats):
    """Nanoseconds of the processor a contact and sweep in single precision, and the number of contacts."""
    with h5py.File(file) as hdf5:
        contacts = len(hdf5["fclib_global/vectors/mu"])
    histories = [common.solve(file, "nsgs", "coulomb", 1e-14, 0, max_iterations=sweeps)["history"] for _ in range(repeats)]
    seconds, *_ = sweep_times.sweep_seconds(histories)
    return 1e9 * seconds / contacts, contacts


def detection_ns(name, grains, repeats):
    """Nanoseconds over a contact of a search and of a step, medians over the repeats."""
    runs = [json.loads(subprocess.run([PROGRAM, BEDS[name], str(grains), "5"], check=True, capture_output=True, text=True).stdout)
            for _ in range(repeats)]

    def median(parts):
        return statistics.median(1e9 * sum(run[part] for part in parts) / run["contacts"] for run in runs)

    return {"found": runs[0]["contacts"], "search_ns": median(["search_s"]), "step_ns": median(["boxes_s", "list_s", "contacts_s"])}


def bed_row(folder, name, grains, args):
    sweep, contacts = sweep_ns(problem(folder, name, grains), args.sweeps, args.repeats)
    return {"bed": name, "grains": grains, **detection_ns(name, grains, args.repeats), "swept": contacts, "sweep_ns": sweep}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--grains", type=int, nargs="+", default=[100_000, 300_000])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--sweeps", type=int, default=300)
    common.declare_results(parser)
    args = parser.parse_args()
    rows = []
    for grains in args.grains:
        with tempfile.TemporaryDirectory() as folder:
            one, mixed = (bed_row(pathlib.Path(folder), name, grains, args) for name in BEDS)
        for row in (one, mixed):
            ratios = " ".join(f"{row[key] / one[key]:.2f}" for key in ("search_ns", "step_ns", "sweep_ns"))
            rows.append({key: f"{value:.3g}" if isinstance(value, float) else value for key, value in row.items()}
                        | {"over_one_size": ratios})
    command = f"scripts/bench/run sizes --grains {' '.join(map(str, args.grains))} --repeats {args.repeats} --sweeps {args.sweeps}"
    common.write_results(args.results / "sizes", "Cost of a contact, of one size and of 1:100", command, rows)


if __name__ == "__main__":
    main()
