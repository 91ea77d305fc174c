"""Walls and tools from CAD files at work: throughput of a screw, what a bucket holds, a silo by mesh beside the analytic one.

  scripts/bench/run cad [screw] [bucket] [wear] [silo] [pictures] [--seeds 1 2 3] [--ranks 1] [--results FOLDER] [--runs FOLDER]

screw    configs/screw.yaml at several speeds: grains a second out of the tube while it is fed, beside what its turns would
         carry if it were full and nothing slipped
bucket   configs/bucket.yaml at several depths of the cut: the weight that it holds at the end, over that of its struck
         volume full of gravel
wear     configs/bucket.yaml: where on the bucket grains have slid, and the least share of its surface that has half of that work
silo     configs/silo.yaml with its walls as they are, and as sheets of triangles: grains a second out of the open outlet,
         over several seeds of the filling
pictures the hopper, the screw and the bucket with their grains

--runs keeps the runs, and takes those that it holds in place of running them again.
"""
import argparse
import math
import pathlib
import subprocess
import tempfile

import h5py
import matplotlib
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

PICTURES = {"mesh-hopper": 0.7, "screw": 1.0, "bucket": 1.9}  # configurations, and when, s


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


def read_wear(path):
    """Corners of the triangles (m), their areas (m^2), and the work of sliding on each (J/m^2)."""
    with h5py.File(path) as file:
        grid = file["VTKHDF"]
        corners = grid["Points"][()][grid["Connectivity"][()].reshape(-1, 3)]
        work = grid["CellData/sliding_work"][()]
    sides = corners[:, 1:] - corners[:, :1]
    return corners, np.linalg.norm(np.cross(sides[:, 0], sides[:, 1]), axis=1) / 2, work


def draw_wear(corners, work, path):
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt  # the way of drawing is known only now
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection
    figure = plt.figure(figsize=(8, 6))
    axes = figure.add_subplot(projection="3d")
    colours = plt.get_cmap("inferno")(work / work.max())
    axes.add_collection3d(Poly3DCollection(corners, facecolors=colours, edgecolors="grey", linewidths=0.2))
    low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), zlim=(low[2], high[2]), xlabel="x, m", ylabel="y, m", zlabel="z, m")
    axes.set_box_aspect(high - low)
    axes.view_init(elev=25, azim=-50)
    scale = plt.cm.ScalarMappable(plt.Normalize(0, work.max()), "inferno")
    figure.colorbar(scale, ax=axes, shrink=0.7, label="sliding work, J/m$^2$")
    figure.savefig(path, dpi=110, bbox_inches="tight")


def wear(args):
    folder, _, unsolved = run(args, "wear", "bucket.yaml", [])
    rows = []
    for path in sorted((folder / "wear").glob("bucket_*.hdf")):
        with h5py.File(path) as file:
            time = float(file.attrs["time"])
        corners, areas, work = read_wear(path)
        if work.max() == 0:
            continue
        order = np.argsort(-work)
        done = np.cumsum((work * areas)[order])
        half = int(np.searchsorted(done, done[-1] / 2)) + 1
        rows.append({"until_s": f"{time:.1f}", "work_J": f"{done[-1]:.3g}",
                     "share_with_half": f"{areas[order][:half].sum() / areas.sum():.2f}",
                     "largest_J_m2": f"{work.max():.4g}", "unsolved": unsolved})
    args.results.mkdir(parents=True, exist_ok=True)
    draw_wear(corners, work, args.results / "wear.png")
    return "Wear of the bucket", rows


def pictures(args):
    args.results.mkdir(parents=True, exist_ok=True)
    rows = []
    for name, time in PICTURES.items():
        folder, steps, _ = run(args, f"picture-{name}", f"{name}.yaml", [f"time.end={time}", f"output.snapshots.every={time}"])
        snapshot = sorted((folder / "snapshots").glob("*.hdf"))[-1]
        subprocess.run([common.ROOT / "scripts" / "picture", "--matplotlib", "--size", "1000", "700",
                        "--output", args.results / f"{name}.png", snapshot], check=True)
        rows.append({"configuration": f"configs/{name}.yaml", "time_s": time, "grains": int(steps[-1]["bodies"])})
    return "A hopper, a screw and a bucket at work", rows


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


STUDIES = {"screw": screw, "bucket": bucket, "wear": wear, "silo": silo, "pictures": pictures}
DRAWN = {"wear": ["wear"], "pictures": list(PICTURES)}  # beside the tables


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
            drawn = [f"![{name}]({name}.png)" for name in DRAWN.get(study, [])]
            common.write_results(args.results / study, title, f"scripts/bench/run cad {study}", rows, after=drawn)


if __name__ == "__main__":
    main()
