"""Problems of beds that some ranks write and others solve: iterations on any number of ranks, and one of a million contacts."""
import json

import cells
import common

TOLERANCE = 1e-6
MAX_SECONDS = 1800
BED = 4  # cells
LARGE_BED = 80
WRITERS, SOLVERS = 4, 2
NEWTON = "ipm:linear_solver=cg,preconditioner="
# an interior point method solves associated cones; exact friction is a fixed point around it
METHODS = (("nsgs", "coulomb"), ("apgd", "coulomb"), ("pac", "coulomb"), (f"{NEWTON}point_jacobi", "associated"),
           (f"{NEWTON}ic", "associated"))


def written(folder, n_cells):
    """The problem of the first step of the bed, which starts to flow from no impulses; and what its run took."""
    output = folder / f"problem{n_cells}"
    config = folder / f"problem{n_cells}.yaml"
    config.write_text(json.dumps(cells.config(folder, n_cells, 1, {"method": "nsgs", "tolerance": 1e-4})), encoding="utf-8")
    took = common.run(config, output, WRITERS, overrides=["debug.fclib.every=1"])
    return output / "problems" / "step_00000001.hdf5", took


def solved(problem, method, friction, ranks):
    return common.solve(problem, method, friction, TOLERANCE, MAX_SECONDS, ranks)


def over(number, first):
    return f"{number / first:.2f}" if first else "-"


def iterations(folder, all_ranks):
    """Rows of each method on each number of ranks, beside the first."""
    problem, _ = written(folder, BED)
    rows = []
    for method, friction in METHODS:
        first = None
        for ranks in all_ranks:
            report = solved(problem, method, friction, ranks)
            first = first or report
            rows.append({"method": method.replace(":", " ").replace(",", " "), "friction": friction, "ranks": ranks,
                         "contacts": report["contacts"], "status": report["status"], "iterations": report["iterations"],
                         "krylov": report["inner_iterations"], "residual": f"{report['measures']['residual']:.1e}",
                         "iterations_over_first": over(report["iterations"], first["iterations"]),
                         "krylov_over_first": over(report["inner_iterations"], first["inner_iterations"])})
            print(rows[-1], flush=True)
    return rows


def large(folder):
    """The row of a problem of a million contacts."""
    problem, (seconds, megabytes) = written(folder, LARGE_BED)
    report = solved(problem, "nsgs", "coulomb", SOLVERS)
    return {"grains": LARGE_BED * cells.GRAINS, "contacts": report["contacts"], "written_by_ranks": WRITERS,
            "GB": f"{problem.stat().st_size / 1e9:.2f}", "run_s": f"{seconds:.0f}", "run_MB_of_largest_rank": f"{megabytes:.0f}",
            "solved_by_ranks": SOLVERS, "reading_s": f"{report['seconds_reading']:.1f}", "status": report["status"],
            "sweeps": report["iterations"], "residual": f"{report['measures']['residual']:.1e}",
            "solve_s": f"{report['seconds']:.0f}"}
