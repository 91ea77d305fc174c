"""What the benches share: runs of scree, their tables, and pages of results."""
import csv
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import textwrap
import time

DONE, STOPPED = 0, 3  # statuses that scree ends with
ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAM = pathlib.Path(os.environ.get("SCREE_PROGRAM", ROOT / "build" / "scree"))
BENCH = ROOT / "scripts" / "bench" / "run"
RIGID = "materials.gravel.young_modulus=0"  # for benches of rigid grains on the examples


# Open MPI's files of single processes have one name: benches that run at a time need a place each.
PLACE = tempfile.TemporaryDirectory(prefix="bench-")


def environment(ranks=1):
    """Ranks may share cores, and the superuser may start them, in a bench; one rank alone starts no daemon. Where there are more
    ranks than cores, those that wait leave theirs to others.
    """
    shared = {"OMPI_MCA_mpi_yield_when_idle": "1"} if ranks > len(os.sched_getaffinity(0)) else {}
    return dict(os.environ, **shared, OMP_NUM_THREADS="1", OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_ess_singleton_isolated="1",
                OMPI_MCA_orte_tmpdir_base=PLACE.name)


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
                               env=environment(ranks), stderr=subprocess.PIPE, text=True)
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
        own = environment(ranks) | {"OMPI_MCA_orte_tmpdir_base": folder}
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
        subprocess.run([BENCH, "piles", folder, *missing], check=True, stdout=sys.stderr)
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


def declare_results(parser, table=None):
    """--results, and --table for a bench whose calls make a table each, of the same columns."""
    name = pathlib.Path(sys.modules["__main__"].__file__).parent.name
    parser.add_argument("--results", type=pathlib.Path, metavar="FOLDER",
                        default=ROOT / "output" / "bench" / name,
                        help=f"of tables and their page; docs/results/{name} renews the stored ones")
    if table:
        parser.add_argument("--table", metavar="NAME", default=table,
                            help="of the table in that folder")


def parse(parser, parts):
    """The arguments of a bench whose words name @p parts of it; all where none is named."""
    args = parser.parse_args()
    if unknown := set(args.parts) - set(parts):
        parser.error(f"{', '.join(sorted(unknown))}: no such part; there are {', '.join(parts)}")
    args.parts = args.parts or list(parts)
    return args


def made_by(command):
    """The lines of a page that say by which command a table was made, of which commit, and on
    which machine.
    """
    git = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty", "--abbrev=10"],
                         capture_output=True, text=True)
    commit = f"commit {git.stdout.strip()}" if git.returncode == 0 else "no commit"
    processors = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
    models = re.findall(r"^model name\s*: (.+)$", processors, re.MULTILINE)
    machine = f"{os.cpu_count()} cores" + (f", {models[0]}" if models else "")
    return ["    " + command, "", f"Made on {time.strftime('%Y-%m-%d')}: {commit}; {machine}."]


def write_section(folder, name, lines):
    """A section of FOLDER/README.md: the lines from its heading to a mark at its end. Words that
    stand below the mark stay, and so do other sections.
    """
    page = folder / "README.md"
    title = sys.modules["__main__"].__doc__.splitlines()[0].rstrip(".")
    text = page.read_text(encoding="utf-8") if page.exists() else f"# {title}\n"
    section = "\n".join([f"## {name}", "", *lines, "", f"<!-- end of {name} -->", ""])
    start, end = f"\n## {name}\n", f"\n<!-- end of {name} -->\n"
    if start in text:
        before, _, rest = text.partition(start)
        text = f"{before}\n{section}{rest.partition(end)[2]}"
    else:
        text += f"\n{section}"
    page.write_text(text, encoding="utf-8")


def write_results(path, title, command, rows, note="", after=(), picture=None):
    """PATH.csv, and in the page of its folder a section that says what it is and how it was made.

    @p after: further lines of the section, in Markdown; @p picture: the name of one beside the table.
    """
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    table = path.with_name(f"{path.name}.csv")
    with open(table, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    lines = [f"{title}: [{table.name}]({table.name}), by", "", *made_by(command)]
    if note:
        lines += ["", *textwrap.wrap(note, 100, break_long_words=False, break_on_hyphens=False)]
    lines += ["", *after] if after else []
    lines += ["", f"![{title}]({picture})"] if picture else []
    write_section(path.parent, path.name, lines)
    print(table.read_text(encoding="utf-8"), *lines, sep="\n")
