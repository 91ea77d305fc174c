#!/usr/bin/python3
"""Fails on files that are too long, and on debris in the text of the source tree.

    text.py SOURCE_DIR

A file of code over 400 lines gets a warning, over 600 it is a fault: cut it into named steps.
Debris: blanks at the end of a line, tabs, carriage returns, a missing last newline, marks of an
unresolved merge, and notes to oneself (an open matter belongs to the list of issues).
"""
import re
import sys
from pathlib import Path

WARN_LINES = 400
MAX_LINES = 600

FOLDERS = ["src", "include", "tests", "scripts", "cmake", "configs", "docker", "docs", ".ci"]
BUDGETED = {".cpp", ".hpp", ".py", ".sh"}
BINARY = {".png", ".hdf", ".hdf5", ".h5", ".gz"}
CORPUS = Path("tests/fuzz/corpus")  # files as users of other systems make them
EXEMPT = {"tests/hygiene/text.py", "tests/hygiene/test_hygiene.py"}  # they name the debris

DEBRIS = [
    (re.compile(r"[ \t]$"), "blanks at the end of the line: remove them"),
    (re.compile(r"\t"), "a tab: use blanks"),
    (re.compile(r"\r"), "a carriage return: save the file with Unix line ends"),
    (re.compile(r"^(<{7}|>{7}|={7})( |$)"), "an unresolved merge"),
    (re.compile(r"\b(TODO|FIXME|XXX|HACK)\b"), "a note to oneself: do it, or open an issue"),
]


def files(source_dir):
    for folder in FOLDERS:
        yield from sorted((source_dir / folder).rglob("*"))
    yield from sorted(f for f in source_dir.iterdir() if f.name != ".git")


def check_file(file, path):
    """Faults and warnings of one file, as text."""
    text = file.read_bytes().decode("utf-8")
    lines = text.split("\n")
    found = []
    if path.as_posix() not in EXEMPT:
        for number, line in enumerate(lines, 1):
            found += [f"{path}:{number}: {what}" for pattern, what in DEBRIS if pattern.search(line)]
    if text and not text.endswith("\n"):
        found.append(f"{path}:{len(lines)}: the last line has no newline: add one")
    warnings = []
    count = text.count("\n")
    if path.suffix in BUDGETED and count > WARN_LINES:
        message = f"{path}: {count} lines: cut it into files with one subject each"
        (found if count > MAX_LINES else warnings).append(message)
    return found, warnings


def check(source_dir):
    """All faults and warnings of a source tree, and the number of files read."""
    found, warnings, count = [], [], 0
    for file in files(source_dir):
        path = file.relative_to(source_dir)
        if not file.is_file() or path.suffix in BINARY or CORPUS in path.parents or "__pycache__" in path.parts:
            continue
        count += 1
        try:
            more, warned = check_file(file, path)
        except UnicodeDecodeError as error:
            more, warned = [f"{path}: not UTF-8 text ({error})"], []
        found += more
        warnings += warned
    return found, warnings, count


def main():
    found, warnings, count = check(Path(sys.argv[1]))
    for line in warnings:
        print(f"warning: {line} (at most {MAX_LINES})")
    for line in found:
        print(line)
    print(f"text: {count} files, {len(found)} faults, {len(warnings)} warnings")
    return 1 if found or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
