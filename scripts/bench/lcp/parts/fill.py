"""The entries of a fluid matrix and of a contact matrix: Figure 1. Beside them the function whose zeros fischer seeks.

The paper's figure shows patterns of both; the table counts. Fischer's function (eqs. 84 and 92) is
phi(x, y) = sqrt(x^2 + y^2) - x - y: zero where x, y >= 0 and x y = 0, with a kink at x = y = 0.
"""
import numpy

import lcp_problems
from lcp_solves import panels

TITLE = "The entries of the matrices"


def plot_fischer(axes):
    grid = numpy.linspace(-1.0, 1.0, 201)
    x, y = numpy.meshgrid(grid, grid)
    levels = axes.contour(x, y, numpy.hypot(x, y) - x - y, numpy.arange(-0.5, 3.5, 0.25), linewidths=0.8)
    axes.clabel(levels, fontsize="small")
    axes.plot([0, 0, 1], [1, 0, 0], "k", linewidth=2, label="phi = 0")
    axes.set(title="Fischer's function", xlabel="x", ylabel="y", aspect="equal")
    axes.legend(fontsize="small")


def measure(study):
    figure, axes = panels(3)
    rows = []
    for place, (kind, size) in zip(axes[0], (("fluid", study.args.fluid_size), ("contact", 6 * study.args.contacts))):
        matrix = lcp_problems.MATRICES[kind](numpy.random.default_rng(0), size)
        place.spy(matrix, markersize=0.5 if kind == "fluid" else 1)
        place.set_title(f"Figure 1, {kind}")
        rows.append({"matrix": kind, "variables": size, "entries": matrix.nnz, "entries a row": f"{matrix.nnz / size:.1f}",
                     "symmetric": "yes" if abs(matrix - matrix.T).max() == 0 else "no",
                     "zeros on the diagonal": int((matrix.diagonal() == 0).sum())})
    plot_fischer(axes[0, 2])
    study.write(rows, figure=figure)
