"""Walls and tools from CAD files at work: throughput of a screw, what a bucket holds, a silo by mesh beside the analytic one.

  scripts/bench/run cad [screw] [bucket] [silo] [--seeds 1 2 3] [--ranks 1] [--results FOLDER] [--runs FOLDER]

screw    configs/screw.yaml at several speeds: grains a second out of the tube while it is fed, beside what its turns would
         carry if it were full and nothing slipped
bucket   configs/bucket.yaml at several depths of the cut: the weight that it holds at the end, over that of its struck
         volume full of gravel
silo     configs/silo.yaml with its walls as they are, and as sheets of triangles: grains a second out of the open outlet,
         over several seeds of the filling

--runs keeps the runs, and takes those that it holds in place of running them again.
"""
import argparse
import math
import pathlib
import tempfile

import numpy as np

import common
import turned_walls

SPEEDS = (1, 2, 4)  # turns a second
PITCH, LENGTH = 0.06, 0.3  # m, of the screw
TUBE, SHAFT = 0.032, 0.01  # m, radii
GRAIN = 4 / 3 * math.pi * (0.005**4 - 0.004**4) / 4 / 0.001  # m^3: mean volume of radii spread evenly from 4 to 5 mm
LOOSE = 0.58  # share of space in grains that flow, of which a full screw or bucket is taken to be

DEPTHS = (0.23, 0.25, 0.27, 0.29)  # m, down from the start of the cut
BUCKET = 0.2 * (math.pi * 0.08**2 / 2 + 0.12 * 0.16 / 2)  # m^3: struck from the lip to the upper edge of its back
GRAVEL = 2600  # kg/m^3

AROUND = 180  # sides of the silo's mesh


def run(args, name, config, settings):
    folder = args.runs / name
    if not (folder / "done").exists():
        common.run(common.ROOT / "configs" / config, folder, ranks=args.ranks, overrides=["output.snapshots.every=0", *settings])
        (folder / "done").touch()
    steps = common.table(folder)
    return folder, steps, sum(step["status"] != "converged" for step in steps)


def rate(steps, low, high):
    """Grains a second that are removed while the share of all that is out goes from @p low to @p high."""
    time, out = (np.array([step[column] for step in steps]) for column in ("time", "removed"))
    first, last = (int(np.searchsorted(out, share * out[-1])) for share in (low, high))
    return (out[last] - out[first]) / (time[last] - time[first])


def screw(args):
    rows = []
    for speed in SPEEDS:
        end = 0.2 + 1.6 * LENGTH / PITCH / speed + 1.0
        _, steps, unsolved = run(args, f"screw-{speed}", "screw.yaml",
                                 [f"time.end={end}", f"tools.screw.motion.angular_velocity=[{-2 * math.pi * speed}, 0, 0]"])
        full = math.pi * (TUBE**2 - SHAFT**2) * PITCH * speed * LOOSE / GRAIN
        carried = rate(steps, 0.1, 0.6)
        rows.append({"turns_a_second": speed, "grains_a_second": f"{carried:.0f}", "full_without_slip": f"{full:.0f}",
                     "share": f"{carried / full:.2f}", "unsolved": unsolved})
    return "Throughput of the screw over its speed", rows


def bucket(args):
    rows = []
    for depth in DEPTHS:
        path = [[0, 0, 0], [0, 0, -depth], [0.2, 0, -depth - 0.02], [0.22, 0, -0.2], [0.22, 0, 0]]
        folder, _, unsolved = run(args, f"bucket-{depth}", "bucket.yaml", [f"tools.bucket.motion.displacements={path}"])
        force = [-row["force_z"] for row in common.table(folder, "tools") if row["tool"] == "bucket"]
        held = float(np.mean(force[-50:])) / 9.81
        rows.append({"depth_m": depth, "held_kg": f"{held:.2f}", "share_of_struck": f"{held / (BUCKET * LOOSE * GRAVEL):.2f}",
                     "largest_force_z_N": f"{-min(force):.0f}", "unsolved": unsolved})
    return "What the bucket holds over the depth of its cut", rows


def silo(args):
    args.runs.mkdir(parents=True, exist_ok=True)
    shapes = []
    for tool, profile in (("cone", [(0.03, 0), (0.08, 0.1)]), ("cylinder", [(0.08, 0), (0.08, 0.5)])):
        path = (args.runs / f"{tool}.stl").resolve()
        turned_walls.write_turned(path, profile, AROUND)
        shapes.append(f"tools.{tool}.shape={{type: mesh, file: {path}}}")
    rows = []
    for seed in args.seeds:
        row = {"seed": seed}
        for kind, settings in (("analytic", []), ("mesh", shapes)):
            _, steps, unsolved = run(args, f"silo-{kind}-{seed}", "silo.yaml",
                                     [f"bodies.fill.place.seed={seed}", "time.end=2.5", *settings])
            row |= {f"{kind}_grains_a_second": f"{rate(steps, 0.2, 0.8):.0f}", f"{kind}_unsolved": unsolved}
        rows.append(row)
    return "Discharge of a silo by analytic walls and by meshes", rows


STUDIES = {"screw": screw, "bucket": bucket, "silo": silo}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="STUDY", help=", ".join(STUDIES))
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2, 3])
    parser.add_argument("--ranks", type=int, default=1)
    common.declare_results(parser)
    parser.add_argument("--runs", type=pathlib.Path)
    args = common.parse(parser, STUDIES)
    with tempfile.TemporaryDirectory() as folder:
        args.runs = args.runs or pathlib.Path(folder)
        for study in args.parts:
            title, rows = STUDIES[study](args)
            common.write_results(args.results / study, title, f"scripts/bench/run cad {study}", rows)


if __name__ == "__main__":
    main()
