"""Exact Coulomb friction beside its convex relaxation in whole runs: forces, certificates of the steps, seconds.

  scripts/bench/run friction [--scenes trench settle] [--grains CSV] [--dt 5e-3 1e-3] [--tolerances 1e-4 1e-6]
                         [--rivals apgd pgj] [--iterations 500] [--step-seconds S] [--end S] [--wall-limit S]
                         [--ranks 1] [--results FOLDER] [--table NAME]

Each scene (configs/SCENE.yaml; CSV, columns id,x,y,z,r, replaces the grains of settle) runs with both laws, each
time step and each tolerance by `auto`, and with the first tolerance by each rival alone, whose steps end after
--iterations. With --step-seconds a solve ends at its first measurement after so long, without the fallback of `auto`,
and the step is taken as far as it got: `reached_tolerance` counts the steps that reached theirs. A row is written when
its run has ended, at the end of the scene or at --wall-limit (`end_s` says when); rows that NAME.csv holds for the
same settings are kept, not run again.

force_over_weight   mean vertical force on the floor over the weight of the grains, last 0.1 s
wall_N              mean horizontal force on a wall, last 0.1 s
draft_N             mean force against the blade's way in the second half of the time simulated
dilation_m_s        mean over the steps of the mean normal velocity of loaded contacts: 0 for exact friction
"""
import argparse
import csv
import math
import pathlib
import statistics
import tempfile

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import common

COLUMNS = ["scene", "grains", "dt_s", "friction", "method", "tolerance", "iterations", "ranks", "asked_end_s",
           "wall_limit_s", "step_seconds", "end_s", "wall_s", "steps", "reached_tolerance",
           "residual_median", "residual_worst", "dilation_m_s", "penetration_worst", "iterations_median",
           "force_over_weight", "wall_N", "draft_N"]
KEY = COLUMNS[:11]
LAST = 0.1  # s
GRAVITY = 9.81
WALLS = {"left": "force_x", "right": "force_x", "front": "force_y", "back": "force_y"}


def grains_of(scene, args):
    """The file of the grains, where it is not the configuration that makes them."""
    return pathlib.Path(args.grains).stem if args.grains and scene == "settle" else ""


def cases(args):
    for scene in args.scenes:
        for dt in args.dt:
            for friction in ("coulomb", "associated"):
                methods = [("auto", tolerance, "") for tolerance in args.tolerances]
                methods += [(method, args.tolerances[0], args.iterations) for method in args.rivals]
                for method in methods:
                    yield dict(zip(KEY, (scene, grains_of(scene, args), dt, friction, *method, args.ranks,
                                         args.end or "", args.wall_limit or "", args.step_seconds or "")))


def settings(case, args):
    yield f"time.dt={case['dt_s']}"
    yield f"solver.friction={case['friction']}"
    yield f"solver.method={case['method']}"
    yield f"solver.tolerance={case['tolerance']}"
    yield "output.snapshots.every=0"
    yield common.RIGID
    yield "debug.fclib.not_converged=0"
    if args.end:
        yield f"time.end={args.end}"
    if args.step_seconds:
        yield f"solver.max_seconds={args.step_seconds}"
    if args.step_seconds or case["method"] != "auto":
        yield "solver.on_not_converged=continue"
    if case["method"] != "auto":
        yield f"solver.max_iterations={args.iterations}"
    if case["grains"]:
        yield "bodies.grains.radii={type: file}"
        yield f"bodies.grains.place={{type: csv, file: {pathlib.Path(args.grains).resolve()}}}"


def mean(values):
    values = list(values)
    return f"{statistics.fmean(values):.4g}" if values else ""


def weight(folder):
    """Of the grains of the last snapshot."""
    last = sorted((pathlib.Path(folder) / "snapshots").iterdir())[-1]
    with h5py.File(last) as file:
        densities, data = file["materials/density"][:], file["VTKHDF/PointData"]
        volume = 4.0 / 3.0 * math.pi * data["radius"][:].astype(float) ** 3
        return GRAVITY * float((densities[data["material"][:]] * volume).sum())


def run_case(case, args):
    with tempfile.TemporaryDirectory() as folder:
        config = common.ROOT / "configs" / f"{case['scene']}.yaml"
        seconds, _ = common.run(config, folder, case["ranks"], settings(case, args), args.wall_limit)
        steps, tools = common.table(folder), common.table(folder, "tools")
        end = steps[-1]["time"]
        late = [r for r in tools if r["time"] > end - LAST]
        blade = [-r["force_x"] for r in tools if r["tool"] == "blade" and r["time"] > 0.5 * end]
        floor = [r["force_z"] for r in late if r["tool"] == "floor"]
        return dict(case, **{
            "end_s": end, "wall_s": f"{seconds:.0f}", "steps": len(steps),
            "reached_tolerance": sum(s["residual"] <= case["tolerance"] for s in steps),
            "residual_median": f"{statistics.median(s['residual'] for s in steps):.1e}",
            "residual_worst": f"{max(s['residual'] for s in steps):.1e}",
            "dilation_m_s": f"{statistics.fmean(s['dilation'] for s in steps):.1e}",
            "penetration_worst": f"{max(s['penetration'] for s in steps):.1e}",
            "iterations_median": statistics.median(s["iterations"] for s in steps),
            "force_over_weight": mean(-f / weight(folder) for f in floor),
            "wall_N": mean(abs(r[WALLS[r["tool"]]]) for r in late if r["tool"] in WALLS),
            "draft_N": mean(blade)}), [(s["time"], s["residual"]) for s in steps]


def kept_rows(path, found):
    """Rows of an earlier call that this one asks for, by their keys."""
    file = pathlib.Path(f"{path}.csv")
    if not file.exists():
        return {}
    with open(file, newline="", encoding="utf-8") as lines:
        rows = {tuple(row.get(k, "") for k in KEY): row for row in csv.DictReader(lines)}
    return {key: rows[key] for key in found if key in rows}


def command(args):
    """What a user types for the same table; a folder of grains is his own."""
    words = ["scripts/bench/run friction"]
    for name, value in vars(args).items():
        if value is None or name == "results":
            continue
        values = value if isinstance(value, list) else [pathlib.Path(value).name if name == "grains" else value]
        words += [f"--{name.replace('_', '-')}", *map(str, values)]
    return " ".join(words)


def plot(path, certificates):
    figure, axes = plt.subplots(figsize=(8, 4.5))
    for label, points in certificates:
        axes.semilogy(*zip(*points), linewidth=0.6, label=label)
    axes.set_xlabel("time, s")
    axes.set_ylabel("residual of the step")
    axes.legend(fontsize=6)
    figure.tight_layout()
    figure.savefig(f"{path}.png", dpi=120)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", nargs="+", default=["trench", "settle"])
    parser.add_argument("--grains")
    parser.add_argument("--dt", type=float, nargs="+", default=[5e-3, 1e-3])
    parser.add_argument("--tolerances", type=float, nargs="+", default=[1e-4, 1e-6])
    parser.add_argument("--rivals", nargs="*", default=["apgd", "pgj"])
    parser.add_argument("--iterations", type=int, default=500)
    parser.add_argument("--step-seconds", type=float, help="seconds after which a step ends with what it has reached")
    parser.add_argument("--end", type=float, help="shorter runs than the configurations ask for")
    parser.add_argument("--wall-limit", type=float, help="seconds after which a run ends with the step that it is in")
    parser.add_argument("--ranks", type=int, default=1)
    common.declare_results(parser, "friction")
    args = parser.parse_args()
    asked = {tuple(str(case[k]) for k in KEY): case for case in cases(args)}
    rows, certificates = kept_rows(args.results / args.table, asked), []
    for key, case in asked.items():
        if key in rows:
            continue
        rows[key], points = run_case(case, args)
        certificates.append((" ".join(filter(None, key[:6])), points))
        common.write_results(args.results / args.table, "Exact friction and its relaxation", command(args),
                             [rows[k] for k in asked if k in rows])
    if certificates:
        plot(args.results / args.table, certificates)


if __name__ == "__main__":
    main()
