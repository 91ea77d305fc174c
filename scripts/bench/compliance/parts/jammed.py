"""Boxes of spheres that turn, jammed, solved to 1e-8 by three methods over the softness of their contacts.

The problems are those of scripts/bench/piles. Each contact gets the compliance R_n = s N_nn, its normal entry of N, and
R_t = 1.25 R_n (about Mindlin's ratio), as bodies of its own with the mass 1/R in a copy of the file (docs/problems.md,
"From other codes"); s = 0 is the file as it is. stiffness_N_m: the stiffness k = 1/(dt^2 R_n) that this means, median of the
contacts (dt = 0.01 s in these problems; 3e4 N/m is a Young's modulus of 1e8 Pa at 1 N).

Each method solves from zero to 1e-8 or for 40 s, without a limit of iterations, with exact friction, and `ipm`, which goes
to it by a fixed point of relaxed problems, with the relaxed law too. In brackets: iterations.
"""
import pathlib

import h5py
import numpy

import common

TITLE = "Jammed boxes of turning spheres over the softness of their contacts"
PILES = ("box5040r-seed1", "box500r-seed1")
SOFTNESS = (0.0, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 1e-1)
METHODS = (("nsgs", "coulomb"), ("pac", "coulomb"), ("ipm", "coulomb"), ("ipm", "associated"))
TOLERANCE = 1e-8
MAX_SECONDS = 40
MOST_ITERATIONS = 10**7
TANGENT = 1.25  # R_t over R_n
DT = 0.01  # s, of the step that piles writes


def triplets(group):
    """(row, column, value) of a matrix that scree wrote."""
    return group["i"][:], group["p"][:], group["x"][:]


def normal_entries(group):
    """N_nn of each contact: the diagonal of H^T M^-1 H; M is diagonal for spheres."""
    row, column, mass = triplets(group["M"])
    assert (row == column).all()
    inverse = numpy.zeros(group["M/m"][0])
    inverse[row] = 1 / mass
    dof, contact_row, value = triplets(group["H"])
    diagonal = numpy.bincount(contact_row, inverse[dof] * value**2, minlength=group["H/n"][0])
    return diagonal.reshape(-1, 3)[:, 0]


def replace(group, name, values):
    kind = group[name].dtype
    del group[name]
    group[name] = numpy.asarray(values).astype(kind)


def append(group, rows, columns, values, shape):
    """Entries, and a new shape, of a matrix in triplets."""
    for name, more in (("i", rows), ("p", columns), ("x", values)):
        replace(group, name, numpy.concatenate([group[name][:], more]))
    for name, value in (("m", shape[0]), ("n", shape[1]), ("nz", len(group["x"])), ("nzmax", len(group["x"]))):
        replace(group, name, [value])


def soften(problem, softness, target):
    """A copy of @p problem in which every contact has a compliance."""
    with h5py.File(problem) as source, h5py.File(target, "w") as file:
        source.copy("fclib_global", file)
        group = file["fclib_global"]
        compliance = numpy.outer(softness * normal_entries(group), [1, TANGENT, TANGENT]).ravel()
        rows = numpy.arange(len(compliance))
        first = int(group["M/m"][0])
        dofs = first + rows
        append(group["M"], dofs, dofs, 1 / compliance, (first + len(rows),) * 2)
        append(group["H"], dofs, rows, numpy.ones(len(rows)), (first + len(rows), len(rows)))
        replace(group, "vectors/f", numpy.concatenate([group["vectors/f"][:], numpy.zeros(len(rows))]))
        group["info/compliant_rows"] = rows.astype("int32")
    return target


def seconds_to(report, bound):
    point = common.reaches(report, "residual", bound)
    return f"{point['processor_seconds']:.3g} ({point['iteration']})" if point else ""


def stiffness_of(problem, softness):
    """Median over the contacts of @p problem, N/m; none where they are rigid."""
    with h5py.File(problem) as file:
        normal = numpy.median(normal_entries(file["fclib_global"]))
    return f"{1 / (DT**2 * softness * normal):.2g}" if softness else ""


def row_of(pile, softness, stiffness, method, friction, report):
    return {"pile": pile, "contacts": report["contacts"], "R_over_N": f"{softness:g}", "stiffness_N_m": stiffness,
            "method": method, "friction": friction,
            **{f"{bound:g}: cpu_s": seconds_to(report, bound) for bound in (1e-4, 1e-6, 1e-8)},
            "status": report["status"], "iterations": report["iterations"], "factorisations": report["factorisations"],
            "residual": f"{report['measures']['residual']:.1e}", "cpu_s": f"{report['processor_seconds']:.3g}"}


def measure(study):
    piles = ("box60r-seed1",) if study.short else PILES
    for file in common.make_piles(study.folder / "piles", piles):
        for softness in SOFTNESS[-1:] if study.short else SOFTNESS:
            problem = soften(file, softness, study.folder / f"{file.stem}-{softness:g}.hdf5") if softness else file
            for method, friction in METHODS:
                report = common.solve_once(study.folder / "solves", pathlib.Path(problem), method, friction, TOLERANCE,
                                           MAX_SECONDS, max_iterations=MOST_ITERATIONS)
                if "measures" not in report:
                    raise SystemExit(f"{problem} {method}: {report['status']}")
                study.add(row_of(file.stem, softness, stiffness_of(file, softness), method, friction, report))
