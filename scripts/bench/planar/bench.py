"""The planar scenes of Miyamoto and Yamashita (planar_scenes.py), and what each method takes on them.

  scripts/bench/run planar [--scenes stacking30 pool1 pool2 stacking150] [--steps 1000] [--results FOLDER]

RES is their eq. 32, in N s and m/s (planar_problems.py). Written are, in FOLDER,

- lcps.csv: Table 1. Without friction, so that the problem is an LCP; sweeps in step 100 to RES < 1e-4, and the processor's
  time for them. Start `kept`: as in the paper, 10 sweeps of pgs a step, each step from the impulses of the one before; a
  tall stack is not held by so few, and its circles fly apart. Start `zero`: steps before are solved to 1e-6, and this
  one is from zero impulses, so that stacks stand. Methods with a colon are scree's; the others the splittings of the
  paper's section 2.3 with Omega = D / gamma, in Python on A formed, whose time is left out. lcps.png has RES over sweeps
  of both starts, and above them Figures 3 to 5: the step with friction 0.1, from kept impulses;
- formed.csv: the same number of sweeps of amgs from zero on J and M^-1, and on A formed (Method 2.2), stored sparse,
  and stored with all its zeros, as in the paper, which scree keeps in blocks of 3 x 3 for each two contacts, 9 times
  as much as it needs; and the time in which numpy forms A, dense, as J M^-1 times J^T;
- steps.csv: Table 2. With friction 0.1 by the box (Method 3.2), steps of 200 sweeps: processor time of the run, the least
  of --repeats. And steps of 10 sweeps: RES of every tenth from step 60 on, whose curves, as medians of six, are
  Figures 6 to 8, steps.png. RES with friction is our reading: the paper gives it for the LCP.

scree gives the impulses of the least residual that it has measured, of a step of 10 sweeps those after 4, 8 or 10; the
paper those after the last. Times are processor's; compare them within a table only. amgs with alpha = 1/2 is Method 3.1
with Omega = D / gamma, which is pgs term by term (include/scree/solver/sweeps/pgs.hpp); the paper counts half of the sweeps
of PGS for it. That ratio is what alpha = 1/4 gives.
"""
import argparse
import math
import pathlib
import resource
import statistics
import tempfile
import time

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy
import scipy.sparse

import common
import lcp_problems
import planar_problems
import planar_scenes

STEP = 100
TARGET = 1e-4
ALPHAS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
IDENTITY = "amgs:alpha=0.5,omega=identity"  # Omega = omega bar E
METHODS = ["pgs", IDENTITY, *(f"amgs:alpha={alpha}" for alpha in (0.5, 0.25, 0.1)), "psor:relaxation=1.4,inertia=false"]
# relaxation, beta, whether accelerated
SPLITTINGS = {"MJ": (1, 0, False), "MGS": (1, 1, False), "MSOR 1.4": (1.4, 1.4, False), "MAOR 1.4, 1.2": (1.4, 1.2, False),
              "AMJ": (1, 0, True), "AMGS": (1, 1, True), "AMSOR 1.4": (1.4, 1.4, True), "AMAOR 1.4, 1.2": (1.4, 1.2, True)}
FIGURE = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 140, 200)  # sweeps of Figures 3 to 5
# sweeps and seconds of Table 1
PAPER = {("pool1", "pgs"): (1452, 0.042), ("pool1", IDENTITY): (1522, 0.055), ("pool1", "amgs:alpha=0.5"): (766, 0.023),
         ("pool2", "pgs"): (1359, 0.042), ("pool2", IDENTITY): (1393, 0.048), ("pool2", "amgs:alpha=0.5"): (744, 0.028),
         ("stacking150", "pgs"): (16186, 0.162), ("stacking150", IDENTITY): (16431, 0.183),
         ("stacking150", "amgs:alpha=0.5"): (7754, 0.066)}
# seconds of Method 2.2 over those of Method 3.1 in Table 1
FORMED = {"pool1": 1.251 / 0.023, "pool2": 1.428 / 0.028, "stacking150": 0.293 / 0.066}
# seconds of Table 2: PGS, then by alpha
STEPS = {"pool1": (2.639, 2.083, 1.974, 2.051, 1.996, 1.968, 2.022), "pool2": (2.093, 1.921, 1.907, 1.849, 1.904, 1.915, 1.915),
         "stacking30": (0.095, 0.099, 0.081, 0.085, 0.085, 0.089, 0.082)}
GUESS = 1024  # sweeps to the target that are tried first
MOST = 400000  # sweeps
MOST_IN_PYTHON = 20000
SWEEPS_ON_A = 500
REPEATS_ON_A = 3  # the least time counts
MU = 0.1
EVERY = 10  # steps from one RES to the next
FIRST, GAIN, BLOCK = 60, 300, 60  # steps: those left out, those until the paper sees a gain, those of a point in the plots


def solve(path, method, sweeps, replay, output=None, ends=()):
    """So many sweeps, or until the solve ends by one of @p ends."""
    report = common.solve(path, method, "box", 1e-300, 600, output=output, max_iterations=sweeps, replay=replay)
    if report["status"] not in ends and report.get("iterations") != sweeps:
        raise SystemExit(f"{method} on {path.name}, {sweeps} sweeps: {report['status']}, {report.get('reason')}")
    return report


def seconds(path, method, sweeps, replay, repeats):
    """The processor's time for so many sweeps."""
    return min(solve(path, method, sweeps, replay)["history"][-1]["processor_seconds"] for _ in range(repeats))


def residual(path, method, sweeps, replay, folder):
    """RES after so many sweeps, or fewer where scree's residual falls no further."""
    solved = folder / "solved.hdf5"
    solve(path, method, sweeps, replay, solved, ends=("converged", "stagnated"))
    with h5py.File(solved) as file:
        return planar_problems.res(file)


def sweeps_to_target(path, method, replay, folder, guess):
    """By doubling or halving a guess, then between two as if RES fell by a factor a sweep; and the points (sweeps, RES) on
    the way.
    """
    curve = {}

    def reached(n):
        curve[n] = residual(path, method, n, replay, folder)
        return curve[n] < TARGET
    high = guess
    while not reached(high):
        high *= 2
        if high > MOST:
            raise SystemExit(f"{method} on {path.name}: RES {min(curve.values()):.1e} after {max(curve)} sweeps")
    while (low := high // 2) and low not in curve and reached(low):
        high = low
    while high - low > (close := max(1, high // 100)):
        share = math.log(curve[low] / TARGET) / math.log(curve[low] / curve[high])
        between = min(max(low + round(share * (high - low)), low + close), high - close)
        low, high = (low, between) if reached(between) else (between, high)
    return high, curve


def ratio(value, reference):
    return f"{value / reference:.3f}"


def missed(curve):
    """What stands for the sweeps of a splitting that does not get to the target."""
    return f"over {MOST_IN_PYTHON}" if max(curve) > MOST_IN_PYTHON // 2 else "grows"


def split(path, replay):
    """Of each splitting its sweeps to the target, None where it does not get there, and its curve."""
    lcp = planar_problems.Lcp(path)
    matrix = lcp.form()
    start = lcp.guess if replay else numpy.zeros(len(lcp.q))
    return {name: planar_problems.Splitting(matrix, lcp.q, *splitting).sweeps_to(TARGET, start, MOST_IN_PYTHON)
            for name, splitting in SPLITTINGS.items()}


def figure(scene, path, points, folder, axis):
    """Figures 3 to 5 of a scene."""
    for method in ("pgs", IDENTITY, "amgs:alpha=0.5", "amgs:alpha=0.25"):
        axis.semilogy(points, [residual(path, method, n, True, folder) for n in points], ".-", label=method)
    axis.set(title=f"{scene}, friction 0.1", xlabel="sweeps", ylabel="RES")
    axis.legend(fontsize="small")


def table_1(scene, path, start, methods, repeats, folder, axis):
    """The rows of one scene and start, and their plot."""
    rows, of_pgs, replay, sweeps = [], None, start == "kept", GUESS
    with h5py.File(path) as file:
        contacts = len(file["fclib_global/vectors/mu"])
    for method in methods:
        sweeps, curve = sweeps_to_target(path, method, replay, folder, guess=sweeps)
        spent = seconds(path, method, sweeps, replay, repeats)
        of_pgs = of_pgs or (sweeps, spent)
        row = {"scene": scene, "start": start, "contacts": contacts, "method": method, "sweeps": sweeps, "ms": f"{1e3 * spent:.1f}",
               "sweeps over pgs": ratio(sweeps, of_pgs[0]), "time over pgs": ratio(spent, of_pgs[1]),
               "paper: sweeps": "", "paper: sweeps over PGS": "", "paper: time over PGS": ""}
        if (scene, method) in PAPER:
            theirs, pgs = PAPER[scene, method], PAPER[scene, "pgs"]
            row |= {"paper: sweeps": theirs[0], "paper: sweeps over PGS": ratio(theirs[0], pgs[0]),
                    "paper: time over PGS": ratio(theirs[1], pgs[1])}
        rows.append(row)
        print(*row.values(), flush=True)
        axis.loglog(*zip(*sorted(curve.items())), ".-", label=method)
    for name, (sweeps, curve) in split(path, replay).items():
        rows.append(dict.fromkeys(rows[0], "") | {
            "scene": scene, "start": start, "contacts": contacts, "method": name, "sweeps": sweeps or missed(curve),
            "sweeps over pgs": ratio(sweeps, of_pgs[0]) if sweeps else ""})
        print(*rows[-1].values(), flush=True)
        if sweeps:
            axis.loglog(*zip(*sorted(curve.items())), ":", label=name)
    axis.set(title=f"{scene}, start {start}", xlabel="sweeps", ylabel="RES")
    axis.legend(fontsize="small")
    return rows


def formed(scene, path, folder):
    """A row of sweeps of amgs on J and M^-1 beside those on A."""
    lcp = planar_problems.Lcp(path)
    start = time.process_time()
    dense = lcp.form()
    forming = time.process_time() - start
    rows, columns = numpy.indices(dense.shape).reshape(2, -1)
    stored = {"sparse": scipy.sparse.coo_matrix(dense), "dense": scipy.sparse.coo_matrix((dense.ravel(), (rows, columns)))}
    on_j = seconds(path, "amgs", SWEEPS_ON_A, replay=False, repeats=REPEATS_ON_A)
    row = {"scene": scene, "rows": len(dense), "sweeps": SWEEPS_ON_A, "on J, ms": f"{1e3 * on_j:.1f}"}
    for name, matrix in stored.items():
        file = folder / f"{scene}-{name}.hdf5"
        lcp_problems.write(file, matrix, lcp.q)
        spent = seconds(file, "amgs", SWEEPS_ON_A, replay=False, repeats=REPEATS_ON_A)
        row |= {f"A {name}, entries": matrix.nnz, f"A {name}, ms": f"{1e3 * spent:.1f}", f"A {name} over J": ratio(spent, on_j)}
    return row | {"forming A, ms": f"{1e3 * forming:.1f}", "paper: A over J": f"{FORMED[scene]:.1f}" if scene in FORMED else ""}


def processor_seconds(scene, steps, method, folder):
    """Of a run of 200 sweeps a step."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    planar_scenes.simulate(scene, folder, steps, method, 200, MU)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def of_alpha(alpha):
    return f"amgs:alpha={alpha}"


def table_2(scene, steps, alphas, repeats, folder, axis):
    """Rows of the time of steps of 200 sweeps, and of RES with 10."""
    rows, of_pgs = [], {}
    paper = dict(zip(["pgs", *map(of_alpha, ALPHAS)], STEPS.get(scene, ())))
    for method in ["pgs", *map(of_alpha, alphas)]:
        spent = min(processor_seconds(scene, steps, method, folder) for _ in range(repeats))
        errors = planar_problems.res_of_run(planar_scenes.simulate(scene, folder, steps, method, 10, MU, dump=EVERY))
        of_pgs.setdefault("s", spent)
        rows.append({"scene": scene, "method": method, "steps": steps, "200 sweeps: s": f"{spent:.2f}",
                     "over pgs": ratio(spent, of_pgs["s"]),
                     "paper: over PGS": ratio(paper[method], paper["pgs"]) if method in paper else ""})
        for name, part in parts(errors).items():
            median = statistics.median(part)
            of_pgs.setdefault(name, median)
            rows[-1] |= {f"10 sweeps: RES, median of {name}": f"{median:.2e}", f"of {name}, over pgs": ratio(median, of_pgs[name]),
                         f"largest of {name}": f"{max(part):.2e}"}
        print(*rows[-1].values(), flush=True)
        ends = range(FIRST + BLOCK, steps + 1, BLOCK)
        axis.semilogy(ends, [statistics.median(between(errors, end - BLOCK, end)) for end in ends], label=method, linewidth=0.8)
    axis.set(title=f"{scene}, 10 sweeps a step", xlabel="step", ylabel=f"RES, median of {BLOCK} steps")
    axis.legend(fontsize="small")
    return rows


def parts(errors):
    """RES of the steps before that from which the paper sees its method gain in Pool 1, and of those after; all in a
    run that ends before.
    """
    last = max(errors)
    if last <= GAIN:
        return {f"steps to {last}": between(errors, FIRST, last)}
    return {f"steps to {GAIN}": between(errors, FIRST, GAIN), f"steps after {GAIN}": between(errors, GAIN, last)}


def between(errors, first, last):
    """Those of the steps after @p first up to @p last."""
    return [error for step, error in errors.items() if first < step <= last]


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", nargs="+", default=["stacking30", "pool1", "pool2", "stacking150"])
    parser.add_argument("--methods", nargs="+", default=METHODS, help="of Table 1; the first is what others are compared with")
    parser.add_argument("--points", type=int, nargs="+", default=FIGURE, help="sweeps in Figures 3 to 5")
    parser.add_argument("--steps", type=int, default=1000, help="of Table 2")
    parser.add_argument("--alphas", type=float, nargs="+", default=ALPHAS, help="of Table 2")
    parser.add_argument("--repeats", type=int, default=3, help="of what Tables 1 and 2 time: the least counts")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS), help="lcps: the tables lcps and formed; runs: the table steps")
    common.declare_results(parser)
    return parser.parse_args()


def problem_of(scene, folder, method, sweeps, mu):
    """The problem of step 100."""
    run = planar_scenes.simulate(scene, folder, STEP, method, sweeps, mu, dump=STEP)
    path = folder / f"{scene}.hdf5"
    return max((run / "problems").glob("*.hdf5")).rename(path)


def lcps(args, folder):
    """Table 1, Figures 3 to 5, and the sweeps on A formed."""
    rows, of_formed = [], []
    plot, axes = axes_of(args.scenes, 3)
    for k, scene in enumerate(args.scenes):
        figure(scene, problem_of(scene, folder, "pgs", 10, MU), args.points, folder, axes[0, k])
        for axis, (start, method, sweeps) in zip(axes[1:, k], (("kept", "pgs", 10), ("zero", "auto", 0))):
            path = problem_of(scene, folder, method, sweeps, 0.0)
            rows += table_1(scene, path, start, args.methods, args.repeats, folder, axis)
        of_formed.append(formed(scene, path, folder))
        common.write_results(args.results / "lcps", "Sweeps to RES 1e-4 beside Miyamoto and Yamashita, Table 1", args.command, rows,
                             picture="lcps.png")
        common.write_results(args.results / "formed", "Sweeps without A, and with A formed",
                             args.command, of_formed)
        plot.savefig(args.results / "lcps.png", dpi=70)


def runs(args, folder):
    """Table 2, and Figures 6 to 8."""
    rows = []
    plot, axes = axes_of(args.scenes, 1)
    for axis, scene in zip(axes[0], args.scenes):
        rows += table_2(scene, args.steps, args.alphas, args.repeats, folder, axis)
        common.write_results(args.results / "steps", "Whole runs beside Miyamoto and Yamashita, Table 2", args.command, rows,
                             picture="steps.png")
        plot.savefig(args.results / "steps.png", dpi=70)


def axes_of(scenes, rows):
    """A plot with a column for each scene, and its axes."""
    return plt.subplots(rows, len(scenes), figsize=(5 * len(scenes), 4.5 * rows), layout="constrained", squeeze=False)


PARTS = {"lcps": lcps, "runs": runs}


def main():
    args = parse()
    args.results.mkdir(parents=True, exist_ok=True)
    args.command = f"scripts/bench/run planar --scenes {' '.join(args.scenes)} --steps {args.steps} --repeats {args.repeats}"
    with tempfile.TemporaryDirectory() as name:
        for part in args.parts:
            PARTS[part](args, pathlib.Path(name))


if __name__ == "__main__":
    main()
