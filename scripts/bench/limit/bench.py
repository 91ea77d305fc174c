"""Sweeps at the machine's limit: beds of 100,000 and 1,000,000 grains on one core, beside a STREAM triad.

  scripts/bench/run limit FOLDER [--grains 100000 1000000] [--bodies spheres others] [--repeats 3] [--sweeps 1500]
      [--results FOLDER] [--table NAME] [--no-steps | --no-sweeps]

FOLDER gets the beds (tiles.py) and their contact problems; those that are there are kept. The file of a million spheres is
put together in memory, of which that takes 18 GB. The other bodies are the spheres with three different moments of inertia,
so that sweeps take them as rigid bodies that touch at points.

NAME: `scree solve --solver nsgs` from zero impulses with friction exact or associated (psor). Sweeps are in single
precision first; from a residual of 3e-6 on those of spheres work on changes in it, others are in double precision
(pair_iteration.cpp). Processor seconds of sweeps and of measurements between them are told apart by least squares over the
points of the history, of each interval the least that it took in --repeats solves. The triad runs before and after each
solve, and its best counts. Bytes a contact and sweep are those of the kernels (kernels.hpp, pair_sweep.cpp), read and
written:

  least   contacts' numbers, impulses and names once, and every body's rows once by the kernel and by inertia
  most    the rows of both bodies at every contact

NAME-steps: steps of `scree run`, medians over the steps but the first, wall clock by stage, and peak memory: short steps of
8 sweeps, of grains that nearly touch, and long ones of 50, whose margins make some five potential contacts a grain.
cpu_over_steps is the processor seconds of the whole process, with the reading of the bed, over the wall clock of its
steps; page_faults are those of the whole process, too.
"""
import argparse
import json
import pathlib
import re
import shutil
import statistics
import subprocess
import tempfile

import h5py
import numpy

import bed_steps
import common
import stream
import sweep_times
import tiles

STEPS = 5
METHODS = {"coulomb": "nsgs", "associated": "psor"}
SIZES = {"float": 4, "changes": 4, "double": 8}
LATER = {"spheres": "changes", "others": "double"}  # numbers of sweeps to small residuals
BODY = 8  # numbers of a row
MOMENTS = (0.7, 1.0, 1.4)  # of the other bodies, over those of the spheres


STAGES = ("domain", "contacts", "assemble", "solve", "advance")


def contact_numbers(bodies, friction, numbers):
    """Of a contact, in the kernels: those of its rows, of bodies other than spheres those of its local problem, and of
    changes those of their base."""
    text = (common.ROOT / "src/solver/sweeps/kernels.hpp").read_text(encoding="utf-8")

    def constant(struct, name):
        return int(re.search(rf"struct {struct} {{.*?{name} = (\d+)", text, re.DOTALL)[1])

    if bodies == "spheres":
        own = [int(count) for count in re.search(r"LocalLaw::coulomb \? (\d+) : (\d+)", text).groups()]
        return own[friction != "coulomb"] + (constant("SphereBase", "kNumbers") if numbers == "changes" else 0)
    return constant("PointContact", "kLocal") + constant("LocalContact", "kNumbers")


def bytes_of(bodies, friction, numbers, contacts_per_grain):
    """Least and most bytes a contact and sweep."""
    size = SIZES[numbers]
    own = (contact_numbers(bodies, friction, numbers) + 2 * (3 + 3)) * size + 2 * 4  # y and x read and written, names
    own += 0 if bodies == "spheres" else size  # alpha written
    inertia = 4 * BODY * size / contacts_per_grain  # rows of y and x, read and written
    rows = (2 if bodies == "spheres" else 3) * BODY * size  # of a body: read and written, inverse masses read
    return own + inertia + rows / contacts_per_grain, own + inertia + 2 * rows


def problem(folder, grains, bodies):
    """The contact problem of a bed's first step."""
    if bodies == "others":
        return with_moments(problem(folder, grains, "spheres"))
    file = folder / f"bed{grains}.hdf5"
    if not file.exists():
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            bed_steps.run(bed_steps.config(folder, grains, "short", 1) | {"debug": {"fclib": {"every": 1}}}, scratch)
            shutil.move(pathlib.Path(scratch) / "run" / "problems" / "step_00000001.hdf5", file)
    return file


def with_moments(file):
    """The file of the same problem with MOMENTS, and with the same free velocities."""
    other = file.with_name(f"{file.stem}-others.hdf5")
    if other.exists():
        return other
    part = other.with_suffix(".part")
    shutil.copy(file, part)
    with h5py.File(part, "r+") as hdf5:
        factors = numpy.array((1.0, 1.0, 1.0, *MOMENTS))
        masses, forces = hdf5["fclib_global/M"], hdf5["fclib_global/vectors/f"]
        of_bodies = 6 * len(hdf5["fclib_global/info/body_id"])  # behind them is what stands for springs
        place = masses["i"][:]
        masses["x"][:] *= numpy.where(place < of_bodies, factors[place % 6], 1.0)
        forces[:of_bodies] *= numpy.tile(factors, of_bodies // 6)
    part.replace(other)
    return other


def step_row(folder, grains, name):
    """What steps of a kind cost."""
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        used, steps = bed_steps.run(bed_steps.config(folder, grains, name, STEPS), scratch)
    late = steps[1:]
    wall = sum(s["seconds_step"] for s in steps)
    row = {"steps": name, "grains": grains, "contacts": int(late[-1]["contacts"]), "sweeps": int(late[-1]["iterations"])}
    row["contacts_per_grain"] = f"{row['contacts'] / grains:.2f}"
    row |= {f"{stage}_s": f"{statistics.median(s[f'seconds_{stage}'] for s in late):.3g}" for stage in STAGES}
    row["step_s"] = f"{statistics.median(s['seconds_step'] for s in late):.3g}"
    row["first_step_s"] = f"{steps[0]['seconds_step']:.3g}"
    outside = statistics.median(1e6 * (s["seconds_step"] - s["seconds_solve"]) / s["contacts"] for s in late)
    return row | {"us_per_contact_outside": f"{outside:.3g}", "cpu_over_steps": f"{used.cpu / wall:.2f}",
                  "page_faults": used.page_faults, "peak_GB": f"{used.peak / 1e9:.2f}",
                  "kB_per_grain": f"{used.peak / 1e3 / grains:.2f}",
                  "kB_per_contact": f"{used.peak / 1e3 / late[-1]['contacts']:.2f}"}


def sweep_rows(args, grains, bodies, friction):
    """A row for each kind of numbers of one law's sweeps."""
    file = problem(args.folder, grains, bodies)
    contacts = tiles.contacts_of(file)
    triads, histories = [stream.bandwidth()], []
    for _ in range(args.repeats):
        report = common.solve(file, METHODS[friction], friction, 1e-14, 0, max_iterations=args.sweeps)
        histories.append(report["history"])
        triads.append(stream.bandwidth())
        print(f"{grains} {bodies} {friction}: {report['processor_seconds']:.1f} s, {report['reason']}, "
              f"triad {triads[-1][0] / 1e9:.1f} GB/s", flush=True)
    triad, update = (max(column) for column in zip(*triads))
    first, later, measurement = sweep_times.sweep_seconds(histories)
    for name, seconds in {"float": first, LATER[bodies]: later}.items():
        if seconds is None:
            continue
        rate = contacts / seconds  # a second
        least, most = bytes_of(bodies, friction, name, contacts / grains)
        yield {"grains": grains, "bodies": bodies, "contacts": contacts, "contacts_per_grain": f"{contacts / grains:.2f}",
               "friction": friction, "numbers": name, "ns_per_contact": f"{1e9 / rate:.2f}", "s_per_sweep": f"{seconds:.3g}",
               "bytes_least": round(least), "bytes_most": round(most), "GB_s_least": f"{least * rate / 1e9:.1f}",
               "GB_s_most": f"{most * rate / 1e9:.1f}", "triad_GB_s": f"{triad / 1e9:.1f}",
               "update_GB_s": f"{update / 1e9:.1f}", "share_of_triad_least": f"{least * rate / triad:.2f}",
               "share_of_triad_most": f"{most * rate / triad:.2f}",
               "ns_per_measurement": f"{1e9 * measurement / contacts:.1f}"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--grains", type=int, nargs="+", choices=tiles.LAYOUT, default=[100_000, 1_000_000])
    parser.add_argument("--bodies", nargs="+", choices=("spheres", "others"), default=["spheres", "others"])
    parser.add_argument("--no-steps", action="store_true", help="sweeps alone")
    parser.add_argument("--no-sweeps", action="store_true", help="steps alone, which take less memory and time")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--sweeps", type=int, default=1500)
    parser.add_argument("--note", default="", help="what the tables say of the machine")
    common.declare_results(parser, "limit")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    command = (f"scripts/bench/run limit FOLDER --grains {' '.join(map(str, args.grains))} --bodies {' '.join(args.bodies)} "
               f"--repeats {args.repeats} --sweeps {args.sweeps}{' --no-steps' if args.no_steps else ''}"
               f"{' --no-sweeps' if args.no_sweeps else ''} --table {args.table}")
    if not args.no_steps:
        rows = [step_row(args.folder, grains, name) for name in bed_steps.SWEEPS for grains in args.grains]
        common.write_results(args.results / f"{args.table}-steps", "Steps on one core", command, rows, args.note)
    if args.no_sweeps:
        return
    rows = [row for grains in args.grains for bodies in args.bodies for friction in METHODS
            for row in sweep_rows(args, grains, bodies, friction)]
    common.write_results(args.results / args.table, "Sweeps beside a STREAM triad, one core", command, rows, args.note)


if __name__ == "__main__":
    main()
