"""What the benches share: runs of scree, their tables, and Markdown."""
import csv
import os
import pathlib
import resource
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "scree"


def environment():
    """Ranks may share cores, and the superuser may start them, in a bench."""
    return dict(os.environ, OMP_NUM_THREADS="1", OMPI_ALLOW_RUN_AS_ROOT="1",
                OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1")


def run(config, output, ranks=1, overrides=()):
    """Runs scree; returns (wall seconds, peak memory of the largest rank in MB)."""
    launcher = ["mpirun", "-n", str(ranks)] if ranks > 1 else []
    command = [*launcher, str(PROGRAM), "run", str(config), "--output", str(output), "--quiet",
               "--set", "output.overwrite=true"]
    for override in overrides:
        command += ["--set", override]
    start = time.perf_counter()
    process = subprocess.Popen(command,
                               env=environment(), stderr=subprocess.PIPE, text=True)
    errors = process.communicate()[1]
    seconds = time.perf_counter() - start
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(command)}\nended with status {process.returncode}:\n{errors}")
    kilobytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return seconds, kilobytes / 1024


def table(run_folder, name="steps"):
    """The rows of steps.csv or tools.csv; numbers where they are numbers."""
    def value(text):
        try:
            return float(text)
        except ValueError:
            return text
    with open(pathlib.Path(run_folder) / f"{name}.csv", newline="", encoding="utf-8") as file:
        return [{key: value(text) for key, text in row.items()} for row in csv.DictReader(file)]


def write_results(path, title, command, rows):
    """One table as CSV and as Markdown, with the command that made it."""
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    columns = list(rows[0])
    with open(path.with_suffix(".csv"), "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    lines = [f"# {title}", "", f"Made by `{command}`.", "",
             "| " + " | ".join(columns) + " |", "| " + " | ".join("---" for _ in columns) + " |"]
    lines += ["| " + " | ".join(str(row[c]) for c in columns) + " |" for row in rows]
    path.with_suffix(".md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))
