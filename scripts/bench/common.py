"""What the benches share: runs of scree, their tables, and Markdown."""
import csv
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

DONE, STOPPED = 0, 3  # statuses that scree ends with
ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("SCREE_PROGRAM", ROOT / "build" / "scree"))
RIGID = "materials.gravel.young_modulus=0"  # for benches of rigid grains on the examples


def environment():
    """Ranks may share cores, and the superuser may start them, in a bench; one rank alone starts no daemon."""
    return dict(os.environ, OMP_NUM_THREADS="1", OMPI_ALLOW_RUN_AS_ROOT="1",
                OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_ess_singleton_isolated="1")


def run(config, output, ranks=1, overrides=(), wall_limit=None):
    """Runs scree, to its end or to the wall limit in seconds; returns (wall seconds, peak memory of the largest rank
    in MB).
    """
    launcher = ["mpirun", "-n", str(ranks)] if ranks > 1 else []
    command = [*launcher, str(PROGRAM), "run", str(config), "--output", str(output), "--quiet",
               "--set", "output.overwrite=true"]
    if wall_limit:
        command += ["--wall-limit", str(wall_limit)]
    for override in overrides:
        command += ["--set", override]
    start = time.perf_counter()
    process = subprocess.Popen(command,
                               env=environment(), stderr=subprocess.PIPE, text=True)
    errors = process.communicate()[1]
    seconds = time.perf_counter() - start
    if process.returncode not in ((DONE, STOPPED) if wall_limit else (DONE,)):
        raise SystemExit(f"{' '.join(command)}\nended with status {process.returncode}:\n{errors}")
    kilobytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return seconds, kilobytes / 1024


def methods():
    """The names of all solvers but `auto`."""
    schema = json.loads(subprocess.run([str(PROGRAM), "schema"], capture_output=True, text=True, check=True).stdout)
    return [name for name in schema["properties"]["solver"]["properties"]["method"]["enum"] if name != "auto"]


def solve(problem, method, friction, tolerance, max_seconds, ranks=1, output=None, program=PROGRAM, max_iterations=0,
          overrides=(), replay=False):
    """The report of one method alone, from zero impulses, or with @p replay from those that the run that wrote the
    problem started from; of a problem that is refused, its status says why.

    A method may name keys of its own: `kleinert:linear_solver=mumps`; @p overrides are other keys.
    """
    method, _, keys = method.partition(":")
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        launcher = ["mpirun", "-n", ranks] if ranks > 1 else []
        command = [*launcher, program, "solve", problem, "--solver", method, "--friction", friction, "--tol", tolerance,
                   "--max-seconds", max_seconds, "--max-iterations", max_iterations, "--no-fallback", "--quiet", "--report", report]
        for key in [*(f"solver.{method}.{key}" for key in filter(None, keys.split(","))), *overrides]:
            command += ["--set", key]
        if output:
            command += ["--output", output]
        if replay:
            command += ["--replay"]
        # Open MPI's files of single processes have one name: where several run at a time, each needs a place of its own
        own = environment() | {"OMPI_MCA_orte_tmpdir_base": folder}
        run = subprocess.run([str(word) for word in command], env=own, capture_output=True, text=True)
        if run.returncode in (0, 1) and report.exists():
            return json.loads(report.read_text(encoding="utf-8"))
        return {"status": "refused: " + (run.stderr.strip().splitlines() or ["no message"])[-1]}


def solve_once(folder, problem, method, friction, tolerance, max_seconds, ranks=1, max_iterations=0, with_solution=False):
    """solve(), kept in FOLDER: what was solved there before is read, so that a bench that was cut off goes on.

    With @p with_solution the report names the file of the impulses, `solution`.
    """
    words = f"{problem.stem} {method} {friction} {tolerance:g} {max_seconds:g} {ranks} {max_iterations}"
    kept = pathlib.Path(folder) / (re.sub(r"[^\w.+-]+", "_", words) + ".json")
    solution = kept.with_suffix(".hdf5") if with_solution else None
    if not kept.exists() or (solution and not solution.exists()):
        kept.parent.mkdir(parents=True, exist_ok=True)
        report = solve(problem, method, friction, tolerance, max_seconds, ranks, solution, max_iterations=max_iterations)
        print(f"{words}: {report['status']}", flush=True)
        if "measures" not in report:  # refused, or ended from outside: to be tried again
            return report
        part = kept.with_suffix(".part")
        part.write_text(json.dumps(report), encoding="utf-8")
        part.replace(kept)
    report = json.loads(kept.read_text(encoding="utf-8"))
    return report | {"solution": solution} if solution else report


def reaches(report, measure, bound):
    """The first point of a solve's history, after its start, where a measure is at most this; None where none is."""
    points = (p for p in report.get("history", [])[1:] if p[measure] is not None and p[measure] <= bound)
    return next(points, None)


def make_piles(folder, names):
    """Files of these piles; scripts/bench/piles makes those that are missing."""
    files = [pathlib.Path(folder) / f"{name}.hdf5" for name in names]
    missing = [file.stem for file in files if not file.exists()]
    if missing:
        subprocess.run([sys.executable, "-B", str(pathlib.Path(__file__).with_name("piles")), str(folder), *missing],
                       check=True, stdout=sys.stderr)
    return files


def table(run_folder, name="steps"):
    """The rows of steps.csv or tools.csv; numbers where they are numbers."""
    def value(text):
        try:
            return float(text)
        except ValueError:
            return text
    with open(pathlib.Path(run_folder) / f"{name}.csv", newline="", encoding="utf-8") as file:
        return [{key: value(text) for key, text in row.items()} for row in csv.DictReader(file)]


def write_results(path, title, command, rows, note="", after=()):
    """One table as CSV and as Markdown, with the command that made it; @p after: lines below it, in Markdown alone."""
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    columns = list(rows[0])
    with open(path.with_suffix(".csv"), "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    lines = [f"# {title}", "", f"Made by `{command}`.{' ' + note if note else ''}", "",
             "| " + " | ".join(columns) + " |", "| " + " | ".join("---" for _ in columns) + " |"]
    lines += ["| " + " | ".join(str(row[c]) for c in columns) + " |" for row in rows]
    lines += ["", *after] if after else []
    path.with_suffix(".md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))
