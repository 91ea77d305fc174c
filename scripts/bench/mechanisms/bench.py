"""Joints against closed forms and ordinary differential equations: errors over the time step, drift over a million steps.

  scripts/bench/run mechanisms [NAME ...] [--results FOLDER] [--steps 1000000]

order    a pendulum, a four-bar linkage that is driven, a heavy top: the largest error of an angle or a height in a second,
         against an integration to 1e-11 or the closed form of the linkage, and how far joints are from what they hold
drift    the pendulum for a million steps: misfit and energy in five parts of the time
cradle   five balls on strings of which the first one strikes the others: what is left of the energy
digger   configs/digger.yaml: forces in its joints and torques of its motors, means of 0.1 s, and a picture
"""
import argparse
import pathlib
import subprocess
import tempfile

import common
import mechanisms as scenes
import numpy as np

STEPS = (4e-3, 2e-3, 1e-3, 5e-4)  # s


def run(scene, dt, end, *settings):
    """The tables of a run."""
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder) / "run.yaml"
        config.write_text(scenes.HEAD.format(dt=dt, end=end) + scene, encoding="utf-8")
        common.run(config, pathlib.Path(folder) / "out", overrides=settings)
        return {name: common.table(pathlib.Path(folder) / "out", name) for name in ("steps", "tools", "joints")}


def turns(tables, joint):
    return np.array([row["turn"] for row in tables["joints"] if row["joint"] == joint])


def heights(tables):
    return np.array([row["position_z"] for row in tables["tools"]])


CASES = {  # scene, the exact course of a number, that number of a run's tables, its unit
    "pendulum": (lambda dt: scenes.PENDULUM, scenes.pendulum, lambda t: turns(t, "pin"), "rad"),
    "linkage": (lambda dt: scenes.linkage_scene(), scenes.linkage, lambda t: turns(t, "d"), "rad"),
    "top": (lambda dt: scenes.TOP.replace("{dt}", str(dt)), scenes.top, heights, "m"),
}


def order(_):
    rows = []
    for name, (scene, exact, measured, unit) in CASES.items():
        for dt in STEPS:
            tables = run(scene(dt), dt, scenes.END)
            times = np.array([row["time"] for row in tables["steps"]])
            error = measured(tables) - exact(np.minimum(times, scenes.END))
            if unit == "rad":
                error = (error + np.pi) % (2 * np.pi) - np.pi
            rows.append({"mechanism": name, "dt_s": dt, "error": f"{np.abs(error).max():.3g}", "unit": unit,
                         "misfit_m": f"{max(row['misfit'] for row in tables['joints']):.3g}",
                         "unsolved": sum(row["status"] != "converged" for row in tables["steps"])})
    return rows, "The largest errors in a second"


def drift(args):
    dt, parts = 1e-3, 5
    tables = run(scenes.PENDULUM, dt, dt * args.steps, "output.csv.every=100", "solver.tolerance=1e-10")
    energy = np.array([row["kinetic_energy"] + row["potential_energy"] for row in tables["steps"]])
    energy /= max(row["kinetic_energy"] for row in tables["steps"])
    misfit = np.array([row["misfit"] for row in tables["joints"]])
    rows = [{"steps_until": round(args.steps * (k + 1) / parts), "largest_misfit_m": f"{m.max():.3g}",
             "mean_energy_over_largest_kinetic": f"{e.mean():.3g}", "deviation": f"{e.std():.3g}"}
            for k, (m, e) in enumerate(zip(np.array_split(misfit, parts), np.array_split(energy, parts)))]
    return rows, f"The pendulum, {args.steps} steps of {dt} s"


def cradle(_):
    rows = []
    for dt in STEPS[1:]:
        tables = run(scenes.cradle_scene(), dt, scenes.END)
        energy = np.array([row["kinetic_energy"] + row["potential_energy"] for row in tables["steps"]])
        swing = energy[0] - min(row["potential_energy"] for row in tables["steps"])
        rows.append({"dt_s": dt, "energy_left": f"{1 + (energy[-1] - energy[0]) / swing:.5g}",
                     "misfit_m": f"{max(row['misfit'] for row in tables['joints']):.3g}",
                     "unsolved": sum(row["status"] != "converged" for row in tables["steps"])})
    return rows, "A cradle of five balls, after a second"


def digger(args):
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "out"
        common.run(common.ROOT / "configs" / "digger.yaml", output)
        joints, steps = common.table(output, "joints"), common.table(output, "steps")
        args.results.mkdir(parents=True, exist_ok=True)
        snapshot = sorted((output / "snapshots").glob("*.hdf"))[24]  # at 1.2 s
        subprocess.run([common.ROOT / "scripts" / "picture", "--matplotlib", "--output", args.results / "digger.png", snapshot],
                       check=True)
    rows = []
    for end in np.arange(0.1, 1.81, 0.1):
        row = {"until_s": f"{end:.1f}"}
        for joint in ("foot", "elbow", "tip"):
            now = [r for r in joints if r["joint"] == joint and end - 0.1 < r["time"] - 1e-9 <= end]
            row[f"{joint}_force_N"] = f"{np.mean([np.hypot(r['force_x'], r['force_z']) for r in now]):.1f}"
            if joint != "tip":
                row[f"{joint}_motor_Nm"] = f"{np.mean([r['motor'] for r in now]):.1f}"
        rows.append(row)
    misfit = max(r["misfit"] for r in joints)
    unsolved = sum(r["status"] != "converged" for r in steps)
    return rows, f"A digger: largest misfit {misfit:.1e} m, {unsolved} of {len(steps)} steps unsolved"


TABLES = {"order": order, "cradle": cradle, "digger": digger, "drift": drift}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", default=list(TABLES), help=f"of {', '.join(TABLES)}")
    parser.add_argument("--steps", type=int, default=1_000_000, help="of the drift")
    common.declare_results(parser)
    args = parser.parse_args()
    for name in args.names:
        rows, title = TABLES[name](args)
        picture = "digger.png" if name == "digger" else None
        common.write_results(args.results / name, title, f"scripts/bench/run mechanisms {name}", rows, picture=picture)


if __name__ == "__main__":
    main()
