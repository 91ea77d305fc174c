"""A sheet of interlinked rings that a field draws out (paper 001, section 4.4, Fig. 6): how far rings overlap."""
import math
import pathlib

import h5py
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy

import common
import smooth_scenes as scenes

MINOR = 0.1  # radius of a ring's tube; that of its circle is 1
SPACING = 3.0  # of the rings that lie in the sheet; 3.6 when it is taut
DT = 1e-3
DRAGS = (0.02, 0.01)  # per length: the field pulls a free ring by up to a tenth, a fifth of the tube's diameter in a step
DURATION = 20  # of a run, over the drag: the sheet is taut after a fifth of that
METHODS = {"ReLCP": "relcp", "32 balls": 32, "single": "single"}
TITLE = "A sheet of interlinked rings, drawn out (Fig. 6)"
NOTE = ("Rings of the radii 1 and 0.1, overdamped by their length, in the paper's field, steps of 1e-3; the paper leaves drag and lattice "
        "open. Rings lie on a square lattice of spacing 3, each two neighbours held by an upright one; `width` and `height` are the extents "
        "of their centres at the end: where rings slip out of one another these grow without bound. Overlaps are of the rings themselves "
        "at the ends of steps, over the minor radius. The paper: ReLCP below "
        "1e-5 throughout, 32 balls about 0.6 and not as much vertical contraction, single unsteady and at times above 1.")


def sheet(columns, rows):
    """Rings in the plane z = 0 on a square lattice, and upright ones that hold each two neighbours: nothing touches."""
    def at(i, j):
        return [SPACING * (i - (columns - 1) / 2), SPACING * (j - (rows - 1) / 2), 0.0]

    def group(axis, positions):
        return {"material": "smooth", "shape": {"type": "ring", "major_radius": 1, "minor_radius": MINOR},
                "orientation": {"axis": axis, "angle": math.pi / 2}, "place": {"type": "points", "positions": positions}}

    return {"flat": group([0, 0, 1], [at(i, j) for i in range(columns) for j in range(rows)]),
            "along": group([1, 0, 0], [at(i + 0.5, j) for i in range(columns - 1) for j in range(rows)]),
            "across": group([0, 1, 0], [at(i, j + 0.5) for i in range(columns) for j in range(rows - 1)])}


def config(contact, columns, rows, drag):
    end = round(DURATION * drag, 6)
    return scenes.config("chainmail", DT, end, sheet(columns, rows), scenes.radial_field(1), contact, drag) | {
        "output": {"snapshots": {"every": end / 100, "arrays": ["orientation", "shape", "semi_axes"]}}}


def extents(output):
    """The extent of the rings' centres along x, y and z, in each snapshot."""
    rows = []
    for path in sorted((pathlib.Path(output) / "snapshots").glob("*.hdf")):
        with h5py.File(path) as file:
            rows.append(numpy.ptp(file["VTKHDF/Points"][:], axis=0))
    return numpy.array(rows)


def plot(runs, path):
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4))
    for label, (table, extent) in runs.items():
        time, overlap = zip(*((s["time"], s["overlap"]) for s in table if s["overlap"] > 0))
        left.semilogy(time, overlap, linewidth=0.6, label=label)
        right.plot(numpy.linspace(0, table[-1]["time"], len(extent)), extent[:, 1], label=label)
    left.set_ylabel("largest overlap over the minor radius")
    right.set_ylabel("vertical extent")
    for axes in (left, right):
        axes.set_xlabel("time")
    right.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=100)
    plt.close(figure)


def row(label, drag, ranks, output):
    table, extent = common.table(output), extents(output)
    overlaps = [s["overlap"] for s in table]
    return {"constraints": label, "drag": drag, "ranks": ranks, "rings": int(table[0]["bodies"]),
            "largest_overlap": f"{max(overlaps):.1e}", "at_the_end": f"{overlaps[-1]:.1e}",
            "most_recursions": int(max(s["recursions"] for s in table)), "unsolved": sum(s["status"] != "converged" for s in table),
            "width": f"{extent[-1, 0]:.3f}", "height": f"{extent[-1, 1]:.3f}", "largest_height": f"{extent[:, 1].max():.3f}"}


def measure(folder, path, args):
    columns, rows_of_rings = (3, 2) if args.short else (6, 4)
    rows, runs = [], {}
    for drag in DRAGS:
        for label, contact in METHODS.items():
            for n in args.ranks if (label, drag) == ("ReLCP", DRAGS[0]) else args.ranks[:1]:
                output, _ = scenes.run(folder, f"{contact}-{drag}-{n}", config(contact, columns, rows_of_rings, drag), n)
                rows.append(row(label, drag, n, output))
            runs[label] = (common.table(output), extents(output))  # of the last drag
    plot(runs, path.with_suffix(".png"))
    return TITLE, rows, NOTE, [], path.with_suffix(".png").name
