"""Algorithm 1 of Kleinert, Simeon and Obermayr with exact friction: does line 13's gradient by (13) lead there?

  scripts/bench/run exact_gradient FOLDER [--problems box50t-seed1 slope-400 ...] [--max-seconds 60] [--results FOLDER]

"An Inexact Interior Point Method for the Large-Scale Simulation of Granular Material", sections 2.4, 4 and 5.1. FOLDER
gets the problems: piles (scripts/bench/piles), and the steps of small forms of the examples in configs/ (SCENES), such
as slope-400; those that are there are kept. Methods:

  associated              the relaxed law, F linear: what scree's kleinert is, iteration by iteration
  exact, N                the exact law as printed, line 13's first choice; F is evaluated at the start alone
  exact, (13)             as printed, line 13's second choice
  ..., corrected          y - F(x) - s d, by which as printed y drifts, brought back in each step (algorithm1.py)
  ..., damped             with less of (13) in steps whose A has a negative determinant
  nsgs, pac               scree's own methods for the exact law, each alone, from zero impulses
  kleinert                scree's, the relaxed law, exact steps

Residuals are those of docs/model.md, of the method's own law, computed by judge.py for all methods but scree's own;
exact_residual is that of the exact law where the path ends. Paths end at a residual of 1e-8 or after 100 iterations (the
paper's), where theta < 1e-4 (steps vanish), where x.y is 1e-20 of its first value (complementary), or where rounding puts
x or y out of the cones. detA<0 and indefinite: steps whose A = P(w) + G has a negative determinant, and whose symmetric
part has negative eigenvalues; most_negative: how many of its 3 n, at most. families.csv has a row a family of problems and method
(iterations: medians of those that reach 1e-8), problems.csv each problem. Paths
and solves are kept in FOLDER/solves/.
"""
import argparse
import itertools
import json
import pathlib
import shutil
import statistics
import tempfile

import h5py
import scipy.sparse.linalg

import algorithm1
import common
import fclib_matrix
import judge
import signs

TOLERANCE = 1e-8
LOOSE = 1e-4
ITERATIONS = 100  # the paper's
COMPLEMENTARY = 1e-20
SCREE = {"nsgs": "coulomb", "pac": "coulomb", "kleinert:linear_solver=mumps": "associated"}
PILES = [f"{pile}-seed{seed}" for pile, seed
         in itertools.product(("box50t", "box50r", "heap50t", "heap50r", "heap200t", "heap200r"), (1, 2, 3))]
SHALLOW_BED = "tools.blade.motion.displacements=[[0, 0, 0], [0, 0, -0.235], [0.4, 0, -0.235]]"
# small forms of configs/NAME.yaml, in which contacts slide: the time step in s, and what is set
SCENES = {"slope": (1e-3, ["bodies.flow.place.count=300", "bodies.flow.place.high=[0.2, 0.1, 0.06]"]),
          "drum": (1e-3, ["bodies.bed.place.count=300"]),
          "trench": (2e-3, ["bodies.bed.place.count=600", SHALLOW_BED])}
STEPS = ["slope-200", "slope-400", "drum-400", "drum-600", "trench-300", "trench-400"]


def make_step(folder, name):
    """The contact problem of a step of one of SCENES."""
    file = pathlib.Path(folder) / f"{name}.hdf5"
    if not file.exists():
        scene, step = name.split("-")
        dt, settings = SCENES[scene]
        with tempfile.TemporaryDirectory() as scratch:
            common.run(common.ROOT / "configs" / f"{scene}.yaml", scratch, 1,
                       [*settings, f"debug.fclib.every={step}", f"time.dt={dt}", f"time.end={int(step) * dt}"])
            shutil.move(pathlib.Path(scratch) / "problems" / f"step_{int(step):08d}.hdf5", file)
    return file


def make_problem(folder, name):
    return make_step(folder, name) if name.split("-")[0] in SCENES else common.make_piles(folder, [name])[0]


def read(file):
    """W, symmetric to the last bit, q and mu."""
    with h5py.File(file) as hdf5:
        group = hdf5["fclib_global"]
        M, H = (fclib_matrix.read(group[name]).tocsc() for name in "MH")
        force, velocity, mu = (group[f"vectors/{name}"][:] for name in ("f", "w", "mu"))
    if not (mu > 0).all():
        raise SystemExit(f"{file}: contacts without friction")
    inverse = scipy.sparse.linalg.inv(M)
    W = H.T @ inverse @ H
    return ((W + W.T) / 2).tocsr(), H.T @ (inverse @ force) + velocity, mu


class Walk:
    """What is recorded of a path: residuals before each step and at the end, and of each step theta and what A is."""

    def __init__(self):
        self.residuals, self.thetas, self.flipped, self.negatives = [], [], [], []
        self.ends = None

    def reaches(self, bound):
        return next((k for k, residual in enumerate(self.residuals) if residual <= bound), None)


def end_before_step(path, walk, first_cost):
    if walk.residuals[-1] <= TOLERANCE:
        return "converged"
    if len(walk.thetas) == ITERATIONS:
        return "iteration limit"
    return "complementary" if path.cost() <= COMPLEMENTARY * first_cost else None


def take_step(path, walk):
    """How the path ends by it, if it does."""
    try:
        system = path.system()
        factors = scipy.sparse.linalg.splu(system.A)
        negatives = signs.negative_eigenvalues((system.A + system.A.T) / 2)
    except RuntimeError:
        return "singular"
    theta = path.step(system, factors)
    if theta is None:
        return "rounding"
    walk.thetas.append(theta)
    walk.negatives.append(negatives)
    walk.flipped.append(signs.of_determinant(factors) < 0)
    return "steps vanish" if theta < algorithm1.SHORT_STEP else None


def follow(W, q, mu, law):
    """The path by one law, to its end."""
    path, walk = algorithm1.Path(W, q, mu, law), Walk()
    first_cost = path.cost()
    while walk.ends is None:
        walk.residuals.append(judge.residual(W, q, mu, path.impulses(), law.exact))
        walk.ends = end_before_step(path, walk, first_cost) or take_step(path, walk)
    if len(walk.thetas) == len(walk.residuals):  # the last step ended it
        walk.residuals.append(judge.residual(W, q, mu, path.impulses(), law.exact))
    return path, walk


def path_row(problem, method, law):
    W, q, mu = problem
    path, walk = follow(W, q, mu, law)
    return {"contacts": len(mu), "method": method, "ends": walk.ends, "iterations": len(walk.thetas),
            "to 1e-4": walk.reaches(LOOSE), "to 1e-8": walk.reaches(TOLERANCE), "residual": min(walk.residuals),
            "exact_residual": judge.residual(W, q, mu, path.impulses()), "least_theta": min(walk.thetas),
            "drift": float(abs(path.defect()).max()), "detA<0": int(sum(walk.flipped)),
            "indefinite": sum(n > 0 for n in walk.negatives), "most_negative": max(walk.negatives)}


def scree_row(file, method, friction, max_seconds, folder):
    report = common.solve_once(folder, file, method, friction, TOLERANCE, max_seconds)
    if "measures" not in report:
        raise SystemExit(f"{file}: {method}: {report['status']}")
    reached = {bound: common.reaches(report, "residual", bound) for bound in (LOOSE, TOLERANCE)}
    return {"contacts": report["contacts"], "method": method.partition(":")[0], "ends": report["status"],
            "iterations": report["iterations"], "to 1e-4": reached[LOOSE] and reached[LOOSE]["iteration"],
            "to 1e-8": reached[TOLERANCE] and reached[TOLERANCE]["iteration"], "residual": report["measures"]["residual"]}


def path_rows(file, folder):
    """Of all laws, kept in FOLDER."""
    kept = pathlib.Path(folder) / f"{file.stem}-paths.json"
    rows = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    missing = algorithm1.LAWS.keys() - rows.keys()
    problem = read(file) if missing else None
    rows |= {method: path_row(problem, method, algorithm1.LAWS[method]) for method in missing}
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps(rows), encoding="utf-8")
    return [rows[method] for method in algorithm1.LAWS]


def rows_of(file, args):
    solves = args.results / "solves"
    yield from path_rows(file, solves)
    for method, friction in SCREE.items():
        yield scree_row(file, method, friction, args.max_seconds, solves)


def family_rows(rows):
    """The rows of the problems that differ by their seed or step alone, method by method."""
    def key(row):
        return row["problem"].rpartition("-")[0]
    for family, members in itertools.groupby(rows, key):
        members = list(members)
        for method in dict.fromkeys(row["method"] for row in members):
            of_method = [row for row in members if row["method"] == method]
            solved = [row["to 1e-8"] for row in of_method if row["to 1e-8"] is not None]
            yield {"family": family, "method": method, "problems": len(of_method),
                   "to 1e-4": sum(row["to 1e-4"] is not None for row in of_method), "to 1e-8": len(solved),
                   "iterations": statistics.median_high(solved) if solved else None,
                   "largest residual": max(row["residual"] for row in of_method),
                   "steps vanish": sum(row["ends"] == "steps vanish" for row in of_method),
                   "detA<0": sum(row.get("detA<0", 0) > 0 for row in of_method),
                   "indefinite": sum(row.get("indefinite", 0) > 0 for row in of_method)}


def cells(rows):
    """All columns in all rows, as text."""
    columns = list(dict.fromkeys(column for row in rows for column in row))

    def cell(value):
        return "-" if value is None else f"{value:.1e}" if isinstance(value, float) and value % 1 else str(value)
    return [{column: cell(row.get(column)) for column in columns} for row in rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--problems", nargs="+", default=PILES + STEPS, metavar="NAME")
    parser.add_argument("--max-seconds", type=float, default=60.0, help="of each of scree's own solves")
    common.declare_results(parser)
    args = parser.parse_args()

    rows = []
    for name in args.problems:
        for row in rows_of(make_problem(args.folder, name), args):
            rows.append({"problem": name} | row)
    title, command = "Exact friction in Algorithm 1 of Kleinert, Simeon and Obermayr", "scripts/bench/run exact_gradient FOLDER"
    if args.problems != PILES + STEPS:
        command += f" --problems {' '.join(args.problems)}"
    common.write_results(args.results / "problems", f"{title}: each problem", command, cells(rows))
    common.write_results(args.results / "families", title, command, cells(list(family_rows(rows))))


if __name__ == "__main__":
    main()
