#!/usr/bin/python3
"""Runs one case folder and compares what it left with the case's expectations.

    run_case.py CASE_FOLDER SCREE LAUNCHER...

LAUNCHER is the words that start SCREE on some ranks (mpirun -n 2), or nothing. A case is a folder:

    run.yaml       what is run
    expected.txt   `# ranks: 1 2 4` in the first line (tests/runs/CMakeLists.txt reads it), then one
                   expectation a line:

    status 0                                       exit status
    says  not a word of it                         standard error or output holds this text
    steps.csv last time = 0.1 +- 1e-12             a figure of a column, near a value
    steps.csv max penetration <= 1e-3              ... or within a bound (also >=)
    tools.csv[floor] mean force_z = -9.8 +- 1e-6   of the rows of one tool only
    files snapshots/*.hdf = 2                      number of files in the run's folder
    set time.dt=1e-3                               an argument --set for this case

Figures: first, last, min, max, mean, sum, count. The tail of a run: `last10 mean`, of the last ten
rows. A column of numbers that holds anything else fails.
"""
import csv
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FIGURES = {
    "first": lambda x: x[0],
    "last": lambda x: x[-1],
    "min": min,
    "max": max,
    "mean": lambda x: sum(x) / len(x),
    "sum": sum,
    "count": len,
}

FIGURE = re.compile(
    r"(?P<file>[\w.]+\.csv)(\[(?P<tool>\w+)\])? (last(?P<tail>\d+) )?(?P<figure>[a-z]+) "
    r"(?P<column>\w+) (?P<relation>=|<=|>=) (?P<value>\S+)( \+- (?P<tolerance>\S+))?")


class WrongCase(Exception):
    """The case is written wrongly."""


def compare(found, relation, value, tolerance):
    """Whether a figure is as expected. Not-a-number never is."""
    if relation == "<=":
        return found <= value
    if relation == ">=":
        return found >= value
    return abs(found - value) <= tolerance


def figure_of(folder, match):
    """The figure that an expectation names."""
    with open(folder / match["file"], newline="") as file:
        rows = list(csv.DictReader(file))
    if match["tool"]:
        rows = [row for row in rows if row["tool"] == match["tool"]]
    if match["tail"]:
        rows = rows[-int(match["tail"]):]
    if not rows:
        raise WrongCase("no rows to take a figure of")
    if match["column"] not in rows[0]:
        raise WrongCase(f"no column {match['column']}; there are {', '.join(rows[0])}")
    if match["figure"] not in FIGURES:
        raise WrongCase(f"no figure {match['figure']}; there are {', '.join(FIGURES)}")
    return FIGURES[match["figure"]]([float(row[match["column"]]) for row in rows])


def check(line, folder, status, text):
    """What is wrong by one expectation; None when it holds."""
    match = FIGURE.fullmatch(line)
    if match:
        if (match["relation"] == "=") != bool(match["tolerance"]):
            raise WrongCase("`=` needs a tolerance, `+- X`; bounds have none")
        found = figure_of(folder, match)
        tolerance = float(match["tolerance"] or 0)
        holds = compare(found, match["relation"], float(match["value"]), tolerance)
        return None if holds else f"found {found!r}"
    word, _, rest = line.partition(" ")
    if word == "status":
        return None if status == int(rest) else f"found status {status}"
    if word == "says":
        return None if rest.strip() in text else "not said"
    if word == "files":
        pattern, _, number = rest.partition(" = ")
        found = len(list(folder.glob(pattern)))
        return None if found == int(number) else f"found {found}"
    raise WrongCase("not an expectation; see tests/runs/run_case.py")


def expectations(case):
    """The lines of expected.txt, and the arguments that the case adds."""
    lines = [line.split("#")[0].strip() for line in (case / "expected.txt").read_text().splitlines()]
    lines = [line for line in lines if line]
    arguments = [word for line in lines if line.startswith("set ") for word in ("--set", line[4:])]
    return [line for line in lines if not line.startswith("set ")], arguments


def run(case, program, launcher):
    """Runs the case. Returns its faults, and what the program said."""
    lines, arguments = expectations(case)
    if not any(line.startswith("status ") for line in lines):
        raise WrongCase(f"{case}/expected.txt: no line `status N`")
    with tempfile.TemporaryDirectory() as parent:
        folder = Path(parent) / "out"
        command = [*launcher, program, "run", str(case / "run.yaml"), "--output", str(folder)]
        done = subprocess.run(command + arguments, capture_output=True, text=True, timeout=500)
        text = done.stdout + done.stderr
        faults = []
        for line in lines:
            try:
                wrong = check(line, folder, done.returncode, text)
            except (WrongCase, OSError, ValueError) as error:
                wrong = str(error)
            if wrong:
                faults.append(f"{case.name}: {line}: {wrong}")
    return faults, text


def main():
    faults, text = run(Path(sys.argv[1]), sys.argv[2], sys.argv[3:])
    if faults:
        print(text)
    print("\n".join(faults) or f"{Path(sys.argv[1]).name}: as expected")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
