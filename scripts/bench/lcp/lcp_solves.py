"""What the parts of scripts/bench/lcp share: their problems, solves of them by scree, and what tables say of those.

Variables are not scaled, and no step of a Newton method follows the gradient, as in the paper, but where a method's keys
say so. The paper counts evaluations of a Newton method's merit, one more than its steps, and the sweeps of the others.
"""
import collections
import concurrent.futures
import dataclasses
import pathlib
import statistics

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import common
import lcp_problems

NEWTON = ("minmap", "fischer")
STRATEGIES = ("random", "zero", "perturbation", "approximation")


def declare(parser):
    parser.add_argument("--problems", type=int, default=100, help="of each kind")
    parser.add_argument("--fluid-size", type=int, default=1000)
    parser.add_argument("--contacts", type=int, default=30, help="of a contact problem, six variables each")
    parser.add_argument("--dense-size", type=int, default=100)
    parser.add_argument("--shares", type=float, nargs="+", default=[0.0, 0.2, 0.4, 0.6, 0.8], help="of zero eigenvalues")
    parser.add_argument("--largest", type=int, default=64000, help="variables of the largest problem that is timed")
    parser.add_argument("--methods", nargs="+", help="of the parts' methods these alone, but for lemke and baraff")
    parser.add_argument("--strategies", nargs="+", choices=STRATEGIES, default=STRATEGIES,
                        help="of fischer, in the part of that name; perturbation is one of them")
    parser.add_argument("--factors", type=float, nargs="+", help="of psor, in place of those of the part relaxation")
    parser.add_argument("--repeats", type=int, default=3, help="of what the part seconds times: the least counts")
    parser.add_argument("--jobs", type=int, default=1, help="solves at a time")
    common.declare_results(parser)


@dataclasses.dataclass
class Study:
    part: str
    title: str
    args: object  # as declared above
    folder: pathlib.Path  # of the problems

    def problem(self, kind, seed, size=0, **more):
        """The file of a problem of this kind (lcp_problems.py), by default of the size that the options say."""
        sizes = {"fluid": self.args.fluid_size, "contact": 6 * self.args.contacts}
        size = size or sizes.get(kind, self.args.dense_size)
        return lcp_problems.make(self.folder / f"{kind}{size}-{seed}.hdf5", kind, size, seed, **more)

    def chosen(self, methods):
        """Those of a part's methods that are to be taken."""
        return [method for method in methods if method in (self.args.methods or methods)]

    def solve_all(self, paths, method, absolute=1e-3, relative=1e-6, iterations=100):
        with concurrent.futures.ThreadPoolExecutor(self.args.jobs) as pool:
            return list(pool.map(lambda path: solve(path, method, absolute, relative, iterations), paths))

    def write(self, rows, note="", figure=None):
        command = f"scripts/bench/run lcp {self.part} --problems {self.args.problems}"
        picture = f"{self.part}.png" if figure else None
        common.write_results(self.args.results / self.part, self.title, command, rows, note, picture=picture)
        if figure:
            figure.savefig(self.args.results / picture, dpi=80)


def solve(path, method, absolute=1e-3, relative=1e-6, iterations=100):
    """The report of a method that ends by its own merit alone."""
    name, _, keys = method.partition(":")
    if name in NEWTON:
        as_published = [f"{key}=false" for key in ("scaled", "gradient") if key not in keys]
        method = f"{name}:" + ",".join(filter(None, [*as_published, keys]))
    rules = [f"solver.merit.absolute={absolute}", f"solver.merit.relative={relative}"]
    return checked(path, method, common.solve(path, method, "coulomb", 1e-300, 600, max_iterations=iterations, overrides=rules))


def pivot(path, method):
    """The report of a pivoting method, which has no merit and ends with a solution, or where there is none."""
    return checked(path, method, common.solve(path, method, "coulomb", 1e-8, 600))


def checked(path, method, report):
    if "history" not in report:
        raise SystemExit(f"{method} on {path.name}: {report['status']}")
    return report


def evaluations(method, iterations):
    """The iterations as the paper counts them."""
    return iterations + (method.partition(":")[0] in NEWTON)


def iterations_to(report, merit):
    """The iteration after which the merit was first below this; None where it never was."""
    return next((p["iteration"] for p in report["history"] if p["iteration"] > 0 and p["merit"] < merit), None)


def end_of(report):
    """The rule of section 6 that ended a method, or its status."""
    return report.get("merit_rule", report["status"])


def ends_of(reports):
    return ", ".join(f"{n} {end}" for end, n in sorted(collections.Counter(map(end_of, reports)).items()))


def spread(counts):
    """Mean, least, most and standard deviation."""
    return f"{statistics.mean(counts):.2f} {min(counts)} {max(counts)} {statistics.pstdev(counts):.2f}" if counts else ""


def counts_of(method, reports):
    """Iterations, as the paper counts them, of the solves that ended by their merit."""
    return [evaluations(method, report["iterations"]) for report in reports if end_of(report) == "absolute"]


def panels(n):
    """A figure of n axes in a row."""
    return plt.subplots(1, n, figsize=(5.5 * n, 4.5), layout="constrained", squeeze=False)


def plot_merits(axes, curves, title):
    """Merit over iterations, of (label, report)."""
    for label, report in curves:
        points = [(point["iteration"], point["merit"]) for point in report["history"] if point.get("merit")]
        axes.semilogy(*zip(*points), label=label)
    axes.set_title(title)
    axes.set_xlabel("iteration")
    axes.set_ylabel("merit")
    axes.set_ylim(1e-22, None)
    axes.legend(fontsize="small")
