"""Beds of 100,000 grains of one kind on one and two ranks: copies of a settled cell, side by side."""
import json
import statistics

import common
import kinds

CELL = 5000  # grains
COPIES = (5, 4)
STEPS = 9
SETTLING = 500  # steps of a cell
SKIPPED = 3  # steps: the first list the pairs and have no impulses of a step before
FEW, MANY = 10, 110  # sweeps
ROLLING = {"rolling": 6e-4, "spinning": 3e-4}  # m, a twentieth of a ball's radius and half of that
KINDS = {"ball": (None, {}), "ball that resists rolling": (None, ROLLING), "ellipsoid": (kinds.SHAPES["ellipsoid"], {}),
         "box": (kinds.SHAPES["box"], {})}


def config_of(group, pair, width, depth, steps, sweeps):
    bed = kinds.config({"bed": group}, kinds.PLANE, width, steps)
    bed["periodic"] = {"x": [0, width], "y": [0, depth]}
    bed["friction"] = [bed["friction"][0] | pair]
    return bed | {"solver": kinds.SOLVER | {"max_iterations": sweeps}}


def settled(folder, name, shape, pair):
    """The last snapshot of a cell: made in FOLDER where it is missing."""
    output = folder / f"cell {name}".replace(" ", "_")
    snapshot = output / "snapshots" / f"snapshot_{SETTLING:08d}.hdf"
    if not snapshot.exists():
        group = kinds.groups(shape, CELL, [0, 0, 0.02], [kinds.SIDE, kinds.SIDE, 2.0])
        cell = config_of(group, pair, kinds.SIDE, kinds.SIDE, SETTLING, kinds.SWEEPS)
        cell["output"] = {"snapshots": {"start": False, "end": True, "precision": "double"}}
        file = output.with_suffix(".yaml")
        file.write_text(json.dumps(cell), encoding="utf-8")
        common.run(file, output)
    return snapshot


def copies(snapshot, shape, pair, sweeps):
    columns, rows = COPIES
    place = {"type": "hdf5", "file": str(snapshot.resolve()), "repeat": [columns, rows, 1],
             "period": [kinds.SIDE, kinds.SIDE, 0]}
    group = {"material": "gravel", "place": place} | ({"shape": shape} if shape else {})
    return config_of(group, pair, columns * kinds.SIDE, rows * kinds.SIDE, STEPS, sweeps)


def run(folder, content, ranks):
    """The steps but the first ones."""
    file = folder / "large.yaml"
    file.write_text(json.dumps(content), encoding="utf-8")
    common.run(file, folder / "large", ranks)
    return common.table(folder / "large")[SKIPPED:]


def seconds(tables):
    """Of a step, the median of the last ones, of each the least of all turns."""
    return statistics.median(min(step["seconds_step"] for step in steps) for steps in zip(*tables))


def row(folder, name, turns):
    shape, pair = KINDS[name]
    snapshot = settled(folder, name, shape, pair)
    cases = [(ranks, sweeps) for ranks in (1, 2) for sweeps in (FEW, MANY)]
    tables = {case: [] for case in cases}
    for _ in range(turns):
        for ranks, sweeps in cases:
            tables[ranks, sweeps].append(run(folder, copies(snapshot, shape, pair, sweeps), ranks))
    last = tables[1, FEW][0][-1]
    contacts = last["contacts"]
    step = {ranks: seconds(tables[ranks, FEW]) for ranks in (1, 2)}
    sweep = {ranks: (seconds(tables[ranks, MANY]) - step[ranks]) / (MANY - FEW) for ranks in step}
    result = {"kind": name, "grains": int(last["bodies"]), "contacts": int(contacts)}
    result |= {f"step_s_{ranks}": f"{step[ranks]:.4f}" for ranks in step}
    result |= {f"ns_per_contact_and_sweep_{ranks}": f"{1e9 * sweep[ranks] / contacts:.1f}" for ranks in step}
    result |= {f"us_per_contact_without_sweeps_{ranks}": f"{1e6 * (step[ranks] - FEW * sweep[ranks]) / contacts:.3f}" for ranks in step}
    result["speed_up"] = f"{step[1] / step[2]:.2f}"
    print(result, flush=True)
    return result


def large(folder, turns):
    return [row(folder, name, turns) for name in KINDS]
