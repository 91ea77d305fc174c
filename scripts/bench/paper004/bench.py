"""Figures 8 to 11 of Kleinert, Simeon and Obermayr on piles like theirs, with scree's own method in the same plots.

  scripts/bench/run paper004 PILES [--first box2048t] [--second box5040t] [--seeds 1 2 3 4 5] [--seconds 50]
      [--max-seconds 160] [--figures 8 9 10 11 12] [--published FOLDER] [--results FOLDER] [--table NAME]

"An Inexact Interior Point Method for the Large-Scale Simulation of Granular Material", section 5: Test Problem 1 is
2,048, Test Problem 2 5,040 non-rotating spheres, here of scripts/bench/piles (--first and --second; heap2048t and
heap5040t as well), which makes those that are missing in the folder PILES. With --published they are the paper's own piles,
from its authors' files in FOLDER (lib/published_piles.py), figures are 8 to 11, and the table is `published`. The relaxed law throughout.

  8   spread of the eigenvalues of each system, plain, with compliance R, and with IC(0) or ILU(0); Test Problem 1
  9   cost over Krylov iterations and over seconds, by Krylov method; Test Problem 2
  10  cost, path following and potential reduction, exact steps and BiCGstab with IC(0); Test Problem 2
  11  error over seconds with projected Gauss-Jacobi, and over iterations with exact steps; both
  12  not in the paper, error over Krylov iterations and over seconds: rigid contacts, without R, with R in the matrix alone as
      published, and contacts that yield by the R of (32) and (33), each by its own radii; Test Problem 1

NAME-figN.png are of the first seed; figures but 11 are made with it alone. NAME-fig8.csv has the numbers of figure 8. NAME.csv has a row a solve,
for figure 11 of every seed. Each solve is shown until a residual of 1e-4, --iterations (projected Gauss-Jacobi: a
million) or --seconds of the processor; --max-seconds by the clock are so many more that the processor's are had whatever
else runs. Seconds in the table are those of the processor. The linear residual is at
most 1e-5 of the right-hand side or that of 500 iterations. R is 5.3e-4/kg for the normal, that of a Young's modulus of
1e9 Pa and the mean radius; in figure 12 it is each contact's. Figure 8 has extreme eigenvalues to 1e-3, and where they are
not found, none; with ILU(0), extreme singular values of GMRES' matrix. Solves are kept in FOLDER/solves/: a bench that was
cut off goes on there.
"""
import argparse
import pathlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import common
import published_piles

TOLERANCE = 1e-4
YIELDING = "young1e9@"  # before a method: contacts of the problem yield
PAPER = "kleinert"
EXACT = f"{PAPER}:linear_solver=mumps"
R = "compliance=5.3e-4"
KRYLOV = "max_krylov=500,forcing=1e-5"
AGGRESSIVE = "beta=potential_reduction"
SPECTRUM = "spectrum=6400"


def krylov(method, preconditioner, compliance=R):
    return f"{PAPER}:linear_solver={method},preconditioner={preconditioner},{KRYLOV},{compliance}"


OURS = {"scree's ipm": "ipm", "scree's ipm, cg only": "ipm:linear_solver=cg,max_krylov=20000"}
BICGSTAB = krylov("bicgstab", "ic")
RIGID = "compliance=0"
# of each figure: the problems (first, second), and the methods by their label in the plot
FIGURES = {
    8: (("first",), {"plain": f"{EXACT},preconditioner=none,{SPECTRUM}",
                     "R": f"{EXACT},preconditioner=none,{R},{SPECTRUM}",
                     "R, IC(0)": f"{EXACT},preconditioner=ic,{R},{SPECTRUM}",
                     "R, ILU(0): singular values": f"{EXACT},preconditioner=ilu,{R},{SPECTRUM}"}),
    9: (("second",), {"CG, IC(0)": krylov("cg", "ic"), "CG": krylov("cg", "none"),
                      "GMRES, IC(0)": krylov("gmres", "ic"), "BiCGstab, IC(0)": BICGSTAB, **OURS}),
    10: (("second",), {"path following, exact": EXACT, "potential reduction, exact": f"{EXACT},{AGGRESSIVE}",
                       "path following, BiCGstab": BICGSTAB,
                       "potential reduction, BiCGstab": f"{BICGSTAB},{AGGRESSIVE}", **OURS}),
    11: (("first", "second"), {"PGJ": "pgj", "paper, BiCGstab, IC(0)": BICGSTAB,
                               "paper, exact": EXACT, **OURS}),
    12: (("first",), {"no R": krylov("bicgstab", "ic", RIGID), "R in the matrix": BICGSTAB,
                      "R of each contact": YIELDING + krylov("bicgstab", "ic", RIGID),
                      "R of each contact, PGJ": YIELDING + "pgj"}),
}
EVERY_SEED = (11,)
PGJ_ITERATIONS = 1000000


def solves(args, figure, seed):
    """Of each solve of a figure: its test problem, the pile, the label in the plot and the method."""
    problems, methods = FIGURES[figure]
    for name in (getattr(args, problem) for problem in problems):
        for label, words in methods.items():
            young, at, method = words.rpartition("@")
            yield name, f"{name}{'-' if at else ''}{young}-seed{seed}", label, method


def seeds_of(args, figure):
    return args.seeds if figure in EVERY_SEED else args.seeds[:1]


def piles(args):
    """The names of all that the figures want, one of a kind."""
    return list(dict.fromkeys(pile for figure in args.figures for seed in seeds_of(args, figure)
                              for _, pile, _, _ in solves(args, figure, seed)))


class Bench:
    """The solves, one of a kind, and the rows of the table."""

    def __init__(self, args):
        self.args = args
        self.rows = {}

    def shown(self, report):
        """What a solve comes to in the processor seconds that all have."""
        history = [p for p in report.get("history", []) if p["processor_seconds"] <= self.args.seconds]
        if len(history) == len(report.get("history", [])):
            return report
        return report | {"history": history, "status": f"{self.args.seconds:g} s", "measures": history[-1]}

    def solve(self, pile, method):
        file = self.args.folder / f"{pile}.hdf5"
        iterations = PGJ_ITERATIONS if method == "pgj" else self.args.iterations
        report = common.solve_once(self.args.results / "solves", file, method, "associated", TOLERANCE,
                                   self.args.max_seconds, max_iterations=iterations)
        report = self.shown(report)
        self.rows[pile, method] = self.row(pile, method, report)
        return report

    @staticmethod
    def row(pile, method, report):
        def cell(bound):
            point = common.reaches(report, "error", bound)
            if point is None:
                return "-"
            return f"{point['iteration']} / {point['inner']} / {point['processor_seconds']:.3g}"
        history = report.get("history", [])
        errors = [p["error"] for p in history[1:] if p["error"] is not None]
        feasible = next((str(p["iteration"]) for p in history[1:] if p["feasibility"] <= 1e-12), "-")
        return {"pile": pile, "method": method, "contacts": report.get("contacts", ""), "status": report["status"],
                "error 1e-3: iterations / Krylov / s": cell(1e-3), "error 1e-6": cell(1e-6),
                "feasible from": feasible, "smallest error": f"{min(errors):.1e}" if errors else "-",
                "residual": f"{report['measures']['residual']:.1e}" if "measures" in report else "-",
                "s": f"{history[-1]['processor_seconds']:.3g}" if history else "-"}

    def curves(self, figure, seed):
        for name, pile, label, method in solves(self.args, figure, seed):
            yield f"{name}-seed{seed}", label, self.solve(pile, method).get("history", [])[1:]


def draw(axis, points, key, measure, label, colour, style):
    """A measure over iterations, Krylov iterations or seconds; what is zero has no place on the axis."""
    shown = [p for p in points if p[measure] is not None and p[measure] > 0]
    least = 1e-3 if key == "processor_seconds" else 1
    axis.plot([max(p[key], least) for p in shown], [p[measure] for p in shown], style, color=colour,
              label=label, linewidth=1)


def draw_spectra(axes, curves):
    for _, label, points in curves:
        shown = [p for p in points if p.get("eigenvalues") and p["eigenvalues"][1] is not None]
        iterations = [p["iteration"] for p in shown]
        low, high = ([p["eigenvalues"][k] for p in shown] for k in (0, 1))
        line, = axes[0].semilogy(iterations, low, label=label, linewidth=1)
        axes[0].semilogy(iterations, high, color=line.get_color(), linewidth=1)
        axes[1].semilogy(iterations, [b / a if a > 0 else float("nan") for a, b in zip(low, high)], linewidth=1)
    axes[0].set(xlabel="iteration", ylabel="smallest and largest eigenvalue")
    axes[1].set(xlabel="iteration", ylabel="largest over smallest")


def spectrum_rows(curves):
    """The rows of figure 8's table."""
    return [{"pile": pile, "matrix": label, "iteration": p["iteration"],
             "smallest": "" if p["eigenvalues"][0] is None else f"{p['eigenvalues'][0]:.3e}",
             "largest": "" if p["eigenvalues"][1] is None else f"{p['eigenvalues'][1]:.3e}"}
            for pile, label, points in curves for p in points if p.get("eigenvalues")]


def draw_convergence(axes, curves, measure, left, right):
    """Two plots of a measure: (key, name of the axis) of each."""
    colours = {label: f"C{n}" for n, label in enumerate(dict.fromkeys(label for _, label, _ in curves))}
    for pile, label, points in curves:
        first = pile == curves[0][0]
        for axis, (key, _) in zip(axes, (left, right)):
            if key != "inner" or points[-1]["inner"] > 0:
                draw(axis, points, key, measure, label if first else None, colours[label], "-" if first else "--")
    for axis, (key, name) in zip(axes, (left, right)):
        axis.set(xlabel=name, ylabel=measure, yscale="log")
        if key != "iteration":
            axis.set_xscale("log")


SECONDS = ("processor_seconds", "processor seconds")


def plot(figure, curves, path):
    curves = [curve for curve in curves if curve[2]]
    canvas, axes = plt.subplots(1, 2, figsize=(11, 4.2))
    if figure == 8:
        draw_spectra(axes, curves)
    elif figure == 9:
        draw_convergence(axes, curves, "cost", ("inner", "Krylov iterations"), SECONDS)
    elif figure == 10:
        draw_convergence(axes, curves, "cost", ("iteration", "iterations"), SECONDS)
    elif figure == 12:
        draw_convergence(axes, curves, "error", ("inner", "Krylov iterations"), SECONDS)
    else:
        draw_convergence(axes, curves, "error", ("iteration", "iterations"), SECONDS)
        axes[0].set_xlim(0, 100)
    piles = list(dict.fromkeys(pile for pile, _, _ in curves))
    axes[0].set_title(", ".join(piles) + (" (dashed)" if len(piles) > 1 else ""), fontsize=9)
    (axes[0] if figure == 8 else axes[1]).legend(fontsize=7)
    canvas.tight_layout()
    canvas.savefig(path, dpi=100)
    plt.close(canvas)


OWN = {"first": "box2048t", "second": "box5040t", "seeds": [1, 2, 3, 4, 5], "figures": list(FIGURES)}


def published(parser, args):
    """The paper's own piles as those of the figures, each of one kind."""
    if args.first or args.second or args.seeds:
        parser.error("--published has piles of its own: leave --first, --second and --seeds out")
    if 12 in (args.figures or []):
        parser.error("--published: figure 12 is of contacts that yield, which its piles have not")
    args.folder.mkdir(parents=True, exist_ok=True)
    for grains, reach in published_piles.REACHES.items():
        published_piles.write(args.published, grains, reach, args.folder / f"{published_piles.name_of(grains)}-seed1.hdf5")
    first, second = map(published_piles.name_of, published_piles.REACHES)
    if args.table == parser.get_default("table"):
        args.table = "published"
    return {"first": first, "second": second, "seeds": [1], "figures": [8, 9, 10, 11]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, metavar="PILES")
    parser.add_argument("--first")
    parser.add_argument("--second")
    parser.add_argument("--seeds", nargs="+", type=int)
    parser.add_argument("--figures", nargs="+", type=int, choices=FIGURES)
    parser.add_argument("--seconds", type=float, default=50.0, help="of the processor, of each solve")
    parser.add_argument("--iterations", type=int, default=100, help="of each solve, but of projected Gauss-Jacobi")
    parser.add_argument("--max-seconds", type=float, default=160.0, help="of each solve by the clock")
    parser.add_argument("--published", type=pathlib.Path, metavar="FOLDER", help="of the paper's own piles: pile2048.csv.gz and "
                        "pile5040.csv.gz")
    parser.add_argument("--note", default="", help="what the tables say of the machine")
    common.declare_results(parser, "box")
    args = parser.parse_args()
    for name, value in (published(parser, args) if args.published else OWN).items():
        setattr(args, name, getattr(args, name) or value)

    problems = ("--published FOLDER" if args.published else
                f"--first {args.first} --second {args.second} --seeds {' '.join(map(str, args.seeds))}")
    command = (f"scripts/bench/run paper004 PILES {problems} --figures {' '.join(map(str, args.figures))} "
               f"--seconds {args.seconds:g} --max-seconds {args.max_seconds:g} --table {args.table}")
    common.make_piles(args.folder, piles(args))
    bench = Bench(args)
    for figure in args.figures:
        for seed in seeds_of(args, figure):
            curves = list(bench.curves(figure, seed))
            if seed == args.seeds[0]:
                plot(figure, curves, args.results / f"{args.table}-fig{figure}.png")
            if figure == 8:
                common.write_results(args.results / f"{args.table}-fig8", "Spread of the eigenvalues, Figure 8", command,
                                     spectrum_rows(curves), args.note, picture=f"{args.table}-fig8.png")
    pictures = [f"![Figure {figure}]({args.table}-fig{figure}.png)" for figure in args.figures if figure != 8]
    common.write_results(args.results / args.table, "The test problems of Kleinert, Simeon and Obermayr", command,
                         list(bench.rows.values()), args.note, pictures)


if __name__ == "__main__":
    main()
