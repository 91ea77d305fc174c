"""Soil in cells whose walls bear a load: an oedometer, a triaxial test, a shear box, a ring shear cell.

  scripts/bench/run soil [NAME ...] [--results FOLDER] [--runs FOLDER] [--ranks 1]

oedometer   the piston of configs/piston.yaml, pressed with 10 to 160 N in turn: strain of the bed over its stress
triaxial    configs/triaxial.yaml: stress ratio and volume over axial strain, how well the stress on the sides is kept,
            and peak and last friction angles
shear       the upper half of a box is held while the lower one is drawn, a lid presses: stress ratio and dilation
ring        grains between two cylinders on a floor that turns, under a lid that a joint keeps from turning: the joint's
            torque over the load at two normal stresses
"""
import argparse
import math
import pathlib

import common
import numpy as np

PISTON = ["time.end=3.0", "output.snapshots.every=0",
          "tools.piston.motion.force=[0, 0, \"t < 0.5 ? -10 : (t < 1 ? -20 : (t < 1.5 ? -40 : (t < 2 ? -80 : -160)))\"]"]
LOADS = [(0.5, 10), (1.0, 20), (1.5, 40), (2.0, 80), (3.0, 160)]  # until, s; N
PISTON_AREA = 0.12 ** 2  # m^2
WEIGHT = 9.81  # N, of the piston

SHEAR = """\
name: shear
time: {dt: 5.0e-4, end: 1.5}
materials:
  grain: {density: 2600, young_modulus: 1.0e+8}
  steel: {density: 7850, young_modulus: 1.0e+8}
friction:
  - {between: default, mu: 0.5, damping: 0.3}
  - {between: [grain, steel], mu: 0.1, damping: 0.3}
bodies:
  sample:
    material: grain
    radii: {type: uniform, min: 0.004, max: 0.006}
    place: {type: box, low: [0, 0, 0], high: [0.14, 0.08, 0.32], count: 1500, seed: 1}
tools:
  floor: {material: grain, shape: {type: plane}, motion: &draw {type: velocity, velocity: [0.02, 0, 0], start: 0.5}}
  front: {material: steel, shape: {type: plane}, normal: [0, 1, 0]}
  back: {material: steel, shape: {type: plane}, position: [0, 0.08, 0], normal: [0, -1, 0]}
  low_left: {material: steel, shape: {type: box, size: [0.02, 0.2, 0.04]}, position: [-0.01, 0.04, 0.02], motion: *draw}
  low_right: {material: steel, shape: {type: box, size: [0.02, 0.2, 0.04]}, position: [0.15, 0.04, 0.02], motion: *draw}
  left: {material: steel, shape: {type: box, size: [0.02, 0.2, 0.4]}, position: [-0.01, 0.04, 0.242]}
  right: {material: steel, shape: {type: box, size: [0.02, 0.2, 0.4]}, position: [0.15, 0.04, 0.242]}
  lid: {material: grain, shape: {type: box, size: [0.138, 0.078, 0.01]}, position: [0.07, 0.04, 0.33], mass: 1,
        motion: {type: load, force: [0, 0, -100], free: [z]}}
solver: {tolerance: 1.0e-5}
output: {snapshots: {every: 0}}
"""
SHEAR_AREA = 0.14 * 0.08  # m^2
NORMAL = 100 + WEIGHT  # N

RING = """\
name: ring
time: {dt: 5.0e-4, end: 3.3}
materials:
  grain: {density: 2600, young_modulus: 1.0e+8}
  rough: {density: 7850, young_modulus: 1.0e+8}
  smooth: {density: 7850, young_modulus: 1.0e+8}
friction:
  - {between: [grain, grain], mu: 0.5, damping: 0.3}
  - {between: [grain, rough], mu: 1.0, damping: 0.3}
  - {between: [grain, smooth], mu: 0, damping: 0.3}
bodies:
  sample: {material: grain, place: {type: csv, file: ring.csv}}
tools:
  floor: {material: rough, shape: {type: plane}, motion: {type: velocity, angular_velocity: [0, 0, 0.6], start: 0.5}}
  outer: {material: smooth, shape: {type: hollow_cylinder, radius: 0.1}}
  inner: {material: smooth, shape: {type: capsule, radius: 0.05, length: 1}}
  lid: {material: rough, shape: {type: box, size: [0.22, 0.22, 0.01]}, position: [0, 0, LID], mass: 0.92,
        motion: {type: load, force: [0, 0, "t < 0.3 ? 0 : (t < 1.9 ? -FIRST : -SECOND)"]}}
joints:
  guide: {type: slider, between: [lid, world], position: [0, 0, 0], axis: [0, 0, 1]}
WELDS
solver: {tolerance: 1.0e-5}
output: {snapshots: {every: 0}}
"""
RING_VANE = """\
  VANE: {material: rough, shape: {type: box, size: [0.2, 0.002, 0.01]}, position: [0, 0, HEIGHT],
         orientation: {axis: [0, 0, 1], angle: ANGLE}, MOTION}
"""
RING_VANES = 8  # on the floor, and on the lid, each from wall to wall
RING_RADII = (0.05, 0.1)  # m, of the cylinders
RING_COUNT = 2000
RING_AREA = math.pi * (RING_RADII[1] ** 2 - RING_RADII[0] ** 2)  # m^2
RING_MOMENT = 2 * math.pi / 3 * (RING_RADII[1] ** 3 - RING_RADII[0] ** 3)  # m^3: torque over an even shear stress
RING_STRESSES = ((2e3, 0.5, 1.9), (5e3, 1.9, 3.3))  # Pa, from s, until s


def run(args, name, config, settings):
    folder = args.runs / name
    if not (folder / "done").exists():
        common.run(config, folder, ranks=args.ranks, overrides=settings)
        (folder / "done").touch()
    return {table: common.table(folder, table) for table in ("steps", "tools")}


def of_tool(tables, tool, column):
    return np.array([row[column] for row in tables["tools"] if row["tool"] == tool])


def mean_of(values, window):
    """Means over a window of steps."""
    return np.convolve(values, np.ones(window) / window, mode="valid")


def oedometer(args):
    tables = run(args, "oedometer", common.ROOT / "configs" / "piston.yaml", PISTON)
    time, height = of_tool(tables, "piston", "time"), of_tool(tables, "piston", "position_z") - 0.005
    force = of_tool(tables, "piston", "force_z")
    first = height[np.searchsorted(time, LOADS[0][0]) - 1]
    rows = []
    for until, load in LOADS:
        last = (time > until - 0.05) & (time <= until)
        rows.append({"load_N": load, "stress_kPa": f"{force[last].mean() / PISTON_AREA / 1e3:.4g}",
                     "force_over_load_and_weight": f"{force[last].mean() / (load + WEIGHT):.6f}",
                     "strain_percent": f"{100 * (1 - height[last].mean() / first):.4f}"})
    common.write_results(args.results / "oedometer", "An oedometer", "scripts/bench/run soil oedometer", rows)


def triaxial(args):
    tables = run(args, "triaxial", common.ROOT / "configs" / "triaxial.yaml", ["output.snapshots.every=0"])
    time = of_tool(tables, "top", "time")
    dt = time[1] - time[0]
    x, y, z = (of_tool(tables, tool, f"position_{axis}") for tool, axis in (("right", "x"), ("back", "y"), ("top", "z")))
    window = round(0.01 / dt)  # 10 ms
    # the area is that at the start of a step, by which the load was told
    stress = {tool: mean_of(np.abs(of_tool(tables, tool, f"force_{axis}"))[1:] / area[:-1], window)
              for tool, axis, area in (("right", "x", y * z), ("back", "y", x * z), ("top", "z", x * y))}
    at = time[1:][window - 1:]
    height, volume = mean_of(z[1:], window), mean_of((x * y * z)[1:], window)
    start = np.searchsorted(at, 0.4)
    strain = np.log(height[start] / height)
    lateral = (stress["right"] + stress["back"]) / 2
    q, p = stress["top"] - lateral, (stress["top"] + 2 * lateral) / 3
    kept = np.array([np.abs(stress[tool][at > 0.45] / 20e3 - 1) for tool in ("right", "back")])
    rows = [{"axial_strain_percent": f"{100 * strain[k]:.2f}", "q_over_p": f"{q[k] / p[k]:.4f}",
             "volume_strain_percent": f"{100 * (volume[k] / volume[start] - 1):.3f}",
             "lateral_over_asked": f"{lateral[k] / 20e3:.5f}"}
            for k in (np.abs(strain - e / 100).argmin() for e in (0.1, 0.25, 0.5, 1, 2, 4, 6, 8, 10, 15))]
    ratio = mean_of((stress["top"] / lateral)[start:], 10)
    late = (stress["top"] / lateral)[strain > 0.8 * strain.max()].mean()

    def degrees(k):
        return math.degrees(math.asin((k - 1) / (k + 1)))

    note = (f"Friction angles: {degrees(ratio.max()):.1f} degrees at the peak, {degrees(late):.1f} in the last fifth of the strain. "
            f"Mean of 10 ms of the grains' stress on the sides over 20 kPa, less 1: median {np.median(kept):.1e}, "
            f"largest {kept.max():.1e}. Unsolved steps: {sum(row['status'] != 'converged' for row in tables['steps'])}.")
    common.write_results(args.results / "triaxial", "A triaxial test", "scripts/bench/run soil triaxial", rows, note)


def shear(args):
    args.runs.mkdir(parents=True, exist_ok=True)
    config = args.runs / "shear.yaml"
    config.write_text(SHEAR, encoding="utf-8")
    tables = run(args, "shear", config, [])
    time, height = of_tool(tables, "lid", "time"), of_tool(tables, "lid", "position_z")
    drag = sum(of_tool(tables, tool, "force_x") for tool in ("left", "right", "lid"))
    normal = of_tool(tables, "lid", "force_z")
    start = np.searchsorted(time, 0.5)
    rows = []
    for way in (0.25, 0.5, 1, 2, 4, 6, 8, 10, 15, 20):  # mm
        at = (np.abs(time - 0.5 - way / 20) < 0.005)
        if at.any():
            rows.append({"way_mm": way, "shear_over_normal": f"{drag[at].mean() / NORMAL:.3f}",
                         "lid_raised_mm": f"{1e3 * (height[at].mean() - height[start]):.3f}",
                         "force_on_lid_over_load": f"{normal[at].mean() / NORMAL:.4f}"})
    common.write_results(args.results / "shear", "A direct shear box under a constant load", "scripts/bench/run soil shear", rows,
                         f"Unsolved steps: {sum(row['status'] != 'converged' for row in tables['steps'])}.")


def ring_of_grains(file):
    """Writes grains of 4 to 6 mm on circles, a layer above the other from the floor's vanes on; returns the height of their tops."""
    pitch, random = 0.0121, np.random.default_rng(1)
    rows = ["x,y,z,r"]
    layer = 0
    while len(rows) <= RING_COUNT:
        for radius in np.arange(RING_RADII[0] + 0.0062, RING_RADII[1] - 0.006, pitch):
            angles = np.arange(0, 2 * math.pi - 0.5 * pitch / radius, 2 * math.pi / math.floor(2 * math.pi * radius / pitch))
            rows += [f"{radius * math.cos(a):.9g},{radius * math.sin(a):.9g},{0.011 + (layer + 0.5) * pitch:.9g},{r:.9g}"
                     for a, r in zip(angles, random.uniform(0.004, 0.006, angles.size))]
        layer += 1
    file.write_text("\n".join(rows[:RING_COUNT + 1]) + "\n", encoding="utf-8")
    return 0.011 + layer * pitch


def ring_scene(lid, loads):
    """The configuration, of a lid whose middle is at that height, m, under the two loads, N."""
    turns = "motion: {type: velocity, angular_velocity: [0, 0, 0.6], start: 0.5}"
    vanes, welds = "", []
    for side, height, motion in (("floor", 0.005, turns), ("lid", lid - 0.01, "mass: 0.01, motion: {type: load}")):
        for k in range(RING_VANES):
            name = f"{side}_vane_{k}"
            vanes += RING_VANE.replace("VANE", name).replace("HEIGHT", f"{height:.9g}").replace(
                "ANGLE", f"{math.pi * k / RING_VANES:.9g}").replace("MOTION", motion)
            if side == "lid":
                welds.append(f"  weld_{k}: {{type: fixed, between: [{name}, lid]}}")
    scene = RING.replace("LID", f"{lid:.9g}").replace("WELDS", "\n".join(welds)).replace("joints:\n", vanes + "joints:\n")
    return scene.replace("FIRST", f"{loads[0]:.9g}").replace("SECOND", f"{loads[1]:.9g}")


def ring(args):
    args.runs.mkdir(parents=True, exist_ok=True)
    top = ring_of_grains(args.runs / "ring.csv")
    loads = [stress * RING_AREA - WEIGHT for stress, _, _ in RING_STRESSES]
    config = args.runs / "ring.yaml"
    config.write_text(ring_scene(top + 0.016, loads), encoding="utf-8")
    tables = run(args, "ring", config, [])
    joints = [row for row in common.table(args.runs / "ring", "joints") if row["joint"] == "guide"]
    time, torque = (np.array([row[column] for row in joints]) for column in ("time", "torque_z"))
    height = of_tool(tables, "lid", "position_z") - 0.005
    normal = sum(of_tool(tables, tool, "force_z") for tool in ["lid", *(f"lid_vane_{k}" for k in range(RING_VANES))])
    rows = []
    for stress, begin, end in RING_STRESSES:
        for turn in (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8):  # rad, of the floor under that stress
            at = np.abs(time - begin - turn / 0.6) < 0.01
            if time[at].size and begin + turn / 0.6 < end - 0.01:
                rows.append({"stress_kPa": f"{stress / 1e3:g}", "turn_rad": turn,
                             "shear_over_normal": f"{abs(torque[at].mean()) / RING_MOMENT / stress:.3f}",
                             "height_mm": f"{1e3 * height[at].mean():.3f}",
                             "force_on_lid_over_load": f"{normal[at].mean() / (stress * RING_AREA):.4f}"})
    common.write_results(args.results / "ring", "A ring shear cell at two normal stresses", "scripts/bench/run soil ring", rows,
                         f"Unsolved steps: {sum(row['status'] != 'converged' for row in tables['steps'])}.")


TESTS = {"oedometer": oedometer, "triaxial": triaxial, "shear": shear, "ring": ring}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", default=list(TESTS), help=f"of {', '.join(TESTS)}")
    parser.add_argument("--runs", type=pathlib.Path, default=common.ROOT / "output" / "bench" / "soil-runs",
                        metavar="FOLDER", help="where runs are kept: those that are there are not run again")
    parser.add_argument("--ranks", type=int, default=1)
    common.declare_results(parser)
    args = parser.parse_args()
    for name in args.names:
        TESTS[name](args)


if __name__ == "__main__":
    main()
