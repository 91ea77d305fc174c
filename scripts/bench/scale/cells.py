"""Beds of any size: copies of a settled cell of 5,000 grains, periodic to all sides, side by side on its floor."""
import common

GRAINS = 5000  # of a cell
SIDE = 0.35  # m
SETTLED = 1.6  # s, at rest by then
SLOPE = 4.0  # m/s^2, of gravity along x: the bed starts to flow
DT = 2e-3  # s
YOUNG = 1e8  # Pa, as the cell has settled with
COPIES = {1: (1, 1), 2: (2, 1), 4: (2, 2), 8: (4, 2), 10: (5, 2), 16: (4, 4), 20: (5, 4), 32: (8, 4), 64: (8, 8), 80: (10, 8)}


def settle(folder):
    """The snapshot of the cell in FOLDER: made there where it is missing."""
    run = folder / "cell"
    snapshot = run / "snapshots" / f"snapshot_{round(SETTLED / DT):08d}.hdf"
    if not snapshot.exists():
        period = f"[0, {SIDE}]"
        common.run(common.ROOT / "configs" / "cell.yaml", run, overrides=[
            f"periodic={{x: {period}, y: {period}}}", f"bodies.bed.place.count={GRAINS}",
            f"bodies.bed.place.high=[{SIDE}, {SIDE}, 3]", f"time.end={SETTLED}", f"time.dt={DT}",
            f"materials.gravel.young_modulus={YOUNG:g}", "output.snapshots.every=0"])
    return snapshot


def config(folder, cells, steps, solver):
    """The configuration of so many cells, which start to flow."""
    columns, rows = COPIES[cells]
    place = {"type": "hdf5", "file": str(settle(folder).resolve()), "repeat": [columns, rows, 1], "period": [SIDE, SIDE, 0]}
    return {"name": f"cells{cells}", "time": {"dt": DT, "end": steps * DT}, "gravity": [SLOPE, 0, -9.81],
            "periodic": {"x": [0, columns * SIDE], "y": [0, rows * SIDE]},
            "materials": {"gravel": {"density": 2600, "young_modulus": YOUNG}},
            "friction": [{"between": ["gravel", "gravel"], "mu": 0.4}],
            "bodies": {"bed": {"material": "gravel", "place": place}},
            "tools": {"floor": {"material": "gravel", "shape": {"type": "plane"}, "normal": [0, 0, 1]}},
            "solver": solver, "debug": {"fclib": {"not_converged": 0}},
            "output": {"snapshots": {"start": False, "end": False}, "checkpoints": {"end": False}}}
