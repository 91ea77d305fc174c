"""Two ellipsoids that are pushed past each other (paper 001, section 4.2, Table 1): how fast steps and balls converge."""
import math
import pathlib

import h5py
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy

import pair_ode
import smooth_scenes as scenes

# The paper leaves open how far apart they start and what drags them, and shows contact from about 100 to 400. The ellipsoids, of
# semi-axes 2, 1, 1 turned by 45 degrees about z, start with their centres one apart along x; these two give the same times.
SEMI_AXES = (2.0, 1.0, 1.0)
DRAG = 9.0
HEIGHT = 4.25  # of the upper above the middle, and of the lower below it
END = 460.0
EVERY = 2.0  # time from one sample to the next
STEPS = ("1e-1", "1e-2", "1e-3", "1e-4")
PAPER = {"1e-1": (2.4530, 1.0111, 0.1078), "1e-2": (0.0256, 0.0243, 0.0041), "1e-3": (0.0048, 0.0044, 0.0006),
         3: (2.1326, 0.2473, 1.2034), 7: (0.2086, 0.1361, 0.0145), 13: (0.0574, 0.0422, 0.0044), 17: (0.0309, 0.0230, 0.0023),
         23: (0.0120, 0.0087, 0.0008), 27: (0.0103, 0.0077, 0.0007)}
BALLS = [n for n in PAPER if isinstance(n, int)]
TITLE = "Two ellipsoids pushed past each other (Table 1)"
NOTE = ("Unit forces, local drag of 9 per length; semi-axes 2, 1, 1, turned by 45 degrees, centres one apart along x and 8.5 along y, "
        "so that they touch from 99 to 403 (the paper leaves height and drag open). Errors: root mean squares over samples "
        "every 2 up to 460, against the motion's ordinary differential equation (scripts/bench/smooth/pair_ode.py), solved to 1e-11; "
        "the paper's are L2 norms that it does not define, against its method with steps of 1e-5, and have "
        "no single order. More balls are not always better: where valleys lie matters, too.")


def config(dt, contact):
    def ellipsoid(side):
        return {"material": "upper" if side > 0 else "lower", "shape": {"type": "ellipsoid", "semi_axes": list(SEMI_AXES)},
                "orientation": {"axis": [0, 0, 1], "angle": math.pi / 4},
                "place": {"type": "points", "positions": [[0.5 * side, HEIGHT * side, 0]]}}
    pushes = {name: {"force": ["0", f"{push}", "0"], "materials": [name]} for name, push in (("upper", -1), ("lower", 1))}
    return scenes.config("pair", dt, END, {"upper": ellipsoid(1), "lower": ellipsoid(-1)}, pushes, contact, drag=DRAG,
                         materials=("upper", "lower")) | {
        "output": {"csv": {"every": max(1, round(EVERY / float(dt)))},
                   "snapshots": {"every": EVERY, "precision": "double", "arrays": ["orientation"]}}}


def trajectory(output):
    """x and y of the upper one and its angle, at each sample."""
    rows = []
    for path in sorted((pathlib.Path(output) / "snapshots").glob("*.hdf")):
        with h5py.File(path) as file:
            data = file["VTKHDF/PointData"]
            upper = numpy.argmin(data["id"][:])
            w, _, _, z = data["orientation"][upper]
            x, y, _ = file["VTKHDF/Points"][upper]
            rows.append((x, y, 2 * math.atan2(z, w)))
    samples = numpy.array(rows)
    samples[:, 2] = numpy.unwrap(samples[:, 2])
    return samples


def exact():
    """x and y of the upper one and its angle, at each sample, by the motion's differential equation; the drag is that of eq. 27."""
    length = 2 * SEMI_AXES[0]
    drag = DRAG * numpy.array([length, length, length**3 / 12])
    times = numpy.arange(0.0, END + EVERY / 2, EVERY)
    return pair_ode.Ellipses(SEMI_AXES[:2], drag, push=-1.0).path((0.5, HEIGHT, math.pi / 4), times)[0]


def row(study, refinement, ranks, samples, reference):
    error = numpy.sqrt(((samples - reference) ** 2).mean(axis=0))
    paper = PAPER.get(refinement, ("",) * 3)
    return {"study": study, "refinement": refinement, "ranks": ranks,
            **{key: f"{value:.1e}" for key, value in zip(("x", "y", "angle"), error)},
            **{f"paper_{key}": value for key, value in zip(("x", "y", "angle"), paper)}}


def order(rows, key):
    """Slope of an error over the step, least squares in logarithms."""
    return numpy.polyfit([math.log(float(r["refinement"])) for r in rows], [math.log(float(r[key])) for r in rows], 1)[0]


def plot(paths, path):
    figure, axes = plt.subplots(1, 2, figsize=(10, 4), sharex=True)
    for label, samples in paths.items():
        time = EVERY * numpy.arange(len(samples))
        axes[0].plot(time, samples[:, 0], label=label)
        axes[1].plot(time, samples[:, 2], label=label)
    axes[0].set_ylabel("x of the upper ellipsoid")
    axes[1].set_ylabel("its angle (rad)")
    for one in axes:
        one.set_xlabel("time")
    axes[0].legend()
    figure.tight_layout()
    figure.savefig(path, dpi=100)
    plt.close(figure)


def measure(folder, path, args):
    ranks = args.ranks
    steps = ("2e-1", "1e-1") if args.short else STEPS
    balls = [3, 13] if args.short else BALLS
    of_balls = "1e-1" if args.short else "1e-2"  # whose own errors are up to 1.1e-4

    def run(dt, contact, n):
        return trajectory(scenes.run(folder, f"{dt}-{contact}-{n}", config(dt, contact), n)[0])

    reference = exact()
    rows = []
    # what does not depend on ranks is shown with the longest step
    for dt, n in [(dt, ranks[0]) for dt in steps[::-1]] + [(steps[0], n) for n in ranks[1:]]:
        samples = run(dt, "relcp", n)
        rows.append(row("relcp", dt, n, samples, reference))
    curves = {"exact": reference}
    for count in balls:
        samples = run(of_balls, count, ranks[0])
        rows.append(row(f"balls, dt {of_balls}", count, ranks[0], samples, reference))
        if count in (3, 7, 13, 27):
            curves[f"{count} balls"] = samples
    plot(curves, path.with_suffix(".png"))
    steps_alone = [r for r in rows if r["study"] == "relcp" and r["ranks"] == ranks[0]]
    orders = ", ".join(f"{key} {order(steps_alone, key):.2f}" for key in ("x", "y", "angle"))
    return TITLE, rows, NOTE, [f"Order of convergence over the steps: {orders}."], path.with_suffix(".png").name
