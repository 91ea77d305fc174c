"""Bodies that turn against plates and each other, or stand in closed boxes: who passes through, what is blown apart.

  scripts/bench/run attack [turning] [meshes] [closed] [--seeds 5] [--containers 400] [--before PROGRAM] [--results FOLDER]

attack.csv has each shape, with each way of constraints that holds shapes apart, in steps of 10 ms:

slab       12 bodies of 1 m/s and 38 rad/s onto a plate of 2 mm; passed: centres below it
planes     8 bodies, as fast, under gravity in a box of six planes, 0.5 s; passed: centres outside
linked     two linked rings that are torn apart, in a random way; passed: pairs that are linked no more

A row sums its --seeds. meshes.csv has 12 bodies of 1 to 100 m/s that turn as fast, onto a sheet of triangles without
thickness and onto a closed mesh of 2 mm; passed: centres below it. closed.csv has, with each of these ways, bodies under
gravity that nothing drives:

container  six bodies of each of two shapes in a box of planes, of thin plates, or in a drum, under a law of contact at
           random, steps of 5 ms; passed: centres outside
overlap    27 balls at rest that overlap by up to 5 % of a radius, in steps of 10 ms to 1 us
sizes      a ball rolls over others that are ten to a hundred times smaller

`steps` counts parts of steps that were cut, too; `unsolved` those that did not converge; `penetration` is the largest of
a step that did, in radii of the smaller body. `infeasible` counts steps of which that is said: all of these have a
solution; `ended` runs that ended for steps that were not taken. `blown` counts scenes that come to have a twentieth more
energy than they began with before any step was not converged. With --before another build runs the same.
"""
import argparse
import itertools
import pathlib
import subprocess
import tempfile

import h5py
import numpy as np

import closed_scenes
import common
import mesh_scenes
import turning_scenes

GAIN = 0.05  # of the energy at the start, from which on a scene is blown apart


def run(program, scene):
    """(whether it came to its end, passed, rows of steps.csv) of one scene."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {"run.yaml": scene.text, **scene.files}.items():
            (pathlib.Path(folder) / name).write_text(text, encoding="utf-8")
        done = subprocess.run([program, "run", "run.yaml", "--output", "out", "--quiet"], cwd=folder,
                              env=common.environment(), capture_output=True, text=True)
        if done.returncode != common.DONE and "was not taken" not in done.stderr:
            raise SystemExit(f"status {done.returncode}: {done.stderr}\n{scene.text}")
        last = sorted((pathlib.Path(folder) / "out/snapshots").iterdir())[-1]
        with h5py.File(last) as file:
            order = np.argsort(file["VTKHDF/PointData/id"][:])
            points = file["VTKHDF/Points"][:][order]
            turned = file["VTKHDF/PointData/orientation"][:][order]
        return done.returncode == common.DONE, int(scene.passed(points, turned)), common.table(pathlib.Path(folder) / "out")


def is_blown(steps):
    solved = itertools.takewhile(lambda row: row["status"] == "converged", steps)
    energy = [row["kinetic_energy"] + row["potential_energy"] for row in solved]
    return any(now > (1 + GAIN) * energy[0] for now in energy)


def figures(program, scenes):
    results = [run(program, scene) for scene in scenes]
    rows = [row for _, _, steps in results for row in steps]
    solved = [row for row in rows if row["status"] == "converged"]
    return {"passed": sum(n for _, n, _ in results), "unsolved": len(rows) - len(solved), "steps": len(rows),
            "penetration": f"{max((row['penetration'] for row in solved), default=0.0):.2g}",
            "infeasible": sum(row["status"] == "infeasible" for row in rows),
            "ended": sum(not whole for whole, _, _ in results),
            "blown": sum(is_blown(steps) for _, _, steps in results)}


def compared(row, scenes, before):
    """The row with the figures of @p scenes, those of the program @p before first, if there is one."""
    if before:
        row |= {f"{key}_before": value for key, value in figures(before.absolute(), scenes).items()}
    row |= figures(common.PROGRAM, scenes)
    print(*row.values(), flush=True)
    return row


def turning_rows(seeds, _containers):
    for name, shape, constraints, count, scenes in turning_scenes.scenes(seeds):
        yield {"class": name, "shape": shape, "constraints": constraints, "bodies": count * len(scenes)}, scenes


def mesh_rows(seeds, _containers):
    for kind, speed, shape, constraints, count, scenes in mesh_scenes.scenes(seeds):
        yield {"class": kind, "speed_m_s": speed, "shape": shape, "constraints": constraints, "bodies": count * len(scenes)}, scenes


def closed_rows(seeds, containers):
    for name, constraints, scenes in closed_scenes.scenes(seeds, containers):
        yield {"class": name, "constraints": constraints, "scenes": len(scenes)}, scenes


TABLES = {"turning": ("attack", "Bodies that turn, and what passes through", turning_rows),
          "meshes": ("meshes", "Bodies that turn onto meshes, and what passes through", mesh_rows),
          "closed": ("closed", "Bodies in closed containers, and what is blown apart", closed_rows)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="*", choices=[*TABLES, []], metavar="TABLE", help=f"{' or '.join(TABLES)}; none: all")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--containers", type=int, default=400, help="closed containers, of all ways of constraints")
    parser.add_argument("--before", type=pathlib.Path, metavar="PROGRAM", help="scree of another build, to compare with")
    common.declare_results(parser)
    args = parser.parse_args()
    command = f"scripts/bench/run attack --seeds {args.seeds} --containers {args.containers}" \
        + (" --before PROGRAM" if args.before else "")
    for name in args.tables or TABLES:
        file, title, rows_of = TABLES[name]
        rows = [compared(row, scenes, args.before) for row, scenes in rows_of(range(1, args.seeds + 1), args.containers)]
        common.write_results(args.results / file, title, command, rows)


if __name__ == "__main__":
    main()
